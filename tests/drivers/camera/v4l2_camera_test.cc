#include "drivers/camera/v4l2_camera.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/drivers/camera/fake_video_kernel.h"

namespace idkiosk {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kPath = "/dev/video0";
constexpr const char* kStable = "/dev/v4l/by-id/usb-Fake-index0";

class V4l2CameraTest : public testing::Test {
 protected:
  V4l2CameraTest() {
    auto& device = kernel_.Add(kPath);
    device.stable_path = kStable;
    device.formats = {{V4L2_PIX_FMT_YUYV, {{640, 480, {30}}, {1280, 720, {10}}}},
                      {V4L2_PIX_FMT_MJPEG, {{640, 480, {30}}, {1280, 720, {30, 15}}}}};
  }

  V4l2Camera Make(CameraControls controls = {}) {
    return {kPath, std::move(controls), kernel_, clock_};
  }
  Result<Frame> Next(Camera& camera) { return camera.NextFrame(clock_.Now() + seconds(2)); }
  FakeVideoKernel::Device& device() { return kernel_.device(kPath); }

  FakeClock clock_;
  FakeVideoKernel kernel_{clock_};
};

TEST_F(V4l2CameraTest, TakesTheFormatThatGivesTheSizeFastEnough) {
  auto camera = Make();
  const auto info = camera.Open({1280, 720, 30});
  ASSERT_TRUE(info) << info.error().message;
  EXPECT_EQ(info->name, "Fake Webcam");
  EXPECT_EQ(info->source, "v4l2:/dev/video0");
  EXPECT_EQ(info->format, PixelFormat::kJpeg);
  EXPECT_EQ(info->width, 1280);
  EXPECT_TRUE(info->live);
  EXPECT_EQ(device().rate, 30U);
}

TEST_F(V4l2CameraTest, PrefersSmallerFramesOverSlowOnes) {
  device().formats = {{V4L2_PIX_FMT_YUYV, {{640, 480, {30}}, {1280, 720, {10}}}}};
  auto camera = Make();
  const auto info = camera.Open({1280, 720, 30});
  ASSERT_TRUE(info);
  EXPECT_EQ(info->format, PixelFormat::kYuyv);
  EXPECT_EQ(info->width, 640);
}

TEST_F(V4l2CameraTest, ReadsEveryFormatThatWeKnow) {
  const std::pair<uint32_t, PixelFormat> formats[] = {{V4L2_PIX_FMT_MJPEG, PixelFormat::kJpeg},
                                                      {V4L2_PIX_FMT_JPEG, PixelFormat::kJpeg},
                                                      {V4L2_PIX_FMT_NV12, PixelFormat::kNv12},
                                                      {V4L2_PIX_FMT_YUYV, PixelFormat::kYuyv},
                                                      {V4L2_PIX_FMT_GREY, PixelFormat::kGrey}};
  for (const auto& [fourcc, format] : formats) {
    device().formats = {{fourcc, {{640, 480, {30}}}}};
    auto camera = Make();
    ASSERT_TRUE(camera.Open({}));
    kernel_.Shoot(kPath, {1, 2, 3});
    const auto frame = Next(camera);
    ASSERT_TRUE(frame);
    EXPECT_EQ(frame->format, format);
    EXPECT_EQ(frame->stride, format == PixelFormat::kJpeg   ? 0
                             : format == PixelFormat::kYuyv ? 1280
                                                            : 640);
  }
}

TEST_F(V4l2CameraTest, TellsTheStrideOfRowsWithPadding) {
  for (const auto& [fourcc, row] : {std::pair{V4L2_PIX_FMT_YUYV, 1280}, {V4L2_PIX_FMT_GREY, 640}}) {
    device().formats = {{fourcc, {{640, 480, {30}}}}};
    device().padding = 52;
    auto camera = Make();
    ASSERT_TRUE(camera.Open({}));
    kernel_.Shoot(kPath, {1, 2, 3});
    EXPECT_EQ(Next(camera)->stride, row + 52);
  }
}

TEST_F(V4l2CameraTest, AsksForTheSizeWhereTheDeviceListsNone) {
  device().formats = {{V4L2_PIX_FMT_MJPEG, {}}};
  auto camera = Make();
  const auto info = camera.Open({800, 600, 30});
  ASSERT_TRUE(info);
  EXPECT_EQ(device().set.width, 800U);
}

TEST_F(V4l2CameraTest, GivesTheBytesOfAFrameWithItsTime) {
  auto camera = Make();
  ASSERT_TRUE(camera.Open({}));
  kernel_.Shoot(kPath, {0xff, 0xd8, 7}, milliseconds(20));
  const auto frame = Next(camera);
  ASSERT_TRUE(frame);
  EXPECT_THAT(frame->data, ElementsAre(0xff, 0xd8, 7));
  EXPECT_EQ(frame->captured_at, clock_.Now() - milliseconds(20));
  EXPECT_EQ(frame->width, 1280);
}

TEST_F(V4l2CameraTest, TakesTheTimeOfFetchingWhereStampsAreOfAnotherClock) {
  device().monotonic_stamps = false;
  auto camera = Make();
  ASSERT_TRUE(camera.Open({}));
  kernel_.Shoot(kPath, {1}, seconds(500));
  EXPECT_EQ(Next(camera)->captured_at, clock_.Now());
}

TEST_F(V4l2CameraTest, GivesTheNewestFrameAndHandsTheOthersBack) {
  auto camera = Make();
  ASSERT_TRUE(camera.Open({}));
  for (uint8_t i = 1; i <= 3; ++i) kernel_.Shoot(kPath, {i});
  const auto frame = Next(camera);
  EXPECT_THAT(frame->data, ElementsAre(3));
  EXPECT_EQ(kernel_.queued(kPath), 3U);
}

TEST_F(V4l2CameraTest, LendsABufferAndTakesItBackWhenTheFrameIsLetGo) {
  auto camera = Make();
  ASSERT_TRUE(camera.Open({}));
  kernel_.Shoot(kPath, {1});
  auto frame = Next(camera);
  EXPECT_EQ(kernel_.queued(kPath), 3U);
  frame = Fail(ErrorCode::kCancelled, "let go");
  EXPECT_EQ(kernel_.queued(kPath), 4U);
}

TEST_F(V4l2CameraTest, NeverRunsOutOfBuffersHoweverManyFramesAreHeld) {
  auto camera = Make();
  ASSERT_TRUE(camera.Open({}));
  std::vector<Frame> held;
  for (uint8_t i = 0; i < 20; ++i) {
    ASSERT_TRUE(kernel_.Shoot(kPath, {i})) << int{i};
    auto frame = Next(camera);
    ASSERT_TRUE(frame);
    held.push_back(std::move(*frame));
  }
  for (uint8_t i = 0; i < 20; ++i) EXPECT_THAT(held[i].data, ElementsAre(i));
}

TEST_F(V4l2CameraTest, KeepsHeldFramesWhenItIsClosed) {
  auto camera = Make();
  ASSERT_TRUE(camera.Open({}));
  kernel_.Shoot(kPath, {42});
  std::optional<Frame> frame = *Next(camera);
  camera.Close();
  EXPECT_THAT(frame->data, ElementsAre(42));
  EXPECT_FALSE(device().streaming);
  frame.reset();
  EXPECT_EQ(kernel_.open_files(), 0);
  EXPECT_EQ(kernel_.mappings(), 0);
}

// As the kernel's vivid showed: whoever keeps the buffers keeps the device.
TEST_F(V4l2CameraTest, OpensAgainWhileAFrameOfBeforeIsHeld) {
  auto camera = Make();
  ASSERT_TRUE(camera.Open({}));
  kernel_.Shoot(kPath, {42});
  const auto held = Next(camera);
  camera.Close();
  const auto info = camera.Open({640, 480, 30});
  ASSERT_TRUE(info) << info.error().message;
  kernel_.Shoot(kPath, {43});
  EXPECT_THAT(Next(camera)->data, ElementsAre(43));
  EXPECT_THAT(held->data, ElementsAre(42));
}

TEST_F(V4l2CameraTest, TellsAStreamThatFailedFromACameraThatWasUnplugged) {
  auto camera = Make();
  ASSERT_TRUE(camera.Open({}));
  device().stream_failed = true;
  const auto frame = Next(camera);
  ASSERT_FALSE(frame);
  EXPECT_EQ(frame.error().code, ErrorCode::kUnavailable);
  EXPECT_EQ(frame.error().message, "the camera /dev/video0 stopped: its driver reports an error");
  ASSERT_TRUE(camera.Open({}));
  kernel_.Shoot(kPath, {5});
  EXPECT_THAT(Next(camera)->data, ElementsAre(5));
}

TEST_F(V4l2CameraTest, SaysThatItIsSilentAtTheDeadline) {
  auto camera = Make();
  ASSERT_TRUE(camera.Open({}));
  const MonotonicTime deadline = clock_.Now() + seconds(2);
  const auto frame = camera.NextFrame(deadline);
  ASSERT_FALSE(frame);
  EXPECT_EQ(frame.error().code, ErrorCode::kTimeout);
  EXPECT_EQ(frame.error().message, "the camera /dev/video0 is silent: no frame came");
  EXPECT_EQ(clock_.Now(), deadline);
}

TEST_F(V4l2CameraTest, PassesOverFramesThatTheDeviceMarksAsDamaged) {
  auto camera = Make();
  ASSERT_TRUE(camera.Open({}));
  kernel_.Shoot(kPath, {1}, {}, V4L2_BUF_FLAG_ERROR);
  EXPECT_EQ(Next(camera).error().code, ErrorCode::kCorrupt);
  kernel_.Shoot(kPath, {});
  EXPECT_EQ(Next(camera).error().code, ErrorCode::kCorrupt);
  device().fails_with[VIDIOC_DQBUF] = EIO;
  kernel_.Shoot(kPath, {3});
  EXPECT_EQ(Next(camera).error().code, ErrorCode::kCorrupt);
  device().fails_with.clear();
  EXPECT_THAT(Next(camera)->data, ElementsAre(3));
  EXPECT_EQ(kernel_.queued(kPath), 4U);
}

TEST_F(V4l2CameraTest, IsFoundAgainUnderAnotherNumberAfterItWasUnplugged) {
  auto camera = Make();
  ASSERT_TRUE(camera.Open({}));
  device().gone = true;
  const auto frame = Next(camera);
  ASSERT_FALSE(frame);
  EXPECT_EQ(frame.error().code, ErrorCode::kUnavailable);
  EXPECT_EQ(frame.error().message, "the camera /dev/video0 was unplugged");
  EXPECT_EQ(camera.Open({}).error().code, ErrorCode::kNotFound);
  EXPECT_EQ(kernel_.open_files(), 0);

  kernel_.Move(kPath, "/dev/video2");
  ASSERT_TRUE(camera.Open({}));
  kernel_.Shoot("/dev/video2", {5});
  EXPECT_THAT(Next(camera)->data, ElementsAre(5));
}

TEST_F(V4l2CameraTest, MustBeOpenedFirst) {
  auto camera = Make();
  EXPECT_EQ(Next(camera).error().code, ErrorCode::kFailedPrecondition);
}

TEST_F(V4l2CameraTest, SetsTheControlsThatTheDeviceHas) {
  device().controls = {{V4L2_CID_POWER_LINE_FREQUENCY, -1},
                       {V4L2_CID_EXPOSURE_AUTO, -1},
                       {V4L2_CID_EXPOSURE_ABSOLUTE, -1}};
  auto camera = Make({"60hz", "157"});
  ASSERT_TRUE(camera.Open({}));
  EXPECT_EQ(device().controls[V4L2_CID_POWER_LINE_FREQUENCY], V4L2_CID_POWER_LINE_FREQUENCY_60HZ);
  EXPECT_EQ(device().controls[V4L2_CID_EXPOSURE_AUTO], V4L2_EXPOSURE_MANUAL);
  EXPECT_EQ(device().controls[V4L2_CID_EXPOSURE_ABSOLUTE], 157);
}

TEST_F(V4l2CameraTest, SaysHowLongItExposesWhereTheDeviceDoes) {
  auto camera = Make({"50hz", "auto"});
  EXPECT_EQ(camera.Exposure(), std::nullopt) << "not open";
  ASSERT_TRUE(camera.Open({}));
  EXPECT_EQ(camera.Exposure(), std::nullopt);
  device().controls[V4L2_CID_EXPOSURE_ABSOLUTE] = 157;
  EXPECT_EQ(camera.Exposure(), std::chrono::microseconds(15700));
  device().controls[V4L2_CID_EXPOSURE_ABSOLUTE] = 0;
  EXPECT_EQ(camera.Exposure(), std::nullopt) << "nothing is exposed for no time";
}

TEST_F(V4l2CameraTest, SaysWhichControlItCannotSet) {
  EXPECT_THAT(Make({"50hz", "157"}).Open({}).error().message,
              HasSubstr("/dev/video0 does not take the exposure 157"));
  EXPECT_THAT(Make({"50hz", "bright"}).Open({}).error().message,
              HasSubstr("exposure is 'bright'; it can be auto or a number"));
  EXPECT_THAT(Make({"55hz", "auto"}).Open({}).error().message,
              HasSubstr("power line is '55hz'; it can be off, 50hz, 60hz, auto"));
}

struct Refusal {
  const char* what;
  void (*arrange)(FakeVideoKernel::Device&);
  ErrorCode code;
  const char* message;
};

class V4l2RefusalTest : public V4l2CameraTest, public testing::WithParamInterface<Refusal> {};

TEST_P(V4l2RefusalTest, HasItsOwnErrorAndLeavesNothingOpen) {
  GetParam().arrange(device());
  auto camera = Make();
  const auto opened = camera.Open({});
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, GetParam().code) << opened.error().message;
  EXPECT_THAT(opened.error().message, HasSubstr(GetParam().message));
  EXPECT_THAT(opened.error().message, testing::AnyOf(HasSubstr(kPath), HasSubstr(kStable)));
  EXPECT_EQ(kernel_.open_files(), 0);
  EXPECT_EQ(kernel_.mappings(), 0);
}

