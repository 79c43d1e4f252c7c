#ifndef IDKIOSK_APP_ACCOUNTS_MATCH_REPORT_H_
#define IDKIOSK_APP_ACCOUNTS_MATCH_REPORT_H_

#include <array>
#include <span>
#include <string>
#include <string_view>

#include "app/accounts/match.h"

namespace idkiosk {

// The names of a difference's fields, and the fields of one in that order. `files`: what the files
// of the invoice are called, where there are several: a line is then told as "b.csv:17".
inline constexpr size_t kMatchFields = 12;
[[nodiscard]] std::span<const std::string_view, kMatchFields> MatchHead();
[[nodiscard]] std::array<std::string, kMatchFields> MatchFields(
    const MatchedLine& line, Zone zone, std::span<const std::string> files = {});

// All differences as CSV, its head first.
[[nodiscard]] std::string MatchCsv(const InvoiceMatch& match, Zone zone,
                                   std::span<const std::string> files = {});

// Returns a sentence with the mend where a line that is unknown here names an endpoint that none of
// the attempts on no line has, as a service's own word; empty: none does.
[[nodiscard]] std::string EndpointTrouble(const InvoiceMatch& match);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_ACCOUNTS_MATCH_REPORT_H_
