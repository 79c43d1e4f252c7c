#include "app/capture/vision/face_mesh.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "app/capture/image/frame_decoder.h"
#include "app/capture/quality_gate.h"
#include "drivers/camera/picture_file.h"
#include "platform/posix/posix_file_system.h"
#include "tests/app/capture/pictures.h"
#include "tests/fakes/seeded_rounds.h"

namespace idkiosk {
namespace {

TEST(FaceMeshLoadTest, RefusesWhatIsNoModelOrAnother) {
  EXPECT_EQ(FaceMesh::Load(AsBytes("no model")).error().code, ErrorCode::kCorrupt);
  if (!HasYunet()) GTEST_SKIP() << "YuNet's model is not on this machine";
  const auto other = PosixFileSystem().Read(YunetPath(), 1 << 20);
  ASSERT_TRUE(other);
  EXPECT_EQ(FaceMesh::Load(*other).error().message, "the model of a face's points is not FaceMesh");
}

class FaceMeshTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!HasYunet() || !HasMesh()) GTEST_SKIP() << "the models are not on this machine";
    chosen_ = MakeDetector("yunet");
    analyzer_.emplace(settings_, *chosen_.detector, chosen_.smiles.get(), chosen_.mesh.get());
  }

  FaceParts PartsOf(const std::string& script) {
    const auto seen = analyzer_->AnalyzeThoroughly(Studio(script, 1280, 720).Shoot());
    EXPECT_TRUE(seen && seen->face && seen->face->parts) << script;
    return seen && seen->face ? seen->face->parts.value_or(FaceParts()) : FaceParts();
  }

  Guidance Judge(int tone, std::string_view wear) {
    const auto script =
        fmt::format("tone={},seed={},distance=0.95{}{}", tone, tone, wear.empty() ? "" : ",", wear);
    const auto seen = analyzer_->AnalyzeThoroughly(Studio(script, 960, 720).Shoot());
    if (!seen) return Guidance::kNoFace;
    return QualityGate(settings_).Judge(*seen, Purpose::kSelfieStill);
  }

  CaptureSettings settings_;
  ChosenDetector chosen_;
  std::optional<FrameAnalyzer> analyzer_;
};

TEST_F(FaceMeshTest, SeesATiltThatTheDetectorHalves) {
  for (int roll : Sweep({-40, -25, -10, 0, 10, 25, 40})) {
    EXPECT_NEAR(PartsOf(fmt::format("roll={}", roll)).roll, roll, 3);
  }
}

TEST_F(FaceMeshTest, PutsItsPointsOnTheFace) {
  FrameDecoder decoder;
  const Frame frame = Studio("tone=6,roll=20", 1280, 720).Shoot();
  Picture picture;
  ASSERT_TRUE(decoder.DecodeSmall(frame, 1280, picture));
  const auto seen = analyzer_->Analyze(frame);
  ASSERT_TRUE(seen && seen->face);
  const auto mesh = chosen_.mesh->Look(picture.view(), seen->face->face);
  ASSERT_TRUE(mesh) << mesh.error().message;
  EXPECT_GT(mesh->score, 0.9);
  // The head's origin, between the eyes, is in the middle of the frame at 0.47 of its height.
  const Point &right = mesh->points[33], &left = mesh->points[263];
  EXPECT_NEAR((right.x + left.x) / 2, 640, 12);
  EXPECT_NEAR((right.y + left.y) / 2, 0.47 * 720, 12);
  EXPECT_EQ(mesh->upright.width, FaceMesh::kSide);
  EXPECT_NEAR(mesh->in_upright[33].y, mesh->in_upright[263].y, 6);
}

TEST_F(FaceMeshTest, SeesTheMouthOpenAndTheFaceOutside) {
  for (int tone : Sweep(1, 8)) {
    const std::string sitter = fmt::format("tone={},seed={}", tone, tone);
    EXPECT_LT(PartsOf(sitter).mouth_open, 0.1) << tone;
    EXPECT_LT(PartsOf(sitter + ",smile=1").mouth_open, settings_.max_mouth_open) << tone;
    EXPECT_GT(PartsOf(sitter + ",mouth=1").mouth_open, settings_.max_mouth_open) << tone;
    EXPECT_GT(PartsOf(sitter).room, 0.2) << tone;
  }
  EXPECT_LT(PartsOf("distance=0.45,pitch=-8").room, 0);
}

