#include "app/accounts/invoice_columns.h"

#include <algorithm>
#include <utility>

#include "platform/base/enum_rows.h"
#include "platform/base/text/letter_case.h"
#include "platform/base/text/trimmed.h"

namespace idkiosk {
namespace {

constexpr std::string_view kNames[] = {"time",       "endpoint", "reference",
                                       "attempt_id", "price",    "currency"};
static_assert(std::size(kNames) == EnumeratorCount<InvoiceColumn>());

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

}  // namespace

std::string_view CellText(std::string_view cell) {
  cell = Trimmed(cell);
  constexpr std::string_view kFormula = "=\"";
  if (cell.size() > kFormula.size() && cell.starts_with(kFormula) && cell.ends_with('"')) {
    return Trimmed(cell.substr(kFormula.size(), cell.size() - kFormula.size() - 1));
  }
  return cell.starts_with('\'') ? Trimmed(cell.substr(1)) : cell;
}

Result<InvoiceColumns> InvoiceColumns::Find(const CsvRecord& head, std::string_view wanted) {
  InvoiceColumns columns;
  for (const std::string& each : head.fields) columns.head_.emplace_back(CellText(each));
  while (!columns.head_.empty() && columns.head_.back().empty()) columns.head_.pop_back();
  if (Status good = columns.CheckHead(head.line); !good) return std::unexpected(good.error());
  const auto named = ParseWanted(wanted);
  if (!named) return std::unexpected(named.error());
  if (Status found = columns.FindAll(*named, head.line); !found) {
    return std::unexpected(found.error());
  }
  if (Status good = columns.CheckComplete(head.line); !good) return std::unexpected(good.error());
  return columns;
}

Status InvoiceColumns::CheckHead(int64_t line) const {
  const std::string_view alone = AloneIn(head_);
  const auto is_it = [&](std::string_view name) { return EqualsIgnoringCase(alone, name); };
  if (alone.empty() || std::ranges::any_of(kNames, is_it)) return {};
  return Fail(ErrorCode::kInvalid,
              "line {}: \"{}\" stands alone, as a title does: the first line must name the "
              "columns, so remove what is above them. If it does name them, separate them by a "
              "comma, a semicolon, a tab or |",
              line, alone);
}

Result<InvoiceColumns::Wanted> InvoiceColumns::ParseWanted(std::string_view text) {
  Wanted wanted;
  while (!text.empty()) {
    const std::string_view each = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), each.size() + 1));
    const size_t equals = each.find('=');
    const auto* const name = std::ranges::find(kNames, Trimmed(each.substr(0, equals)));
    if (equals == each.npos || name == std::end(kNames)) {
      return Fail(
          ErrorCode::kInvalid,
          "--columns {}: not like time=Date,reference=Ref,price=Amount; the names are time, "
          "endpoint, reference, attempt_id, price and currency",
          each);
    }
    wanted[static_cast<size_t>(name - kNames)] = Trimmed(each.substr(equals + 1));
  }
  return wanted;
}

Status InvoiceColumns::FindAll(const Wanted& wanted, int64_t line) {
  for (size_t name = 0; name < kCount; ++name) {
    std::string_view sought = wanted[name].empty() ? kNames[name] : wanted[name];
    const size_t plus = sought.find('+');
    const bool is_time = name == static_cast<size_t>(InvoiceColumn::kTime);
    if (is_time && plus != sought.npos && !Headed(sought)) {
      if (Status found = FindTimeOfDay(Trimmed(sought.substr(plus + 1)), line); !found) {
        return found;
      }
      sought = Trimmed(sought.substr(0, plus));
    }
    const auto is_sought = [&](const std::string& each) {
      return EqualsIgnoringCase(each, sought);
    };
    if (std::ranges::count_if(head_, is_sought) > 1) {
      return Fail(ErrorCode::kInvalid, "line {}: two columns \"{}\": rename one of them", line,
                  sought);
    }
    places_[name] = Headed(sought);
    if (!wanted[name].empty() && !places_[name]) {
      return Fail(ErrorCode::kInvalid, "line {}: no column \"{}\" among {}, which --columns names",
                  line, sought, Quoted(head_));
    }
  }
  return {};
}

Status InvoiceColumns::FindTimeOfDay(std::string_view head, int64_t line) {
  time_of_day_ = Headed(head);
  if (time_of_day_) return {};
  return Fail(ErrorCode::kInvalid, "line {}: no column \"{}\" among {}, which --columns names",
              line, head, Quoted(head_));
}

Status InvoiceColumns::CheckComplete(int64_t line) const {
  if (!Has(InvoiceColumn::kPrice)) {
    return Fail(
        ErrorCode::kInvalid,
        "line {}: no column \"price\" among {}: name it with --columns price=NAME, or remove "
        "what stands above the column names",
        line, Quoted(head_));
  }
  if (!Has(InvoiceColumn::kAttemptId) && !Has(InvoiceColumn::kReference) &&
      !Has(InvoiceColumn::kTime)) {
    return Fail(ErrorCode::kInvalid,
                "line {}: no column \"attempt_id\", \"reference\" or \"time\": name one with "
                "--columns time=NAME",
                line);
  }
  return {};
}

std::optional<size_t> InvoiceColumns::Headed(std::string_view head) const {
  const auto found = std::ranges::find_if(
      head_, [&](const std::string& each) { return EqualsIgnoringCase(each, head); });
  if (found == head_.end()) return std::nullopt;
  return static_cast<size_t>(found - head_.begin());
}

std::string InvoiceColumns::Describe(InvoiceColumn column) const {
  const size_t place = *PlaceOf(column);
  return fmt::format("column {} ({})", place + 1, head_[place]);
}

std::string_view InvoiceColumns::Cell(const CsvRecord& line, InvoiceColumn column) const {
  const auto& place = PlaceOf(column);
  return place && *place < line.fields.size() ? CellText(line.fields[*place]) : std::string_view();
}

std::string InvoiceColumns::TimeIn(const CsvRecord& line) const {
  const std::string_view time = Cell(line, InvoiceColumn::kTime);
  if (!time_of_day_ || *time_of_day_ >= line.fields.size()) return std::string(time);
  return std::string(Trimmed(fmt::format("{} {}", time, CellText(line.fields[*time_of_day_]))));
}

}  // namespace idkiosk
