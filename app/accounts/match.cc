#include "app/accounts/match.h"

#include <algorithm>
#include <cstdlib>
#include <tuple>

#include "app/accounts/match_by_time.h"
#include "app/accounts/same_attempt.h"
#include "platform/base/text/digits.h"

namespace idkiosk {
namespace {

// What spreadsheets make of a number: they drop the zeros in front, and of the digits behind the
// fifteenth they make zeros; one cuts there, the other rounds. None: this is no number, or stays
// what it is.
std::vector<std::string> AsSpreadsheetNumbers(std::string_view id) {
  constexpr size_t kDigitsKept = 15;
  if (!AreDigits(id)) return {};
  std::string number(id.substr(std::min(id.find_first_not_of('0'), id.size() - 1)));
  std::vector<std::string> numbers;
  if (number.size() > kDigitsKept) {
    const std::string zeros(number.size() - kDigitsKept, '0');
    if (number[kDigitsKept] >= '5') {
      numbers.push_back(std::to_string(std::stoll(number.substr(0, kDigitsKept)) + 1) + zeros);
    }
    number.replace(kDigitsKept, zeros.size(), zeros);
  }
  if (number != id) numbers.push_back(std::move(number));
  return numbers;
}

bool IsMatched(MatchFinding finding) {
  return finding == MatchFinding::kMatched || finding == MatchFinding::kOtherEndpoint ||
         finding == MatchFinding::kOtherTime || finding == MatchFinding::kAtTheEdge;
}

}  // namespace

std::string_view Name(MatchFinding finding) {
  switch (finding) {
    case MatchFinding::kMatched:
      return "matched";
    case MatchFinding::kOtherEndpoint:
      return "matched, though its endpoint is another one";
    case MatchFinding::kOtherTime:
      return "matched, though its time is another one";
    case MatchFinding::kAtTheEdge:
      return "matched, though it was sent just outside this period";
    case MatchFinding::kDifferentPrice:
      return "different price";
    case MatchFinding::kOtherCurrency:
      return "other currency";
    case MatchFinding::kNamesTwo:
      return "its attempt_id and its reference are of two attempts";
    case MatchFinding::kInvoicedTwice:
      return "invoiced twice";
    case MatchFinding::kOtherPeriod:
      return "billed here, but not in this period";
    case MatchFinding::kNotBilledHere:
      return "invoiced, but free here";
    case MatchFinding::kUnknownHere:
      return "invoiced, but unknown here";
    case MatchFinding::kChangedNumber:
      return "number changed by a spreadsheet";
    case MatchFinding::kCredited:
      return "credited, but billed here";
    case MatchFinding::kCreditAlone:
      return "credit without its charge";
    case MatchFinding::kNotInvoiced:
      return "billed here, but not invoiced";
    case MatchFinding::kMaybeNotInvoiced:
      return "perhaps billed here, and not invoiced";
  }
  return "";
}

bool IsLeft(MatchFinding finding) {
  return !IsMatched(finding) && finding != MatchFinding::kMaybeNotInvoiced;
}

std::optional<size_t> InvoiceMatch::FindKnown(const LedgerLine& line) const {
  const auto same = by_call_.find(PlainReference(line.reference));
  if (same == by_call_.end()) return std::nullopt;
  for (const size_t at : same->second) {
    const LedgerLine& known = attempts_[at].line;
    const bool is_same = known.reference == line.reference && known.attempt == line.attempt;
    if (is_same && known.at == line.at) return at;
  }
  return std::nullopt;
}

Status InvoiceMatch::AddMoney(const LedgerLine& line) {
  if (line.price > kMostMoney - ledger_money_) {
    return Fail(ErrorCode::kExhausted,
                "the prices of the ledger add up to more than can be counted: mend that of {}",
                line.reference);
  }
  ledger_money_ += line.price;
  if (!line.currency.empty()) currencies_.insert(line.currency);
  if (period_.Has(line.at)) CountBilled(line, line.price);
  return {};
}

void InvoiceMatch::CountBilled(const LedgerLine& line, int64_t price) {
  if (!IsBilled(line)) return;
  Sums& sums = sums_[line.currency];
  (line.billed == "yes" ? sums.billed : sums.maybe) += price;
}

Status InvoiceMatch::Renew(size_t at, LedgerLine line) {
  LedgerLine& known = attempts_[at].line;
  const auto age = [](const LedgerLine& each) {
    return std::pair(each.rule.starts_with(kToldRule), each.ended_at);
  };
  if (age(line) < age(known)) return {};
  const auto says = [](const LedgerLine& each) {
    return std::tie(each.billed, each.price, each.currency, each.rule, each.endpoint,
                    each.attempt_id, each.service_reference);
  };
  if (says(line) == says(known)) return {};
  if (age(line) == age(known)) {
    return Fail(ErrorCode::kInvalid,
                "two lines do not say the same of attempt {} of {}: export that kiosk's ledger "
                "anew, and give that file alone",
                line.attempt, line.reference);
  }
  ledger_money_ -= known.price;
  if (period_.Has(known.at)) CountBilled(known, -known.price);
  if (Status added = AddMoney(line); !added) return added;
  const std::string reference = PlainReference(line.service_reference);
  if (!reference.empty() && reference != PlainReference(known.service_reference)) {
    by_service_reference_[reference].push_back(at);
  }
  NoteChangedNumbers(line);
  known = std::move(line);
  return {};
}

void InvoiceMatch::NoteChangedNumbers(const LedgerLine& line) {
  for (const std::string& id : {line.attempt_id, line.service_reference, line.reference}) {
    for (std::string& changed : AsSpreadsheetNumbers(id)) {
      changed_numbers_.insert(std::move(changed));
    }
  }
}

Status InvoiceMatch::Add(LedgerLine line) {
  if (!line.genuine) {
    ++not_genuine_;
    return {};
  }
  if (const auto known = FindKnown(line)) return Renew(*known, std::move(line));
  if (attempts_.size() == kMostAttempts) {
    return Fail(ErrorCode::kExhausted, "more than {} attempts: match a month at a time",
                kMostAttempts);
  }
  if (Status added = AddMoney(line); !added) return added;
  NoteChangedNumbers(line);
  const size_t at = attempts_.size();
  if (!line.attempt_id.empty()) by_attempt_id_[PlainAttemptId(line.attempt_id)].push_back(at);
  if (!line.service_reference.empty()) {
    by_service_reference_[PlainReference(line.service_reference)].push_back(at);
  }
  by_call_[PlainReference(line.reference)].push_back(at);
  by_time_.emplace(line.at, at);
  attempts_.push_back({.line = std::move(line)});
  return {};
}

std::optional<size_t> InvoiceMatch::FindById(const InvoiceLine& line) const {
  // The only one, or the only one that was billed; first of those that `is_exact` holds for.
  const auto find = [this](const Places& places, const std::string& name,
                           auto is_exact) -> std::optional<size_t> {
    const auto found = places.find(name);
    if (name.empty() || found == places.end()) return std::nullopt;
    if (found->second.size() == 1) return found->second.front();
    std::vector<size_t> all = found->second;
    std::vector<size_t> exact;
    std::ranges::copy_if(all, std::back_inserter(exact),
                         [&](size_t at) { return is_exact(attempts_[at].line); });
    if (!exact.empty()) all = std::move(exact);
    if (all.size() == 1) return all.front();
    std::optional<size_t> billed;
    for (const size_t at : all) {
      if (!IsBilled(attempts_[at].line)) continue;
      if (billed) return std::nullopt;
      billed = at;
    }
    return billed;
  };
  const auto by_id =
      find(by_attempt_id_, PlainAttemptId(line.attempt_id), [](const LedgerLine&) { return true; });
  if (by_id) return by_id;
  const std::string reference = PlainReference(line.reference);
  const auto by_service = find(by_service_reference_, reference, [&](const LedgerLine& ledger) {
    return ledger.service_reference == line.reference;
  });
  if (by_service) return by_service;
  return find(by_call_, reference,
              [&](const LedgerLine& ledger) { return ledger.reference == line.reference; });
}

// A line that names an attempt is no free one's by its time alone: it may be another kiosk's.
bool InvoiceMatch::MayBe(const InvoiceLine& line, const LedgerLine& ledger) const {
  return !NamesAnother(line, ledger) && (!line.names_attempt() || IsBilled(ledger)) &&
         !IsOtherEndpoint(line.endpoint, ledger.endpoint);
}

bool InvoiceMatch::IsKnownReference(const std::string& plain) const {
  return by_service_reference_.contains(plain) || by_call_.contains(plain);
}

// The ledger has no reference of an attempt whose answer was lost: the invoice gives it one.
void InvoiceMatch::Learn(const InvoiceLine& line, size_t at) {
  if (line.reference.empty()) return;
  std::string plain = PlainReference(line.reference);
  if (!IsKnownReference(plain)) learned_.emplace(std::move(plain), at);
}

std::optional<size_t> InvoiceMatch::FindLearned(const InvoiceLine& line) const {
  if (line.reference.empty()) return std::nullopt;
  const auto found = learned_.find(PlainReference(line.reference));
  if (found == learned_.end() || HasOtherId(line, attempts_[found->second].line)) {
    return std::nullopt;
  }
  return found->second;
}

// Of several attempts of a call that a line names, and no time tells apart: the first that no line
// stands on, of its price before another, surely billed before perhaps; where each does, the first,
// for once too often. A credit is of one that stands there: with a charge that is wrong, before one
// that was in doubt.
std::optional<size_t> InvoiceMatch::FindNamed(const InvoiceLine& line) const {
  const std::string plain = PlainReference(line.reference);
  const auto worse = [&](size_t at) {
    const Attempt& attempt = attempts_[at];
    const bool in_doubt = attempt.line.billed == "maybe";
    if (line.price >= 0) {
      return std::tuple(attempt.on_invoice, CostsAnother(line, attempt.line), in_doubt);
    }
    const auto charges = charges_.find(at);
    const bool is_wrong =
        charges != charges_.end() && std::ranges::any_of(charges->second, [this](size_t each) {
          return !IsMatched(differences_[each].finding);
        });
    return std::tuple(!attempt.on_invoice, !is_wrong, !in_doubt);
  };
  const auto found = by_call_.find(plain);
  if (plain.empty() || found == by_call_.end()) return std::nullopt;
  std::vector<size_t> named;
  std::ranges::copy_if(found->second, std::back_inserter(named), [&](size_t at) {
    const LedgerLine& ledger = attempts_[at].line;
    return IsBilled(ledger) && !HasOtherId(line, ledger) &&
           !IsOtherEndpoint(line.endpoint, ledger.endpoint);
  });
  if (named.empty()) return std::nullopt;
  return *std::ranges::min_element(named, {}, worse);
}

// An attempt that stands already on a line of the same time: this is that line once more, unless it
// has a number of its own, which nobody here knows.
std::optional<size_t> InvoiceMatch::FindRepeated(const InvoiceLine& line) const {
  if (!line.at || line.names_attempt()) return std::nullopt;
  const auto [first, last] = invoiced_.equal_range(*line.at);
  for (auto each = first; each != last; ++each) {
    const Attempt& attempt = attempts_[each->second];
    const bool is_near = std::chrono::abs(attempt.line.at - *line.at) <= tolerance_;
    if (is_near && MayBe(line, attempt.line)) return each->second;
  }
  return std::nullopt;
}

void InvoiceMatch::Put(MatchedLine line) {
  ++counts_[static_cast<size_t>(line.finding)];
  // Where the service has other words for each endpoint, the list of these is as long as the
  // invoice.
  const bool is_too_much = IsMatched(line.finding) && differences_.size() >= kMostMatchedLeft;
  if (line.finding != MatchFinding::kMatched && !is_too_much) {
    differences_.push_back(std::move(line));
  }
}

// Either clock may say so: at the ends of a month the two may be in different ones. A line without
// a time may be of either month by the tolerance.
bool InvoiceMatch::IsInPeriod(const InvoiceLine& line, const LedgerLine& ledger) const {
  if (period_.Has(ledger.at)) return true;
  if (line.at) return period_.Has(*line.at);
  return period_.Has(ledger.at + tolerance_) || period_.Has(ledger.at - tolerance_);
}

void InvoiceMatch::AddToSums(const InvoiceLine& line, std::optional<size_t> at) {
  std::string currency = line.currency;
  if (currency.empty() && at) currency = attempts_[*at].line.currency;
  if (currency.empty() && currencies_.size() == 1) currency = *currencies_.begin();
  sums_[currency].invoiced += line.price;
}

MatchFinding InvoiceMatch::WhyUnknown(const InvoiceLine& line) const {
  const bool is_changed =
      changed_numbers_.contains(line.attempt_id) || changed_numbers_.contains(line.reference);
  return is_changed ? MatchFinding::kChangedNumber : MatchFinding::kUnknownHere;
}

bool InvoiceMatch::IsReferenceOfAnother(const InvoiceLine& line, const LedgerLine& ledger) const {
  if (IsReferenceOf(line, ledger)) return false;
  return IsKnownReference(PlainReference(line.reference));
}

MatchFinding InvoiceMatch::Judge(const InvoiceLine& line, const Attempt& attempt) const {
  const LedgerLine& ledger = attempt.line;
  if (attempt.on_invoice) return MatchFinding::kInvoicedTwice;
  if (IsReferenceOfAnother(line, ledger)) return MatchFinding::kNamesTwo;
  if (!IsBilled(ledger)) return MatchFinding::kNotBilledHere;
  if (IsOtherCurrency(line.currency, ledger.currency)) return MatchFinding::kOtherCurrency;
  if (line.price != ledger.price) return MatchFinding::kDifferentPrice;
  if (!IsInPeriod(line, ledger)) return MatchFinding::kOtherPeriod;
  if (IsOtherEndpoint(line.endpoint, ledger.endpoint)) return MatchFinding::kOtherEndpoint;
  const bool is_far = line.at && std::chrono::abs(*line.at - ledger.at) > tolerance_;
  if (is_far) return MatchFinding::kOtherTime;
  // The invoice of the other period may have it, too.
  return period_.Has(ledger.at) ? MatchFinding::kMatched : MatchFinding::kAtTheEdge;
}

void InvoiceMatch::Place(InvoiceLine line, std::optional<size_t> at) {
  AddToSums(line, at);
  if (!at) {
    const MatchFinding why = WhyUnknown(line);
    return Put({why, std::move(line), std::nullopt});
  }
  Attempt& attempt = attempts_[*at];
  const MatchFinding finding = Judge(line, attempt);
  attempt.on_invoice = true;
  Learn(line, *at);
  if (line.at) invoiced_.emplace(*line.at, *at);
  if (IsMatched(finding)) {
    attempt.is_matched = true;
    const bool is_outside = !period_.Has(attempt.line.at);
    if (is_outside && !std::exchange(attempt.is_counted, true)) {
      CountBilled(attempt.line, attempt.line.price);
    }
    if (finding == MatchFinding::kMatched) return Put({finding, std::nullopt, std::nullopt});
    return Put({finding, std::move(line), attempt.line});
  }
  charges_[*at].push_back(differences_.size());
  Put({finding, std::move(line), attempt.line});
}

Status InvoiceMatch::Add(InvoiceLine line) {
  if (waiting_.size() + credits_.size() + differences_.size() == kMostLeft) {
    return Fail(
        ErrorCode::kExhausted,
        "line {}: more than {} lines match nothing so far: match a month at a time, and give "
        "the ledger of every kiosk",
        line.line, kMostLeft);
  }
  const int64_t size = std::abs(line.price);
  if (size > kMostMoney - invoice_money_) {
    return Fail(ErrorCode::kExhausted,
                "line {}: the amounts up to here add up to more than can be counted: mend those "
                "that are no prices",
                line.line);
  }
  invoice_money_ += size;
  if (line.price < 0) {
    credits_.push_back(std::move(line));
    return {};
  }
  if (const auto at = FindById(line)) {
    Place(std::move(line), at);
    return {};
  }
  waiting_.push_back(std::move(line));
  return {};
}

void InvoiceMatch::AddUnread(const InvoiceLine& line) {
  const auto at = FindById(line);
  if (!at) return;
  attempts_[*at].on_invoice = true;
  Learn(line, *at);
}

void InvoiceMatch::Change(MatchedLine& line, MatchFinding finding) {
  --counts_[static_cast<size_t>(line.finding)];
  ++counts_[static_cast<size_t>(finding)];
  line.finding = finding;
}

void InvoiceMatch::SetAgainst(InvoiceLine credit) {
  auto at = FindById(credit);
  if (!at) at = FindLearned(credit);
  if (!at) at = FindNamed(credit);
  AddToSums(credit, at);
  if (!at) {
    const MatchFinding why = WhyUnknown(credit);
    return Put({why, std::move(credit), std::nullopt});
  }
  Attempt& attempt = attempts_[*at];
  const LedgerLine& ledger = attempt.line;
  if (!attempt.on_invoice) {
    attempt.is_named = true;
    return Put({MatchFinding::kCreditAlone, std::move(credit), ledger});
  }
  if (IsOtherCurrency(credit.currency, ledger.currency)) {
    return Put({MatchFinding::kOtherCurrency, std::move(credit), ledger});
  }
  if (MendsACharge(credit, *at)) return Put({MatchFinding::kMatched, std::nullopt, std::nullopt});
  // Whether it was billed was in doubt here, and the service says now that it was not.
  if (attempt.is_matched && ledger.billed == "maybe" && credit.price == -ledger.price) {
    attempt.is_matched = false;
    attempt.on_invoice = false;
    return Put({MatchFinding::kMatched, std::nullopt, std::nullopt});
  }
  Put({MatchFinding::kCredited, std::move(credit), ledger});
}

// A charge that is taken back in whole is none, and the next one of the attempt is the first then.
// One that is taken back in part costs what is left.
bool InvoiceMatch::MendsACharge(const InvoiceLine& credit, size_t at) {
  Attempt& attempt = attempts_[at];
  MatchedLine* whole = nullptr;
  MatchedLine* dear = nullptr;
  for (const size_t each : charges_[at]) {
    MatchedLine& charge = differences_[each];
    if (IsMatched(charge.finding) || IsOtherCurrency(charge.invoice->currency, credit.currency)) {
      continue;
    }
    const bool is_twice = charge.finding == MatchFinding::kInvoicedTwice;
    if (charge.invoice->price == -credit.price && (whole == nullptr || is_twice)) whole = &charge;
    if (charge.finding == MatchFinding::kDifferentPrice) dear = &charge;
  }
  if (whole != nullptr) {
    const bool was_first = whole->finding != MatchFinding::kInvoicedTwice;
    Change(*whole, MatchFinding::kMatched);
    if (!was_first) return true;
    attempt.on_invoice = false;
    for (const size_t each : charges_[at]) {
      MatchedLine& next = differences_[each];
      if (next.finding != MatchFinding::kInvoicedTwice) continue;
      Change(next, Judge(*next.invoice, attempt));
      attempt.on_invoice = true;
      attempt.is_matched = IsMatched(next.finding);
      break;
    }
    return true;
  }
  if (dear == nullptr || dear->invoice->price + credit.price < attempt.line.price) return false;
  dear->invoice->price += credit.price;
  attempt.on_invoice = false;
  Change(*dear, Judge(*dear->invoice, attempt));
  attempt.on_invoice = true;
  attempt.is_matched = IsMatched(dear->finding);
  return true;
}

void InvoiceMatch::PlaceWaiting() {
  const std::vector<bool> is_placed = ByTime(*this).Place();
  for (size_t i = 0; i < waiting_.size(); ++i) {
    if (is_placed[i]) continue;
    auto at = FindLearned(waiting_[i]);
    if (!at) at = FindNamed(waiting_[i]);
    if (!at) at = FindRepeated(waiting_[i]);
    Place(std::move(waiting_[i]), at);
  }
  waiting_.clear();
}

void InvoiceMatch::Finish() {
  PlaceWaiting();
  for (InvoiceLine& each : credits_) SetAgainst(std::move(each));
  credits_.clear();
  std::erase_if(differences_,
                [](const MatchedLine& each) { return each.finding == MatchFinding::kMatched; });
  charges_.clear();
  std::ranges::stable_sort(differences_, {}, [](const MatchedLine& each) {
    return each.invoice ? std::pair(each.invoice->file, each.invoice->line)
                        : std::pair(size_t{0}, int64_t{0});
  });
  for (const auto& [time, at] : by_time_) {
    const Attempt& attempt = attempts_[at];
    if (attempt.on_invoice || attempt.is_named || !IsBilled(attempt.line) ||
        !period_.Has(attempt.line.at))
      continue;
    const bool sure = attempt.line.billed == "yes";
    Put({sure ? MatchFinding::kNotInvoiced : MatchFinding::kMaybeNotInvoiced, std::nullopt,
         attempt.line});
  }
}

bool InvoiceMatch::all_match() const {
  for (size_t i = 0; i < kFindingCount; ++i) {
    if (IsLeft(static_cast<MatchFinding>(i)) && counts_[i] > 0) return false;
  }
  return true;
}

}  // namespace idkiosk
