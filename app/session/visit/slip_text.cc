#include <algorithm>
#include <optional>

#include "app/session/visit/slip_reader.h"
#include "app/settings/nin.h"
#include "platform/base/text/digits.h"
#include "platform/base/text/letter_case.h"

namespace idkiosk {
namespace {

// What may stand between the letters and the number: quotes, a colon, an equals sign, spaces.
constexpr size_t kLongestGap = 4;

// Whether the text before a number ends in the word NIN.
bool IsNamed(std::string_view before) {
  size_t end = before.size();
  const size_t first = end - std::min(end, kLongestGap);
  while (end > first && !IsLetter(before[end - 1]) && !IsDigit(before[end - 1])) --end;
  before = before.substr(0, end);
  constexpr std::string_view kName = "nin";
  if (before.size() < kName.size()) return false;
  const size_t start = before.size() - kName.size();
  return EqualsIgnoringCase(before.substr(start), kName) &&
         (start == 0 || !IsLetter(before[start - 1]));
}

}  // namespace

Result<SecretBytes> NinInSlip(std::string_view text) {
  std::optional<std::string_view> only;
  bool several = false;
  for (size_t at = 0; at < text.size();) {
    if (!IsDigit(text[at])) {
      ++at;
      continue;
    }
    const size_t begin = at;
    while (at < text.size() && IsDigit(text[at])) ++at;
    if (at - begin != kNinDigits) continue;
    const std::string_view number = text.substr(begin, kNinDigits);
    if (IsNamed(text.substr(0, begin))) return SecretBytes::CopyOf(number);
    several = several || (only && *only != number);
    only = number;
  }
  if (several)
    return Fail(ErrorCode::kRejected, "the code holds several numbers of {} digits", kNinDigits);
  if (!only) return Fail(ErrorCode::kNotFound, "the code holds no number of {} digits", kNinDigits);
  return SecretBytes::CopyOf(*only);
}

}  // namespace idkiosk
