#ifndef IDKIOSK_TESTS_DRIVERS_PRINTER_PAPER_H_
#define IDKIOSK_TESTS_DRIVERS_PRINTER_PAPER_H_

#include <string>

#include "platform/base/bytes.h"

namespace idkiosk {

// Returns, as text, the paper that a receipt printer of 32 columns makes of these bytes: each line
// as wide as it is printed ("x2 " before a line of double size), "[QR text]" for a code, "~~~~"
// where it is cut. A byte sequence that such a printer does not know stands there as
// "<unknown 1D 99>".
[[nodiscard]] std::string PaperOf(ByteSpan bytes);

}  // namespace idkiosk

#endif  // IDKIOSK_TESTS_DRIVERS_PRINTER_PAPER_H_
