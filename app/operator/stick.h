#ifndef IDKIOSK_APP_OPERATOR_STICK_H_
#define IDKIOSK_APP_OPERATOR_STICK_H_

#include <string>
#include <string_view>
#include <vector>

#include "platform/api/file_system.h"

namespace idkiosk {

// A memory stick that staff plugged in. The system puts it below one folder (staff.sticks), as a
// folder of its own, for as long as it is there: the browser may keep no file and choose none.
// Anybody may have filled it: no symbolic link is followed to what is read.
class Stick {
 public:
  static constexpr size_t kLargestFile = 16 << 20;  // bytes

  // `folder`: staff.sticks; empty: this kiosk takes none. `files` must outlive this.
  Stick(FileSystem& files, std::string folder) : files_(files), folder_(std::move(folder)) {}

  // The names of the ordinary files at its top that end like this, as ".csv". Errors of every
  // function: kNotFound (no stick is there, or this kiosk takes none), kFailedPrecondition (more
  // than one is there), FileSystem's. Each message is a sentence for staff, with the mend.
  [[nodiscard]] Result<std::vector<std::string>> List(std::string_view ending) const;
  // Errors also: kInvalid (the name is no ordinary file's at its top), kExhausted (larger than
  // kLargestFile).
  [[nodiscard]] Result<Bytes> Read(const std::string& name) const;
  // Writes a file of that name, or one with a number behind it where that is taken, and syncs.
  // Returns the name. Errors also: kExhausted (it is full), kForbidden (it cannot be written to),
  // kUnavailable (it was pulled out meanwhile), kCorrupt (it reports damage); no file of that name
  // is left then, as far as the stick can still be reached.
  [[nodiscard]] Result<std::string> Write(const std::string& name, std::string_view text) const;

 private:
  // Its folder.
  [[nodiscard]] Result<std::string> Find() const;
  // Whether this folder is a stick's for certain: an empty one may be what a stick left behind.
  [[nodiscard]] bool IsPluggedIn(const std::string& stick) const;
  // The sentence for a file that could not be written.
  [[nodiscard]] std::unexpected<Error> NotWritten(const std::string& stick, const Error& why) const;

  FileSystem& files_;
  const std::string folder_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_OPERATOR_STICK_H_
