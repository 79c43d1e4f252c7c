#ifndef IDKIOSK_DRIVERS_CAMERA_REMOTE_CAMERA_H_
#define IDKIOSK_DRIVERS_CAMERA_REMOTE_CAMERA_H_

#include <functional>
#include <memory>
#include <string>

#include "drivers/camera/camera_messages.h"
#include "drivers/camera/opencv_source.h"
#include "platform/api/camera.h"
#include "platform/api/clock.h"
#include "platform/base/file_descriptor.h"

namespace idkiosk {

// A camera whose pictures another process takes and decodes: `idkiosk-camera`, which has neither
// keys nor files of ours. That process may have been taken over by what it decodes: whatever it
// answers, this one reads no memory that is not its own, waits no longer than it was asked to, and
// takes no more than one picture's room. What is said to people holds no word of it, and no
// password. Closing it, or its going away, kills the process.
class RemoteCamera final : public Camera {
 public:
  // Returns a socket to a process of this camera's own.
  using Connect = std::function<Result<FileDescriptor>()>;

  // OpenCV itself waits five seconds for an address; starting takes a slow board a few.
  static constexpr Duration kPatience = std::chrono::seconds(10);

  // `name` stands behind "opencv:". `patience` bounds the opening, and the wait for a film's frame.
  // `clock` must outlive this.
  RemoteCamera(std::string name, Connect connect, const Clock& clock,
               Duration patience = kPatience);
  ~RemoteCamera() override;

  // Errors: also those of `connect`.
  [[nodiscard]] Result<CameraInfo> Open(const CameraRequest& request) override;

  // A film's frames come as fast as they are asked for, whatever the deadline. Errors: also
  // kUnavailable where the process has ended or broke the rules; it is closed then.
  [[nodiscard]] Result<Frame> NextFrame(MonotonicTime deadline) override;
  void Close() override;

 private:
  struct Session;

  [[nodiscard]] Result<CameraAnswer> Ask(const Session& session, const CameraRequest& request);
  [[nodiscard]] Result<Frame> Read(Session& session, const FrameAnswer& answer);
  [[nodiscard]] Error OpeningFailed(ErrorCode code) const;
  [[nodiscard]] Error ReadingFailed(const Session& session, ErrorCode code) const;
  [[nodiscard]] std::unexpected<Error> Broken(std::string_view rule);
  [[nodiscard]] std::unexpected<Error> Ended();

  const std::string name_;
  const OpenCvSource source_;
  const std::string shown_;  // in which there is no password
  const Connect connect_;
  const Clock& clock_;
  const Duration patience_;
  std::unique_ptr<Session> session_;  // while open
};

}  // namespace idkiosk

#endif  // IDKIOSK_DRIVERS_CAMERA_REMOTE_CAMERA_H_
