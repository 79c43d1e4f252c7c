#include "app/accounts/ledger_lines.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/accounts/amount.h"
#include "app/accounts/csv.h"
#include "platform/base/json.h"
#include "platform/base/text/amount.h"
#include "platform/base/text/letter_case.h"

namespace idkiosk {

std::string PlainAttemptId(std::string_view id) {
  std::string plain;
  for (const char each : id) {
    if (each == '-') continue;
    plain += LowerLetter(each);
  }
  return plain;
}

namespace {

// Takes the next letter of a reference, in small; 0 at its end.
char TakeLetter(std::string_view& rest) {
  constexpr std::string_view kSpaces[] = {" ", "\xC2\xA0", "\xE2\x80\xAF"};
  while (!rest.empty()) {
    const auto* const space = std::ranges::find_if(
        kSpaces, [&](std::string_view each) { return rest.starts_with(each); });
    if (space == std::end(kSpaces)) break;
    rest.remove_prefix(space->size());
  }
  if (rest.empty()) return '\0';
  const char letter = LowerLetter(rest.front());
  rest.remove_prefix(1);
  return letter;
}

}  // namespace

std::string PlainReference(std::string_view reference) {
  std::string plain;
  while (const char letter = TakeLetter(reference)) plain += letter;
  return plain;
}

bool IsSameReference(std::string_view one, std::string_view other) {
  while (true) {
    const char letter = TakeLetter(one);
    if (letter != TakeLetter(other)) return false;
    if (letter == '\0') return true;
  }
}

std::string LedgerCsvHead() {
  return CsvLine({"started_at", "reference", "attempt", "endpoint", "operator", "stage",
                  "http_status", "billed", "rule", "price", "currency", "attempt_id",
                  "service_reference", "genuine", "case", "pictures"});
}

std::string LedgerCsv(const LedgerLine& line, Zone zone) {
  return CsvLine({FormatIn(zone, line.at), line.reference, fmt::format("{}", line.attempt),
                  line.endpoint, line.operator_id, line.stage, fmt::format("{}", line.http_status),
                  line.billed, line.rule, FormatAmount(line.price), line.currency, line.attempt_id,
                  line.service_reference, line.genuine ? "yes" : "no", line.case_id,
                  line.pictures});
}

std::string LedgerJson(const LedgerLine& line, Zone zone) {
  JsonWriter json;
  json.BeginObject()
      .Field("reference", line.reference)
      .Field("attempt", line.attempt)
      .Field("endpoint", line.endpoint)
      .Field("operator", line.operator_id)
      .Field("started_at", FormatIn(zone, line.at));
  if (line.ended_at) json.Field("ended_at", FormatIn(zone, *line.ended_at));
  return json.Field("stage", line.stage)
      .Field("http_status", line.http_status)
      .Field("billed", line.billed)
      .Field("rule", line.rule)
      .Field("price", FormatAmount(line.price))
      .Field("currency", line.currency)
      .Field("attempt_id", line.attempt_id)
      .Field("service_reference", line.service_reference)
      .Field("genuine", line.genuine)
      .Field("case", line.case_id)
      .Field("pictures", line.pictures)
      .EndObject()
      .Take();
}

Result<LedgerLine> ParseLedgerJson(std::string_view text) {
  const auto document = JsonDocument::Parse(text);
  if (!document) return std::unexpected(document.error());
  const JsonView root = document->root();
  const auto text_of = [&root](std::string_view name) {
    return std::string(root[name].AsString().value_or(""));
  };
  LedgerLine line;
  const auto at = ParseRfc3339(text_of("started_at"));
  if (!at) return Fail(ErrorCode::kInvalid, "\"started_at\" is no time: export it with --jsonl");
  line.at = *at;
  if (root["ended_at"].exists()) {
    const auto ended_at = ParseRfc3339(text_of("ended_at"));
    if (!ended_at) return Fail(ErrorCode::kInvalid, "\"ended_at\" is no time");
    line.ended_at = *ended_at;
  }
  const auto price = ParseAmount(text_of("price"));
  if (!price) return std::unexpected(price.error().Within("\"price\""));
  line.price = *price;
  line.billed = text_of("billed");
  if (line.billed != "yes" && line.billed != "maybe" && line.billed != "no") {
    return Fail(ErrorCode::kInvalid, "\"billed\" is not yes, maybe or no: export it with --jsonl");
  }
  line.reference = text_of("reference");
  line.attempt = static_cast<int>(root["attempt"].AsInteger().value_or(0));
  if (line.reference.empty() || line.attempt < 1) {
    return Fail(ErrorCode::kInvalid, "it names no attempt: export it with --jsonl");
  }
  line.endpoint = text_of("endpoint");
  line.operator_id = text_of("operator");
  line.stage = text_of("stage");
  line.http_status = static_cast<int>(root["http_status"].AsInteger().value_or(0));
  line.rule = text_of("rule");
  line.currency = text_of("currency");
  line.attempt_id = text_of("attempt_id");
  line.service_reference = text_of("service_reference");
  line.genuine = root["genuine"].AsBool().value_or(true);
  line.case_id = text_of("case");
  line.pictures = text_of("pictures");
  return line;
}

}  // namespace idkiosk
