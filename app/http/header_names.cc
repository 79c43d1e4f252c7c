#include "app/http/header_names.h"

#include <algorithm>
#include <string_view>

namespace idkiosk {
namespace {

bool IsHeaderName(std::string_view name) {
  constexpr std::string_view kSigns = "!#$%&'*+-.^_`|~";
  return !name.empty() && std::ranges::all_of(name, [&](char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
           kSigns.contains(c);
  });
}

}  // namespace

std::optional<std::string> OddHeaderName(const httplib::Request& request) {
  for (const auto& [name, value] : request.headers) {
    if (!IsHeaderName(name)) return name;
  }
  return std::nullopt;
}

}  // namespace idkiosk
