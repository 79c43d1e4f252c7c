#include "app/session/visit/number_entry.h"

#include <algorithm>

#include "app/service/verification_call.h"
#include "platform/base/text/digits.h"

namespace idkiosk {

bool NumberEntry::Add(char digit) {
  if (!IsDigit(digit) || complete()) return false;
  digits_.mutable_view()[size_++] = static_cast<uint8_t>(digit);
  return true;
}

void NumberEntry::DeleteLast() {
  if (size_ > 0) digits_.mutable_view()[--size_] = 0;
}

bool NumberEntry::Replace(std::string_view typed) {
  const SecretBytes clean = CleanNumber(typed);
  if (clean.size() > kNinDigits || !AreDigits(clean.text())) {
    return false;
  }
  Wipe(digits_.mutable_view());
  std::ranges::copy(clean.view(), digits_.mutable_view().begin());
  size_ = clean.size();
  return true;
}

}  // namespace idkiosk
