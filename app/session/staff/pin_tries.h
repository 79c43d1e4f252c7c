#ifndef IDKIOSK_APP_SESSION_STAFF_PIN_TRIES_H_
#define IDKIOSK_APP_SESSION_STAFF_PIN_TRIES_H_

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "app/session/staff/pin_record.h"
#include "platform/api/file_system.h"
#include "platform/api/secure_storage.h"

namespace idkiosk {

// The counts of wrong PINs of one kind of staff, on the disk: of each person, and of all together.
// They lie in a file, which is overwritten in place so that a full disk is not in the way, with a
// MAC by a key of the vault; the vault keeps a copy of the newest one. A file that is gone, not
// ours, or older than what the vault or this object knows counts as a lockout of all. While the
// disk is too full for the vault's copy, an older file is noticed only by the process that wrote
// the newer one.
//
// Where nobody has a PIN there is nothing to guess, and nothing is counted. One thread at a time.
class PinTries {
 public:
  static constexpr int kLockout = 3;  // so many wrong tries of one person lock that person out
  static constexpr int kLockoutOfAll = 10;  // and so many of anybody, one after the other, all
  static constexpr int kMost = 1'000'000;

  // Wrong tries since the last right one.
  struct Counts {
    int all = 0;
    std::map<std::string, int> own;  // by name; who is missing has none
  };

  // All must outlive this. Touches no file.
  struct Dependencies {
    SecureStorage& storage;
    FileSystem& files;
    const Crypto& crypto;
  };
  PinTries(const Dependencies& deps, Staff staff, const std::string& state_folder);

  // Returns the counts of those who have a PIN. Errors: SecureStorage's.
  [[nodiscard]] Result<Counts> Read(std::span<const std::string> names);

  // Once this returns, the next program reads these counts, however this one ends. Requires a Read
  // before. Errors: FileSystem's; SecureStorage's, but for a disk that is full.
  [[nodiscard]] Status Write(const Counts& counts);

  // Whoever has a new PIN begins without wrong tries: of their own, and of all together. `names`:
  // of everybody who has one, theirs included. Errors: Read's and Write's.
  [[nodiscard]] Status Forgive(std::span<const std::string> names, const std::string& name);

  [[nodiscard]] static std::string Path(const std::string& state_folder, Staff staff);

 private:
  struct Line {
    uint64_t serial = 0;  // how often it was written
    Counts counts;
  };
  [[nodiscard]] std::string TextOf(const Line& line, const SecretBytes& key) const;
  [[nodiscard]] std::string Proven(std::string said, const SecretBytes& key) const;
  [[nodiscard]] std::optional<Line> LineOf(std::string_view text, const SecretBytes& key) const;
  [[nodiscard]] std::optional<Line> LineOfVersion2(std::string_view text,
                                                   const SecretBytes& key) const;

  const Dependencies deps_;
  const Staff staff_;
  const std::string path_;
  Line newest_;  // that this object knows of
};

// Returns how long nobody is judged after so many wrong tries, of which `lockout` are free.
[[nodiscard]] Duration WaitAfter(int tries, int lockout);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_SESSION_STAFF_PIN_TRIES_H_
