#include "app/results/spool.h"

#include <fmt/format.h>

#include "app/settings/settings_access.h"

namespace idkiosk {

Status Spool::CheckPlace() const {
  if (!IsWithin(folder_, state_folder_)) return {};
  return Fail(ErrorCode::kInvalid,
              "results.spool: {} lies in the state folder, which is the queue's own", folder_);
}

Status Spool::Check() const {
  if (Status good = CheckPlace(); !good) return good;
  const auto there = files_.Exists(folder_);
  if (!there) return std::unexpected(there.error().Within("results.spool"));
  if (!*there) {
    return Fail(ErrorCode::kNotFound, "results.spool: there is no folder {}", folder_);
  }
  if (files_.List(folder_)) return {};
  return Fail(ErrorCode::kInvalid, "results.spool: {} is no folder that can be read", folder_);
}

Delivery Spool::Deliver(const ResultMessage& message) {
  const std::string path =
      fmt::format("{}/{:016}-{}.json", folder_, message.place, message.reference);
  Status written = CheckPlace();
  if (written) {
    written = files_.WriteDurably(path, message.body.view(), FileAccess::kGroup);
    if (written) return {};
    if (Status good = Check(); !good) written = good;
  }
  return {.kind = Delivery::Kind::kLater, .why = written.error().message, .retry_after = {}};
}

}  // namespace idkiosk
