#ifndef IDKIOSK_APP_ASSEMBLY_VERSION_H_
#define IDKIOSK_APP_ASSEMBLY_VERSION_H_

#include <string>
#include <string_view>

#include "app/assembly/drivers.h"

namespace idkiosk {

// "0.1.0"
[[nodiscard]] std::string_view ProgramVersion();
// Returns names and versions of the libraries in use, for people.
[[nodiscard]] std::string LibraryVersions(const Drivers& drivers);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_ASSEMBLY_VERSION_H_
