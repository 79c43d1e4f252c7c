// V4l2Camera against the kernel's own test driver. Needs the module vivid and root: tools/vivid
// runs it in a machine that is emulated for it, with three devices: a webcam, a card with TV and
// HDMI inputs, and one of several planes.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/videodev2.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <thread>

#include "app/capture/image/frame_decoder.h"
#include "drivers/camera/linux_video_kernel.h"
#include "drivers/camera/supervised_camera.h"
#include "drivers/camera/v4l2_camera.h"
#include "platform/posix/system_clock.h"

namespace idkiosk {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::HasSubstr;

namespace fs = std::filesystem;

// From a camera's return to its next frame.
constexpr Duration kBackWithin = seconds(3);

// Of the device `number`, one node: "vid-cap", "vid-out", "meta-cap"... "" if there is none now.
std::string NodeOf(int number, const std::string& kind) {
  const std::string wanted = fmt::format("vivid-{:03}-{}", number, kind);
  std::error_code error;
  for (const auto& entry : fs::directory_iterator("/sys/class/video4linux", error)) {
    std::string name;
    std::ifstream(entry.path() / "name") >> name;
    if (name == wanted) return "/dev/" + entry.path().filename().string();
  }
  return "";
}

// A control of vivid by its name, such as "Disconnect". Returns 0 or minus the errno value.
int Press(VideoKernel& kernel, const std::string& path, std::string_view name, int value = 1) {
  const int fd = kernel.Open(path);
  if (fd < 0) return fd;
  int done = -ENOENT;
  v4l2_queryctrl query{};
  query.id = V4L2_CTRL_FLAG_NEXT_CTRL;
  while (done == -ENOENT && kernel.Ioctl(fd, VIDIOC_QUERYCTRL, &query) == 0) {
    if (name == reinterpret_cast<const char*>(query.name)) {
      v4l2_control control{query.id, value};
      done = kernel.Ioctl(fd, VIDIOC_S_CTRL, &control);
    }
    query.id |= V4L2_CTRL_FLAG_NEXT_CTRL;
  }
  kernel.Close(fd);
  return done;
}

// The kernel, as if devices offered one format alone.
class OneFormat final : public LinuxVideoKernel {
 public:
  explicit OneFormat(uint32_t fourcc) : fourcc_(fourcc) {}

  [[nodiscard]] int Ioctl(int fd, unsigned long request, void* argument) override {
    const int done = LinuxVideoKernel::Ioctl(fd, request, argument);
    if (request == VIDIOC_ENUM_FMT && done == 0) {
      auto& entry = *static_cast<v4l2_fmtdesc*>(argument);
      if (entry.pixelformat != fourcc_) entry.pixelformat = V4L2_PIX_FMT_H264;
    }
    return done;
  }

 private:
  const uint32_t fourcc_;
};

class VividTest : public testing::Test {
 protected:
  void SetUp() override {
    path_ = NodeOf(0, "vid-cap");
    if (path_.empty()) GTEST_SKIP() << "the module vivid is not loaded";
    (void)Press(kernel_, path_, "Percentage of Dropped Buffers", 0);
  }

  V4l2Camera Make(const std::string& path, CameraControls controls = {}) {
    return {path, std::move(controls), kernel_, clock_};
  }
  SupervisedCamera Supervised() {
    return {std::make_unique<V4l2Camera>(path_, CameraControls(), kernel_, clock_),
            SupervisedCamera::Patience(), clock_, SleepingWait()};
  }
  Result<Frame> Next(Camera& camera) { return camera.NextFrame(clock_.Now() + seconds(5)); }
  std::string ErrorOfOpening(const std::string& path, CameraControls controls = {}) {
    const auto info = Make(path, std::move(controls)).Open({});
    return info ? "opened" : info.error().message;
  }
  // The first error that the camera gives, at the latest after five seconds.
  Error FirstError(Camera& camera) {
    const MonotonicTime end = clock_.Now() + seconds(5);
    while (clock_.Now() < end) {
      if (const auto frame = camera.NextFrame(end); !frame) return frame.error();
    }
    return {ErrorCode::kInternal, "no error came"};
  }
  // How long until there are frames again, or `kBackWithin` and more.
  Duration UntilBack(Camera& camera) {
    const MonotonicTime from = clock_.Now();
    while (clock_.Now() < from + 2 * kBackWithin) {
      if (camera.NextFrame(clock_.Now() + milliseconds(500))) break;
    }
    return clock_.Now() - from;
  }
  static void Plug(bool in) {
    std::ofstream(fmt::format("/sys/bus/platform/drivers/vivid/{}", in ? "bind" : "unbind"))
        << "vivid.0" << std::flush;
  }
  // As udev does for a device that is plugged in.
  static void Link(const std::string& stable) {
    fs::create_directories(fs::path(stable).parent_path());
    fs::remove(stable);
    fs::create_symlink(NodeOf(0, "vid-cap"), stable);
  }

