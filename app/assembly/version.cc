#include "app/assembly/version.h"

#include "app/capture/libraries.h"
#include "app/queue/storage/sqlite_database.h"

namespace idkiosk {

std::string_view ProgramVersion() { return IDKIOSK_VERSION; }

std::string LibraryVersions(const Drivers& drivers) {
  return fmt::format("{}, {}, {}", drivers.library_versions(), SqliteVersion(), CaptureLibraries());
}

}  // namespace idkiosk
