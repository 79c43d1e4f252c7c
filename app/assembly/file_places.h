#ifndef IDKIOSK_APP_ASSEMBLY_FILE_PLACES_H_
#define IDKIOSK_APP_ASSEMBLY_FILE_PLACES_H_

#include <string>
#include <vector>

#include "app/settings/settings.h"

namespace idkiosk {

// Files, and folders with all that is in them.
struct FilePlaces {
  std::vector<std::string> readable;
  std::vector<std::string> writable;  // and readable
};

// What `idkiosk run` was started with.
struct RunPlaces {
  std::string config;          // the configuration's file
  std::string program_folder;  // beside the program lie models and voices
  std::string start_page;
  std::string camera_reads;  // CameraPromise's, of its camera
};

// Returns all that `idkiosk run` ever opens with these settings: the operating system's own files
// for reading; for writing the state folder, the settings (the page's set-up writes them), the
// start page, the log, the local API's socket, and devices. Films and streams are another process's
// to read.
[[nodiscard]] FilePlaces PlacesOfRun(const Settings& settings, const RunPlaces& run);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_ASSEMBLY_FILE_PLACES_H_
