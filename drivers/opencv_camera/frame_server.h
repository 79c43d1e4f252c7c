#ifndef IDKIOSK_DRIVERS_OPENCV_CAMERA_FRAME_SERVER_H_
#define IDKIOSK_DRIVERS_OPENCV_CAMERA_FRAME_SERVER_H_

#include "platform/base/file_descriptor.h"

namespace idkiosk {

// Takes one camera's pictures for whoever asks at the other end of `connection`, until that is
// closed: the other side of RemoteCamera. Confines this process to what the camera needs, for good,
// before it opens it. The process is to end after this.
void ServeFrames(const FileDescriptor& connection);

}  // namespace idkiosk

#endif  // IDKIOSK_DRIVERS_OPENCV_CAMERA_FRAME_SERVER_H_
