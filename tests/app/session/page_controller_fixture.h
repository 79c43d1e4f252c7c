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
  [[nodiscard]] std::string Snapshot() const override { return snapshot_; }

  void Show(std::string snapshot) {
    snapshot_ = std::move(snapshot);
    changed_();
  }

  bool open = false;
  std::vector<std::string> commands;

 private:
  std::function<void()> changed_;
  std::string snapshot_ = R"({"tab":"first"})";
};

// Calls as the test lays them down.
class FakeCallBook final : public CallBook {
 public:
  void FindDuplicate(VerificationCall call, Then<Looked> then) override {
    ++looked_up;
    then({std::move(call), before});
  }
  void Look(Then<Result<Overview>> then) override { then(overview); }
  void Count(Then<Result<Tally>> then) override {
    ++counted;
    then(tally);
  }
  void OpenAnswer(const CallReference& reference, Then<Result<AnswerParts>> then) override;
  void Resend(const CallReference& reference, Then<Status> then) override {
    resent.push_back(reference);
    then(decided);
  }
  void GiveUp(const CallReference& reference, Then<Status> then) override {
    given_up.push_back(reference);
    then(decided);
  }

  std::optional<CallSummary> before;
  Overview overview;
  Tally tally;
  Status decided;
  std::optional<Error> no_answer;
  int looked_up = 0;
  int counted = 0;
  std::vector<CallReference> opened;
  std::vector<CallReference> resent;
  std::vector<CallReference> given_up;
};

// One pages in virtual time.
struct PageControllerFixture {
  // `tries`: what the clerk's door finds of an earlier start.
  explicit PageControllerFixture(Settings with = Settings(),
                                 ServiceProfile known = SandboxProfile(),
                                 std::string_view tries = "");
  // A kiosk, or a desk or handheld that staff has unlocked already.
  explicit PageControllerFixture(std::string_view mode, ServiceProfile known = SandboxProfile());

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
  FakeCallDesk calls;
  FakeCallBook book;
  const ServiceProfile profile;
  PinLock clerk_lock{staff.deps(), Staff::kClerk, "/state"};
  PinLock operator_lock{staff.deps(), Staff::kOperator, "/state"};
  FakeConsole console;
  std::vector<UiSnapshot> shown;
  PageController pages;
};

}  // namespace idkiosk

#endif  // IDKIOSK_TESTS_APP_SESSION_PAGE_CONTROLLER_FIXTURE_H_
