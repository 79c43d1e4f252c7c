#include "app/accounts/invoice.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "app/accounts/amount.h"
#include "platform/base/text/digits.h"
#include "platform/base/text/letter_case.h"

namespace idkiosk {
namespace {

enum Column : size_t { kTime, kEndpoint, kReference, kAttemptId, kPrice, kCurrency };
constexpr std::array<std::string_view, 6> kColumnNames = {"time",       "endpoint", "reference",
                                                          "attempt_id", "price",    "currency"};

std::string_view Trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t");
  if (first == text.npos) return "";
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

// A field's text without the marks by which Excel keeps a number as text: 'text and ="text".
std::string_view TextOf(std::string_view field) {
  field = Trimmed(field);
  constexpr std::string_view kFormula = "=\"";
  if (field.size() > kFormula.size() && field.starts_with(kFormula) && field.ends_with('"')) {
    return Trimmed(field.substr(kFormula.size(), field.size() - kFormula.size() - 1));
  }
  return field.starts_with('\'') ? Trimmed(field.substr(1)) : field;
}

// "a", "b", "c": what the first line has; not all of a long one.
std::string Quoted(const std::vector<std::string>& head) {
  constexpr size_t kShown = 12;
  std::string text;
  for (size_t at = 0; at < std::min(head.size(), kShown); ++at) {
    text += fmt::format("{}\"{}\"", at == 0 ? "" : ", ", head[at]);
  }
  return head.size() > kShown ? text + ", ..." : text;
}

// What stands alone in the first line; empty: nothing does.
std::string_view AloneIn(const std::vector<std::string>& head) {
  std::string_view alone;
  for (const std::string& each : head) {
    if (each.empty()) continue;
    if (!alone.empty()) return "";
    alone = each;
  }
  return alone;
}

// What stands behind the word for a sum that `text` begins with; nothing: it begins with none.
std::optional<std::string> BehindSum(std::string_view text) {
  constexpr std::string_view kSums[] = {"total", "subtotal", "sub total", "grand total", "vat",
                                        "tax",   "discount", "balance",   "amount due"};
  std::string plain = LowerCase(text);
  std::ranges::replace(plain, '-', ' ');
  for (const std::string_view sum : kSums) {
    if (plain.starts_with(sum)) return plain.substr(sum.size());
  }
  return std::nullopt;
}

// "Total:", "VAT 7.5%"; not "TOTAL-17", which may be a reference.
bool IsSum(std::string_view text) {
  const auto behind = BehindSum(text);
  if (!behind) return false;
  const bool has_share = behind->contains('%');
  return behind->find_first_not_of(has_share ? " :.,%@()0123456789" : " :.") == behind->npos;
}

// Where a time should stand.
bool MayBeSum(std::string_view text) {
  return BehindSum(text) || std::ranges::none_of(text, IsDigit);
}

// "1.23457E+18", which a spreadsheet shows for a number of more than eleven digits, and saves.
bool IsShortened(std::string_view id) {
  const size_t sign = id.find_first_of("Ee");
  if (sign == id.npos || sign == 0 || !id.substr(sign + 1).starts_with('+')) return false;
  const std::string_view power = id.substr(sign + 2);
  const auto of_number = [](char each) { return IsDigit(each) || each == '.' || each == ','; };
  return power.size() <= 3 && AreDigits(power) && IsDigit(id.front()) &&
         std::ranges::all_of(id.substr(0, sign), of_number);
}

}  // namespace

Result<InvoiceReader> InvoiceReader::Open(std::istream& in, const std::string& columns, Zone zone,
                                          DateOrder order) {
  const auto start = in.tellg();
  auto reader = Begin(in, columns, zone);
  if (!reader) return reader;
  reader->order_ = order;
  reader->order_is_given_ = order != DateOrder::kUnknown;
  if (!reader->places_[kTime] || reader->order_is_given_) return reader;
  const auto learned = reader->LearnOrder();
  if (!learned) {
    return Fail(ErrorCode::kInvalid, "column {} ({}): {}", *reader->places_[kTime] + 1,
                reader->head_[*reader->places_[kTime]], learned.error().message);
  }
  in.clear();
  in.seekg(start);
  auto again = Begin(in, columns, zone);
  if (again) again->order_ = *learned;
  return again;
}

Result<DateOrder> InvoiceReader::LearnOrder() {
  ColumnOrder column;
  for (;;) {
    const auto record = NextRecord();
    if (!record || !*record) return column.Order();
    const std::vector<std::string>& fields = (*record)->fields;
    if (fields.size() != head_.size()) continue;
    const auto has = [&](Column name) {
      return places_[name] && !TextOf(fields[*places_[name]]).empty();
    };
    const std::string time = TimeIn(**record);
    column.See(time, (*record)->line,
               !has(kReference) && !has(kAttemptId) && !time.empty() && !MayBeSum(time));
  }
}

Result<InvoiceReader> InvoiceReader::Begin(std::istream& in, const std::string& columns,
                                           Zone zone) {
  InvoiceReader reader(in, zone);
  const auto head = reader.csv_.Next();
  if (!head) return std::unexpected(head.error());
  if (!*head) return Fail(ErrorCode::kInvalid, "the file is empty");
  if (Status found = reader.FindColumns(**head, columns); !found) {
    return std::unexpected(found.error());
  }
  return reader;
}

std::optional<size_t> InvoiceReader::PlaceOf(std::string_view name) const {
  const auto found = std::ranges::find_if(
      head_, [&](const std::string& each) { return EqualsIgnoringCase(each, name); });
  if (found == head_.end()) return std::nullopt;
  return static_cast<size_t>(found - head_.begin());
}

std::string InvoiceReader::TimeIn(const CsvRecord& record) const {
  const std::string_view time = TextOf(record.fields[*places_[kTime]]);
  if (!time_of_day_) return std::string(time);
  return std::string(Trimmed(fmt::format("{} {}", time, TextOf(record.fields[*time_of_day_]))));
}

Status InvoiceReader::FindColumns(const CsvRecord& head, const std::string& columns) {
  for (const std::string& each : head.fields) head_.emplace_back(TextOf(each));
  while (!head_.empty() && head_.back().empty()) head_.pop_back();
  const std::string_view alone = AloneIn(head_);
  if (!alone.empty() && std::ranges::none_of(kColumnNames, [&](std::string_view name) {
        return EqualsIgnoringCase(alone, name);
      })) {
    return Fail(ErrorCode::kInvalid,
                "line {}: \"{}\" stands alone, as a title does: the first line must name the "
                "columns, so remove what is above them. If it does name them, separate them by a "
                "comma, a semicolon, a tab or |",
                head.line, alone);
  }
  std::array<std::string, kColumnNames.size()> wanted;
  for (std::string_view rest = columns; !rest.empty();) {
    const std::string_view each = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(rest.size(), each.size() + 1));
    const size_t equals = each.find('=');
    const auto name = std::ranges::find(kColumnNames, Trimmed(each.substr(0, equals)));
    if (equals == each.npos || name == kColumnNames.end()) {
      return Fail(
          ErrorCode::kInvalid,
          "--columns {}: not like time=Date,reference=Ref,price=Amount; the names are time, "
          "endpoint, reference, attempt_id, price and currency",
          each);
    }
    wanted[static_cast<size_t>(name - kColumnNames.begin())] = Trimmed(each.substr(equals + 1));
  }
  places_.assign(kColumnNames.size(), std::nullopt);
  for (size_t name = 0; name < kColumnNames.size(); ++name) {
    std::string_view sought = wanted[name].empty() ? kColumnNames[name] : wanted[name];
    const size_t plus = sought.find('+');
    const bool is_two = name == kTime && plus != sought.npos && !PlaceOf(sought);
    if (is_two) {
      time_of_day_ = PlaceOf(Trimmed(sought.substr(plus + 1)));
      if (!time_of_day_) {
        return Fail(ErrorCode::kInvalid,
                    "line {}: no column \"{}\" among {}, which --columns names", head.line,
                    Trimmed(sought.substr(plus + 1)), Quoted(head_));
      }
      sought = Trimmed(sought.substr(0, plus));
    }
    for (size_t at = 0; at < head_.size(); ++at) {
      if (!EqualsIgnoringCase(head_[at], sought)) continue;
      if (places_[name]) {
        return Fail(ErrorCode::kInvalid, "line {}: two columns \"{}\": rename one of them",
                    head.line, sought);
      }
      places_[name] = at;
    }
    if (!wanted[name].empty() && !places_[name]) {
      return Fail(ErrorCode::kInvalid, "line {}: no column \"{}\" among {}, which --columns names",
                  head.line, sought, Quoted(head_));
    }
  }
  if (!places_[kPrice]) {
    return Fail(
        ErrorCode::kInvalid,
        "line {}: no column \"price\" among {}: name it with --columns price=NAME, or remove "
        "what stands above the column names",
        head.line, Quoted(head_));
  }
  if (!places_[kAttemptId] && !places_[kReference] && !places_[kTime]) {
    return Fail(ErrorCode::kInvalid,
                "line {}: no column \"attempt_id\", \"reference\" or \"time\": name one with "
                "--columns time=NAME",
                head.line);
  }
  return {};
}

