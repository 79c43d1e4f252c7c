#include "app/capture/vision/moment.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "app/capture/image/frame_decoder.h"
#include "app/capture/image/jpeg_encoder.h"
#include "drivers/camera/picture_file.h"
#include "platform/posix/posix_file_system.h"
#include "tests/app/capture/pictures.h"

namespace idkiosk {
namespace {

class MomentTest : public testing::Test {
 protected:
  Moment Of(const Frame& frame) {
    Picture picture;
    const auto size = decoder_.DecodeSmall(frame, Moment::kSide, picture);
    const auto seen = analyzer_.AnalyzeThoroughly(frame);
    EXPECT_TRUE(size && seen);
    if (!seen || !seen->face) return {std::move(picture), {0, 0, 1, 1}};
    const float scale = static_cast<float>(picture.width()) / static_cast<float>(size->width);
    const Box& box = seen->face->face.box;
    return {std::move(picture),
            {box.x * scale, box.y * scale, box.width * scale, box.height * scale}};
  }
  // Made smaller and coarser, as somebody does who wants a second picture of a first.
  Frame Again(const Frame& frame, int side, int quality) {
    Picture smaller;
    EXPECT_TRUE(decoder_.DecodeSmall(frame, side, smaller));
    const auto jpeg = JpegEncoder().Encode(smaller.view(), quality);
    EXPECT_TRUE(jpeg);
    return JpegFrame(Bytes(jpeg->view().begin(), jpeg->view().end()));
  }

  FrameDecoder decoder_;
  CaptureSettings settings_;
  ChosenDetector detector_ = MakeDetector("auto");
  FrameAnalyzer analyzer_{settings_, *detector_.detector, detector_.smiles.get()};
};

TEST_F(MomentTest, KnowsAPictureAgain) {
  for (const char* script : {"", "tone=8", "distance=0.8"}) {
    const Frame frame = Studio(script, 640, 360).Shoot();
    const Moment moment = Of(frame);
    EXPECT_EQ(moment.DifferenceFrom(moment), 0);
    for (const int side : {640, 320}) {
      for (const int quality : {95, 60}) {
        EXPECT_TRUE(Of(Again(frame, side, quality)).IsThatOf(moment)) << side << " " << quality;
        EXPECT_TRUE(moment.IsThatOf(Of(Again(frame, side, quality)))) << side << " " << quality;
      }
    }
  }
}

TEST_F(MomentTest, KnowsTheNextFrameOfSomebodyWhoKeepsStill) {
  Studio studio("", 640, 360, 30);
  const Moment moment = Of(studio.Shoot());
  EXPECT_TRUE(Of(studio.Shoot()).IsThatOf(moment));
}

TEST_F(MomentTest, TellsWhatAPersonIsAskedForApart) {
  for (const char* tone : {"tone=2", "tone=8"}) {
    const Moment moment = Of(Studio(tone, 640, 360).Shoot());
    for (const char* asked : {",yaw=30", ",yaw=-30", ",pitch=20", ",distance=0.8"}) {
      const Moment other = Of(Studio(std::string(tone) + asked, 640, 360).Shoot());
      EXPECT_FALSE(other.IsThatOf(moment)) << tone << asked;
    }
  }
}

// Real people, where the machine has photographs of some.
TEST_F(MomentTest, KnowsAPhotographAgainAndNoOther) {
  const char* const folder = std::getenv("IDKIOSK_PHOTOS");
  if (folder == nullptr) GTEST_SKIP() << "IDKIOSK_PHOTOS names no folder with photographs";
  PosixFileSystem files;
  std::vector<Moment> others;
  const auto names = files.List(folder);
  ASSERT_TRUE(names);
  for (const std::string& name : *names) {
    if (!IsPictureName(name)) continue;
    const auto frame = ReadPictureFile(files, std::string(folder) + "/" + name);
    ASSERT_TRUE(frame) << frame.error().message;
    Moment moment = Of(*frame);
    EXPECT_TRUE(Of(Again(*frame, 640, 60)).IsThatOf(moment)) << name;
    for (const Moment& other : others) EXPECT_FALSE(other.IsThatOf(moment)) << name;
    others.push_back(std::move(moment));
  }
}

}  // namespace
}  // namespace idkiosk
