#ifndef IDKIOSK_APP_OPERATOR_OPERATORS_REPLY_H_
#define IDKIOSK_APP_OPERATOR_OPERATORS_REPLY_H_

#include <functional>
#include <istream>
#include <string>
#include <vector>

#include "app/audit/audit_log.h"
#include "app/queue/durable_queue.h"

// What the service's operator is asked about attempts in doubt, and what they said.
namespace idkiosk {

// Returns those of `ledger` in doubt, also of calls that have ended: each may be in an invoice.
// Errors: those of `ledger`.
[[nodiscard]] Result<std::vector<LedgerRow>> DoubtfulAttempts(
    Result<std::vector<LedgerRow>> ledger);

// The question as CSV, with an empty column `outcome`. `currency`: of attempts that name none.
[[nodiscard]] std::string DoubtfulCsv(const std::vector<LedgerRow>& doubtful,
                                      const std::string& currency);

// The reply: CSV with the columns attempt_id (or reference) and outcome. A line without attempt_id
// is about the attempt of its call that was sent at its `sent_at`, or about the only one in doubt:
// not where another one of the call was settled before, for the line may be about that.
struct OperatorsReply {
  // One line, and the attempt that it decides about.
  struct Decided {
    LedgerRow attempt;
    Settlement settlement;
  };
  std::vector<Decided> decided;
  std::vector<std::string> wrong;  // lines that decide nothing, each with why
};

// `ledger`: all of it, so that what was settled before is known. Errors: kInvalid, CsvReader's.
[[nodiscard]] Result<OperatorsReply> ReadOperatorsReply(std::istream& in,
                                                        const std::vector<LedgerRow>& ledger);

// Returns what a person says yes to, as sentences.
[[nodiscard]] std::string PlanOf(const OperatorsReply& reply);

// Settles an attempt in that name. Errors: DurableQueue::Settle's.
[[nodiscard]] Status SettleInName(const std::string& by, DurableQueue& queue, AuditLog& audit,
                                  const CallReference& reference, int attempt,
                                  Settlement settlement);

// Has `settle` settle what it decides, and adds to its `wrong` what could not be. Returns how many
// were settled.
int64_t SettleAll(
    OperatorsReply& reply,
    const std::function<Status(const LedgerRow& attempt, Settlement settlement)>& settle);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_OPERATOR_OPERATORS_REPLY_H_
