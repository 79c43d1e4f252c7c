#ifndef IDKIOSK_DRIVERS_CAMERA_CAMERA_PROGRAM_H_
#define IDKIOSK_DRIVERS_CAMERA_CAMERA_PROGRAM_H_

#include <sys/types.h>

#include <string>

#include "platform/base/error.h"
#include "platform/base/file_descriptor.h"
#include "platform/base/mutex.h"

namespace idkiosk {

// The way to `idkiosk-camera`, which makes a process for each camera that is opened.
//   - On a board systemd starts it, as a user of its own, when somebody connects to its socket file
//     (config/systemd/idkiosk-camera.socket). Where that file is, there is no other way.
//   - Elsewhere this starts it, as the same user, with nothing of this process: no memory, no file,
//     and of the environment only what FFmpeg and GStreamer are told by it. It ends with this.
class CameraProgram {
 public:
  static constexpr const char* kSocket = "/run/idkiosk-camera.sock";

  // `folder`: of this program, where idkiosk-camera is looked for first, before /usr/bin.
  explicit CameraProgram(std::string folder, std::string socket = kSocket);
  ~CameraProgram();
  CameraProgram(const CameraProgram&) = delete;
  CameraProgram& operator=(const CameraProgram&) = delete;

  // Makes sure that it is there, and starts it where systemd does not: before this process is
  // forbidden to start others. Any thread.
  // Errors: kNotFound (it is not installed, or its socket is not: says where and the mend),
  // kUnavailable (it cannot be started).
  [[nodiscard]] Status Start();

  // Returns a socket to a new process, as RemoteCamera wants it; starts it again where it has
  // ended. Any thread. Errors: also kForbidden (the socket file is another user's).
  [[nodiscard]] Result<FileDescriptor> Connect();

 private:
  [[nodiscard]] bool IsOfTheSystem() const;
  [[nodiscard]] Status StartLocked() REQUIRES(mutex_);
  void Stop() REQUIRES(mutex_);
  [[nodiscard]] Result<FileDescriptor> ConnectToSystem() const;

  const std::string folder_;
  const std::string socket_;
  Mutex mutex_;
  FileDescriptor control_ GUARDED_BY(mutex_);  // by which it is told of new connections
  pid_t process_ GUARDED_BY(mutex_) = -1;
};

}  // namespace idkiosk

#endif  // IDKIOSK_DRIVERS_CAMERA_CAMERA_PROGRAM_H_
