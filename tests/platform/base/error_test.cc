#include "platform/base/error.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <set>

namespace idkiosk {
namespace {

TEST(ErrorTest, FormatsItsMessage) {
  const Status status = Fail(ErrorCode::kInvalid, "{} is {}", "this", 42);
  EXPECT_EQ(status.error().code, ErrorCode::kInvalid);
  EXPECT_EQ(status.error().message, "this is 42");
}

TEST(ErrorTest, TellsItselfFromFurtherOut) {
  const Error error = Error{ErrorCode::kForbidden, "permission denied"}.Within("reading the vault");
  EXPECT_EQ(error.code, ErrorCode::kForbidden);
  EXPECT_EQ(error.message, "reading the vault: permission denied");
}

TEST(ErrorTest, NamesEveryCodeDifferently) {
  std::set<std::string_view> names;
  for (int code = 0; code <= static_cast<int>(ErrorCode::kInternal); ++code) {
    names.insert(Name(static_cast<ErrorCode>(code)));
  }
  EXPECT_EQ(names.size(), static_cast<size_t>(ErrorCode::kInternal) + 1);
}

TEST(ErrorTest, SortsErrnoByWhatTheCallerDoes) {
  const std::pair<int, ErrorCode> kExpected[] = {
      {ENOENT, ErrorCode::kNotFound},      {ENOTDIR, ErrorCode::kNotFound},
      {ENODEV, ErrorCode::kNotFound},      {EACCES, ErrorCode::kForbidden},
      {EPERM, ErrorCode::kForbidden},      {EROFS, ErrorCode::kForbidden},
      {ENOSPC, ErrorCode::kExhausted},     {EDQUOT, ErrorCode::kExhausted},
      {EFBIG, ErrorCode::kExhausted},      {EMFILE, ErrorCode::kUnavailable},
      {EINVAL, ErrorCode::kInvalid},       {EISDIR, ErrorCode::kInvalid},
      {ENAMETOOLONG, ErrorCode::kInvalid}, {ETIMEDOUT, ErrorCode::kTimeout},
      {EIO, ErrorCode::kCorrupt},          {EBUSY, ErrorCode::kUnavailable},
      {EAGAIN, ErrorCode::kUnavailable},   {ECONNREFUSED, ErrorCode::kUnavailable}};
  for (const auto& [number, code] : kExpected) {
    EXPECT_EQ(Name(ErrnoError(number, "x").code), Name(code)) << number;
  }
  EXPECT_EQ(ErrnoError(ENOENT, "cannot open /x").message,
            "cannot open /x: No such file or directory");
}

}  // namespace
}  // namespace idkiosk
