#include "app/results/spool.h"

#include <fmt/format.h>

namespace idkiosk {

Delivery Spool::Deliver(const ResultMessage& message) {
  const std::string path =
      fmt::format("{}/{:016}-{}.json", folder_, message.place, message.reference);
  const Status written = files_.WriteDurably(path, message.body.view(), FileAccess::kGroup);
  if (written) return {};
  return {.kind = Delivery::Kind::kLater, .why = written.error().message, .retry_after = {}};
}

}  // namespace idkiosk
