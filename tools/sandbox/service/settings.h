#ifndef IDKIOSK_TOOLS_SANDBOX_SERVICE_SETTINGS_H_
#define IDKIOSK_TOOLS_SANDBOX_SERVICE_SETTINGS_H_

#include <chrono>
#include <optional>
#include <string_view>

#include "platform/base/json.h"
#include "platform/base/mutex.h"

namespace idkiosk::sandbox {

// The document gives no format for expires_at and no shape for a reason; a client must take each.
enum class ExpiryForm { kRfc3339, kSeconds, kMilliseconds };
enum class ReasonForm { kObjects, kStrings };

// The settings that may be changed while the server runs.
struct ServiceSettings {
  std::chrono::seconds token_lifetime{3600};  // of inactivity
  int rate_limit = 0;                         // calls a minute for each account; 0: no limit
  ExpiryForm expiry_form = ExpiryForm::kRfc3339;
  ReasonForm reason_form = ReasonForm::kObjects;
  bool check_wants_reason = false;  // the generic endpoint is refused without a requestReason
};

// "rfc3339", "seconds", "milliseconds"; "objects", "strings".
[[nodiscard]] std::optional<ExpiryForm> ParseExpiryForm(std::string_view name);
[[nodiscard]] std::optional<ReasonForm> ParseReasonForm(std::string_view name);

// The settings in force. Any thread.
class CurrentSettings {
 public:
  explicit CurrentSettings(ServiceSettings settings) : settings_(settings) {}
  [[nodiscard]] ServiceSettings Get() const;

  // Takes the members that `json` has. Errors: kInvalid, and then nothing is changed.
  [[nodiscard]] Status Change(JsonView json);
  [[nodiscard]] std::string Json() const;

 private:
  mutable Mutex mutex_;
  ServiceSettings settings_ GUARDED_BY(mutex_);
};

}  // namespace idkiosk::sandbox

#endif  // IDKIOSK_TOOLS_SANDBOX_SERVICE_SETTINGS_H_
