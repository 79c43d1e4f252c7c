#include "app/daemon/peripherals.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <future>

#include "platform/base/log.h"
#include "platform/posix/loop_task_runner.h"
#include "tests/app/assembly/components_fixture.h"

namespace idkiosk {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// Notes what it was told; `broken` answers every time.
class FakeLight final : public Light {
 public:
  FakeLight(std::vector<std::string>& notes, const bool& broken) : notes_(notes), broken_(broken) {}
  [[nodiscard]] Status On() override { return Note("on"); }
  [[nodiscard]] Status Off() override { return Note("off"); }

 private:
  Status Note(const char* what) {
    notes_.emplace_back(what);
    if (broken_) return Fail(ErrorCode::kNotFound, "no lamp");
    return {};
  }
  std::vector<std::string>& notes_;
  const bool& broken_;
};

class PeripheralsTest : public testing::Test {
 protected:
  PeripheralsTest() {
    kiosk_.drivers.make_light = [this](const LightSettings&) {
      return std::make_unique<FakeLight>(lamp_, lamp_is_broken_);
    };
  }

  CommandResult<std::unique_ptr<Peripherals>> Make() {
    return Peripherals::Make(components_, settings_, control_);
  }

  ComponentsFixture kiosk_;
  Components components_{kiosk_.drivers, kiosk_.options};
  LoopTaskRunner control_{kiosk_.clock};
  Settings settings_;
  std::vector<std::string> lamp_;
  bool lamp_is_broken_ = false;
};

TEST_F(PeripheralsTest, AKioskWithoutAnyShowsNone) {
  const auto devices = Make();
  ASSERT_TRUE(devices) << devices.error().message;
  EXPECT_FALSE((*devices)->equipment().printer);
  EXPECT_FALSE((*devices)->equipment().logo);
  EXPECT_EQ((*devices)->logo(), nullptr);
  (*devices)->TurnLight(true);
  EXPECT_THAT(lamp_, testing::IsEmpty());
}

TEST_F(PeripheralsTest, ADeviceThatMakesNoSenseIsRefusedByTheNameOfItsSetting) {
  settings_.printer.target = "tcp:nowhere";
  auto refused = Make();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ExitCode::kConfiguration);
  EXPECT_EQ(refused.error().message, "printer.target: no printer here");

  settings_.printer.target = "";
  settings_.brand.logo = kiosk_.folder / "none.png";
  refused = Make();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ExitCode::kConfiguration);
  EXPECT_THAT(refused.error().message, HasSubstr("brand.logo: "));
}

TEST_F(PeripheralsTest, TheLampIsOffBeforeAndAfter) {
  settings_.light.led = "lamp";
  {
    const auto devices = Make();
    ASSERT_TRUE(devices);
    EXPECT_THAT(lamp_, ElementsAre("off"));
    (*devices)->TurnLight(true);
  }
  EXPECT_THAT(lamp_, ElementsAre("off", "on", "off"));
}

TEST_F(PeripheralsTest, ALampThatFailsKeepsNobodyFromAnythingAndIsSaidOnce) {
  settings_.light.led = "lamp";
  lamp_is_broken_ = true;
  const auto devices = Make();
  ASSERT_TRUE(devices);
  for (int i = 0; i < 3; ++i) (*devices)->TurnLight(true);
  EXPECT_EQ(std::ranges::count(NewestLogLines(), "light.led: no lamp", &LogLine::text), 1);
}

TEST_F(PeripheralsTest, TheReceiptUnderWayIsPrintedToItsEnd) {
  struct SlowPrinter final : Printer {
    SlowPrinter(std::promise<void>& starts, std::future<void> may_end, bool& done)
        : begun(starts), release(std::move(may_end)), printed(done) {}
    [[nodiscard]] Status Print(const PrintJob&) override {
      begun.set_value();
      release.wait();
      printed = true;
      return {};
    }
    std::promise<void>& begun;
    std::future<void> release;
    bool& printed;
  };
  std::promise<void> begun;
  std::promise<void> release;
  bool printed = false;
  kiosk_.drivers.make_printer = [&](const std::string&) -> Result<std::unique_ptr<Printer>> {
    return std::make_unique<SlowPrinter>(begun, release.get_future(), printed);
  };
  settings_.printer.target = "tcp:there";
  auto devices = Make();
  ASSERT_TRUE(devices) << devices.error().message;
  EXPECT_TRUE((*devices)->equipment().printer);
  struct NoSlips final : SlipReader {
    void Start(Then) override {}
    void Stop() override {}
  } slips;
  const auto used = (*devices)->of_a_session(slips);
  EXPECT_EQ(used.slips, &slips);
  ASSERT_NE(used.receipts, nullptr);
  used.receipts->Print({}, [](const Status&) {});
  begun.get_future().wait();
  release.set_value();
  devices->reset();
  EXPECT_TRUE(printed);
}

}  // namespace
}  // namespace idkiosk
