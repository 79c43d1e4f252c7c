#include "app/daemon/page_host.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>

#include "platform/posix/loop_task_runner.h"
#include "tests/app/assembly/components_fixture.h"

namespace idkiosk {
namespace {

class PageHostTest : public testing::Test {
 protected:
  PageHostTest() { EXPECT_TRUE(components_.settings_before_provisioning()); }

  ComponentsFixture kiosk_;
  Components components_{kiosk_.drivers, kiosk_.options};
  FakeSecureStorage vault_;
  PageHost host_{components_, vault_, nullptr, kiosk_.folder / "state",
                 std::make_unique<LoopTaskRunner>(kiosk_.clock)};
};

TEST_F(PageHostTest, TheStorageThreadEndsOnceItHasDoneWhatItWasAsked) {
  std::promise<void> ending;
  int done = 0;
  host_.storage_runner->Post([begun = ending.get_future()]() mutable { begun.wait(); });
  for (int i = 0; i < 100; ++i) host_.storage_runner->Post([&done] { ++done; });
  ending.set_value();
  host_.End();
  EXPECT_EQ(done, 100);
  EXPECT_FALSE(host_.storage_thread.joinable());
  host_.End();
}

TEST_F(PageHostTest, TheStorageThreadIsAnother) {
  std::promise<std::thread::id> ran;
  host_.storage_runner->Post([&ran] { ran.set_value(std::this_thread::get_id()); });
  EXPECT_NE(ran.get_future().get(), std::this_thread::get_id());
}

TEST_F(PageHostTest, RunsUntilItBeginsAnew) {
  host_.control->Post([this] { host_.StartAnew(); });
  EXPECT_EQ(host_.Run(), Daemon::End::kAnew);
  EXPECT_EQ(kiosk_.watchdog.ready, 1);
  EXPECT_EQ(kiosk_.watchdog.stopping, 0);
}

TEST_F(PageHostTest, ItsServersThreadIsWatchedWithTheWorkers) {
  kiosk_.watchdog.patient_for = std::chrono::hours(1);
  int fed = 0;
  kiosk_.watchdog.on_feed = [&fed] { ++fed; };
  host_.server_heartbeat.Beat(std::chrono::seconds(-1));
  host_.control->Post([this] { host_.StartAnew(); });
  EXPECT_EQ(host_.Run(), Daemon::End::kAnew);
  EXPECT_EQ(fed, 0);
}

}  // namespace
}  // namespace idkiosk
