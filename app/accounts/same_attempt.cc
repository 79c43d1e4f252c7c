#include "app/accounts/same_attempt.h"

#include "platform/base/text/letter_case.h"

namespace idkiosk {

bool IsBilled(const LedgerLine& line) { return line.billed != "no"; }

bool IsReferenceOf(const InvoiceLine& line, const LedgerLine& ledger) {
  return IsSameReference(line.reference, ledger.service_reference) ||
         IsSameReference(line.reference, ledger.reference);
}

bool HasOtherId(const InvoiceLine& line, const LedgerLine& ledger) {
  return !line.attempt_id.empty() && !ledger.attempt_id.empty() &&
         PlainAttemptId(line.attempt_id) != PlainAttemptId(ledger.attempt_id);
}

bool NamesAnother(const InvoiceLine& line, const LedgerLine& ledger) {
  const bool other_reference =
      !line.reference.empty() && !ledger.service_reference.empty() && !IsReferenceOf(line, ledger);
  return other_reference || HasOtherId(line, ledger);
}

bool IsOtherEndpoint(std::string_view of_invoice, std::string_view of_ledger) {
  return !of_invoice.empty() && !EqualsIgnoringCase(of_invoice, of_ledger);
}

bool IsOtherCurrency(std::string_view one, std::string_view other) {
  return !one.empty() && !other.empty() && one != other;
}

bool CostsAnother(const InvoiceLine& line, const LedgerLine& ledger) {
  return line.price != ledger.price || IsOtherCurrency(line.currency, ledger.currency);
}

}  // namespace idkiosk