TEST_F(FaceMeshTest, RefusesWhatCoversAFaceOnEverybody) {
  for (int tone : Sweep(1, 8)) {
    for (const char* mask : Sweep({"mask=blue", "mask=white", "mask=black", "mask=brown"})) {
      EXPECT_EQ(Judge(tone, mask), Guidance::kFreeMouth) << tone << " " << mask;
    }
    EXPECT_THAT(Judge(tone, "glasses=dark"),
                testing::AnyOf(Guidance::kFreeEyes, Guidance::kOpenEyes))
        << tone;
  }
  // The black lashes of the darkest lids look like an iris.
  for (int tone : Sweep(1, 6)) {
    EXPECT_EQ(Judge(tone, "blink=1"), Guidance::kOpenEyes) << tone;
  }
}

TEST_F(FaceMeshTest, PassesGlassesBeardsScarvesAndHatsOnEverybody) {
  for (int tone : Sweep(1, 8)) {
    for (const char* wear : Sweep({"", "glasses=clear", "beard=yes", "scarf=yes", "hat=yes",
                                   "smile=1", "beard=yes,glasses=clear,hat=yes"})) {
      EXPECT_EQ(Judge(tone, wear), Guidance::kNone) << tone << " " << wear;
    }
  }
}

// The photographs that IDKIOSK_PHOTOS names, of people who look into the camera.
class MeshPhotographTest : public FaceMeshTest {
 protected:
  void SetUp() override {
    FaceMeshTest::SetUp();
    if (IsSkipped()) return;
    const char* const folder = std::getenv("IDKIOSK_PHOTOS");
    if (folder == nullptr) GTEST_SKIP() << "IDKIOSK_PHOTOS names no folder of photographs";
    PosixFileSystem files;
    const auto names = files.List(folder);
    ASSERT_TRUE(names) << names.error().message;
    for (const std::string& name : *names) {
      if (!IsPictureName(name)) continue;
      const auto frame = ReadPictureFile(files, fmt::format("{}/{}", folder, name));
      ASSERT_TRUE(frame) << frame.error().message;
      Picture picture;
      ASSERT_TRUE(decoder_.DecodeSmall(*frame, 1280, picture));
      photographs_.emplace_back(name, std::move(picture));
    }
  }

  FrameObservation Look(const Picture& picture) {
    const PictureView view = picture.view();
    Bytes bytes;
    for (int y = 0; y < view.height; ++y) {
      bytes.insert(bytes.end(), view.row(y), view.row(y) + ptrdiff_t{3} * view.width);
    }
    const auto seen = analyzer_->AnalyzeThoroughly(Frame::Owning(
        PixelFormat::kBgr, view.width, view.height, 3 * view.width, std::move(bytes)));
    EXPECT_TRUE(seen);
    return seen ? *seen : FrameObservation();
  }

  FrameDecoder decoder_;
  std::vector<std::pair<std::string, Picture>> photographs_;
};

TEST_F(MeshPhotographTest, PassesThemWithColoursAndWithout) {
  for (auto& [name, picture] : photographs_) {
    EXPECT_EQ(QualityGate(settings_).Judge(Look(picture), Purpose::kSelfieStill), Guidance::kNone)
        << name;
    Picture grey;
    grey.Resize(picture.width(), picture.height());
    for (int y = 0; y < grey.height(); ++y) {
      for (int x = 0; x < grey.width(); ++x) {
        const uint8_t* const bgr = picture.view().row(y) + ptrdiff_t{3} * x;
        std::fill_n(grey.row(y) + ptrdiff_t{3} * x, 3,
                    static_cast<uint8_t>((29 * bgr[0] + 150 * bgr[1] + 77 * bgr[2]) >> 8));
      }
    }
    EXPECT_EQ(QualityGate(settings_).Judge(Look(grey), Purpose::kSelfieStill), Guidance::kNone)
        << name << " without colours";
  }
}

TEST_F(FaceMeshTest, RefusesAFaceWithoutASize) {
  Picture picture;
  picture.Resize(64, 64);
  EXPECT_EQ(chosen_.mesh->Look(picture.view(), Face()).error().code, ErrorCode::kInvalid);
}

TEST(FaceMeshAbsenceTest, NothingIsSaidOfPartsWithoutTheModel) {
  const ChosenDetector chosen = MakeDetector("cascade");
  const CaptureSettings settings;
  FrameAnalyzer analyzer(settings, *chosen.detector);
  const auto seen = analyzer.AnalyzeThoroughly(Studio("", 1280, 720).Shoot());
  ASSERT_TRUE(seen && seen->face);
  EXPECT_FALSE(seen->face->parts);
  EXPECT_EQ(analyzer.detector_name(), "OpenCV cascade frontalface_alt2");
}

}  // namespace
}  // namespace idkiosk
