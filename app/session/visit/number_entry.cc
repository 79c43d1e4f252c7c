#include "app/session/visit/number_entry.h"

#include <algorithm>

#include "app/service/verification_call.h"

namespace idkiosk {
namespace {

bool IsDigit(uint8_t c) { return c >= '0' && c <= '9'; }

}  // namespace

bool NumberEntry::Add(char digit) {
  if (!IsDigit(static_cast<uint8_t>(digit)) || complete()) return false;
  digits_.mutable_view()[size_++] = static_cast<uint8_t>(digit);
  return true;
}

void NumberEntry::DeleteLast() {
  if (size_ > 0) digits_.mutable_view()[--size_] = 0;
}

bool NumberEntry::Replace(std::string_view typed) {
  const SecretBytes clean = CleanNumber(typed);
  if (clean.empty() || clean.size() > kNinDigits || !std::ranges::all_of(clean.view(), IsDigit)) {
    return false;
  }
  Wipe(digits_.mutable_view());
  std::ranges::copy(clean.view(), digits_.mutable_view().begin());
  size_ = clean.size();
  return true;
}

}  // namespace idkiosk
