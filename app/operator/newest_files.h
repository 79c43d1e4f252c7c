#ifndef IDKIOSK_APP_OPERATOR_NEWEST_FILES_H_
#define IDKIOSK_APP_OPERATOR_NEWEST_FILES_H_

#include <string>

#include "platform/api/file_system.h"

// A folder of files with the time in their names, of which the newest stay.
namespace idkiosk {

// "20261120T010000.000Z": in the order of time when sorted by name.
[[nodiscard]] std::string TimeForName(WallTime time);

// How the names of such files begin and end.
struct NameEnds {
  std::string prefix;
  std::string suffix;
};

// Makes the folder where it is not there, and removes the oldest of these files until there are
// fewer than `kept`. Other files stay. Errors: FileSystem's.
[[nodiscard]] Status MakeRoom(FileSystem& files, const std::string& folder, const NameEnds& names,
                              size_t kept);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_OPERATOR_NEWEST_FILES_H_