// Spreadsheets leave rows of separators alone behind the last one, and separators behind a row.
Result<std::optional<CsvRecord>> InvoiceReader::NextRecord() {
  const auto is_blank = [](const std::string& each) { return TextOf(each).empty(); };
  auto record = csv_.Next();
  while (record && *record && std::ranges::all_of((*record)->fields, is_blank)) {
    record = csv_.Next();
  }
  if (!record || !*record) return record;
  std::vector<std::string>& fields = (*record)->fields;
  while (fields.size() > head_.size() && is_blank(fields.back())) fields.pop_back();
  return record;
}

Result<std::optional<InvoiceLine>> InvoiceReader::Next() {
  auto record = NextRecord();
  if (!record) {
    broken_ = true;
    return std::unexpected(record.error());
  }
  if (!*record) return std::nullopt;
  auto line = Parse(**record);
  if (!line) return std::unexpected(line.error());
  return std::move(*line);
}

Result<WallTime> InvoiceReader::ParseTime(std::string_view text) const {
  if (const auto time = ParseIn(zone_, text)) return *time;
  const auto time = ReadSheetTime(text);
  if (!time) return std::unexpected(time.error());
  const bool is_first = order_ == DateOrder::kDayFirst;
  if (order_is_given_ && time->shows != DateOrder::kUnknown && time->shows != order_) {
    return Fail(ErrorCode::kInvalid,
                "has the {} first, and --times says {}: ", is_first ? "month" : "day",
                is_first ? "day-first" : "month-first");
  }
  if (time->month_first && order_ == DateOrder::kUnknown) {
    return Fail(ErrorCode::kInvalid, "may mean two days: ");
  }
  return time->In(zone_, order_);
}

