#include "app/operator/stick.h"

#include <algorithm>
#include <iterator>

#include "platform/base/text/letter_case.h"
#include "platform/base/text/printable.h"

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
  return EqualsIgnoringCase(name.substr(name.size() - ending.size()), ending);
}

}  // namespace

Result<std::string> Stick::Find() const {
  if (folder_.empty()) {
    return Fail(ErrorCode::kNotFound,
                "this kiosk takes no memory stick: its configuration names no staff.sticks");
  }
  std::vector<std::string> maybe;
  for (const std::string& name : files_.List(folder_).value_or(std::vector<std::string>())) {
    std::string stick = fmt::format("{}/{}", folder_, name);
    if (IsPlainName(name) && files_.List(stick)) maybe.push_back(std::move(stick));
  }
  std::vector<std::string> sticks;
  std::ranges::copy_if(maybe, std::back_inserter(sticks),
                       [this](const std::string& stick) { return IsPluggedIn(stick); });
  if (sticks.size() > 1) {
    return Fail(ErrorCode::kFailedPrecondition,
                "{} memory sticks are there: leave one, pull out the others, and try again",
                sticks.size());
  }
  if (!sticks.empty()) return sticks.front();
  if (!maybe.empty()) return maybe.front();
  return Fail(ErrorCode::kNotFound, "no memory stick is there: plug one in, and try again");
}

bool Stick::IsPluggedIn(const std::string& stick) const {
  const auto names = files_.List(stick);
  if (names && !names->empty()) return true;
  // Empty, and on a disk of its own.
  const auto same = files_.OnOneDisk(folder_, stick);
  return same && !*same;
}

Result<std::vector<std::string>> Stick::List(std::string_view ending) const {
  const auto stick = Find();
  if (!stick) return std::unexpected(stick.error());
  auto names = files_.ListFiles(*stick);
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
  const std::string below = fmt::format("{}/{}", stick->substr(folder_.size() + 1), name);
  return files_.ReadBelow(folder_, below, kLargestFile);
}

std::unexpected<Error> Stick::NotWritten(const std::string& stick, const Error& why) const {
  switch (why.code) {
    case ErrorCode::kExhausted:
      return Fail(ErrorCode::kExhausted,
                  "the memory stick is full, and nothing was written: delete something from it, or "
                  "take another one, and try again");
    case ErrorCode::kForbidden:
      return Fail(ErrorCode::kForbidden,
                  "the memory stick cannot be written to: move its write lock, or take another "
                  "one, and try again");
    case ErrorCode::kInvalid:
      return std::unexpected(why.Within("the memory stick"));
    default:
      break;
  }
  const auto names = files_.List(stick);
  if (!names || !IsPluggedIn(stick)) {
    return Fail(ErrorCode::kUnavailable,
                "the memory stick was pulled out before the file was whole: plug it in again, and "
                "write the file once more");
  }
  return Fail(ErrorCode::kCorrupt,
              "the memory stick is damaged, or was pulled out, before the file was whole: take "
              "another one, and write the file once more ({})",
              why.message);
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
    if (!taken) return NotWritten(*stick, taken.error());
    if (*taken) continue;
    const Status written = files_.WriteDurably(path, AsBytes(text), FileAccess::kEverybody);
    if (written) return free;
    // It has its name already where the folder alone could not be synced.
    (void)files_.Remove(path);
    return NotWritten(*stick, written.error());
  }
  return Fail(ErrorCode::kExhausted, "the memory stick holds too many files named '{}'", name);
}

}  // namespace idkiosk
