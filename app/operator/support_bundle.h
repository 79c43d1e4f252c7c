#ifndef IDKIOSK_APP_OPERATOR_SUPPORT_BUNDLE_H_
#define IDKIOSK_APP_OPERATOR_SUPPORT_BUNDLE_H_

#include <optional>
#include <string>
#include <vector>

#include "app/capture/capture_record.h"
#include "app/operator/finding.h"
#include "app/queue/call_record.h"
#include "app/settings/settings.h"
#include "platform/api/file_system.h"
#include "platform/api/secure_storage.h"
#include "platform/base/log.h"

namespace idkiosk {

// The facts that somebody who helps from afar needs. Nothing of a person, no secret, no picture.
struct SupportFacts {
  std::string version;    // of the program
  std::string libraries;  // theirs
  WallTime made_at;
  std::optional<Duration> uptime;  // of the kiosk; nothing: it does not run
  std::optional<int64_t> resident_bytes;
  std::optional<uint64_t> free_bytes;  // where the state folder is
  Settings settings;
  Findings findings;
  std::optional<QueueStats> queue;
  std::string currency;
  std::vector<BilledHour> hours;
  std::optional<CaptureRecord> last_capture;
  std::vector<std::string> log;    // the newest lines, the oldest of them first
  std::vector<std::string> staff;  // the names of who signs in here, which are taken out
};

// As they stand in a bundle.
[[nodiscard]] std::vector<std::string> LinesOf(const std::vector<LogLine>& lines);
// The last ones of a log file; empty where it cannot be read.
[[nodiscard]] std::vector<std::string> NewestLinesOf(FileSystem& files, const std::string& path);

// The names of who may sign in here; none where the vault cannot be read. On the vault's thread.
[[nodiscard]] std::vector<std::string> StaffNames(SecureStorage& vault);

// Resident memory of this process; 0 where the kernel does not say.
[[nodiscard]] int64_t ResidentBytes(FileSystem& files);

// As JSON that a person can read before it is sent. A number of ten digits and more that got into a
// sentence is taken out: it may be somebody's. So is each name of facts.staff, in small letters or
// capitals.
[[nodiscard]] std::string SupportText(const SupportFacts& facts);

// Writes it durably, mode 0600, as a file with the time in its name, into the state folder's
// `support`, of which the newest five stay. Returns its path. Errors: FileSystem's.
[[nodiscard]] Result<std::string> KeepSupportBundle(FileSystem& files,
                                                    const std::string& state_folder,
                                                    const SupportFacts& facts);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_OPERATOR_SUPPORT_BUNDLE_H_
