#ifndef IDKIOSK_TOOLS_SANDBOX_SERVICE_DISTORTION_H_
#define IDKIOSK_TOOLS_SANDBOX_SERVICE_DISTORTION_H_

#include "tools/sandbox/service/call.h"
#include "tools/sandbox/service/faults.h"

namespace idkiosk::sandbox {

// Makes of a good reply what `fault` asks for. Its delay is kept whatever its kind.
void Distort(const Fault& fault, WallTime now, Reply& reply);

}  // namespace idkiosk::sandbox

#endif  // IDKIOSK_TOOLS_SANDBOX_SERVICE_DISTORTION_H_