using Device = FakeVideoKernel::Device;
INSTANTIATE_TEST_SUITE_P(
    Devices, V4l2RefusalTest,
    testing::Values(
        Refusal{"Missing", [](Device& d) { d.gone = true; }, ErrorCode::kNotFound,
                "is it plugged in?"},
        Refusal{"Forbidden", [](Device& d) { d.open_fails_with = EACCES; }, ErrorCode::kForbidden,
                "add it to the group 'video'"},
        Refusal{"BusyAtOpen", [](Device& d) { d.open_fails_with = EBUSY; }, ErrorCode::kUnavailable,
                "another program uses"},
        Refusal{"BusyAtFormat", [](Device& d) { d.fails_with[VIDIOC_S_FMT] = EBUSY; },
                ErrorCode::kUnavailable, "another program uses"},
        Refusal{"BusyAtBuffers", [](Device& d) { d.fails_with[VIDIOC_REQBUFS] = EBUSY; },
                ErrorCode::kUnavailable, "another program uses"},
        Refusal{"BusFull", [](Device& d) { d.fails_with[VIDIOC_STREAMON] = ENOSPC; },
                ErrorCode::kUnavailable, "plug it in elsewhere"},
        Refusal{"NoMemory", [](Device& d) { d.most_buffers = 1; }, ErrorCode::kExhausted,
                "memory for only 1 frames"},
        Refusal{"NoVideoDevice", [](Device& d) { d.fails_with[VIDIOC_QUERYCAP] = ENOTTY; },
                ErrorCode::kInvalid, "is not a camera that streams frames"},
        Refusal{"MetadataDevice", [](Device& d) { d.capabilities = V4L2_CAP_META_CAPTURE; },
                ErrorCode::kInvalid, "is not a camera that streams frames"},
        Refusal{
            "SeveralPlanes",
            [](Device& d) { d.capabilities = V4L2_CAP_VIDEO_CAPTURE_MPLANE | V4L2_CAP_STREAMING; },
            ErrorCode::kInvalid, "in several planes of memory"},
        Refusal{"OtherFormatsOnly",
                [](Device& d) { d.formats = {{V4L2_PIX_FMT_H264, {}}, {V4L2_PIX_FMT_SBGGR8, {}}}; },
                ErrorCode::kInvalid, "it offers BA81, H264"},
        Refusal{"NoFormats", [](Device& d) { d.formats.clear(); }, ErrorCode::kInvalid,
                "it offers none"},
        Refusal{"TakesAnotherFormat", [](Device& d) { d.forced_fourcc = V4L2_PIX_FMT_H264; },
                ErrorCode::kInvalid, "was asked for MJPG and gives H264"}),
    [](const auto& parameter) { return parameter.param.what; });

TEST_F(V4l2CameraTest, ListsCamerasButNotTheirMetadataOrBusyOnes) {
  kernel_.Add("/dev/video1").capabilities = V4L2_CAP_META_CAPTURE;
  auto& second = kernel_.Add("/dev/video2");
  second.name = "Another";
  second.formats = {{V4L2_PIX_FMT_NV12, {}}};
  kernel_.Add("/dev/video3").formats = {{V4L2_PIX_FMT_H264, {}}};
  kernel_.Add("/dev/video4").open_fails_with = EBUSY;
  const auto cameras = ListCameras(kernel_);
  ASSERT_EQ(cameras.size(), 2U);
  EXPECT_EQ(cameras[0].path, kStable);
  EXPECT_EQ(cameras[1].path, "/dev/video2");
  EXPECT_EQ(cameras[1].name, "Another");
  EXPECT_EQ(kernel_.open_files(), 0);
}

}  // namespace
}  // namespace idkiosk
