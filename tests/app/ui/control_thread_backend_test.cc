#include "app/ui/control_thread_backend.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/session/page_controller_fixture.h"

namespace idkiosk {
namespace {

using testing::HasSubstr;

// A control thread that is free: it begins at once.
class FreeTaskRunner final : public TaskRunner {
 public:
  void Post(Task task) override { task(); }
  TimerId PostAt(MonotonicTime, Task) override { return 0; }
  void Cancel(TimerId) override {}
};

class ControlThreadBackendTest : public testing::Test {
 protected:
  static Settings OfABranch() {
    Settings settings;
    settings.mode = Mode::kBranch;
    return settings;
  }
  [[nodiscard]] JsonDocument Unlock() const {
    return std::move(*JsonDocument::Parse(fmt::format(
        R"({{"session": "{}", "do": "unlock", "pin": "{}"}})", kiosk_.view().session, kPin)));
  }
  [[nodiscard]] ControlThreadBackend BackendOn(TaskRunner& control) {
    return {control, kiosk_.pages, [] { return std::string(); }, std::chrono::milliseconds(0)};
  }

  PageControllerFixture kiosk_{OfABranch()};
};

// The storage thread takes its time, as a set-up does that is tried at the service.
TEST_F(ControlThreadBackendTest, WhatGoesOnIsNotToldAsNotDone) {
  FreeTaskRunner control;
  ControlThreadBackend backend = BackendOn(control);
  const CommandReply reply = backend.Command(Unlock());
  ASSERT_FALSE(reply.status);
  EXPECT_TRUE(reply.under_way);
  EXPECT_THAT(reply.status.error().message, HasSubstr("the page shows what comes of it"));
  kiosk_.staff.Settle();
  EXPECT_EQ(kiosk_.screen(), Screen::kDesk) << "it was done";
}

TEST_F(ControlThreadBackendTest, WhatWasToldAsNotDoneIsNotDoneLater) {
  FakeTaskRunner control(kiosk_.clock);
  ControlThreadBackend backend = BackendOn(control);
  const CommandReply reply = backend.Command(Unlock());
  ASSERT_FALSE(reply.status);
  EXPECT_FALSE(reply.under_way);
  EXPECT_EQ(reply.status.error().code, ErrorCode::kUnavailable);
  control.RunUntilIdle();
  kiosk_.staff.Settle();
  EXPECT_EQ(kiosk_.screen(), Screen::kLocked);
}

TEST_F(ControlThreadBackendTest, WhatIsAnsweredAtOnceIsTheAnswer) {
  FreeTaskRunner control;
  ControlThreadBackend backend = BackendOn(control);
  const CommandReply reply = backend.Command(std::move(*JsonDocument::Parse("{}")));
  ASSERT_FALSE(reply.status);
  EXPECT_EQ(reply.status.error().code, ErrorCode::kInvalid);
  EXPECT_FALSE(reply.under_way);
}

}  // namespace
}  // namespace idkiosk
