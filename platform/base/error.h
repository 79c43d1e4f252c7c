#ifndef IDKIOSK_PLATFORM_BASE_ERROR_H_
#define IDKIOSK_PLATFORM_BASE_ERROR_H_

#include <fmt/format.h>

#include <expected>
#include <string>
#include <string_view>
#include <utility>

namespace idkiosk {

// The kind of a failure, sorted by what the caller does about it.
enum class ErrorCode {
  kUnavailable,         // not there now; try again later: network, unplugged device, busy file
  kTimeout,             // no answer before the deadline
  kCancelled,           // somebody asked to stop
  kUnauthenticated,     // who we are was not accepted: wrong key, password or token
  kForbidden,           // known, but not allowed
  kRejected,            // understood and refused: the input must change
  kNotFound,            // the named thing does not exist
  kCorrupt,             // stored or received bytes are damaged
  kExhausted,           // no room: disk full, cap reached
  kInvalid,             // the caller's input makes no sense: argument, configuration, picture
  kFailedPrecondition,  // something must be done first: provision, open, mend
  kInternal,            // a bug
};

// An error is a value. `message` is one sentence for an engineer: it names the thing, what is wrong
// and, where there is one, the mend. It never holds a secret, a NIN or other personal data.
struct Error {
  ErrorCode code;
  std::string message;

  // The same error, told from further out: "reading vault: permission denied".
  [[nodiscard]] Error Within(std::string_view context) const;
};

template <typename T>
using Result = std::expected<T, Error>;
using Status = Result<void>;

// "unavailable", "timeout", ...
[[nodiscard]] std::string_view Name(ErrorCode code);

template <typename... Args>
[[nodiscard]] std::unexpected<Error> Fail(ErrorCode code, fmt::format_string<Args...> format,
                                          Args&&... args) {
  return std::unexpected(Error{code, fmt::format(format, std::forward<Args>(args)...)});
}

// An Error for the errno value `number`: "cannot open /x: No such file or directory".
[[nodiscard]] Error ErrnoError(int number, std::string_view what);

}  // namespace idkiosk

#endif  // IDKIOSK_PLATFORM_BASE_ERROR_H_
