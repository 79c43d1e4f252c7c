#ifndef IDKIOSK_PLATFORM_BASE_TEXT_CSV_FIELD_H_
#define IDKIOSK_PLATFORM_BASE_TEXT_CSV_FIELD_H_

#include <string>
#include <string_view>

namespace idkiosk {

// Returns the text as a field by RFC 4180. One that a spreadsheet would take for a formula gets an
// apostrophe in front, so that it is shown as text; a negative number stays one.
[[nodiscard]] std::string CsvField(std::string_view text);

}  // namespace idkiosk

#endif  // IDKIOSK_PLATFORM_BASE_TEXT_CSV_FIELD_H_
