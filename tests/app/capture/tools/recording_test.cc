#include "app/capture/tools/recording.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "drivers/camera/image_sequence_camera.h"
#include "tests/app/capture/sitting.h"
#include "tests/fakes/fake_file_system.h"

namespace idkiosk {
namespace {

using std::chrono::seconds;
using testing::HasSubstr;

class RecordingTest : public testing::Test {
 protected:
  Result<Recording> RecordSitting(Sitting& sitting, Duration longest = seconds(60)) {
    return Record(sitting.studio.camera(), sitting.studio.info(), "/film", longest, sitting.runner,
                  files_, sitting.observer, {});
  }

  Result<CaptureResult> PlayBack(uint64_t seed) {
    FakeClock clock;
    ImageSequenceCamera camera("/film", ImageSequenceCamera::Pace::kByTheClock, files_, clock,
                               [&](MonotonicTime time) {
                                 if (time > clock.Now()) clock.Advance(time - clock.Now());
                               });
    const auto info = camera.Open({});
    if (!info) return std::unexpected(info.error());
    Sitting sitting("");
    FakeEntropy entropy(seed);
    CaptureRunner runner(sitting.settings, sitting.analyzer, clock, entropy);
    CueingObserver observer(nullptr);
    return runner.Run(camera, *info, observer, {});
  }

  FakeFileSystem files_;
};

TEST_F(RecordingTest, PlaysBackAsAWholeCaptureWhateverIsDrawn) {
  Sitting sitting("");
  const auto recording = RecordSitting(sitting);
  ASSERT_TRUE(recording) << recording.error().message;
  EXPECT_TRUE(recording->complete);
  EXPECT_EQ(files_.paths().size(), static_cast<size_t>(recording->frames));
  for (uint64_t seed : {1, 2}) {
    const auto played = PlayBack(seed);
    ASSERT_TRUE(played) << played.error().message;
    EXPECT_FALSE(played->record.camera.live);
    EXPECT_EQ(played->record.pictures.size(), 5U);
  }
}

TEST_F(RecordingTest, KeepsTheFramesOfSomebodyWhoDidNotFollow) {
  Sitting sitting("follow=no");
  const auto recording = RecordSitting(sitting, seconds(2));
  ASSERT_TRUE(recording) << recording.error().message;
  EXPECT_FALSE(recording->complete);
  EXPECT_NEAR(recording->frames, 30, 2);
  const auto played = PlayBack(1);
  ASSERT_FALSE(played);
  EXPECT_EQ(played.error().code, ErrorCode::kRejected);
  EXPECT_EQ(played.error().message,
            "the pictures of images:/film ended too soon, with the selfie and 0 of 4 challenges");
}

TEST_F(RecordingTest, MixesNothingWithPicturesThatAreThere) {
  files_.Put("/film/old.jpg", AsBytes("x"));
  Sitting sitting("");
  const auto recording = RecordSitting(sitting);
  ASSERT_FALSE(recording);
  EXPECT_EQ(recording.error().code, ErrorCode::kFailedPrecondition);
  EXPECT_THAT(recording.error().message, HasSubstr("/film holds pictures already (old.jpg)"));
}

TEST_F(RecordingTest, StopsWhenTheDiskIsFull) {
  files_.set_capacity(500'000);
  Sitting sitting("");
  const auto recording = RecordSitting(sitting);
  ASSERT_FALSE(recording);
  EXPECT_EQ(recording.error().code, ErrorCode::kExhausted);
}

}  // namespace
}  // namespace idkiosk
