#include "app/capture/tools/contact_sheet.h"

#include <gtest/gtest.h>

#include "tests/app/capture/pictures.h"

namespace idkiosk {
namespace {

using std::chrono::milliseconds;

class ContactSheetTest : public testing::Test {
 protected:
  // A frame of `seen_`, `later` than the one before.
  void Show(Guidance guidance, Duration later, int pictures = 0) {
    seen_.captured_at += later;
    sheet_.OnProgress({frame_, seen_, Prompt::kSelfie, guidance, pictures});
  }

  Picture Sheet() {
    const auto jpeg = sheet_.Encode();
    EXPECT_TRUE(jpeg) << jpeg.error().message;
    Picture picture;
    FrameDecoder decoder;
    EXPECT_TRUE(decoder.DecodeSmall(JpegFrame({jpeg->view().begin(), jpeg->view().end()}), 1 << 14,
                                    picture));
    return picture;
  }

  const Frame frame_ = JpegFrame(QuartersJpeg(1280, 704));
  FrameObservation seen_ = [] {
    FrameObservation seen;
    seen.captured_at = MonotonicTime(std::chrono::hours(1));
    seen.width = 1280;
    seen.height = 704;
    return seen;
  }();
  ContactSheet sheet_;
};

TEST_F(ContactSheetTest, ShowsWhatChangedAndAFrameNowAndThen) {
  Show(Guidance::kNoFace, {});
  EXPECT_EQ(sheet_.tiles(), 1U);
  for (int i = 0; i < 10; ++i) Show(Guidance::kNoFace, milliseconds(33));
  EXPECT_EQ(sheet_.tiles(), 1U) << "nothing changed";
  Show(Guidance::kMoveCloser, milliseconds(33));
  EXPECT_EQ(sheet_.tiles(), 2U);
  Show(Guidance::kMoveCloser, milliseconds(33), 1);
  EXPECT_EQ(sheet_.tiles(), 3U);
  Show(Guidance::kMoveCloser, milliseconds(400), 1);
  EXPECT_EQ(sheet_.tiles(), 4U);
}

TEST_F(ContactSheetTest, DrawsTheBoxWhereTheFaceIs) {
  FaceObservation& face = seen_.face.emplace();
  face.face.box = {640, 0, 640, 352};  // the green quarter
  Show(Guidance::kNone, {});
  const Picture sheet = Sheet();
  EXPECT_EQ(sheet.width(), 320);
  const uint8_t* const corner = sheet.row(87) + ptrdiff_t{3} * 161;  // its lower left
  const uint8_t* const inside = sheet.row(40) + ptrdiff_t{3} * 240;
  EXPECT_NE(corner[0], inside[0]);
  EXPECT_LT(inside[2], 60) << "the frame itself is seen";
}

TEST_F(ContactSheetTest, KeepsTheChangesOfACaptureThatTookLong) {
  Show(Guidance::kNoFace, {});
  for (int i = 0; i < 1000; ++i) Show(Guidance::kNoFace, milliseconds(500));
  EXPECT_LE(sheet_.tiles(), ContactSheet::kMostTiles);
  EXPECT_GT(sheet_.tiles(), ContactSheet::kMostTiles / 3);
  for (int i = 0; i < 200; ++i) {
    Show(i % 2 == 0 ? Guidance::kMoveCloser : Guidance::kMoveBack, milliseconds(33));
  }
  EXPECT_EQ(sheet_.tiles(), ContactSheet::kMostTiles);
}

TEST_F(ContactSheetTest, IsNoneWithoutAFrame) {
  EXPECT_EQ(sheet_.Encode().error().code, ErrorCode::kFailedPrecondition);
}

}  // namespace
}  // namespace idkiosk
