#ifndef IDKIOSK_TESTS_APP_SESSION_PAGE_CONTROLLER_FIXTURE_H_
#define IDKIOSK_TESTS_APP_SESSION_PAGE_CONTROLLER_FIXTURE_H_

#include <optional>
#include <string>
#include <vector>

#include "app/session/page_controller.h"
#include "tests/app/service/service_fixture.h"
#include "tests/app/session/staff/staff_fixture.h"
#include "tests/app/session/visit/visit_fixture.h"

namespace idkiosk {

// A console that remembers what it was asked.
class FakeConsole final : public OperatorConsole {
 public:
  void Open(std::function<void()> changed) override {
    changed_ = std::move(changed);
    open = true;
  }
  void Close() override { open = false; }
  void Do(std::string_view command, JsonView, Reply reply) override {
    commands.emplace_back(command);
    reply({});
  }
  void ShowNumber(const CallReference& reference, Reply reply) override {
    numbers_shown.push_back(reference);
    reply({});
  }
  [[nodiscard]] std::string Snapshot() const override { return snapshot_; }

  void Show(std::string snapshot) {
    snapshot_ = std::move(snapshot);
    changed_();
  }

  bool open = false;
  std::vector<std::string> commands;
  std::vector<CallReference> numbers_shown;

 private:
  std::function<void()> changed_;
  std::string snapshot_ = R"({"tab":"first"})";
};

// One pages in virtual time.
struct PageControllerFixture {
  // `tries`: what the clerk's door finds of an earlier start. `is_set_up`: whether the kiosk knows
  // its service; where not, whoever comes may become the first operator.
  explicit PageControllerFixture(Settings with = Settings(),
                                 ServiceProfile known = SandboxProfile(),
                                 std::string_view tries = "", bool is_set_up = true);
  // A kiosk, or a desk or handheld that staff has unlocked already.
  explicit PageControllerFixture(Mode mode, ServiceProfile known = SandboxProfile());

  // A command, and its answer once there is one.
  void Send(std::string_view command, std::string_view arguments,
            std::optional<CommandReply>& reply, std::string_view session = "");
  // The same; whoever has to work on it does.
  [[nodiscard]] CommandReply Ask(std::string_view command, std::string_view arguments = "",
                                 std::string_view session = "");
  [[nodiscard]] CommandReply Try(std::string_view command, std::string_view pin);
  // Fails the test if refused.
  void Do(std::string_view command, std::string_view arguments = "");

  void WalkToCamera();
  void WalkToLook();

  [[nodiscard]] const UiSnapshot& view() const { return shown.back(); }
  [[nodiscard]] Screen screen() const { return view().screen; }

  const Settings settings;
  FakeClock clock;
  StaffFixture staff;
  FakeTaskRunner& runner = staff.control;
  FakePictureTaker camera;
  bool camera_is_there = true;  // when somebody looks
  bool page_is_open = true;
  FakeQueueClient queue;
  const ServiceProfile profile;
  StaffDirectory directory{staff.directory_deps()};
  PageUser user;
  PinLock clerk_lock{staff.deps(), Staff::kClerk, "/state"};
  PinLock operator_lock{staff.deps(), Staff::kOperator, "/state"};
  FakeConsole console;
  std::vector<UiSnapshot> shown;
  std::vector<VisitEnd> orders_over;
  PageController pages;
};

}  // namespace idkiosk

#endif  // IDKIOSK_TESTS_APP_SESSION_PAGE_CONTROLLER_FIXTURE_H_
