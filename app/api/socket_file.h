#ifndef IDKIOSK_APP_API_SOCKET_FILE_H_
#define IDKIOSK_APP_API_SOCKET_FILE_H_

#include <sys/types.h>

#include <string>

#include "platform/base/error.h"

namespace idkiosk {

// Whether a socket may have that path. Errors: kInvalid (it is too long).
[[nodiscard]] Status CheckSocketPath(const std::string& path);

// Makes room for a socket at `path`: removes one that a killed program left. Errors: kInvalid (the
// path is too long, or something else lies there), kUnavailable (a program serves it), kNotFound
// (no such folder), kForbidden.
[[nodiscard]] Status ClearSocketFile(const std::string& path);

// Gives the socket file to `group`, where its folder did not do that already, and mode 0660.
// Errors: kForbidden, with the mend.
[[nodiscard]] Status OpenToGroup(const std::string& path, gid_t group);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_API_SOCKET_FILE_H_
