#ifndef IDKIOSK_APP_SERVICE_REQUEST_REASONS_H_
#define IDKIOSK_APP_SERVICE_REQUEST_REASONS_H_

#include <optional>
#include <string>
#include <vector>

#include "app/service/answer_codec.h"
#include "platform/api/clock.h"
#include "platform/api/file_system.h"

namespace idkiosk {

// The service's list of request reasons, kept in a file so that it also serves offline. One thread.
class RequestReasons {
 public:
  // All must outlive this. Reads nothing yet.
  RequestReasons(FileSystem& files, const Clock& clock, std::string path);

  // Reads the kept list. Errors: kNotFound (none kept yet), kCorrupt, and those of FileSystem.
  [[nodiscard]] Status Load();

  // Takes in a list that the service has just given, and keeps it.
  [[nodiscard]] Status Replace(std::vector<RequestReason> reasons);

  [[nodiscard]] const std::vector<RequestReason>& list() const { return list_; }
  [[nodiscard]] std::vector<std::string> codes() const;
  // By the wall clock; nothing while there is no list or the clock has gone back before it.
  [[nodiscard]] std::optional<Duration> age() const;

 private:
  FileSystem& files_;
  const Clock& clock_;
  const std::string path_;
  std::vector<RequestReason> list_;
  std::optional<WallTime> fetched_at_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_SERVICE_REQUEST_REASONS_H_
