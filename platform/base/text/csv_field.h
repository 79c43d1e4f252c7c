#ifndef IDKIOSK_PLATFORM_BASE_TEXT_CSV_FIELD_H_
#define IDKIOSK_PLATFORM_BASE_TEXT_CSV_FIELD_H_

#include <string>
#include <string_view>

namespace idkiosk {

// A field as RFC 4180 has it. One that a spreadsheet would take for a formula begins with an
// apostrophe, which it shows as text.
[[nodiscard]] std::string CsvField(std::string_view text);

}  // namespace idkiosk

#endif  // IDKIOSK_PLATFORM_BASE_TEXT_CSV_FIELD_H_
