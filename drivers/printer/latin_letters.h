#ifndef IDKIOSK_DRIVERS_PRINTER_LATIN_LETTERS_H_
#define IDKIOSK_DRIVERS_PRINTER_LATIN_LETTERS_H_

#include <string>
#include <string_view>

namespace idkiosk {

// UTF-8 as Windows-1252, the code page with the most letters that receipt printers have. Hausa,
// Yoruba and Igbo letters that it lacks lose their dot, hook or tone, so that a word stays
// readable: "ẹ̀rọ" is "ero". Whatever else it lacks is "?". Control characters are left out.
[[nodiscard]] std::string ToWindows1252(std::string_view utf8);

}  // namespace idkiosk

#endif  // IDKIOSK_DRIVERS_PRINTER_LATIN_LETTERS_H_
