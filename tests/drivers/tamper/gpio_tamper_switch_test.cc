#include "drivers/tamper/gpio_tamper_switch.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/gpio.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <optional>
#include <thread>
#include <utility>

#include "tests/fakes/scratch_folder.h"

// No board is here, and no kernel module that simulates one: what a chip answers is a test's, the
// line's events come through a real file. The chip's own requests were seen by no real chip.
namespace idkiosk {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

// The chip that the next request asks.
struct Chip {
  int error = 0;            // that it answers; 0: none
  int value_error = 0;      // of the level
  bool active = false;      // the line's level, as the kernel counts it
  int line_of_kernel = -1;  // the other end of the line's file
  std::optional<gpio_v2_line_request> asked;
};
Chip chip;

int AskChip(int fd, unsigned long request, void* argument) {
  EXPECT_GE(fcntl(fd, F_GETFD), 0) << "an open file is asked";
  if (request == GPIO_V2_GET_LINE_IOCTL) {
    auto& asked = *static_cast<gpio_v2_line_request*>(argument);
    chip.asked = asked;
    if (chip.error != 0) return -chip.error;
    int ends[2];
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends), 0);
    chip.line_of_kernel = ends[0];
    asked.fd = ends[1];
    return 0;
  }
  EXPECT_EQ(request, static_cast<unsigned long>(GPIO_V2_LINE_GET_VALUES_IOCTL));
  auto& values = *static_cast<gpio_v2_line_values*>(argument);
  EXPECT_EQ(values.mask, 1U);
  values.bits = chip.active ? 1 : 0;
  return -chip.value_error;
}

class GpioTamperSwitchTest : public testing::Test {
 protected:
  GpioTamperSwitchTest() {
    chip = Chip();
    std::ofstream(path_) << "";
  }
  ~GpioTamperSwitchTest() override {
    if (chip.line_of_kernel >= 0) close(chip.line_of_kernel);
  }
  void Tell(uint32_t edge) {
    gpio_v2_line_event event{};
    event.id = edge;
    ASSERT_EQ(write(chip.line_of_kernel, &event, sizeof(event)),
              static_cast<ssize_t>(sizeof(event)));
  }

  ScratchFolder folder_;
  const std::string path_ = folder_ / "gpiochip0";
};

TEST_F(GpioTamperSwitchTest, AsksForOneInputWithBothEdgesPulledToOpen) {
  GpioTamperSwitch high({path_, 17, true}, &AskChip);
  ASSERT_TRUE(high.Open());
  EXPECT_EQ(chip.asked->num_lines, 1U);
  EXPECT_EQ(chip.asked->offsets[0], 17U);
  EXPECT_STREQ(chip.asked->consumer, "idkiosk tamper");
  EXPECT_EQ(chip.asked->config.flags,
            static_cast<uint64_t>(GPIO_V2_LINE_FLAG_INPUT | GPIO_V2_LINE_FLAG_EDGE_RISING |
                                  GPIO_V2_LINE_FLAG_EDGE_FALLING | GPIO_V2_LINE_FLAG_BIAS_PULL_UP));
  EXPECT_EQ(chip.asked->config.attrs[0].attr.debounce_period_us, 10'000U);
  close(chip.line_of_kernel);
  GpioTamperSwitch low({path_, 3, false}, &AskChip);
  ASSERT_TRUE(low.Open());
  EXPECT_TRUE(chip.asked->config.flags & GPIO_V2_LINE_FLAG_ACTIVE_LOW);
  EXPECT_TRUE(chip.asked->config.flags & GPIO_V2_LINE_FLAG_BIAS_PULL_DOWN);
}

TEST_F(GpioTamperSwitchTest, SaysWhatIsOpenAlready) {
  GpioTamperSwitch tamper({path_, 1, true}, &AskChip);
  ASSERT_TRUE(tamper.Open());
  chip.active = true;
  EXPECT_EQ(tamper.Wait(0ms), true);
}

TEST_F(GpioTamperSwitchTest, HearsACaseThatWasOpenForAMoment) {
  GpioTamperSwitch tamper({path_, 1, true}, &AskChip);
  ASSERT_TRUE(tamper.Open());
  Tell(GPIO_V2_LINE_EVENT_FALLING_EDGE);
  EXPECT_EQ(tamper.Wait(0ms), false) << "it was closed";
  Tell(GPIO_V2_LINE_EVENT_RISING_EDGE);
  Tell(GPIO_V2_LINE_EVENT_FALLING_EDGE);
  EXPECT_EQ(tamper.Wait(0ms), true) << "it is closed again, and was opened all the same";
}

TEST_F(GpioTamperSwitchTest, WakesAsSoonAsItIsOpened) {
  GpioTamperSwitch tamper({path_, 1, true}, &AskChip);
  ASSERT_TRUE(tamper.Open());
  std::jthread opens([this] { Tell(GPIO_V2_LINE_EVENT_RISING_EDGE); });
  EXPECT_EQ(tamper.Wait(1min), true);
}

TEST_F(GpioTamperSwitchTest, SaysWhenTheLineGoesAway) {
  GpioTamperSwitch tamper({path_, 1, true}, &AskChip);
  ASSERT_TRUE(tamper.Open());
  close(std::exchange(chip.line_of_kernel, -1));
  const auto gone = tamper.Wait(1min);
  ASSERT_FALSE(gone);
  EXPECT_EQ(gone.error().code, ErrorCode::kUnavailable);
  chip.value_error = ENODEV;
  EXPECT_FALSE(tamper.Wait(0ms));
}

TEST_F(GpioTamperSwitchTest, NamesWhatIsWrongWithTheChip) {
  struct Row {
    int error;
    ErrorCode code;
    std::string_view says;
  };
  for (const Row& row : {Row{EBUSY, ErrorCode::kUnavailable, "used by something else"},
                         {EINVAL, ErrorCode::kInvalid, "no line 9"},
                         {EACCES, ErrorCode::kForbidden, "may not open"},
                         {EIO, ErrorCode::kUnavailable, "line 9"}}) {
    chip.error = row.error;
    GpioTamperSwitch tamper({path_, 9, true}, &AskChip);
    const Status opened = tamper.Open();
    ASSERT_FALSE(opened) << row.error;
    EXPECT_EQ(opened.error().code, row.code);
    EXPECT_THAT(opened.error().message, testing::AllOf(HasSubstr(row.says), HasSubstr(path_)));
  }
}

// The kernel's own answers, of files that are no chip.
TEST_F(GpioTamperSwitchTest, TheRealKernelRefusesWhatIsNoChip) {
  const std::string pipe = path_ + ".pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  for (const std::string& no_chip : {path_, pipe, std::string("/dev/null")}) {
    GpioTamperSwitch tamper({no_chip, 1, true});
    const Status opened = tamper.Open();
    ASSERT_FALSE(opened) << no_chip;
    EXPECT_EQ(opened.error().code, ErrorCode::kInvalid) << opened.error().message;
  }
  GpioTamperSwitch nothing({"/dev/gpiochip-none", 1, true});
  EXPECT_EQ(nothing.Open().error().code, ErrorCode::kNotFound);
}

}  // namespace
}  // namespace idkiosk
