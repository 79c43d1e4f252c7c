// The module that is built beside the program, loaded as the program loads it.
#include "drivers/camera/opencv_module.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <opencv2/videoio.hpp>

#include "platform/posix/system_clock.h"
#include "tests/fakes/scratch_folder.h"

namespace idkiosk {
namespace {

using std::chrono::milliseconds;
using testing::HasSubstr;
using testing::Not;

constexpr int kWidth = 320, kHeight = 240, kFrames = 12;

class OpenCvModuleTest : public testing::Test {
 protected:
  static void SetUpTestSuite() { QuietOpenCvCameras(); }

  // A film of grey frames, each ten brighter than the last, at 20 frames a second.
  void Film() {
    cv::VideoWriter writer(path_, cv::CAP_OPENCV_MJPEG, cv::VideoWriter::fourcc('M', 'J', 'P', 'G'),
                           20, {kWidth, kHeight});
    ASSERT_TRUE(writer.isOpened());
    for (int i = 0; i < kFrames; ++i) {
      writer.write(cv::Mat(kHeight, kWidth, CV_8UC3, cv::Scalar::all(50 + 10 * i)));
    }
  }
  std::unique_ptr<Camera> Load(const std::string& name) {
    auto camera = LoadOpenCvCamera(name, clock_);
    EXPECT_TRUE(camera) << camera.error().message;
    return camera ? std::move(*camera) : nullptr;
  }

  SystemClock clock_;
  const ScratchFolder folder_;
  const std::string path_ = folder_ / "film.avi";
};

TEST_F(OpenCvModuleTest, PlaysAFilmToItsEnd) {
  Film();
  const auto camera = Load(path_);
  const auto info = camera->Open({});
  ASSERT_TRUE(info) << info.error().message;
  EXPECT_EQ(info->source, "opencv:" + path_);
  EXPECT_EQ(info->width, kWidth);
  EXPECT_FALSE(info->live);
  MonotonicTime first{};
  for (int i = 0; i < kFrames; ++i) {
    const auto frame = camera->NextFrame(clock_.Now() + std::chrono::seconds(1));
    ASSERT_TRUE(frame) << i << ": " << frame.error().message;
    EXPECT_EQ(frame->format, PixelFormat::kBgr);
    EXPECT_EQ(frame->data.size(), size_t{3} * kWidth * kHeight);
    EXPECT_NEAR(frame->data[1000], 50 + 10 * i, 3);
    if (i == 0) first = frame->captured_at;
    EXPECT_EQ(frame->captured_at - first, i * milliseconds(50));
  }
  const auto end = camera->NextFrame(clock_.Now());
  ASSERT_FALSE(end);
  EXPECT_EQ(end.error().code, ErrorCode::kNotFound);
}

TEST_F(OpenCvModuleTest, KeepsAFrameWhenTheCameraHasGone) {
  Film();
  auto camera = Load(path_);
  ASSERT_TRUE(camera->Open({}));
  const auto frame = camera->NextFrame(clock_.Now());
  camera.reset();
  ASSERT_TRUE(frame);
  EXPECT_NEAR(frame->data[1000], 50, 3);
}

TEST_F(OpenCvModuleTest, NamesWhatItCannotOpen) {
  const auto missing = Load("/no/such/film.avi")->Open({});
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::kNotFound);
  EXPECT_THAT(missing.error().message, HasSubstr("no video file at /no/such/film.avi"));

  std::ofstream(path_) << "no film";
  const auto text = Load(path_)->Open({});
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().code, ErrorCode::kInvalid);
  EXPECT_THAT(text.error().message, HasSubstr("not a video that it can read"));
}

TEST_F(OpenCvModuleTest, SaysNoPasswordOfACameraThatItCannotOpen) {
  // Nothing listens on port 1; and there is no such element, or no GStreamer at all.
  for (const char* name :
       {"rtsp://user:s3cret@127.0.0.1:1/live", "rtsp://127.0.0.1:1/user=user&password=s3cret",
        "nosuchsrc location=rtsp://user:s3cret@127.0.0.1:1/ user-pw=s3cret ! appsink"}) {
    testing::internal::CaptureStderr();
    const auto camera = Load(name)->Open({});
    EXPECT_THAT(testing::internal::GetCapturedStderr(), Not(HasSubstr("s3cret")));
    ASSERT_FALSE(camera) << name;
    EXPECT_EQ(camera.error().code, ErrorCode::kUnavailable);
    EXPECT_THAT(camera.error().message, HasSubstr("OpenCV cannot open"));
    EXPECT_THAT(camera.error().message, Not(HasSubstr("s3cret")));
  }
}

TEST_F(OpenCvModuleTest, MustBeOpenedFirst) {
  EXPECT_EQ(Load("0")->NextFrame(clock_.Now()).error().code, ErrorCode::kFailedPrecondition);
}

}  // namespace
}  // namespace idkiosk
