#ifndef IDKIOSK_APP_CAPTURE_TOOLS_RECORDING_H_
#define IDKIOSK_APP_CAPTURE_TOOLS_RECORDING_H_

#include <stop_token>
#include <string>

#include "app/capture/capture_runner.h"
#include "platform/api/file_system.h"

namespace idkiosk {

struct Recording {
  int frames = 0;
  uint64_t bytes = 0;
  Duration length{};
  bool complete = false;  // the whole sequence was shown: playing it back makes a bundle
};

// Runs a capture for its prompts, but keeps every frame instead of five pictures: files
// frame-NUMBER-MILLISECONDSms.jpg in `folder`, which `images:FOLDER` plays again at the same pace.
// MJPEG frames are written as they are, others as JPEG of quality 95. The files show a face to
// everybody who may read them. Ends with the sequence, after `longest`, or when `stop` is asked
// for. Errors: the camera's and the file system's; kFailedPrecondition if `folder` holds frames
// already.
[[nodiscard]] Result<Recording> Record(Camera& camera, const CameraInfo& info,
                                       const std::string& folder, Duration longest,
                                       CaptureRunner& runner, FileSystem& files,
                                       CaptureObserver& observer, std::stop_token stop);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_CAPTURE_TOOLS_RECORDING_H_
