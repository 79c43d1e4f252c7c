#ifndef IDKIOSK_APP_ACCOUNTS_MATCH_H_
#define IDKIOSK_APP_ACCOUNTS_MATCH_H_

#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "app/accounts/invoice.h"
#include "app/accounts/ledger_lines.h"
#include "platform/base/enum_rows.h"

namespace idkiosk {

// What an invoice's line and the ledger say of each other.
enum class MatchFinding {
  kMatched,
  kOtherEndpoint,  // matched by its number, and about another endpoint
  kOtherTime,      // matched by its number, and of a time further away than the tolerance
  kAtTheEdge,      // matched, and sent just before or after the period by the ledger
  kDifferentPrice,
  kOtherCurrency,
  kNamesTwo,       // its attempt_id and its reference are of two attempts of the ledger
  kInvoicedTwice,  // the attempt, or the line's reference, stands on another line of the invoice
  kOtherPeriod,    // billed by the ledger, and before or after the period
  kNotBilledHere,  // sent or tried, and free by the ledger
  kUnknownHere,    // no attempt of the ledger
  kChangedNumber,  // the same, but a spreadsheet could have made that number of one here
  kCredited,       // a charge was taken back, in whole or in part, that the ledger holds for right
  kCreditAlone,    // a credit whose charge is not on the invoice
  kNotInvoiced,    // billed by the ledger, and on no line
  kMaybeNotInvoiced,  // perhaps billed by the ledger, and on no line: it was not
};
inline constexpr size_t kFindingCount = EnumeratorCount<MatchFinding>();

[[nodiscard]] std::string_view Name(MatchFinding finding);
// Returns whether somebody has to look: all but what matched, in whatever words, and what turned
// out to be free.
[[nodiscard]] bool IsLeft(MatchFinding finding);

struct MatchedLine {
  MatchFinding finding = MatchFinding::kMatched;
  std::optional<InvoiceLine> invoice;
  std::optional<LedgerLine> ledger;
};

// Holds an invoice, in one file or several, against the ledgers of any number of kiosks. An attempt
// is found by what went out with it, else by the service's reference, else by the call's reference
// where it names one attempt, else by endpoint and time, first among those of its price, else it is
// the first of those that its reference names. Case and spaces of a reference decide only between
// those that differ in nothing else.
//
// Lines found by time wait until all others are placed, so that none takes another's attempt; as
// many of them as possible find one. A reference that the ledger does not know is that of the
// attempt whose line brings it: a second line of it is that attempt's too, unless its attempt_id is
// another. Then each credit is set against the charge of the attempt that it names, first against
// one that is wrong. What matches by that is no difference.
class InvoiceMatch {
 public:
  static constexpr size_t kMostAttempts = 2'000'000;
  static constexpr size_t kMostLeft = 200'000;  // lines that wait, or do not match
  // From so many differences on, a line that matches in other words is only counted.
  static constexpr size_t kMostMatchedLeft = 10'000;
  // What all prices of one side may add up to, so that no sum or difference overflows.
  static constexpr int64_t kMostMoney = INT64_MAX / 4;

  // `tolerance`: how far the times of an attempt and of its line may differ.
  InvoiceMatch(Period period, std::chrono::milliseconds tolerance)
      : period_(period), tolerance_(tolerance) {}

  // Adds an attempt; all of them before the first line of the invoice. What is not genuine is left
  // out, and counted. Of two exports of one attempt the newer counts: what the service's operator
  // told, else what ended later. Errors: kExhausted (too many, or too much money); kInvalid (two
  // that are as new, and do not say the same).
  [[nodiscard]] Status Add(LedgerLine line);
  [[nodiscard]] int64_t not_genuine() const { return not_genuine_; }
  // Adds a line of the invoice. Errors: kExhausted (kMostLeft is reached: these are other kiosks'
  // ledgers, or another invoice; or kMostMoney is).
  [[nodiscard]] Status Add(InvoiceLine line);
  // Takes note of a line that could not be read: its attempt stands on the invoice, for a price
  // that nobody knows, and in no sum of it.
  void AddUnread(const InvoiceLine& line);
  // Places what waits, and finds what is on no line. To be called once, as the last.
  void Finish();

  // What did not match, in the invoice's order, and then the ledger's.
  [[nodiscard]] const std::vector<MatchedLine>& differences() const { return differences_; }
  [[nodiscard]] int64_t Count(MatchFinding finding) const {
    return counts_[static_cast<size_t>(finding)];
  }
  [[nodiscard]] bool all_match() const;

