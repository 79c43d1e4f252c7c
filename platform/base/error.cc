#include "platform/base/error.h"

#include <cerrno>
#include <system_error>

namespace idkiosk {

Error Error::Within(std::string_view context) const {
  return {code, fmt::format("{}: {}", context, message)};
}

std::string_view Name(ErrorCode code) {
  switch (code) {
    case ErrorCode::kUnavailable:
      return "unavailable";
    case ErrorCode::kTimeout:
      return "timeout";
    case ErrorCode::kCancelled:
      return "cancelled";
    case ErrorCode::kUnauthenticated:
      return "unauthenticated";
    case ErrorCode::kForbidden:
      return "forbidden";
    case ErrorCode::kRejected:
      return "rejected";
    case ErrorCode::kNotFound:
      return "not_found";
    case ErrorCode::kCorrupt:
      return "corrupt";
    case ErrorCode::kExhausted:
      return "exhausted";
    case ErrorCode::kInvalid:
      return "invalid";
    case ErrorCode::kFailedPrecondition:
      return "failed_precondition";
    case ErrorCode::kInternal:
      return "internal";
  }
  return "internal";
}

namespace {

ErrorCode CodeOf(int number) {
  switch (number) {
    case ENOENT:
    case ENOTDIR:
    case ENODEV:
    case ENXIO:
      return ErrorCode::kNotFound;
    case EACCES:
    case EPERM:
    case EROFS:
      return ErrorCode::kForbidden;
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
      return ErrorCode::kExhausted;
    case EINVAL:
    case EISDIR:
    case ENAMETOOLONG:
      return ErrorCode::kInvalid;
    case ETIMEDOUT:
      return ErrorCode::kTimeout;
    case EIO:
      return ErrorCode::kCorrupt;
    default:
      return ErrorCode::kUnavailable;
  }
}

}  // namespace

Error ErrnoError(int number, std::string_view what) {
  return {CodeOf(number), fmt::format("{}: {}", what, std::generic_category().message(number))};
}

}  // namespace idkiosk
