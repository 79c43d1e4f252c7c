#include "drivers/camera/synthetic/synthetic_camera.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
// jpeglib.h wants cstdio before it.
#include <jpeglib.h>

#include "tests/drivers/camera/virtual_wait.h"

namespace idkiosk {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class SyntheticCameraTest : public testing::Test {
 protected:
  std::unique_ptr<SyntheticCamera> Make(std::string_view script) {
    return std::make_unique<SyntheticCamera>("synthetic", *ParseSitterScript(script), clock_,
                                             VirtualWait(clock_));
  }
  Result<Frame> Next(Camera& camera) { return camera.NextFrame(clock_.Now() + seconds(2)); }

  // Lets frames pass for that time.
  void Watch(Camera& camera, Duration time) {
    const MonotonicTime end = clock_.Now() + time;
    while (clock_.Now() < end) ASSERT_TRUE(Next(camera));
  }

  FakeClock clock_;
  const CameraRequest small_{320, 240, 30};
};

struct HeaderOfJpeg {
  unsigned width, height;
  bool baseline;
};

HeaderOfJpeg ReadHeader(ByteSpan jpeg) {
  jpeg_decompress_struct info{};
  jpeg_error_mgr errors{};
  info.err = jpeg_std_error(&errors);
  jpeg_create_decompress(&info);
  jpeg_mem_src(&info, jpeg.data(), jpeg.size());
  jpeg_read_header(&info, TRUE);
  const HeaderOfJpeg header{info.image_width, info.image_height, info.progressive_mode == FALSE};
  jpeg_destroy_decompress(&info);
  return header;
}

TEST_F(SyntheticCameraTest, IsAsSlowAsItsScriptSays) {
  auto camera = Make("fps=5");
  EXPECT_EQ(camera->Open(small_)->frames_per_second, 5);
  const auto first = Next(*camera);
  const auto second = Next(*camera);
  EXPECT_EQ(second->captured_at - first->captured_at, milliseconds(200));
  EXPECT_EQ(camera->Open({320, 240, 2})->frames_per_second, 2);
}

TEST_F(SyntheticCameraTest, GivesJpegFramesOfTheSizeAskedFor) {
  auto camera = Make("");
  const auto info = camera->Open({1280, 720, 30});
  ASSERT_TRUE(info);
  EXPECT_EQ(info->format, PixelFormat::kJpeg);
  EXPECT_TRUE(info->live);
  const auto frame = Next(*camera);
  ASSERT_TRUE(frame);
  const HeaderOfJpeg header = ReadHeader(frame->data);
  EXPECT_EQ(header.width, 1280U);
  EXPECT_EQ(header.height, 720U);
  EXPECT_TRUE(header.baseline);
}

TEST_F(SyntheticCameraTest, TakesThirtyFramesASecond) {
  auto camera = Make("");
  ASSERT_TRUE(camera->Open(small_));
  const auto first = Next(*camera);
  Frame last;
  for (int i = 0; i < 30; ++i) last = *Next(*camera);
  EXPECT_NEAR(std::chrono::duration<double>(last.captured_at - first->captured_at).count(), 1,
              0.01);
  EXPECT_EQ(last.sequence - first->sequence, 30U);
}

TEST_F(SyntheticCameraTest, LosesFramesThatNobodyFetchesInTime) {
  auto camera = Make("");
  ASSERT_TRUE(camera->Open(small_));
  const auto first = Next(*camera);
  clock_.Advance(milliseconds(1010));
  const auto late = Next(*camera);
  EXPECT_EQ(late->sequence - first->sequence, 30U);
  EXPECT_EQ(late->captured_at, clock_.Now());
}

TEST_F(SyntheticCameraTest, DrawsTheSameFramesFromTheSameSeed) {
  auto a = Make("seed=7"), b = Make("seed=7"), other = Make("seed=8");
  ASSERT_TRUE(a->Open(small_));
  const auto frame = Next(*a);
  ASSERT_TRUE(b->Open(small_) && other->Open(small_));
  EXPECT_TRUE(std::ranges::equal(frame->data, Next(*b)->data));
  EXPECT_FALSE(std::ranges::equal(frame->data, Next(*other)->data));
}

TEST_F(SyntheticCameraTest, ShowsTheScreensColourByTimeHoweverFewFramesAreFetched) {
  constexpr std::string_view kScript = "shine=1,latency=3";
  auto lit = Make(kScript), unlit = Make(kScript);
  ASSERT_TRUE(lit->Open(small_) && unlit->Open(small_));
  ASSERT_TRUE(Next(*lit) && Next(*unlit));
  ASSERT_TRUE(lit->Cue("screen=#80ff80,fade=100"));
  clock_.Advance(milliseconds(190));  // the colour has come, and the camera shows it
  const auto coloured = Next(*lit);
  EXPECT_FALSE(std::ranges::equal(coloured->data, Next(*unlit)->data));
}

TEST_F(SyntheticCameraTest, RepeatsOneFrameWhileItIsFrozen) {
  auto camera = Make("freeze=0.1+0.2");
  ASSERT_TRUE(camera->Open(small_));
  Watch(*camera, milliseconds(150));
  const auto frozen = Next(*camera), still = Next(*camera);
  EXPECT_TRUE(std::ranges::equal(frozen->data, still->data));
  EXPECT_LT(frozen->sequence, still->sequence);
  Watch(*camera, milliseconds(200));
  EXPECT_FALSE(std::ranges::equal(Next(*camera)->data, frozen->data));
}

TEST_F(SyntheticCameraTest, SaysNothingWhileItIsSilent) {
  auto camera = Make("silent=0.1");
  ASSERT_TRUE(camera->Open(small_));
  Watch(*camera, milliseconds(100));
  const MonotonicTime deadline = clock_.Now() + milliseconds(500);
  const auto silent = camera->NextFrame(deadline);
  ASSERT_FALSE(silent);
  EXPECT_EQ(silent.error().code, ErrorCode::kTimeout);
  EXPECT_EQ(clock_.Now(), deadline);
}

TEST_F(SyntheticCameraTest, ComesBackAfterItWasUnplugged) {
  auto camera = Make("unplug=0.1+1");
  ASSERT_TRUE(camera->Open(small_));
  Watch(*camera, milliseconds(60));
  clock_.Advance(milliseconds(50));
  EXPECT_EQ(Next(*camera).error().code, ErrorCode::kUnavailable);
  EXPECT_EQ(Next(*camera).error().code, ErrorCode::kFailedPrecondition);
  EXPECT_EQ(camera->Open(small_).error().code, ErrorCode::kNotFound);
  clock_.Advance(seconds(1));
  ASSERT_TRUE(camera->Open(small_));
  EXPECT_TRUE(Next(*camera));
}

TEST_F(SyntheticCameraTest, MustBeOpenedFirst) {
  EXPECT_EQ(Next(*Make("")).error().code, ErrorCode::kFailedPrecondition);
}

// Every script draws something, at every size.
class SitterScriptDrawingTest : public SyntheticCameraTest,
                                public testing::WithParamInterface<const char*> {};

TEST_P(SitterScriptDrawingTest, IsDrawn) {
  auto camera = Make(GetParam());
  for (const CameraRequest& request :
       {CameraRequest{320, 240, 30}, CameraRequest{640, 362, 30}, CameraRequest{720, 1080, 30}}) {
    ASSERT_TRUE(camera->Open(request));
    const auto frame = Next(*camera);
    ASSERT_TRUE(frame);
    EXPECT_EQ(ReadHeader(frame->data).height, static_cast<unsigned>(request.height));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Scripts, SitterScriptDrawingTest,
    testing::Values("yaw=90", "yaw=-90,pitch=60,roll=90", "distance=0.4", "distance=5", "people=0",
                    "people=2", "photo=yes,yaw=80", "photo=yes,distance=0.4", "blur=40", "black=0",
                    "swap=0", "crowd=0", "light=bright,tone=1", "light=dark,tone=8", "light=window",
                    "noise=20", "smile=1,blink=1", "mask=blue,glasses=dark,hat=yes",
                    "roll=180,mouth=1", "scarf=yes,beard=yes,glasses=clear,hand=yes,yaw=-90"),
    [](const auto& parameter) {
      std::string name = parameter.param;
      std::ranges::replace_if(
          name, [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
      return name;
    });

}  // namespace
}  // namespace idkiosk
