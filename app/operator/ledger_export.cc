#include "app/operator/ledger_export.h"

namespace idkiosk {

LedgerLine LineOf(const LedgerRow& row, const std::string& currency) {
  return {.at = row.started_at,
          .reference = row.reference,
          .attempt = row.number,
          .endpoint = std::string(Name(row.endpoint)),
          .operator_id = row.operator_id,
          .stage = std::string(Name(row.stage)),
          .http_status = row.http_status,
          .billed = std::string(Name(row.billed)),
          .rule = row.reason,
          .price = row.price,
          .currency = row.currency.empty() ? currency : row.currency,
          .attempt_id = row.attempt_id,
          .service_reference = row.service_reference,
          .genuine = row.genuine,
          .case_id = row.case_id,
          .pictures = row.means ? std::string(Name(*row.means)) : std::string()};
}

}  // namespace idkiosk
