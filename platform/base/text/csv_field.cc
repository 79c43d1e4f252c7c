#include "platform/base/text/csv_field.h"

#include <algorithm>

#include "platform/base/text/digits.h"

namespace idkiosk {
namespace {

// "-50.00" is a number to every spreadsheet, which nothing of it can run.
bool IsNegativeNumber(std::string_view text) {
  if (!text.starts_with('-')) return false;
  const std::string_view digits = text.substr(1);
  const size_t point = std::min(digits.find('.'), digits.size());
  return AreDigits(digits.substr(0, point)) &&
         (point == digits.size() || AreDigits(digits.substr(point + 1)));
}

bool LooksLikeFormula(std::string_view text) {
  return !text.empty() && std::string_view("=+-@\t\r\n").contains(text.front()) &&
         !IsNegativeNumber(text);
}

}  // namespace

std::string CsvField(std::string_view text) {
  std::string safe(LooksLikeFormula(text) ? "'" : "");
  safe += text;
  if (safe.find_first_of(",;\t\"\r\n") == std::string::npos) return safe;
  std::string quoted = "\"";
  for (const char each : safe) quoted.append(each == '"' ? 2 : 1, each);
  return quoted + '"';
}

}  // namespace idkiosk
