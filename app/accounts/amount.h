#ifndef IDKIOSK_APP_ACCOUNTS_AMOUNT_H_
#define IDKIOSK_APP_ACCOUNTS_AMOUNT_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "platform/base/error.h"

namespace idkiosk {

// Reads an amount as spreadsheets write it, in hundredths: "100", "100.5", "100,50", "1,234.50",
// "1.234,50", "1 234,50", "1234.5000"; the space may be one that does not break. Errors: kInvalid
// with the mend, also for what may mean two amounts, as "1,234" does.
[[nodiscard]] Result<int64_t> ParseAmount(std::string_view text);

// The same, or a credit, which is below nothing: "-100.00", "100.00-", "(100.00)".
[[nodiscard]] Result<int64_t> ParseSignedAmount(std::string_view text);

// A currency as a code in capitals: "NGN" of "ngn", of the naira's sign, of "N" and of "=N=".
[[nodiscard]] std::string CurrencyCode(std::string_view text);

struct InvoicedPrice {
  int64_t hundredths = 0;
  std::string currency = {};  // in capitals; empty: the text names none
};
// Reads a signed amount that may have a currency before or behind it, as a code of three letters or
// as the naira's sign or letter: "NGN 1,234.50", "1,234.50 NGN", "-NGN 5", "N5", "=N=5". Errors:
// ParseSignedAmount's.
[[nodiscard]] Result<InvoicedPrice> ParseInvoicedPrice(std::string_view text);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_ACCOUNTS_AMOUNT_H_
