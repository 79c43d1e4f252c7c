#ifndef IDKIOSK_TOOLS_HEADQUARTERS_PUBLISHER_H_
#define IDKIOSK_TOOLS_HEADQUARTERS_PUBLISHER_H_

#include <string>
#include <utility>
#include <vector>

#include "tools/headquarters/ingest.h"
#include "tools/headquarters/subscriber.h"

namespace idkiosk::headquarters {

// Hands messages to the broker, and returns once it has said that it has each of them. `where`: its
// name and group are not used. Errors: kInvalid (a file that cannot be used), kUnavailable (no
// broker, or it does not answer).
[[nodiscard]] Status PublishAll(const Subscriber::Options& where,
                                const std::vector<Message>& messages);

}  // namespace idkiosk::headquarters

#endif  // IDKIOSK_TOOLS_HEADQUARTERS_PUBLISHER_H_
