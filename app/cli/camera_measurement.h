#ifndef IDKIOSK_APP_CLI_CAMERA_MEASUREMENT_H_
#define IDKIOSK_APP_CLI_CAMERA_MEASUREMENT_H_

#include <limits>

#include "app/assembly/camera_opening.h"
#include "app/capture/tools/camera_tuning.h"

namespace idkiosk {

// Measures an open camera while somebody sits before it, for `time`, and longer where that was too
// little to judge, or until `enough` good frames were seen. The terminal shows how it goes. A
// failure's code is kCapture; also: the process was asked to stop.
[[nodiscard]] CommandResult<CameraTuning> MeasureCamera(
    Components& components, const OpenCamera& camera, Duration time,
    int enough = std::numeric_limits<int>::max());

}  // namespace idkiosk

#endif  // IDKIOSK_APP_CLI_CAMERA_MEASUREMENT_H_
