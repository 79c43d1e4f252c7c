#include "app/operator/ledger_export.h"

#include <fmt/format.h>

namespace idkiosk {

static_assert(kToldRule == kTold);

LedgerLine LineOf(const LedgerRow& row, const std::string& currency) {
  return {.at = row.started_at,
          .reference = row.reference,
          .attempt = row.number,
          .endpoint = std::string(Name(row.endpoint)),
          .operator_id = row.operator_id,
          .stage = std::string(Name(row.stage)),
          .http_status = row.http_status,
          .billed = std::string(Name(row.billed)),
          .rule = row.rule,
          .price = row.Cost(),
          .currency = row.currency.empty() ? currency : row.currency,
          .attempt_id = row.attempt_id,
          .service_reference = row.service_reference,
          .genuine = row.genuine,
          .case_id = row.case_id,
          .ended_at = row.ended_at,
          .pictures = row.means ? std::string(Name(*row.means)) : std::string()};
}

Result<std::string> WriteLedgerOut(const ProvenLedger& ledger, const std::string& folder,
                                   const Clock& clock, FileSystem& files, const Crypto& crypto) {
  if (ledger.rows.empty()) return std::string();
  std::string lines;
  for (const LedgerRow& each : ledger.rows) {
    lines += LedgerJson(LineOf(each, ledger.currency), Zone::kUtc) + '\n';
  }
  std::string now = FormatRfc3339(clock.WallNow());
  std::erase_if(now, [](char each) { return each == '-' || each == ':'; });
  const std::string file = fmt::format("{}/ledger-{}.jsonl", folder, now);
  Status written = files.WriteDurably(file, AsBytes(lines), FileAccess::kOwnerOnly);
  if (!written) return std::unexpected(written.error());
  return fmt::format(
      "The ledger was {} and is written out: {}, attempts: {}, SHA-256 {}. Write that number down: "
      "nothing else proves the file from now on. 'idkiosk ledger match --ledger' reads it.",
      Describe(ledger.verdict), file, ledger.rows.size(), ToHex(crypto.Sha256(AsBytes(lines))));
}

}  // namespace idkiosk
