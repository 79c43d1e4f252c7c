#ifndef IDKIOSK_DRIVERS_SECURE_STORAGE_SLOT_TROUBLE_H_
#define IDKIOSK_DRIVERS_SECURE_STORAGE_SLOT_TROUBLE_H_

#include <string>

#include "platform/base/error.h"

// What is said of a copy of the vault that cannot be read or written: the file, what is wrong with
// it, and the mend.
namespace idkiosk {

// Returns the error of reading the copy at `path`: kCorrupt for what is no file, such as a folder
// or a pipe, since nothing of ours is in it, and for one that is larger than any of ours.
[[nodiscard]] Error AsSlotVerdict(const Error& error, const std::string& path);

// The copy at `path` cannot be written, for this reason. Keeps its code.
[[nodiscard]] std::unexpected<Error> FailToWrite(const std::string& path, const Error& error);

// What lies at `path` is no file, and cannot be renamed to `aside`. Keeps its code.
[[nodiscard]] std::unexpected<Error> FailToSetAside(const std::string& path,
                                                    const std::string& aside, const Error& error);

}  // namespace idkiosk

#endif  // IDKIOSK_DRIVERS_SECURE_STORAGE_SLOT_TROUBLE_H_
