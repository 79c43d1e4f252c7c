#include "app/accounts/invoice.h"

#include <algorithm>
#include <string_view>

#include "app/accounts/amount.h"
#include "platform/base/text/digits.h"
#include "platform/base/text/letter_case.h"

namespace idkiosk {
namespace {

// What stands behind the word for a sum that `text` begins with; nothing: it begins with none.
std::optional<std::string> BehindSum(std::string_view text) {
  constexpr std::string_view kSums[] = {"total",   "subtotal",  "sub total", "grand total",
                                        "sum",     "vat",       "tax",       "discount",
                                        "balance", "amount due"};
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
  if (!reader->columns_.Has(InvoiceColumn::kTime) || reader->order_is_given_) return reader;
  const auto learned = reader->LearnOrder();
  if (!learned) {
    return Fail(ErrorCode::kInvalid, "{}: {}", reader->columns_.Describe(InvoiceColumn::kTime),
                learned.error().message);
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
    if ((*record)->fields.size() != columns_.count()) continue;
    const bool names_attempt = !columns_.Cell(**record, InvoiceColumn::kReference).empty() ||
                               !columns_.Cell(**record, InvoiceColumn::kAttemptId).empty();
    const std::string time = columns_.TimeIn(**record);
    column.See(time, (*record)->line, !names_attempt && !time.empty() && !MayBeSum(time));
  }
}

Result<InvoiceReader> InvoiceReader::Begin(std::istream& in, const std::string& columns,
                                           Zone zone) {
  InvoiceReader reader(in, zone);
  const auto head = reader.csv_.Next();
  if (!head) return std::unexpected(head.error());
  if (!*head) return Fail(ErrorCode::kInvalid, "the file is empty");
  auto found = InvoiceColumns::Find(**head, columns);
  if (!found) return std::unexpected(found.error());
  reader.columns_ = std::move(*found);
  return reader;
}

// Spreadsheets leave rows of separators alone behind the last one, and separators behind a row.
Result<std::optional<CsvRecord>> InvoiceReader::NextRecord() {
  const auto is_blank = [](const std::string& each) { return CellText(each).empty(); };
  auto record = csv_.Next();
  while (record && *record && std::ranges::all_of((*record)->fields, is_blank)) {
    record = csv_.Next();
  }
  if (!record || !*record) return record;
  std::vector<std::string>& fields = (*record)->fields;
  while (fields.size() > columns_.count() && is_blank(fields.back())) fields.pop_back();
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

std::unexpected<Error> InvoiceReader::Wrong(const CsvRecord& record, InvoiceColumn column,
                                            std::string_view what) const {
  return Fail(ErrorCode::kInvalid, "line {}, {}: {}", record.line, columns_.Describe(column), what);
}

Status InvoiceReader::CheckIsAttempt(const CsvRecord& record) const {
  const auto first = std::ranges::find_if(
      record.fields, [](const std::string& each) { return !CellText(each).empty(); });
  const bool is_whole = record.fields.size() == columns_.count();
  const auto cell = [&](InvoiceColumn column) { return columns_.Cell(record, column); };
  const auto names_attempt = [](std::string_view id) { return !id.empty() && !IsSum(id); };
  std::vector<std::string_view> may_be_sums;
  if (!is_whole) {
    may_be_sums = {CellText(*first)};
  } else if (!names_attempt(cell(InvoiceColumn::kReference)) &&
             !names_attempt(cell(InvoiceColumn::kAttemptId))) {
    may_be_sums = {CellText(*first), cell(InvoiceColumn::kTime), cell(InvoiceColumn::kEndpoint),
                   cell(InvoiceColumn::kReference), cell(InvoiceColumn::kAttemptId)};
  }
  if (const auto sum = std::ranges::find_if(may_be_sums, IsSum); sum != may_be_sums.end()) {
    return Fail(ErrorCode::kInvalid,
                "line {}: \"{}\" is no attempt: remove the line if it is a sum, a tax, a discount "
                "or the like",
                record.line, *sum);
  }
  if (is_whole) return {};
  return Fail(ErrorCode::kInvalid, "line {}: {} columns, and the first line has {}: {}",
              record.line, record.fields.size(), columns_.count(),
              record.fields.size() < columns_.count() ? "write the missing ones, if empty"
                                                      : "quote fields that hold the separator");
}

Status InvoiceReader::ReadTime(const CsvRecord& record, InvoiceLine& line) const {
  const std::string time = columns_.TimeIn(record);
  if (time.empty()) return {};
  const auto at = ParseTime(time);
  if (at) line.at = *at;
  // A line that names its attempt is found without its time.
  if (at || line.names_attempt()) return {};
  return Wrong(
      record, InvoiceColumn::kTime,
      fmt::format("\"{}\" {}{}write it as 2026-11-20 08:00:00 or 2026-11-20T08:00:00Z", time,
                  at.error().message, MayBeSum(time) ? "remove the line if it is a sum, or " : ""));
}

Status InvoiceReader::ReadPrice(const CsvRecord& record, InvoiceLine& line) const {
  const std::string_view cell = columns_.Cell(record, InvoiceColumn::kPrice);
  const auto price = ParseInvoicedPrice(cell);
  if (!price) return Wrong(record, InvoiceColumn::kPrice, price.error().message);
  line.price = price->hundredths;
  if (line.currency.empty()) line.currency = price->currency;
  if (!price->currency.empty() && price->currency != line.currency) {
    return Wrong(record, InvoiceColumn::kPrice,
                 fmt::format("\"{}\" is in {}, and the line's currency is {}", cell,
                             price->currency, line.currency));
  }
  if (line.price < 0 && !line.names_attempt()) {
    return Wrong(record, InvoiceColumn::kPrice,
                 fmt::format("\"{}\" is a credit, and names no reference or attempt_id to set it "
                             "against: settle it apart",
                             cell));
  }
  return {};
}

Result<InvoiceLine> InvoiceReader::Parse(const CsvRecord& record) {
  const auto cell = [&](InvoiceColumn column) { return columns_.Cell(record, column); };
  InvoiceLine line{.line = record.line,
                   .at = {},
                   .endpoint = std::string(cell(InvoiceColumn::kEndpoint)),
                   .reference = std::string(cell(InvoiceColumn::kReference)),
                   .attempt_id = std::string(cell(InvoiceColumn::kAttemptId)),
                   .currency = CurrencyCode(cell(InvoiceColumn::kCurrency))};
  // A number that stands where it should names the attempt, whatever else is wrong.
  unread_ = line;
  if (Status good = CheckIsAttempt(record); !good) return std::unexpected(good.error());
  for (const auto column : {InvoiceColumn::kReference, InvoiceColumn::kAttemptId}) {
    if (!IsShortened(cell(column))) continue;
    return Wrong(record, column,
                 fmt::format("\"{}\" is what a spreadsheet made of a longer number, whose other "
                             "digits are lost: take the file as it was sent, or import that "
                             "column as text",
                             cell(column)));
  }
  if (Status read = ReadTime(record, line); !read) return std::unexpected(read.error());
  if (Status read = ReadPrice(record, line); !read) return std::unexpected(read.error());
  if (!line.at && !line.names_attempt()) {
    return Fail(
        ErrorCode::kInvalid,
        "line {}: no time, reference or attempt_id to match it by: remove it if it is a sum",
        record.line);
  }
  return line;
}

}  // namespace idkiosk
