#include "platform/base/address.h"

#include <fmt/format.h>

#include <algorithm>

#include "platform/base/text/digits.h"

namespace idkiosk {
namespace {

constexpr std::string_view kScheme = "://";
constexpr std::string_view kRemoved = "[removed]";
constexpr std::string_view kCamera = "opencv:";

// A query, or the part of a path that gives values to names, goes with all that follows.
std::string WithoutValues(std::string_view place) {
  const size_t query = std::min(place.find_first_of("?;"), place.size());
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
  const size_t camera = address.find(kCamera);
  if (camera == std::string_view::npos || !address.contains('!')) return std::string_view::npos;
  const size_t end = address.find_first_of(" !:/=@", camera + kCamera.size());
  const bool is_element =
      end != std::string_view::npos && (address[end] == ' ' || address[end] == '!');
  return is_element ? end : std::string_view::npos;
}

bool HasOnly(std::string_view text, std::string_view signs) {
  return std::ranges::all_of(text, [=](char c) {
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c & 0x80) != 0;
    return is_letter || (c >= '0' && c <= '9') || signs.contains(c);
  });
}

// A name or number, and a port. What was meant as "name:password@host" is none.
bool IsHost(std::string_view text) {
  const size_t bracket = text.rfind(']');
  const bool has_brackets = text.starts_with('[') && bracket != std::string_view::npos;
  const std::string_view behind = has_brackets ? text.substr(bracket + 1) : text;
  const size_t colon = std::min(behind.find(':'), behind.size());
  const std::string_view port = behind.substr(std::min(colon + 1, behind.size()));
  const bool is_number = std::ranges::all_of(port, IsDigit);
  return is_number && HasOnly(behind.substr(0, colon), ".-_") &&
         (!has_brackets || HasOnly(text.substr(1, bracket - 1), ":.-"));
}

// Of a camera that is neither a pipeline nor an address: a number or a file. Nothing else is shown,
// for it may be an address that was mistyped. npos: nothing to hide.
size_t BeginOfMistypedCamera(std::string_view address) {
  const size_t camera = address.find(kCamera);
  if (camera == std::string_view::npos || address.contains(kScheme)) return std::string_view::npos;
  const size_t begin = camera + kCamera.size();
  std::string_view name = address.substr(begin);
  if (name.starts_with("file:")) name.remove_prefix(std::string_view("file:").size());
  const bool is_path = name.starts_with('/') && !name.contains('@') && !name.contains('=');
  return is_path || HasOnly(name, "._-/+ ") ? std::string_view::npos : begin;
}

}  // namespace

std::string WithoutCredentials(std::string_view address) {
  if (const size_t end = EndOfFirstElement(address); end != std::string_view::npos) {
    return fmt::format("{} ! ...", address.substr(0, end));
  }
  if (const size_t begin = BeginOfMistypedCamera(address); begin != std::string_view::npos) {
    return fmt::format("{}{}", address.substr(0, begin), kRemoved);
  }
  const size_t scheme = address.find(kScheme);
  if (scheme == std::string_view::npos) return std::string(address);
  const std::string_view before = address.substr(0, scheme + kScheme.size());
  const std::string_view rest = address.substr(before.size());
  // A password may hold any sign: up to the last @ of the whole address.
  const size_t at = rest.rfind('@');
  if (at == std::string_view::npos) {
    const size_t path = std::min(rest.find_first_of("/?;"), rest.size());
    const std::string_view host = IsHost(rest.substr(0, path)) ? rest.substr(0, path) : kRemoved;
    return fmt::format("{}{}{}", before, host, WithoutValues(rest.substr(path)));
  }
  return fmt::format("{}{}{}", before, kRemoved, WithoutValues(rest.substr(at)));
}

std::string WithoutPath(std::string_view address) {
  if (address.empty()) return "";
  const size_t scheme = address.find(kScheme);
  if (scheme == std::string_view::npos) return std::string(kRemoved);
  const size_t begin = scheme + kScheme.size();
  const size_t end = std::min(address.find_first_of("/?#;", begin), address.size());
  const std::string_view host = address.substr(begin, end - begin);
  const std::string_view path = address.substr(end);
  return fmt::format("{}{}{}", address.substr(0, begin), IsHost(host) ? host : kRemoved,
                     path.empty() || path == "/" ? path : "/...");
}

}  // namespace idkiosk
