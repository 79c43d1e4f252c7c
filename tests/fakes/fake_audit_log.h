#ifndef IDKIOSK_TESTS_FAKES_FAKE_AUDIT_LOG_H_
#define IDKIOSK_TESTS_FAKES_FAKE_AUDIT_LOG_H_

#include <optional>
#include <string>
#include <vector>

#include "app/audit/audit_log.h"

namespace idkiosk {

// Keeps what was put down: "pin.set clerk, by user anna". One thread.
class FakeAuditLog final : public AuditLog {
 public:
  [[nodiscard]] Status Record(AuditEvent event, std::string_view by,
                              std::string_view what) override {
    if (broken) return std::unexpected(*broken);
    entries.push_back(fmt::format("{} {}, by {}", Name(event), what, by));
    return {};
  }

  std::vector<std::string> entries;
  std::optional<Error> broken;
};

}  // namespace idkiosk

#endif  // IDKIOSK_TESTS_FAKES_FAKE_AUDIT_LOG_H_
