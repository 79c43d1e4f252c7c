#include "platform/base/text/csv_field.h"

namespace idkiosk {
namespace {

bool LooksLikeFormula(std::string_view text) {
  return !text.empty() && std::string_view("=+-@\t\r\n").contains(text.front());
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
