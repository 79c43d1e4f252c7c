#include "app/workers/camera_slip_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>

#include "platform/posix/loop_task_runner.h"
#include "platform/posix/system_clock.h"

namespace idkiosk {
namespace {

// Reads what the test says, frame by frame.
class FakeScanner final : public CodeScanner {
 public:
  std::vector<SecretBytes> Read(ByteSpan bgr, int width, int height) override {
    EXPECT_EQ(bgr.size(), static_cast<size_t>(3 * width * height));
    std::vector<SecretBytes> seen;
    if (frames_ < codes.size()) {
      for (const char* text : codes[frames_])
        seen.push_back(SecretBytes::CopyOf(std::string_view(text)));
    }
    ++frames_;
    return seen;
  }

  std::vector<std::vector<const char*>> codes;

 private:
  size_t frames_ = 0;
};

// The camera's own thread, and the control thread played by the test.
class CameraSlipReaderTest : public testing::Test {
 protected:
  // What the camera's thread uses goes after it has ended.
  void TearDown() override { camera_.End(); }

  // Frames until nobody wants more, `most` at most; then what the camera reports.
  Status Frames(const std::function<bool(const Frame&)>& on_frame, const std::stop_token& stop) {
    for (int i = 0; i < frames_ && !stop.stop_requested(); ++i) {
      ++given_;
      Frame frame;
      frame.format = PixelFormat::kBgr;
      frame.width = 64;
      frame.height = 48;
      frame.stride = 3 * 64;
      frame.data = pixels_;
      if (!on_frame(frame)) return {};
    }
    return end_;
  }

  Result<SecretBytes> Look() {
    std::optional<Result<SecretBytes>> answer;
    reader_.Start([&](Result<SecretBytes> nin) {
      answer = std::move(nin);
      control_.Stop();
    });
    control_.Run();
    return std::move(*answer);
  }

  const Bytes pixels_ = Bytes(64 * 48 * 3);
  std::atomic<int> frames_ = 10;
  std::atomic<int> given_ = 0;
  Status end_ = Fail(ErrorCode::kUnavailable, "unplugged");
  SystemClock clock_;
  LoopTaskRunner control_{clock_};
  PreviewSlot preview_;
  Heartbeat heartbeat_{clock_};
  CaptureWorker camera_{[](auto&, const auto&) { return Fail(ErrorCode::kInternal, "no capture"); },
                        control_, clock_, preview_, heartbeat_};
  FakeScanner scanner_;
  CameraSlipReader reader_{
      {camera_,
       [this](const auto& on_frame, const std::stop_token& stop) { return Frames(on_frame, stop); },
       scanner_, control_, clock_, preview_, heartbeat_}};
};

TEST_F(CameraSlipReaderTest, EndsWithTheFirstFrameThatHoldsANumber) {
  scanner_.codes = {{}, {}, {"NIN 70123456788"}};
  const auto nin = Look();
  ASSERT_TRUE(nin) << nin.error().message;
  EXPECT_EQ(nin->text(), "70123456788");
  EXPECT_EQ(given_, 3);
  EXPECT_FALSE(preview_.open());
}

TEST_F(CameraSlipReaderTest, LooksOnPastACodeWithoutANumber) {
  scanner_.codes = {{"https://example.org"}, {"https://example.org", "70123456788"}};
  EXPECT_TRUE(Look());
  EXPECT_EQ(given_, 2);
}

TEST_F(CameraSlipReaderTest, SaysThatNoCodeWasSeen) {
  end_ = {};
  EXPECT_EQ(Look().error().code, ErrorCode::kTimeout);
  EXPECT_EQ(given_, frames_);
}

TEST_F(CameraSlipReaderTest, SaysThatNoCodeHeldANumber) {
  end_ = {};
  scanner_.codes.assign(10, {"https://example.org"});
  EXPECT_EQ(Look().error().code, ErrorCode::kNotFound);
}

TEST_F(CameraSlipReaderTest, EndsWithACodeOfSeveralNumbers) {
  scanner_.codes = {{}, {"70123456788 08030000000"}};
  EXPECT_EQ(Look().error().code, ErrorCode::kRejected);
  EXPECT_EQ(given_, 2);
}

TEST_F(CameraSlipReaderTest, SaysWhatTheCameraReports) {
  EXPECT_EQ(Look().error().code, ErrorCode::kUnavailable);
}

TEST_F(CameraSlipReaderTest, OneThatWasStoppedSaysNothing) {
  frames_ = 1 << 30;
  std::vector<std::string> heard;
  reader_.Start([&](const auto&) { heard.emplace_back("first"); });
  while (given_ == 0) std::this_thread::yield();
  reader_.Stop();
  EXPECT_FALSE(preview_.open());
  frames_ = 0;
  reader_.Start([&](const auto&) {
    heard.emplace_back("second");
    control_.Stop();
  });
  control_.Run();
  EXPECT_THAT(heard, testing::ElementsAre("second"));
}

}  // namespace
}  // namespace idkiosk
