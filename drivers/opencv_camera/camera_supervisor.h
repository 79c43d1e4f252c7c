#ifndef IDKIOSK_DRIVERS_OPENCV_CAMERA_CAMERA_SUPERVISOR_H_
#define IDKIOSK_DRIVERS_OPENCV_CAMERA_CAMERA_SUPERVISOR_H_

#include <sys/types.h>

#include <functional>
#include <vector>

#include "platform/base/file_descriptor.h"

namespace idkiosk {

// Makes a process for each connection, and kills it when the connection is closed, whatever it is
// busy with, or if it is stopped. Dies with this one. Needs to be the process's only thread.
class CameraSupervisor {
 public:
  enum class End {
    kNobody,  // whoever could connect is gone
    kIdle,    // the last process has ended, and none is asked for
  };

  // `source` is a socket that listens, or one by which connections are handed over, each with a
  // packet of one byte. `serve` is called in the new process, which ends when it returns.
  CameraSupervisor(FileDescriptor source, std::function<void(const FileDescriptor&)> serve);

  // Until either end; waits for the first connection.
  [[nodiscard]] End Run();

  // The socket that it was made with, for whoever goes on.
  [[nodiscard]] const FileDescriptor& source() const { return source_; }

 private:
  struct Worker {
    pid_t id = -1;
    FileDescriptor process;
    FileDescriptor connection;  // the process has it, too
  };

  // False where whoever could connect is gone.
  [[nodiscard]] bool TakeConnection();
  void Start(FileDescriptor connection);

  const FileDescriptor source_;
  const std::function<void(const FileDescriptor&)> serve_;
  bool listens_ = false;
  std::vector<Worker> workers_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_DRIVERS_OPENCV_CAMERA_CAMERA_SUPERVISOR_H_
