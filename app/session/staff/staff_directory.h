#ifndef IDKIOSK_APP_SESSION_STAFF_STAFF_DIRECTORY_H_
#define IDKIOSK_APP_SESSION_STAFF_STAFF_DIRECTORY_H_

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/session/staff/staff_list.h"
#include "platform/api/clock.h"
#include "platform/api/task_runner.h"
#include "platform/base/thread_checker.h"

namespace idkiosk {

// Who may sign in, as the vault says: 'idkiosk staff' changes it while the program runs. On the
// control thread.
class StaffDirectory {
 public:
  struct Person {
    std::string name;
    Staff staff = Staff::kClerk;
    std::string id;  // StaffMember's
    bool operator==(const Person&) const = default;
  };
  // All must outlive this. `storage` is used on the storage thread, but for the first look.
  struct Dependencies {
    SecureStorage& storage;
    const Clock& clock;
    TaskRunner& storage_runner;
    TaskRunner& control;
  };
  explicit StaffDirectory(const Dependencies& deps);

  // `changed` is called whenever people() has become another one; there is one listener.
  void Listen(std::function<void()> changed) { changed_ = std::move(changed); }

  // Reads it again, unless that was done within five seconds.
  void Look();
  // Whether it is read every five seconds, without anybody who asks; at first it is not.
  void Follow(bool follows);

  [[nodiscard]] const std::vector<Person>& people() const {
    control_thread_.Check();
    return people_;
  }
  [[nodiscard]] std::vector<std::string> NamesOf(Staff staff) const;
  [[nodiscard]] size_t CountOperators() const {
    return WhoMayAgree(NamesOf(Staff::kOperator)).size();
  }
  // Whether somebody still has this name and this PIN.
  [[nodiscard]] bool Has(std::string_view id) const;

 private:
  void LookLater();
  void Read();
  void OnRead(Result<std::vector<Person>> people);

  const ThreadChecker control_thread_;
  const Dependencies deps_;
  std::vector<Person> people_;
  std::function<void()> changed_;
  MonotonicTime read_at_;
  bool reading_ = false;
  bool follows_ = false;
  ScopedTimer look_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_SESSION_STAFF_STAFF_DIRECTORY_H_