Result<InvoiceLine> InvoiceReader::Parse(const CsvRecord& record) {
  unread_ = {};
  const auto sum = [&](std::string_view text) {
    return Fail(ErrorCode::kInvalid,
                "line {}: \"{}\" is no attempt: remove the line if it is a sum, a tax, a discount "
                "or the like",
                record.line, text);
  };
  const auto first = std::ranges::find_if(
      record.fields, [](const std::string& each) { return !TextOf(each).empty(); });
  const std::string_view beginning = TextOf(*first);
  const auto field = [&](Column name) {
    const auto& place = places_[name];
    return place && *place < record.fields.size() ? TextOf(record.fields[*place])
                                                  : std::string_view();
  };
  if (record.fields.size() != head_.size()) {
    if (IsSum(beginning)) return sum(beginning);
    // A number that stands where it should names the attempt all the same.
    unread_.attempt_id = field(kAttemptId);
    unread_.reference = field(kReference);
    return Fail(ErrorCode::kInvalid, "line {}: {} columns, and the first line has {}: {}",
                record.line, record.fields.size(), head_.size(),
                record.fields.size() < head_.size() ? "write the missing ones, if empty"
                                                    : "quote fields that hold the separator");
  }
  const auto wrong = [&](Column name, std::string_view what) {
    return Fail(ErrorCode::kInvalid, "line {}, column {} ({}): {}", record.line, *places_[name] + 1,
                head_[*places_[name]], what);
  };
  InvoiceLine line{.line = record.line,
                   .at = {},
                   .endpoint = std::string(field(kEndpoint)),
                   .reference = std::string(field(kReference)),
                   .attempt_id = std::string(field(kAttemptId)),
                   .currency = CurrencyCode(field(kCurrency))};
  unread_ = line;
  const auto names_attempt = [](std::string_view id) { return !id.empty() && !IsSum(id); };
  if (!names_attempt(line.reference) && !names_attempt(line.attempt_id)) {
    for (const std::string_view each :
         {beginning, field(kTime), field(kEndpoint), field(kReference), field(kAttemptId)}) {
      if (IsSum(each)) return sum(each);
    }
  }
  for (const Column name : {kReference, kAttemptId}) {
    if (!IsShortened(field(name))) continue;
    return wrong(name, fmt::format("\"{}\" is what a spreadsheet made of a longer number, whose "
                                   "other digits are lost: take the file as it was sent, or import "
                                   "that column as text",
                                   field(name)));
  }
  if (const std::string time = places_[kTime] ? TimeIn(record) : ""; !time.empty()) {
    const auto at = ParseTime(time);
    if (at) line.at = *at;
    // A line that names its attempt is found without its time.
    if (!at && line.reference.empty() && line.attempt_id.empty()) {
      return wrong(kTime, fmt::format("\"{}\" {}{}write it as 2026-11-20 08:00:00 or "
                                      "2026-11-20T08:00:00Z",
                                      time, at.error().message,
                                      MayBeSum(time) ? "remove the line if it is a sum, or " : ""));
    }
  }
  const auto price = ParseInvoicedPrice(field(kPrice));
  if (!price) return wrong(kPrice, price.error().message);
  line.price = price->hundredths;
  if (line.currency.empty()) line.currency = price->currency;
  if (!price->currency.empty() && price->currency != line.currency) {
    return wrong(kPrice, fmt::format("\"{}\" is in {}, and the line's currency is {}",
                                     field(kPrice), price->currency, line.currency));
  }
  if (line.price < 0 && line.reference.empty() && line.attempt_id.empty()) {
    return wrong(kPrice, fmt::format("\"{}\" is a credit, and names no reference or attempt_id to "
                                     "set it against: settle it apart",
                                     field(kPrice)));
  }
  if (!line.at && line.reference.empty() && line.attempt_id.empty()) {
    return Fail(
        ErrorCode::kInvalid,
        "line {}: no time, reference or attempt_id to match it by: remove it if it is a sum",
        record.line);
  }
  return line;
}

}  // namespace idkiosk
