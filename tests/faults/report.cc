#include "tests/faults/report.h"

#include <fmt/format.h>

#include <algorithm>

#include "platform/base/json.h"

namespace idkiosk::faults {
namespace {

bool NotRun(const RowResult& result) { return !result.tally.needs().empty(); }

// Where none of n faults did harm, another one does with at most this chance (95 %: the rule of
// three).
std::string Bound(const RowResult& result) {
  const int64_t n = result.tally.injections();
  if (NotRun(result) || Failed(result) || n == 0) return "";
  return n <= 3 ? "100 %" : fmt::format("{:.2g} %", 300.0 / static_cast<double>(n));
}

std::string Counts(const RowResult& result, std::string_view between) {
  std::string counts;
  for (size_t i = 0; i < kInvariants; ++i) {
    counts += fmt::format("{}{}", i == 0 ? "" : between,
                          NotRun(result) ? "" : std::to_string(result.tally.violations(i)));
  }
  return counts;
}

std::string_view Again(const RowResult& result) { return result.row->means; }

}  // namespace

bool Failed(const RowResult& result) {
  return result.tally.broken() || result.tally.violations() > 0;
}

std::string Verdict(const RowResult& result) {
  if (result.tally.broken()) return "BROKEN";
  if (!result.tally.needs().empty()) return "not run: needs " + result.tally.needs();
  return result.tally.violations() > 0 ? "VIOLATED" : "held";
}

std::string TableHead() {
  return fmt::format("{:>3}  {:<52} {:>6}  {:>3}{:>3}{:>3}{:>3}{:>3}  {:>6}  {}", "row", "fault",
                     "n", "I1", "I2", "I3", "I4", "I5", "s", "verdict");
}

std::string TableLine(const RowResult& result) {
  std::string counts;
  for (size_t i = 0; i < kInvariants; ++i) {
    counts +=
        fmt::format("{:>3}", NotRun(result) ? "" : std::to_string(result.tally.violations(i)));
  }
  return fmt::format("{:>3}  {:<52} {:>6}  {}  {:>6.1f}  {}", result.row->number,
                     result.row->fault.substr(0, 52), result.tally.injections(), counts,
                     result.seconds, Verdict(result));
}

std::string ToJson(const std::vector<RowResult>& results, uint64_t seed, bool night) {
  JsonWriter json(2);
  json.BeginObject().Field("seed", seed).Field("night", night).Key("rows").BeginArray();
  for (const RowResult& each : results) {
    json.BeginObject()
        .Field("row", each.row->number)
        .Field("fault", each.row->fault)
        .Field("means", each.row->means)
        .Field("injections", each.tally.injections())
        .Field("broken", each.tally.broken())
        .Field("needs", each.tally.needs())
        .Key("violations")
        .BeginObject();
    for (size_t i = 0; i < kInvariants; ++i) {
      json.Field(fmt::format("I{}", i + 1), each.tally.violations(i));
    }
    json.EndObject().Field("verdict", Verdict(each)).Field("seconds", each.seconds);
    json.Key("findings").BeginArray();
    for (const std::string& finding : each.tally.findings()) json.Value(finding);
    json.EndArray().EndObject();
  }
  return json.EndArray().EndObject().Take() + "\n";
}

std::string ToMarkdown(const std::vector<RowResult>& results, bool night) {
  const auto held = std::ranges::count_if(
      results, [](const RowResult& each) { return !NotRun(each) && !Failed(each); });
  const auto failed = std::ranges::count_if(results, &Failed);
  std::string text = fmt::format(
      R"(# The faults that idkiosk must survive

Written by `tools/faults --report{}`; tests/README.md says how a row is added. Each row was brought about n times against the
programs as they are installed, with a service over TLS that keeps its own list of what it bills; in rows 4 to 7 and 37 against their
parts, on disks in memory. What must hold:

- I1: the service bills no attempt that the ledger did not approve.
- I2: no accepted call is lost: it is answered, it waits, or it is named.
- I3: nobody's number, name or picture can be read in the state folder or a log, and no secret.
- I4: once the fault is gone it works again by itself, or says which person must do what.
- I5: memory, disk and descriptors do not grow without end.

The columns I1 to I5 count violations. Where n faults brought none, the bound (3/n) is the
highest chance of one that still fits this at 95 %. A row that was not run counts for nothing.

{} rows held, {} failed, {} of {} are not run.

| row | fault | n | I1 | I2 | I3 | I4 | I5 | bound | verdict | by what means |
|---|---|---|---|---|---|---|---|---|---|---|
)",
      night ? " --night" : "", held, failed, static_cast<int64_t>(results.size()) - held - failed,
      results.size());
  for (const RowResult& each : results) {
    text += fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", each.row->number, each.row->fault,
                        NotRun(each) ? "" : std::to_string(each.tally.injections()),
                        Counts(each, " | "), Bound(each), Verdict(each), Again(each));
  }
  return text;
}

}  // namespace idkiosk::faults
