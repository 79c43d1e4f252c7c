#ifndef IDKIOSK_APP_SESSION_VISIT_NUMBER_ENTRY_H_
#define IDKIOSK_APP_SESSION_VISIT_NUMBER_ENTRY_H_

#include <string_view>

#include "app/settings/nin.h"
#include "platform/base/secret_bytes.h"

namespace idkiosk {

// A NIN while it is typed: up to 11 digits. Wiped when it goes.
class NumberEntry {
 public:
  NumberEntry() : digits_(kNinDigits) {}

  // False, and nothing changed: another character, or no place left.
  bool Add(char digit);
  void DeleteLast();
  // False, and nothing changed: not 1 to 11 digits, spaces and hyphens aside.
  bool Replace(std::string_view typed);

  [[nodiscard]] std::string_view text() const { return digits_.text().substr(0, size_); }
  [[nodiscard]] bool complete() const { return size_ == kNinDigits; }

 private:
  SecretBytes digits_;
  size_t size_ = 0;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_SESSION_VISIT_NUMBER_ENTRY_H_
