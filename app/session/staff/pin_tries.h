#ifndef IDKIOSK_APP_SESSION_STAFF_PIN_TRIES_H_
#define IDKIOSK_APP_SESSION_STAFF_PIN_TRIES_H_

#include <optional>
#include <string>
#include <string_view>

#include "app/session/staff/pin_record.h"
#include "platform/api/file_system.h"
#include "platform/api/secure_storage.h"

namespace idkiosk {

// The count of wrong PINs of one kind of staff, on the disk. It lies in a file, which is
// overwritten in place so that a full disk is not in the way, with a MAC by a key of the vault; the
// vault keeps a copy of the newest one. A file that is gone, not ours, or older than what the vault
// or this object knows counts as a lockout. While the disk is too full for the vault's copy, an
// older file is noticed only by the process that wrote the newer one.
//
// Where no PIN is set there is nothing to guess, and nothing is counted. One thread at a time.
class PinTries {
 public:
  static constexpr int kLockout = 3;  // so many wrong tries lock it
  static constexpr int kMost = 1'000'000;

  // All must outlive this. Touches no file.
  struct Dependencies {
    SecureStorage& storage;
    FileSystem& files;
    const Crypto& crypto;
  };
  PinTries(const Dependencies& deps, Staff staff, const std::string& state_folder);

  // Returns the count: 0 to kMost. Errors: SecureStorage's.
  [[nodiscard]] Result<int> Read();

  // Once this returns, the next program reads this count, however this one ends. Requires a Read
  // before. Errors: FileSystem's; SecureStorage's, but for a disk that is full.
  [[nodiscard]] Status Write(int tries);

  [[nodiscard]] static std::string Path(const std::string& state_folder, Staff staff);

 private:
  struct Count {
    uint64_t serial = 0;  // how often it was written
    int tries = 0;
  };
  [[nodiscard]] std::string LineOf(const Count& count, const SecretBytes& key) const;
  [[nodiscard]] std::optional<Count> CountOf(std::string_view line, const SecretBytes& key) const;

  const Dependencies deps_;
  const Staff staff_;
  const std::string path_;
  Count newest_;  // that this object knows of
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_SESSION_STAFF_PIN_TRIES_H_
