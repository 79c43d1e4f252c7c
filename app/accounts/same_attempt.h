#ifndef IDKIOSK_APP_ACCOUNTS_SAME_ATTEMPT_H_
#define IDKIOSK_APP_ACCOUNTS_SAME_ATTEMPT_H_

#include <string_view>

#include "app/accounts/invoice.h"
#include "app/accounts/ledger_lines.h"

// What an invoice's line and an attempt of the ledger say of each other, but for their times.

namespace idkiosk {

// Returns whether it was billed, or perhaps.
[[nodiscard]] bool IsBilled(const LedgerLine& line);

// Returns whether the line's reference is the attempt's, in whatever case and groups.
[[nodiscard]] bool IsReferenceOf(const InvoiceLine& line, const LedgerLine& ledger);

[[nodiscard]] bool HasOtherId(const InvoiceLine& line, const LedgerLine& ledger);

// Returns whether the invoice names an attempt, and another one than this.
[[nodiscard]] bool NamesAnother(const InvoiceLine& line, const LedgerLine& ledger);

// Both in any case: an endpoint's name is one word. An invoice without it is of any.
[[nodiscard]] bool IsOtherEndpoint(std::string_view of_invoice, std::string_view of_ledger);

[[nodiscard]] bool IsOtherCurrency(std::string_view one, std::string_view other);

// Returns whether price or currency is another one.
[[nodiscard]] bool CostsAnother(const InvoiceLine& line, const LedgerLine& ledger);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_ACCOUNTS_SAME_ATTEMPT_H_
