#ifndef IDKIOSK_APP_OPERATOR_LEDGER_EXPORT_H_
#define IDKIOSK_APP_OPERATOR_LEDGER_EXPORT_H_

#include <string>

#include "app/accounts/ledger_lines.h"
#include "app/queue/call_record.h"

namespace idkiosk {

// An attempt as it is exported, by the local API and by the command line.
[[nodiscard]] LedgerLine LineOf(const LedgerRow& row, const std::string& currency);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_OPERATOR_LEDGER_EXPORT_H_
