#include "drivers/camera/image_sequence_camera.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/drivers/camera/virtual_wait.h"
#include "tests/fakes/fake_file_system.h"

namespace idkiosk {
namespace {

using Pace = ImageSequenceCamera::Pace;
using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::HasSubstr;

// Nothing reads further than a picture's first bytes: the last one tells them apart.
Bytes Jpeg(uint8_t mark) { return {0xff, 0xd8, 0xff, 0xe0, mark}; }

class ImageSequenceCameraTest : public testing::Test {
 protected:
  ImageSequenceCamera Make(Pace pace = Pace::kByTheClock) {
    return {"/film", pace, files_, clock_, VirtualWait(clock_)};
  }
  Result<Frame> Next(Camera& camera) { return camera.NextFrame(clock_.Now() + seconds(5)); }
  void PutFilm(int pictures) {
    for (int i = 0; i < pictures; ++i) {
      files_.Put(fmt::format("/film/{:03}.jpg", i), Jpeg(static_cast<uint8_t>(i)));
    }
  }

  FakeClock clock_;
  FakeFileSystem files_;
};

TEST_F(ImageSequenceCameraTest, PlaysAFilmInTheOrderOfItsNamesAtThirtyASecond) {
  PutFilm(40);
  files_.Put("/film/capture.json", AsBytes("{}"));
  auto camera = Make();
  const auto info = camera.Open({});
  ASSERT_TRUE(info) << info.error().message;
  EXPECT_FALSE(info->live);
  EXPECT_EQ(info->source, "images:/film");
  const MonotonicTime start = clock_.Now();
  for (uint8_t i = 0; i < 40; ++i) {
    const auto frame = Next(camera);
    ASSERT_TRUE(frame);
    EXPECT_EQ(frame->data.back(), i);
    EXPECT_EQ(frame->sequence, i);
    EXPECT_EQ(frame->captured_at, clock_.Now());
  }
  EXPECT_NEAR(std::chrono::duration<double>(clock_.Now() - start).count(), 39 / 30.0, 0.001);
  EXPECT_EQ(Next(camera).error().code, ErrorCode::kNotFound);
}

TEST_F(ImageSequenceCameraTest, ShowsEachOfAFewStillsForASecond) {
  PutFilm(2);
  auto camera = Make();
  ASSERT_TRUE(camera.Open({}));
  const MonotonicTime start = clock_.Now();
  int first = 0, second = 0;
  for (auto frame = Next(camera); frame; frame = Next(camera)) {
    ++(frame->data.back() == 0 ? first : second);
  }
  EXPECT_EQ(first, 30);
  EXPECT_EQ(second, 30);
  EXPECT_NEAR(std::chrono::duration<double>(clock_.Now() - start).count(), 2, 0.05);
}

TEST_F(ImageSequenceCameraTest, KeepsTheTimesThatTheNamesOfARecordingTell) {
  files_.Put("/film/frame-000001-0000500ms.jpg", Jpeg(1));
  files_.Put("/film/frame-000002-0000533ms.jpg", Jpeg(2));
  files_.Put("/film/frame-000003-0001500ms.jpg", Jpeg(3));
  auto camera = Make();
  ASSERT_TRUE(camera.Open({}));
  const MonotonicTime first = Next(camera)->captured_at;
  EXPECT_EQ(Next(camera)->captured_at - first, milliseconds(33));
  EXPECT_EQ(Next(camera)->captured_at - first, milliseconds(1000));
  EXPECT_EQ(Next(camera).error().code, ErrorCode::kNotFound);
}

// A recorder that had no time for nine seconds is no camera that went away.
TEST_F(ImageSequenceCameraTest, PlaysALongGapAsASecond) {
  files_.Put("/film/a-0ms.jpg", Jpeg(1));
  files_.Put("/film/b-9000ms.jpg", Jpeg(2));
  auto camera = Make();
  ASSERT_TRUE(camera.Open({}));
  const MonotonicTime first = Next(camera)->captured_at;
  EXPECT_EQ(Next(camera)->captured_at - first, seconds(1));
}

TEST_F(ImageSequenceCameraTest, TellsTheTimesWithoutWaitingWhenItIsInAHurry) {
  PutFilm(40);
  auto camera = Make(Pace::kAsFastAsAskedFor);
  ASSERT_TRUE(camera.Open({}));
  const MonotonicTime start = clock_.Now();
  Frame last;
  for (int i = 0; i < 40; ++i) last = *Next(camera);
  EXPECT_EQ(clock_.Now(), start);
  EXPECT_NEAR(std::chrono::duration<double>(last.captured_at - start).count(), 39 / 30.0, 0.001);
}

TEST_F(ImageSequenceCameraTest, NamesAnUnreadablePictureAndGoesOnBehindIt) {
  PutFilm(40);
  files_.Put("/film/001.jpg", AsBytes("not a picture"));
  auto camera = Make();
  ASSERT_TRUE(camera.Open({}));
  ASSERT_TRUE(Next(camera));
  const auto bad = Next(camera);
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().code, ErrorCode::kCorrupt);
  EXPECT_THAT(bad.error().message, HasSubstr("/film/001.jpg"));
  EXPECT_EQ(Next(camera)->data.back(), 2);
}

TEST_F(ImageSequenceCameraTest, GivesUpAtTheDeadlineAndLosesNothing) {
  files_.Put("/film/a-0ms.jpg", Jpeg(1));
  files_.Put("/film/b-9000ms.jpg", Jpeg(2));
  auto camera = Make();
  ASSERT_TRUE(camera.Open({}));
  ASSERT_TRUE(Next(camera));
  EXPECT_EQ(camera.NextFrame(clock_.Now() + milliseconds(600)).error().code, ErrorCode::kTimeout);
  EXPECT_EQ(camera.NextFrame(clock_.Now() + milliseconds(600))->data.back(), 2);
}

TEST_F(ImageSequenceCameraTest, BeginsAgainWhenOpenedAgain) {
  PutFilm(40);
  auto camera = Make();
  ASSERT_TRUE(camera.Open({}));
  (void)Next(camera);
  (void)Next(camera);
  camera.Close();
  EXPECT_EQ(Next(camera).error().code, ErrorCode::kFailedPrecondition);
  ASSERT_TRUE(camera.Open({}));
  EXPECT_EQ(Next(camera)->data.back(), 0);
}

TEST_F(ImageSequenceCameraTest, RefusesAFolderWithoutPictures) {
  files_.Put("/film/readme.txt", AsBytes("none"));
  auto camera = Make();
  const auto opened = camera.Open({});
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, ErrorCode::kInvalid);
  EXPECT_EQ(opened.error().message, "/film holds no picture (*.jpg, *.jpeg or *.png)");
}

TEST_F(ImageSequenceCameraTest, NamesAFolderThatIsNotThere) {
  auto camera = Make();
  const auto opened = camera.Open({});
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, ErrorCode::kNotFound);
  EXPECT_THAT(opened.error().message, HasSubstr("/film"));
}

}  // namespace
}  // namespace idkiosk
