#ifndef IDKIOSK_PLATFORM_BASE_LOG_FILE_H_
#define IDKIOSK_PLATFORM_BASE_LOG_FILE_H_

#include <string>

#include "platform/base/error.h"

namespace idkiosk {

// Returns whether StartLogging may open that file, which it does not do yet. Empty: standard error.
// Errors: kInvalid (no ordinary file), kNotFound (its folder is not there). The message names the
// key, log.file.
[[nodiscard]] Status CheckLogFile(const std::string& file);

}  // namespace idkiosk

#endif  // IDKIOSK_PLATFORM_BASE_LOG_FILE_H_
