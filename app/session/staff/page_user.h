#ifndef IDKIOSK_APP_SESSION_STAFF_PAGE_USER_H_
#define IDKIOSK_APP_SESSION_STAFF_PAGE_USER_H_

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>

#include "platform/base/thread_checker.h"

namespace idkiosk {

// Returns in whose name something done on the page stands in the audit trail; empty: nobody's.
[[nodiscard]] inline std::string ByOnPage(std::string_view name) {
  return name.empty() ? "page" : fmt::format("page, {}", name);
}

// The member of staff who is signed in on the page. On the control thread.
class PageUser {
 public:
  // `id`: StaffMember's.
  void SignIn(std::string name, std::string id) {
    control_thread_.Check();
    name_ = std::move(name);
    id_ = std::move(id);
  }
  void SignOut() { SignIn("", ""); }

  // For the ledger; empty: nobody is.
  [[nodiscard]] const std::string& name() const {
    control_thread_.Check();
    return name_;
  }
  [[nodiscard]] const std::string& id() const { return id_; }
  [[nodiscard]] std::string By() const { return ByOnPage(name()); }

 private:
  const ThreadChecker control_thread_;
  std::string name_;
  std::string id_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_SESSION_STAFF_PAGE_USER_H_
