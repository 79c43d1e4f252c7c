#include "tools/headquarters/page_names.h"

#include <algorithm>

#include "platform/base/text/digits.h"
#include "platform/base/text/letter_case.h"

namespace idkiosk::headquarters {
namespace {

constexpr size_t kLongestPort = 5;
constexpr int kUsualPort = 80;

}  // namespace

bool IsNameOfPage(std::string_view host, int port, const std::vector<std::string>& names) {
  const size_t colon = host.find(':');
  const std::string_view name = host.substr(0, colon);
  const bool has_port = colon != std::string_view::npos;
  const std::string_view given = has_port ? host.substr(colon + 1) : "";
  if (has_port &&
      (given.empty() || given.size() > kLongestPort || !std::ranges::all_of(given, &IsDigit))) {
    return false;
  }
  const bool is_its_port = has_port ? given == fmt::format("{}", port) : port == kUsualPort;
  if (is_its_port && (name == "127.0.0.1" || name == "localhost")) return true;
  return std::ranges::any_of(
      names, [name](const std::string& each) { return EqualsIgnoringCase(each, name); });
}

Status CheckNames(const std::vector<std::string>& names) {
  for (const std::string& each : names) {
    const bool is_name = !each.empty() && std::ranges::all_of(each, [](char c) {
      return IsDigit(c) || (LowerLetter(c) >= 'a' && LowerLetter(c) <= 'z') || c == '-' || c == '.';
    });
    if (!is_name) {
      return Fail(ErrorCode::kInvalid,
                  "--name: '{}' is no name of a host: give it alone, such as fleet.bank.example, "
                  "without http:// and port",
                  each);
    }
  }
  return {};
}

}  // namespace idkiosk::headquarters
