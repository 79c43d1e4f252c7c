#ifndef IDKIOSK_PLATFORM_API_TERMINAL_H_
#define IDKIOSK_PLATFORM_API_TERMINAL_H_

#include <string>
#include <string_view>

#include "platform/base/error.h"
#include "platform/base/secret_bytes.h"

namespace idkiosk {

// The person at the command line. One thread. A terminal gets no control characters beside line
// ends and tabs: '?' stands for each.
class Terminal {
 public:
  virtual ~Terminal() = default;

  // Data: standard output, with a line end.
  virtual void Print(std::string_view line) = 0;

  // Words for a person: standard error, with a line end.
  virtual void Say(std::string_view line) = 0;

  // One line that is written over by the next: only where standard error is a terminal.
  virtual void ShowProgress(std::string_view line) = 0;

  // A secret, without its line end: typed without echo where standard input is a terminal, else one
  // line of it. Errors: kInvalid (empty, or longer than 4096 bytes), kUnavailable (end of input),
  // kCancelled (a signal came that the program catches).
  [[nodiscard]] virtual Result<SecretBytes> AskSecret(std::string_view question) = 0;

  // Standard input to its end. Errors: kInvalid (longer than `max_size`), kCancelled.
  [[nodiscard]] virtual Result<SecretBytes> ReadAll(size_t max_size) = 0;

  // Whether somebody is there to be asked: standard input is a terminal.
  [[nodiscard]] virtual bool interactive() const = 0;

  // True only for "yes" or "y", in small letters or capitals. False where nobody is there, and
  // where such a signal comes.
  [[nodiscard]] virtual bool Confirm(std::string_view question) = 0;
};

}  // namespace idkiosk

#endif  // IDKIOSK_PLATFORM_API_TERMINAL_H_
