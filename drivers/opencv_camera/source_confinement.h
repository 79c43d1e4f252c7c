#ifndef IDKIOSK_DRIVERS_OPENCV_CAMERA_SOURCE_CONFINEMENT_H_
#define IDKIOSK_DRIVERS_OPENCV_CAMERA_SOURCE_CONFINEMENT_H_

#include <string>
#include <vector>

#include "platform/posix/call_filter.h"

namespace idkiosk {

// What a camera needs of the system, beside its libraries.
struct SourceNeeds {
  std::vector<std::string> readable;  // files, and folders with all that is in them
  std::vector<std::string> writable;  // devices
  SocketFamilies sockets;             // none for a film or a device
};

// `name` stands behind "opencv:". Of a pipeline: the files and devices that it names, and network
// unless each of its sources is known to do without.
[[nodiscard]] SourceNeeds NeedsOf(const std::string& name);

// From now on this process opens nothing else, talks to nobody else, starts no program and no
// process, does nothing to others, and has an end of memory, files and processor time. There is no
// way back. Of a kernel that lacks a part of this (Landlock, seccomp), the rest. Before the process
// has a second thread.
void ConfineTo(const SourceNeeds& needs);

}  // namespace idkiosk

#endif  // IDKIOSK_DRIVERS_OPENCV_CAMERA_SOURCE_CONFINEMENT_H_
