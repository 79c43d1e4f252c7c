#include "app/accounts/match.h"

#include <algorithm>

namespace idkiosk {
namespace {

bool IsBilled(const LedgerLine& line) { return line.billed != "no"; }

// Whether the invoice names an attempt, and another one than this.
bool NamesAnother(const InvoiceLine& line, const LedgerLine& ledger) {
  const bool other_id = !line.attempt_id.empty() && !ledger.attempt_id.empty() &&
                        line.attempt_id != ledger.attempt_id;
  const bool other_reference = !line.reference.empty() && !ledger.service_reference.empty() &&
                               line.reference != ledger.service_reference &&
                               line.reference != ledger.reference;
  return other_id || other_reference;
}

}  // namespace

std::string_view Name(MatchFinding finding) {
  switch (finding) {
    case MatchFinding::kMatched:
      return "matched";
    case MatchFinding::kDifferentPrice:
      return "different price";
    case MatchFinding::kOtherCurrency:
      return "other currency";
    case MatchFinding::kInvoicedTwice:
      return "invoiced twice";
    case MatchFinding::kOtherPeriod:
      return "billed here, but not in this period";
    case MatchFinding::kNotBilledHere:
      return "invoiced, but free here";
    case MatchFinding::kUnknownHere:
      return "invoiced, but unknown here";
    case MatchFinding::kNotInvoiced:
      return "billed here, but not invoiced";
    case MatchFinding::kMaybeNotInvoiced:
      return "perhaps billed here, and not invoiced";
  }
  return "";
}

bool IsLeft(MatchFinding finding) {
  return finding != MatchFinding::kMatched && finding != MatchFinding::kMaybeNotInvoiced;
}

Status InvoiceMatch::Add(LedgerLine line) {
  if (!line.genuine) return {};
  const auto same = by_call_.find(line.reference);
  if (same != by_call_.end()) {
    for (const size_t at : same->second) {
      const LedgerLine& known = attempts_[at].line;
      if (known.attempt == line.attempt && known.at == line.at) return {};
    }
  }
  if (attempts_.size() == kMostAttempts) {
    return Fail(ErrorCode::kExhausted, "more than {} attempts: match a month at a time",
                kMostAttempts);
  }
  const size_t at = attempts_.size();
  if (!line.attempt_id.empty()) by_attempt_id_[line.attempt_id].push_back(at);
  if (!line.service_reference.empty()) by_service_reference_[line.service_reference].push_back(at);
  by_call_[line.reference].push_back(at);
  by_time_.emplace(line.at, at);
  if (period_.Has(line.at) && IsBilled(line)) {
    Sums& sums = sums_[line.currency];
    (line.billed == "yes" ? sums.billed : sums.maybe) += line.price;
  }
  attempts_.push_back({.line = std::move(line)});
  return {};
}

std::optional<size_t> InvoiceMatch::FindById(const InvoiceLine& line) const {
  // The only one, or the only one that was billed.
  const auto find = [this](const Places& places, const std::string& name) -> std::optional<size_t> {
    const auto found = places.find(name);
    if (name.empty() || found == places.end()) return std::nullopt;
    if (found->second.size() == 1) return found->second.front();
    std::optional<size_t> billed;
    for (const size_t at : found->second) {
      if (!IsBilled(attempts_[at].line)) continue;
      if (billed) return std::nullopt;
      billed = at;
    }
    return billed;
  };
  if (const auto at = find(by_attempt_id_, line.attempt_id)) return at;
  if (const auto at = find(by_service_reference_, line.reference)) return at;
  return find(by_call_, line.reference);
}

// The nearest that is on no line yet; a billed one before one that is free. A line that names an
// attempt is no free one's by its time alone: it may be another kiosk's.
std::optional<size_t> InvoiceMatch::FindByTime(const InvoiceLine& line) const {
  if (!line.at) return std::nullopt;
  const bool names_one = !line.attempt_id.empty() || !line.reference.empty();
  std::optional<size_t> best;
  const auto worth = [&](size_t at) {
    const LedgerLine& each = attempts_[at].line;
    return std::pair(!IsBilled(each), std::chrono::abs(each.at - *line.at));
  };
  const auto last = by_time_.upper_bound(*line.at + tolerance_);
  for (auto each = by_time_.lower_bound(*line.at - tolerance_); each != last; ++each) {
    const auto& [ledger, on_invoice] = attempts_[each->second];
    if (on_invoice || NamesAnother(line, ledger)) continue;
    if (names_one && !IsBilled(ledger)) continue;
    if (!line.endpoint.empty() && line.endpoint != ledger.endpoint) continue;
    if (!best || worth(each->second) < worth(*best)) best = each->second;
  }
  return best;
}

void InvoiceMatch::Put(MatchedLine line) {
  ++counts_[static_cast<size_t>(line.finding)];
  if (line.finding != MatchFinding::kMatched) differences_.push_back(std::move(line));
}

// The service's clock decides at the ends of a month.
bool InvoiceMatch::IsNearPeriod(WallTime time) const {
  return period_.Has(time) || period_.Has(time + tolerance_) || period_.Has(time - tolerance_);
}

void InvoiceMatch::Place(InvoiceLine line, std::optional<size_t> at) {
  const bool is_named = !line.currency.empty() || !at;
  sums_[is_named ? line.currency : attempts_[*at].line.currency].invoiced += line.price;
  if (!at) return Put({MatchFinding::kUnknownHere, std::move(line), std::nullopt});
  Attempt& attempt = attempts_[*at];
  const LedgerLine& ledger = attempt.line;
  MatchFinding finding = MatchFinding::kMatched;
  if (attempt.on_invoice) {
    finding = MatchFinding::kInvoicedTwice;
  } else if (!IsBilled(ledger)) {
    finding = MatchFinding::kNotBilledHere;
  } else if (!line.currency.empty() && line.currency != ledger.currency) {
    finding = MatchFinding::kOtherCurrency;
  } else if (line.price != ledger.price) {
    finding = MatchFinding::kDifferentPrice;
  } else if (!IsNearPeriod(ledger.at)) {
    finding = MatchFinding::kOtherPeriod;
  }
  attempt.on_invoice = true;
  if (finding == MatchFinding::kMatched) return Put({finding, std::nullopt, std::nullopt});
  Put({finding, std::move(line), ledger});
}

Status InvoiceMatch::Add(InvoiceLine line) {
  if (waiting_.size() + differences_.size() == kMostLeft) {
    return Fail(
        ErrorCode::kExhausted,
        "line {}: more than {} lines match nothing so far: match a month at a time, and give "
        "the ledger of every kiosk",
        line.line, kMostLeft);
  }
  if (const auto at = FindById(line)) {
    Place(std::move(line), at);
    return {};
  }
  waiting_.push_back(std::move(line));
  return {};
}

void InvoiceMatch::AddUnread(const InvoiceLine& line) {
  if (const auto at = FindById(line)) attempts_[*at].on_invoice = true;
}

void InvoiceMatch::Finish() {
  for (InvoiceLine& each : waiting_) {
    const auto at = FindByTime(each);
    Place(std::move(each), at);
  }
  waiting_.clear();
  std::ranges::stable_sort(differences_, {}, [](const MatchedLine& each) {
    return each.invoice ? each.invoice->line : 0;
  });
  for (const auto& [time, at] : by_time_) {
    const auto& [line, on_invoice] = attempts_[at];
    if (on_invoice || !IsBilled(line) || !period_.Has(line.at)) continue;
    const bool sure = line.billed == "yes";
    Put({sure ? MatchFinding::kNotInvoiced : MatchFinding::kMaybeNotInvoiced, std::nullopt, line});
  }
}

bool InvoiceMatch::all_match() const {
  for (size_t i = 0; i < kFindingCount; ++i) {
    if (IsLeft(static_cast<MatchFinding>(i)) && counts_[i] > 0) return false;
  }
  return true;
}

}  // namespace idkiosk
