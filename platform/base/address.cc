#include "platform/base/address.h"

#include <fmt/format.h>

#include <algorithm>

namespace idkiosk {
namespace {

constexpr std::string_view kScheme = "://";
constexpr std::string_view kRemoved = "[removed]";

// A query, or the part of a path that gives values to names, goes with all that follows.
std::string WithoutValues(std::string_view place) {
  const size_t query = std::min(place.find('?'), place.size());
  const size_t equals = place.substr(0, query).find('=');
  if (equals == std::string_view::npos) {
    if (query == place.size()) return std::string(place);
    return fmt::format("{}?{}", place.substr(0, query), kRemoved);
  }
  const size_t slash = place.rfind('/', equals);
  const size_t kept = slash == std::string_view::npos ? 0 : slash + 1;
  return fmt::format("{}{}", place.substr(0, kept), kRemoved);
}

// Of a camera that is a pipeline: any of its elements may have a password, however it spells it.
// npos: it is none.
size_t EndOfFirstElement(std::string_view address) {
  constexpr std::string_view kCamera = "opencv:";
  const size_t camera = address.find(kCamera);
  if (camera == std::string_view::npos || !address.contains('!')) return std::string_view::npos;
  const size_t end = address.find_first_of(" !:/=@", camera + kCamera.size());
  const bool is_element =
      end != std::string_view::npos && (address[end] == ' ' || address[end] == '!');
  return is_element ? end : std::string_view::npos;
}

}  // namespace

std::string WithoutCredentials(std::string_view address) {
  if (const size_t end = EndOfFirstElement(address); end != std::string_view::npos) {
    return fmt::format("{} ! ...", address.substr(0, end));
  }
  const size_t scheme = address.find(kScheme);
  if (scheme == std::string_view::npos) return std::string(address);
  const std::string_view before = address.substr(0, scheme + kScheme.size());
  const std::string_view rest = address.substr(before.size());
  // A password may hold any sign: up to the last @ of the whole address.
  const size_t at = rest.rfind('@');
  if (at == std::string_view::npos) return fmt::format("{}{}", before, WithoutValues(rest));
  return fmt::format("{}{}{}", before, kRemoved, WithoutValues(rest.substr(at)));
}

}  // namespace idkiosk
