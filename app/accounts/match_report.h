#ifndef IDKIOSK_APP_ACCOUNTS_MATCH_REPORT_H_
#define IDKIOSK_APP_ACCOUNTS_MATCH_REPORT_H_

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/accounts/match.h"

namespace idkiosk {

// The names of a difference's fields, and the fields of one in that order.
[[nodiscard]] std::span<const std::string_view> MatchHead();
[[nodiscard]] std::vector<std::string> MatchFields(const MatchedLine& line, Zone zone);

// All differences as CSV, its head first.
[[nodiscard]] std::string MatchCsv(const InvoiceMatch& match, Zone zone);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_ACCOUNTS_MATCH_REPORT_H_
