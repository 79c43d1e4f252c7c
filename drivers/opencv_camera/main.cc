// idkiosk-camera: takes the pictures of the cameras whose names begin with opencv:, for idkiosk,
// which has the keys. Its libraries read what comes from anywhere: films, streams, pipelines.
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "drivers/opencv_camera/camera_supervisor.h"
#include "drivers/opencv_camera/frame_server.h"
#include "platform/posix/process_hardening.h"

namespace idkiosk {
namespace {

// Where systemd hands a socket over, and CameraProgram, too.
constexpr int kSource = 3;

bool IsSocket(int file) {
  struct stat about{};
  return fstat(file, &about) == 0 && S_ISSOCK(about.st_mode);
}

int Run() {
  HardenProcess();
  if (!IsSocket(kSource)) {
    (void)fputs(
        "idkiosk-camera is started by idkiosk, or by idkiosk-camera.socket of systemd, and by "
        "nobody else\n",
        stderr);
    return 2;
  }
  (void)fcntl(kSource, F_SETFD, 0);
  // FFmpeg writes what it meets to standard error, addresses included. The other: GStreamer looks
  // for its plugins in this process, which may start no other.
  constexpr int kUnlessSet = 0;
  (void)setenv("OPENCV_FFMPEG_LOGLEVEL", "-8", kUnlessSet);
  (void)setenv("GST_REGISTRY_FORK", "no", kUnlessSet);
  CameraSupervisor supervisor{FileDescriptor(kSource), &ServeFrames};
  if (supervisor.Run() == CameraSupervisor::End::kNobody) return 0;
  // Anew for the next camera: in a copy of this process all addresses would be where they were in
  // the one before, which may have told them, or died of a guess. Its libraries are loaded while
  // nobody waits.
  (void)execl("/proc/self/exe", "idkiosk-camera", nullptr);
  return 1;
}

}  // namespace
}  // namespace idkiosk

int main() { return idkiosk::Run(); }
