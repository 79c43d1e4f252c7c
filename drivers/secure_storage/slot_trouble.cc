#include "drivers/secure_storage/slot_trouble.h"

#include <unistd.h>

#include "drivers/secure_storage/vault_format.h"

namespace idkiosk {

Error AsSlotVerdict(const Error& error, const std::string& path) {
  if (error.code == ErrorCode::kInvalid) return {ErrorCode::kCorrupt, error.message};
  if (error.code != ErrorCode::kForbidden) return AsVerdict(error, path);
  return {error.code,
          fmt::format("{}. It may be the newest copy, so nothing goes on without it: give it to "
                      "the user that this program runs as ('chown {} {}; chmod 600 {}')",
                      error.message, geteuid(), path, path)};
}

std::unexpected<Error> FailToWrite(const std::string& path, const Error& error) {
  std::string mend = "look at that file and its disk";
  if (error.code == ErrorCode::kForbidden) {
    mend = fmt::format(
        "let this user change that file again ('lsattr {}' says whether it was made unchangeable, "
        "'chattr -i {}' ends that; 'mount' says whether the disk is mounted read-only)",
        path, path);
  }
  if (error.code == ErrorCode::kExhausted) mend = "make room on the disk";
  return Fail(error.code, "{} cannot be written ({}): {}", path, error.message, mend);
}

std::unexpected<Error> FailToSetAside(const std::string& path, const std::string& aside,
                                      const Error& error) {
  return Fail(error.code,
              "{} is no file of the vault, and cannot be set aside as {} ({}): somebody who may "
              "change that folder must look at both and take them away",
              path, aside, error.message);
}

}  // namespace idkiosk
