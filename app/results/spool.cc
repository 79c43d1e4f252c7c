#include "app/results/spool.h"

#include <fmt/format.h>

#include "app/settings/settings_access.h"

namespace idkiosk {

Status Spool::Check() const {
  if (IsWithin(folder_, state_folder_)) {
    return Fail(ErrorCode::kInvalid,
                "results.spool: {} lies in the state folder, which is the queue's own", folder_);
  }
  const auto there = files_.Exists(folder_);
  if (!there) return std::unexpected(there.error().Within("results.spool"));
  return *there ? Status()
                : Fail(ErrorCode::kNotFound, "results.spool: there is no folder {}", folder_);
}

Delivery Spool::Deliver(const ResultMessage& message) {
  const std::string path =
      fmt::format("{}/{:016}-{}.json", folder_, message.place, message.reference);
  Status written = Check();
  if (written) written = files_.WriteDurably(path, message.body.view(), FileAccess::kGroup);
  if (written) return {};
  return {.kind = Delivery::Kind::kLater, .why = written.error().message, .retry_after = {}};
}

}  // namespace idkiosk