  LinuxVideoKernel kernel_;
  SystemClock clock_;
  std::string path_;  // of the webcam
};

TEST_F(VividTest, ListsWhatCapturesAndNothingElse) {
  std::vector<std::string> paths;
  for (const VideoDevice& camera : ListCameras(kernel_)) paths.push_back(camera.path);
  EXPECT_THAT(paths, testing::ElementsAre(NodeOf(0, "vid-cap"), NodeOf(1, "vid-cap")));
}

TEST_F(VividTest, ReadsThePictureInEveryFormat) {
  constexpr int kNone = 2;
  ASSERT_EQ(Press(kernel_, path_, "OSD Text Mode", kNone), 0);
  struct Bar {
    const char* name;
    bool blue, green, red;
  };
  constexpr Bar kBars[] = {{"white", true, true, true},    {"yellow", false, true, true},
                           {"cyan", true, true, false},    {"green", false, true, false},
                           {"magenta", true, false, true}, {"red", false, false, true},
                           {"blue", true, false, false},   {"black", false, false, false}};
  for (const uint32_t fourcc : {V4L2_PIX_FMT_YUYV, V4L2_PIX_FMT_NV12, V4L2_PIX_FMT_GREY}) {
    OneFormat kernel(fourcc);
    for (const auto& [width, height] : {std::pair{1280, 720}, {640, 480}, {320, 180}}) {
      SCOPED_TRACE(fmt::format("{} {} x {}", FourccName(fourcc), width, height));
      V4l2Camera camera(path_, {}, kernel, clock_);
      const auto info = camera.Open({width, height, 10});
      ASSERT_TRUE(info) << info.error().message;
      EXPECT_EQ(info->format, PixelFormatOf(fourcc));
      ASSERT_EQ(info->width, width);
      ASSERT_EQ(info->height, height);
      const auto frame = Next(camera);
      ASSERT_TRUE(frame) << frame.error().message;
      FrameDecoder decoder;
      Picture picture;
      ASSERT_TRUE(decoder.DecodeSmall(*frame, width, picture));
      double last_luma = 256;
      for (int i = 0; i < 8; ++i) {
        const uint8_t* const pixel = picture.row(height * 3 / 4) + 3 * (width * (2 * i + 1) / 16);
        if (fourcc == V4L2_PIX_FMT_GREY) {
          EXPECT_LT(pixel[0], last_luma) << kBars[i].name;
          last_luma = pixel[0];
          continue;
        }
        EXPECT_EQ(pixel[0] > 100, kBars[i].blue) << kBars[i].name << int{pixel[0]};
        EXPECT_EQ(pixel[1] > 100, kBars[i].green) << kBars[i].name << int{pixel[1]};
        EXPECT_EQ(pixel[2] > 100, kBars[i].red) << kBars[i].name << int{pixel[2]};
      }
    }
  }
  EXPECT_EQ(Press(kernel_, path_, "OSD Text Mode", 0), 0);
}

TEST_F(VividTest, GivesTheRateThatIsAskedForWithTimesThatFit) {
  for (const int rate : {5, 10, 15}) {
    auto camera = Make(path_);
    const auto info = camera.Open({640, 360, rate});
    ASSERT_TRUE(info) << info.error().message;
    EXPECT_NEAR(info->frames_per_second, rate, 0.1);
    ASSERT_TRUE(Next(camera));
    const auto first = Next(camera);
    ASSERT_TRUE(first);
    auto last = Next(camera);
    for (int i = 0; i < 4; ++i) last = Next(camera);
    ASSERT_TRUE(last);
    EXPECT_LT(clock_.Now() - last->captured_at, milliseconds(500));
    const double passed =
        std::chrono::duration<double>(last->captured_at - first->captured_at).count();
    EXPECT_NEAR(static_cast<double>(last->sequence - first->sequence) / passed, rate, 0.2 * rate);
  }
}

TEST_F(VividTest, ReadsEveryInputOfACard) {
  const std::string card = NodeOf(1, "vid-cap");
  for (int input = 0; input < 4; ++input) {
    SCOPED_TRACE(input);
    const int fd = kernel_.Open(card);
    ASSERT_EQ(kernel_.Ioctl(fd, VIDIOC_S_INPUT, &input), 0);
    kernel_.Close(fd);
    auto camera = Make(card);
    const auto info = camera.Open({});
    ASSERT_TRUE(info) << info.error().message;
    const auto frame = Next(camera);
    ASSERT_TRUE(frame) << frame.error().message;
    FrameDecoder decoder;
    Picture picture;
    EXPECT_TRUE(decoder.DecodeSmall(*frame, 160, picture));
    std::printf("input %d: %d x %d, %.2f frames a second\n", input, info->width, info->height,
                info->frames_per_second);
  }
}

TEST_F(VividTest, SaysWhatOtherNodesAre) {
  for (const char* kind : {"vid-out", "vbi-cap", "vbi-out", "meta-cap", "meta-out"}) {
    const std::string path = NodeOf(1, kind);
    ASSERT_FALSE(path.empty()) << kind;
    EXPECT_THAT(ErrorOfOpening(path), HasSubstr("is not a camera that streams frames")) << kind;
  }
  EXPECT_THAT(ErrorOfOpening(NodeOf(2, "vid-cap")), HasSubstr("in several planes of memory"));
  EXPECT_THAT(ErrorOfOpening("/dev/null"), HasSubstr("is not a camera that streams frames"));
  EXPECT_THAT(ErrorOfOpening("/dev/video63"), HasSubstr("is it plugged in?"));
}

TEST_F(VividTest, SaysThatAnotherProgramUsesIt) {
  auto first = Make(path_);
  ASSERT_TRUE(first.Open({}));
  ASSERT_TRUE(Next(first));
  EXPECT_THAT(ErrorOfOpening(path_), HasSubstr("another program uses the camera"));
  ASSERT_TRUE(Next(first));
  first.Close();
  EXPECT_EQ(ErrorOfOpening(path_), "opened");
}

TEST_F(VividTest, SaysWhichExposureItDoesNotTake) {
  EXPECT_THAT(ErrorOfOpening(path_, {"50hz", "157"}), HasSubstr("does not take the exposure 157"));
  EXPECT_EQ(ErrorOfOpening(path_, {"60hz", "auto"}), "opened");
}

// vivid fails once for each press, and works then.
TEST_F(VividTest, OpensAfterAFailedStart) {
  for (const char* what : {"Inject VIDIOC_REQBUFS Error", "Inject VIDIOC_QBUF Error",
                           "Inject VIDIOC_STREAMON Error"}) {
    ASSERT_EQ(Press(kernel_, path_, what), 0);
    auto camera = Make(path_);
    const auto failed = camera.Open({});
    ASSERT_FALSE(failed) << what;
    std::printf("%s: %s\n", what, failed.error().message.c_str());
    EXPECT_THAT(failed.error().message, HasSubstr(path_)) << what;
    ASSERT_TRUE(camera.Open({})) << what;
    EXPECT_TRUE(Next(camera)) << what;
  }
}

TEST_F(VividTest, PassesOverDamagedFrames) {
  auto camera = Make(path_);
  ASSERT_TRUE(camera.Open({}));
  ASSERT_TRUE(Next(camera));
  ASSERT_EQ(Press(kernel_, path_, "Inject V4L2_BUF_FLAG_ERROR"), 0);
  EXPECT_EQ(FirstError(camera).code, ErrorCode::kCorrupt);
  EXPECT_TRUE(Next(camera));
}

TEST_F(VividTest, GoesOnWhenFramesAreDropped) {
  auto camera = Supervised();
  ASSERT_TRUE(camera.Open({}));
  ASSERT_EQ(Press(kernel_, path_, "Percentage of Dropped Buffers", 50), 0);
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(Next(camera)) << i;
}

TEST_F(VividTest, SaysThatItIsSilentAndComesBack) {
  auto camera = Supervised();
  ASSERT_TRUE(camera.Open({}));
  ASSERT_TRUE(Next(camera));
  ASSERT_EQ(Press(kernel_, path_, "Percentage of Dropped Buffers", 100), 0);
  EXPECT_THAT(FirstError(camera).message, HasSubstr("is silent: no frame for 2.0 s"));
  ASSERT_EQ(Press(kernel_, path_, "Percentage of Dropped Buffers", 0), 0);
  EXPECT_LT(UntilBack(camera), kBackWithin);
}

TEST_F(VividTest, ComesBackFromAFatalErrorOfTheStream) {
  auto camera = Supervised();
  ASSERT_TRUE(camera.Open({}));
  ASSERT_TRUE(Next(camera));
  ASSERT_EQ(Press(kernel_, path_, "Inject Fatal Streaming Error"), 0);
  const Error error = FirstError(camera);
  EXPECT_EQ(error.code, ErrorCode::kUnavailable);
  EXPECT_THAT(error.message, HasSubstr("stopped"));
  EXPECT_LT(UntilBack(camera), kBackWithin);
}

TEST_F(VividTest, ComesBackAfterADisconnect) {
  auto camera = Supervised();
  ASSERT_TRUE(camera.Open({}));
  auto held = Next(camera);
  ASSERT_TRUE(held);
  const int before = held->data[held->data.size() / 2];
  ASSERT_EQ(Press(kernel_, path_, "Disconnect"), 0);
  const Error error = FirstError(camera);
  EXPECT_EQ(error.code, ErrorCode::kUnavailable);
  EXPECT_THAT(error.message, HasSubstr("was unplugged"));
  EXPECT_EQ(held->data[held->data.size() / 2], before);  // not a fault on unmapped memory
  held = Fail(ErrorCode::kCancelled, "let go");
  // With the last file that is closed, vivid is there again.
  EXPECT_LT(UntilBack(camera), kBackWithin);
}

TEST_F(VividTest, OpensAgainWhileAFrameOfBeforeIsHeld) {
  auto camera = Make(path_);
  ASSERT_TRUE(camera.Open({}));
  const auto held = Next(camera);
  ASSERT_TRUE(held);
  const int before = held->data[held->data.size() / 2];
  camera.Close();
  EXPECT_EQ(ErrorOfOpening(path_), "opened");
  const auto info = camera.Open({640, 360, 30});
  ASSERT_TRUE(info) << info.error().message;
  EXPECT_TRUE(Next(camera));
  EXPECT_EQ(held->data[held->data.size() / 2], before);
}

TEST_F(VividTest, IsFoundAgainUnderAnotherNumberWhenItIsPluggedInAgain) {
  const std::string stable = "/dev/v4l/by-path/platform-vivid.0-video-index0";
  Link(stable);
  auto camera = Supervised();
  ASSERT_TRUE(camera.Open({}));
  ASSERT_TRUE(Next(camera));
  const int other_program = kernel_.Open(path_);  // keeps the number from being used again
  Plug(false);
  EXPECT_THAT(FirstError(camera).message, HasSubstr("was unplugged"));
  const auto away = camera.NextFrame(clock_.Now() + seconds(1));
  ASSERT_FALSE(away);
  EXPECT_THAT(away.error().message, HasSubstr("the camera is gone; still looking for it"));
  Plug(true);
  Link(stable);
  EXPECT_NE(NodeOf(0, "vid-cap"), path_);
  EXPECT_LT(UntilBack(camera), kBackWithin);
  kernel_.Close(other_program);
  fs::remove_all("/dev/v4l");
}

TEST_F(VividTest, KeepsNothingOpen) {
  const auto open_files = [] {
    return std::distance(fs::directory_iterator("/proc/self/fd"), fs::directory_iterator());
  };
  const auto before = open_files();
  for (int i = 0; i < 20; ++i) {
    auto camera = Make(path_);
    ASSERT_TRUE(camera.Open({640, 360, 30})) << i;
    ASSERT_TRUE(Next(camera)) << i;
  }
  EXPECT_EQ(open_files(), before);
}

}  // namespace
}  // namespace idkiosk
