#ifndef IDKIOSK_APP_OPERATOR_STICK_H_
#define IDKIOSK_APP_OPERATOR_STICK_H_

#include <string>
#include <string_view>
#include <vector>

#include "platform/api/file_system.h"

namespace idkiosk {

// A memory stick that staff plugged in. The system puts it below one folder (staff.sticks), as a
// folder of its own, for as long as it is there: the browser may keep no file and choose none.
class Stick {
 public:
  static constexpr size_t kLargestFile = 16 << 20;  // bytes

  // `folder`: staff.sticks; empty: this kiosk takes none. `files` must outlive this.
  Stick(FileSystem& files, std::string folder) : files_(files), folder_(std::move(folder)) {}

  // The names of the files at its top that end like this, as ".csv". Errors of every function:
  // kNotFound (no stick is there, or this kiosk takes none), FileSystem's.
  [[nodiscard]] Result<std::vector<std::string>> List(std::string_view ending) const;
  // Errors also: kInvalid (the name is no file's at its top), kExhausted (larger than kLargestFile).
  [[nodiscard]] Result<Bytes> Read(const std::string& name) const;
  // Writes a file of that name, or one with a number behind it where that is taken, and syncs.
  // Returns the name.
  [[nodiscard]] Result<std::string> Write(const std::string& name, std::string_view text) const;

 private:
  // Its folder.
  [[nodiscard]] Result<std::string> Find() const;

  FileSystem& files_;
  const std::string folder_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_OPERATOR_STICK_H_
