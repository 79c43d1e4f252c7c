#include "drivers/opencv_camera/newest_frame_reader.h"

#include <gtest/gtest.h>

#include <atomic>
#include <semaphore>
#include <thread>

namespace idkiosk {
namespace {

// Longer than CTest lets any test last.
constexpr Duration kAnHour = std::chrono::hours(1);

// A source whose frames come when the test says so. They are as wide as their number.
class Stream {
 public:
  NewestFrameReader::Source source() {
    return {.grab = [this] { return Grab(); },
            .retrieve = [this]() -> Result<Frame> {
              ++retrieved_;
              return Frame::Owning(PixelFormat::kGrey, grabbed_, 1, grabbed_, Bytes(1));
            }};
  }
  // The next frame comes, and the one before has been dealt with.
  void Come() {
    asked_.acquire();
    coming_.release();
  }
  // Nothing more comes.
  void End() {
    ended_ = true;
    coming_.release();
  }
  [[nodiscard]] int retrieved() const { return retrieved_; }

 private:
  Status Grab() {
    asked_.release();
    coming_.acquire();
    if (ended_) return Fail(ErrorCode::kUnavailable, "the stream ended");
    ++grabbed_;
    return {};
  }

  std::counting_semaphore<> asked_{0};
  std::counting_semaphore<> coming_{0};
  std::atomic<bool> ended_ = false;
  std::atomic<int> grabbed_ = 0;
  std::atomic<int> retrieved_ = 0;
};

TEST(NewestFrameReaderTest, GivesTheFrameThatComesNextAndNotThoseThatNobodyAskedFor) {
  Stream stream;
  NewestFrameReader reader(stream.source());
  for (int i = 0; i < 5; ++i) stream.Come();
  std::jthread camera([&](const std::stop_token& stop) {
    while (!stop.stop_requested()) stream.Come();
  });
  const auto frame = reader.Next(kAnHour);
  EXPECT_EQ(stream.retrieved(), 1);
  camera.request_stop();
  camera.join();
  stream.End();
  ASSERT_TRUE(frame) << frame.error().message;
  EXPECT_GE(frame->width, 5);
}

TEST(NewestFrameReaderTest, WaitsNoLongerThanWantedForASilentSource) {
  Stream stream;
  NewestFrameReader reader(stream.source());
  EXPECT_EQ(reader.Next(Duration::zero()).error().code, ErrorCode::kTimeout);
  stream.End();
}

TEST(NewestFrameReaderTest, TellsTheEndToEverybodyWhoAsks) {
  Stream stream;
  NewestFrameReader reader(stream.source());
  stream.End();
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(reader.Next(kAnHour).error().message, "the stream ended");
  }
}

TEST(NewestFrameReaderTest, EndsWhileTheSourceStillGivesFrames) {
  NewestFrameReader reader(
      {.grab = [] { return Status(); }, .retrieve = [] { return Result<Frame>(Frame()); }});
  EXPECT_TRUE(reader.Next(kAnHour));
}

}  // namespace
}  // namespace idkiosk
