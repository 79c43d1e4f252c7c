#include "app/settings/operator_name.h"

#include <algorithm>

#include "platform/base/text/digits.h"

namespace idkiosk {

Status CheckOperatorName(std::string_view name) {
  constexpr size_t kLongest = 32;
  const bool plain = std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '.';
  });
  const auto digits = std::ranges::count_if(name, IsDigit);
  if (plain && name.size() <= kLongest && digits < 9) return {};
  return Fail(ErrorCode::kInvalid,
              "must be a name of at most 32 letters, digits, - _ and ., with fewer than nine "
              "digits: the ledger keeps it, and must not hold a person's number");
}

}  // namespace idkiosk
