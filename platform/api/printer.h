#ifndef IDKIOSK_PLATFORM_API_PRINTER_H_
#define IDKIOSK_PLATFORM_API_PRINTER_H_

#include <string>
#include <vector>

#include "platform/base/error.h"

namespace idkiosk {

// One part of what is printed, on a line of its own, centred. Text is UTF-8; a printer that lacks a
// letter prints the one nearest to it.
struct PrintPart {
  enum class Kind {
    kText,
    kHeading,     // twice as large
    kLetters,     // three times as large: to be read across a desk
    kSquareCode,  // a QR code of the text
    kRule,        // a line across the paper; no text
  };
  Kind kind = Kind::kText;
  std::string text;
  bool operator==(const PrintPart&) const = default;
};
using PrintJob = std::vector<PrintPart>;

// A printer of receipts. One thread at a time.
class Printer {
 public:
  virtual ~Printer() = default;

  // Prints and cuts, within some seconds; how much of a failed job was printed is not known. An
  // empty job prints nothing, and tells whether the printer is within reach.
  // Errors: kNotFound (no such device), kForbidden, kUnavailable (off, unplugged, out of reach, or
  // it broke off), kTimeout (it takes nothing: out of paper, or its cover is open).
  [[nodiscard]] virtual Status Print(const PrintJob& job) = 0;
};

}  // namespace idkiosk

#endif  // IDKIOSK_PLATFORM_API_PRINTER_H_