  // By currency, in hundredths: all lines of the invoice, and what the ledger has as surely billed,
  // and as perhaps billed, within the period or on a line that matched. A line without a currency
  // is of its attempt's, or of the one that all attempts have; else of "".
  struct Sums {
    int64_t invoiced = 0;
    int64_t billed = 0;
    int64_t maybe = 0;
  };
  [[nodiscard]] const std::map<std::string, Sums>& sums() const { return sums_; }

 private:
  struct Attempt {
    LedgerLine line;
    bool on_invoice = false;
    bool is_matched = false;  // by one of its charges
    bool is_named = false;    // in a difference that says that it is not invoiced
    bool is_counted = false;  // outside the period, and in the sums all the same
  };
  using Places = std::unordered_map<std::string, std::vector<size_t>>;  // by plain names

  class ByTime;

  // Where the same attempt is already.
  [[nodiscard]] std::optional<size_t> FindKnown(const LedgerLine& line) const;
  // Notes what a spreadsheet would make of its numbers.
  void NoteChangedNumbers(const LedgerLine& line);
  // Puts an attempt in the place of what an older export said of it.
  [[nodiscard]] Status Renew(size_t at, LedgerLine line);
  // Adds what an attempt costs to the sums. Errors: kExhausted.
  [[nodiscard]] Status AddMoney(const LedgerLine& line);
  void CountBilled(const LedgerLine& line, int64_t price);
  [[nodiscard]] std::optional<size_t> FindById(const InvoiceLine& line) const;
  // Notes that the line's reference is the attempt's, if the ledger knows it of none.
  void Learn(const InvoiceLine& line, size_t at);
  [[nodiscard]] std::optional<size_t> FindLearned(const InvoiceLine& line) const;
  [[nodiscard]] bool IsKnownReference(const std::string& plain) const;
  [[nodiscard]] std::optional<size_t> FindNamed(const InvoiceLine& line) const;
  [[nodiscard]] std::optional<size_t> FindRepeated(const InvoiceLine& line) const;
  [[nodiscard]] bool MayBe(const InvoiceLine& line, const LedgerLine& ledger) const;
  // The part of Finish of the lines that name no attempt here.
  void PlaceWaiting();
  [[nodiscard]] bool IsInPeriod(const InvoiceLine& line, const LedgerLine& ledger) const;
  void Place(InvoiceLine line, std::optional<size_t> at);
  void Put(MatchedLine line);
  void AddToSums(const InvoiceLine& line, std::optional<size_t> at);
  // Returns whether the line's reference is of another attempt, and not of this one.
  [[nodiscard]] bool IsReferenceOfAnother(const InvoiceLine& line, const LedgerLine& ledger) const;
  [[nodiscard]] MatchFinding Judge(const InvoiceLine& line, const Attempt& attempt) const;
  [[nodiscard]] MatchFinding WhyUnknown(const InvoiceLine& line) const;
  // The credit's part of Finish.
  void SetAgainst(InvoiceLine credit);
  [[nodiscard]] bool MendsACharge(const InvoiceLine& credit, size_t at);
  void Change(MatchedLine& line, MatchFinding finding);

  const Period period_;
  const std::chrono::milliseconds tolerance_;
  std::vector<Attempt> attempts_;
  Places by_attempt_id_;
  Places by_service_reference_;
  Places by_call_;
  std::unordered_map<std::string, size_t> learned_;  // attempts, by plain references
  std::multimap<WallTime, size_t> by_time_;
  std::multimap<WallTime, size_t> invoiced_;         // by what the lines say that they stand on
  std::unordered_set<std::string> changed_numbers_;  // what a spreadsheet makes of those here
  std::vector<InvoiceLine> waiting_;
  std::vector<InvoiceLine> credits_;
  std::vector<MatchedLine> differences_;
  std::unordered_map<size_t, std::vector<size_t>> charges_;  // an attempt's, in differences_
  std::set<std::string> currencies_;                         // of the attempts
  int64_t not_genuine_ = 0;
  int64_t ledger_money_ = 0;
  int64_t invoice_money_ = 0;
  std::array<int64_t, kFindingCount> counts_{};
  std::map<std::string, Sums> sums_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_ACCOUNTS_MATCH_H_
