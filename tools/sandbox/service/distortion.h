#ifndef IDKIOSK_TOOLS_SANDBOX_SERVICE_DISTORTION_H_
#define IDKIOSK_TOOLS_SANDBOX_SERVICE_DISTORTION_H_

#include "tools/sandbox/service/call.h"
#include "tools/sandbox/service/faults.h"

namespace idkiosk::sandbox {

// Makes of a good reply what `fault` asks for. Its delay is kept whatever its kind.
void Distort(const Fault& fault, WallTime now, Reply& reply);

// Adds the number of an attempt that the request carried to an answer in JSON, as "attemptId", or,
// where the answer `is_anothers`, another number. Does nothing where `id` is empty.
void RepeatAttemptId(std::string id, bool is_anothers, Reply& reply);

}  // namespace idkiosk::sandbox

#endif  // IDKIOSK_TOOLS_SANDBOX_SERVICE_DISTORTION_H_
