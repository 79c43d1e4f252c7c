#include "app/operator/stick.h"

#include <algorithm>

#include "platform/base/printable.h"

namespace idkiosk {
namespace {

constexpr int kMostOfOneName = 1000;

// Of something that is at a stick's top, and hidden from nobody.
bool IsPlainName(std::string_view name) {
  return !name.empty() && !name.starts_with('.') && name.find('/') == std::string_view::npos &&
         name.find('\0') == std::string_view::npos;
}

bool EndsLike(std::string_view name, std::string_view ending) {
  if (name.size() < ending.size()) return false;
  return std::ranges::equal(name.substr(name.size() - ending.size()), ending, {},
                            [](unsigned char c) { return std::tolower(c); });
}

}  // namespace

Result<std::string> Stick::Find() const {
  if (folder_.empty()) {
    return Fail(ErrorCode::kNotFound,
                "this kiosk takes no memory stick: its configuration names no staff.sticks");
  }
  // What has no file system on it shows as an empty folder of root's, or as none.
  for (const std::string& name : files_.List(folder_).value_or(std::vector<std::string>())) {
    const std::string stick = fmt::format("{}/{}", folder_, name);
    if (IsPlainName(name) && files_.List(stick)) return stick;
  }
  return Fail(ErrorCode::kNotFound, "no memory stick is there: plug one in, and try again");
}

Result<std::vector<std::string>> Stick::List(std::string_view ending) const {
  const auto stick = Find();
  if (!stick) return std::unexpected(stick.error());
  auto names = files_.List(*stick);
  if (!names) return names;
  std::erase_if(*names, [&](const std::string& name) {
    return !IsPlainName(name) || !EndsLike(name, ending);
  });
  return names;
}

Result<Bytes> Stick::Read(const std::string& name) const {
  if (!IsPlainName(name)) {
    return Fail(ErrorCode::kInvalid, "'{}' is no file's name", Printable(name));
  }
  const auto stick = Find();
  if (!stick) return std::unexpected(stick.error());
  return files_.Read(fmt::format("{}/{}", *stick, name), kLargestFile);
}

Result<std::string> Stick::Write(const std::string& name, std::string_view text) const {
  const auto stick = Find();
  if (!stick) return std::unexpected(stick.error());
  const size_t dot = std::min(name.rfind('.'), name.size());
  for (int i = 1; i < kMostOfOneName; ++i) {
    const std::string free =
        i == 1 ? name : fmt::format("{}-{}{}", name.substr(0, dot), i, name.substr(dot));
    const std::string path = fmt::format("{}/{}", *stick, free);
    const auto taken = files_.Exists(path);
    if (!taken) return std::unexpected(taken.error());
    if (*taken) continue;
    if (Status written = files_.WriteDurably(path, AsBytes(text), FileAccess::kEverybody);
        !written) {
      return std::unexpected(written.error().Within("the memory stick"));
    }
    return free;
  }
  return Fail(ErrorCode::kExhausted, "the memory stick holds too many files named '{}'", name);
}

}  // namespace idkiosk
