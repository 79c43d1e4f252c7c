#ifndef IDKIOSK_TESTS_FAKES_FAKE_AUDIT_LOG_H_
#define IDKIOSK_TESTS_FAKES_FAKE_AUDIT_LOG_H_

#include <optional>
#include <string>
#include <vector>

#include "app/audit/audit_log.h"
#include "app/audit/audit_trail.h"

namespace idkiosk {

// Keeps what was put down: "pin.set clerk, by user anna". One thread.
class FakeAuditLog final : public AuditLog {
 public:
  [[nodiscard]] Status Record(AuditEvent event, std::string_view by,
                              std::string_view what) override {
    if (broken) return std::unexpected(*broken);
    entries.push_back(fmt::format("{} {}, by {}", Name(event), what, by));
    put_down.push_back({.number = put_down.size() + 1,
                        .at = {},
                        .event = std::string(Name(event)),
                        .by = std::string(by),
                        .what = std::string(what)});
    return {};
  }

  std::vector<std::string> entries;
  std::vector<AuditEntry> put_down;  // the same, as a trail has them
  std::optional<Error> broken;
};

}  // namespace idkiosk

#endif  // IDKIOSK_TESTS_FAKES_FAKE_AUDIT_LOG_H_
