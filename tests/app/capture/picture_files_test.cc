#include "app/capture/picture_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <png.h>

#include <cstdlib>
#include <filesystem>

#include "app/capture/image/frame_decoder.h"
#include "drivers/camera/picture_file.h"
#include "platform/base/json.h"
#include "platform/posix/posix_file_system.h"
#include "tests/app/capture/pictures.h"
#include "tests/fakes/fake_clock.h"
#include "tests/fakes/fake_file_system.h"

namespace idkiosk {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

Bytes PictureOf(std::string_view script) {
  const Frame frame = Studio(script, 640, 360).Shoot();
  return {frame.data.begin(), frame.data.end()};
}

// A PNG of a JPEG's pixels, with an eXIf chunk that names `orientation`.
Bytes PngWithOrientation(const Bytes& jpeg, int orientation) {
  FrameDecoder decoder;
  Picture picture;
  EXPECT_TRUE(decoder.DecodeSmall(JpegFrame(jpeg), 4096, picture));
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(picture.width());
  image.height = static_cast<png_uint_32>(picture.height());
  image.format = PNG_FORMAT_BGR;
  const uint8_t* const pixels = picture.view().row(0);
  const auto stride = static_cast<png_int_32>(picture.view().row(1) - pixels);
  png_alloc_size_t size = 0;
  png_image_write_to_memory(&image, nullptr, &size, 0, pixels, stride, nullptr);
  Bytes png(size);
  png_image_write_to_memory(&image, png.data(), &size, 0, pixels, stride, nullptr);
  Bytes chunk = {
      0, 0, 0, 26, 'e', 'X',  'I', 'f', 'M', 'M', 0, 42, 0, 0,
      0, 8, 0, 1,  1,   0x12, 0,   3,   0,   0,   0, 1,  0, static_cast<uint8_t>(orientation),
      0, 0, 0, 0,  0,   0};
  uint32_t crc = 0xffffffff;
  for (const uint8_t byte : ByteSpan(chunk).subspan(4)) {
    crc ^= byte;
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ ((crc & 1) != 0 ? 0xedb88320 : 0);
  }
  for (int shift = 24; shift >= 0; shift -= 8) {
    chunk.push_back(static_cast<uint8_t>(~crc >> shift));
  }
  constexpr std::ptrdiff_t kBehindHeader = 33;  // the signature's 8 bytes and IHDR's 25
  png.insert(png.begin() + kBehindHeader, chunk.begin(), chunk.end());
  return png;
}

class PictureFilesTest : public testing::Test {
 protected:
  PictureFilesTest() {
    Put("selfie.jpg", "");
    Put("liveness-1.jpg", "yaw=30");
    Put("liveness-2.jpg", "yaw=-30");
    Put("liveness-3.jpg", "distance=0.8");
    Put("liveness-4.jpg", "smile=1,yaw=10");
  }

  void Put(const std::string& name, std::string_view script) {
    files_.Put("/p/" + name, PictureOf(script));
  }
  Result<CaptureResult> Bundle() {
    return BundleFromPictures(
        "/p", settings_, analyzer_, files_,
        [this](const std::string& path) { return ReadPictureFile(files_, path); }, clock_);
  }
  Result<std::string> Inspect(const std::string& path) {
    return InspectPicture(path, settings_, analyzer_, [this](const std::string& file) {
      return ReadPictureFile(files_, file);
    });
  }

  FakeFileSystem files_;
  FakeClock clock_;
  CaptureSettings settings_;
  ChosenDetector detector_ = MakeDetector("auto");
  FrameAnalyzer analyzer_{settings_, *detector_.detector, detector_.smiles.get(),
                          detector_.mesh.get()};
};

TEST_F(PictureFilesTest, MakeABundleCutToTheHead) {
  const auto result = Bundle();
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_LE(result->bundle.total_bytes(), 100000U);
  EXPECT_NEAR(static_cast<double>(result->bundle.selfie.width) / result->bundle.selfie.height, 0.75,
              0.01);
  EXPECT_FALSE(result->record.camera.live);
  EXPECT_EQ(result->record.pictures[4].name, "liveness-4");
}

TEST_F(PictureFilesTest, MayHaveOtherEndingsAndCase) {
  files_.Delete("/p/selfie.jpg");
  Put("Selfie.JPEG", "");
  EXPECT_TRUE(Bundle());
}

TEST_F(PictureFilesTest, NameTheOneThatIsMissing) {
  files_.Delete("/p/liveness-3.jpg");
  const auto result = Bundle();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::kNotFound);
  EXPECT_THAT(result.error().message, StartsWith("/p holds no liveness-3.jpg"));
}

TEST_F(PictureFilesTest, NameTheTwoThatShowTheSameMoment) {
  Put("liveness-3.jpg", "yaw=30");
  const auto result = Bundle();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::kRejected);
  EXPECT_THAT(result.error().message,
              StartsWith("/p/liveness-1.jpg and /p/liveness-3.jpg show the same moment"));
}

// A turned copy's landmarks are guesses: it would pass for another moment.
TEST_F(PictureFilesTest, NameTheOneThatIsNotUpright) {
  if (!HasYunet() || !detector_.mesh) GTEST_SKIP() << "a model is not on this machine";
  constexpr int kOnItsSide = 6;  // Exif's
  files_.Put("/p/liveness-3.png", PngWithOrientation(PictureOf("distance=0.8"), kOnItsSide));
  files_.Delete("/p/liveness-3.jpg");
  const auto result = Bundle();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::kRejected);
  EXPECT_THAT(result.error().message, StartsWith("/p/liveness-3.png: the head is not upright"));
}

TEST_F(PictureFilesTest, NameTheOneThatIsThereTwice) {
  Put("selfie.png", "");
  const auto result = Bundle();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::kInvalid);
  EXPECT_THAT(result.error().message, HasSubstr("more than one selfie: selfie.jpg, selfie.png"));
}

TEST_F(PictureFilesTest, NameTheOneThatIsNoPicture) {
  files_.Put("/p/liveness-2.jpg", AsBytes("text"));
  EXPECT_THAT(Bundle().error().message, StartsWith("/p/liveness-2.jpg is not a picture"));
  Bytes cut = PictureOf("");
  cut.resize(cut.size() / 2);
  files_.Put("/p/liveness-2.jpg", cut);
  const auto result = Bundle();
  EXPECT_EQ(result.error().code, ErrorCode::kCorrupt);
  EXPECT_THAT(result.error().message, StartsWith("/p/liveness-2.jpg: damaged JPEG"));
  EXPECT_THAT(Inspect("/p/liveness-2.jpg").error().message,
              StartsWith("/p/liveness-2.jpg: damaged JPEG"));
}

TEST_F(PictureFilesTest, NameTheOneThatIsLargerThanAnyCameraMakes) {
  files_.Put("/p/liveness-2.jpg", WithSize(PictureOf(""), 10000, 5001));
  const auto result = Bundle();
  EXPECT_EQ(result.error().code, ErrorCode::kInvalid);
  EXPECT_EQ(result.error().message,
            "/p/liveness-2.jpg: the JPEG is 10000 x 5001 pixels; more than 50 megapixels are "
            "refused");
  // One that may be as large as it says, but is not.
  files_.Put("/p/liveness-2.jpg", WithSize(PictureOf(""), 10000, 5000));
  EXPECT_THAT(Bundle().error().message, StartsWith("/p/liveness-2.jpg: damaged JPEG"));
}

// A network that is shown a strip of a picture finds faces where there are none.
TEST_F(PictureFilesTest, NameTheOneThatIsTooSmallOrTooLongForAFace) {
  struct Case {
    int width, height;
    bool good;
  };
  for (const Case& each : {Case{320, 32, false}, Case{32, 320, false}, Case{640, 96, false},
                           Case{96, 640, false}, Case{384, 96, true}, Case{64, 64, true}}) {
    files_.Put("/p/liveness-2.jpg", QuartersJpeg(each.width, each.height));
    const std::string refusal = fmt::format(
        "/p/liveness-2.jpg: {} x {} pixels; a picture of a person has at least 64 on each side, "
        "and no side is more than 4 times the other",
        each.width, each.height);
    const auto inspected = Inspect("/p/liveness-2.jpg");
    EXPECT_EQ(inspected ? "" : inspected.error().message, each.good ? "" : refusal);
    EXPECT_EQ(Bundle().error().message == refusal, !each.good);
  }
}

TEST_F(PictureFilesTest, AreTurnedAsAPngSays) {
  FrameDecoder decoder;
  for (int orientation = 1; orientation <= 8; ++orientation) {
    const Bytes jpeg = QuartersJpeg(64, 96);
    files_.Put("/a.png", PngWithOrientation(jpeg, orientation));
    files_.Put("/a.jpg", WithOrientation(jpeg, orientation));
    Picture png_picture, jpeg_picture;
    const auto png_size = decoder.DecodeSmall(*ReadPictureFile(files_, "/a.png"), 64, png_picture);
    const auto jpeg_size =
        decoder.DecodeSmall(*ReadPictureFile(files_, "/a.jpg"), 64, jpeg_picture);
    ASSERT_TRUE(png_size && jpeg_size);
    EXPECT_EQ(png_size->width, jpeg_size->width) << orientation;
    EXPECT_EQ(QuartersOf(png_picture), QuartersOf(jpeg_picture)) << orientation;
  }
}

struct Unfit {
  const char* what;
  const char* file;
  const char* script;
  const char* complaint;
};

class UnfitPictureTest : public PictureFilesTest, public testing::WithParamInterface<Unfit> {};

TEST_P(UnfitPictureTest, IsRefusedByNameAndReason) {
  if (!HasYunet()) GTEST_SKIP() << "YuNet's model is not on this machine";
  Put(GetParam().file, GetParam().script);
  const auto result = Bundle();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::kRejected);
  EXPECT_THAT(result.error().message, StartsWith(std::string("/p/") + GetParam().file));
  EXPECT_THAT(result.error().message, HasSubstr(GetParam().complaint));
}

INSTANTIATE_TEST_SUITE_P(
    Pictures, UnfitPictureTest,
    testing::Values(
        Unfit{"Nobody", "selfie.jpg", "people=0", "no face is in it"},
        Unfit{"TwoPeople", "liveness-3.jpg", "people=2",
              "more than one person is in it; cut it to the one"},
        Unfit{"Turned", "selfie.jpg", "yaw=35", "does not look into the camera (yaw_degrees 3"},
        Unfit{"Dark", "liveness-1.jpg", "light=dark", "too dark"},
        Unfit{"Blurred", "liveness-4.jpg", "blur=6", "blurred (sharpness"},
        Unfit{"FarAway", "selfie.jpg", "distance=4.5", "take it from nearer (face_width_px "}),
    [](const auto& parameter) { return parameter.param.what; });

TEST_F(PictureFilesTest, AreInspectedToTheLastMeasure) {
  const auto line = Inspect("/p/selfie.jpg");
  ASSERT_TRUE(line) << line.error().message;
  EXPECT_EQ(line->find('\n'), std::string::npos);
  const auto json = JsonDocument::Parse(*line);
  ASSERT_TRUE(json);
  const JsonView root = json->root();
  EXPECT_EQ(root["file"].AsString(), "/p/selfie.jpg");
  EXPECT_EQ(root["width_px"].AsInteger(), 640);
  EXPECT_EQ(root["faces"].children().size(), 1U);
  EXPECT_EQ(root["good_selfie"].AsBool(), true);
  EXPECT_TRUE(root.At("/measured/sharpness").exists());
  EXPECT_NEAR(*root.At("/measured/yaw_degrees").AsNumber(), 0, 6);
}

TEST_F(PictureFilesTest, SayWhyOneIsNoGoodSelfie) {
  Put("two.jpg", "people=2");
  const auto json = JsonDocument::Parse(*Inspect("/p/two.jpg"));
  EXPECT_EQ(json->root()["good_selfie"].AsBool(), false);
  EXPECT_EQ(json->root()["because"].AsString(), "more than one person is in it; cut it to the one");
  EXPECT_EQ(json->root()["faces"].children().size(), 2U);
  EXPECT_EQ(Inspect("/p/none.jpg").error().code, ErrorCode::kNotFound);
}

// Real people, where the machine has photographs of some.
TEST(PhotographTest, ArePortraitsThatPass) {
  const char* const folder = std::getenv("IDKIOSK_PHOTOS");
  if (folder == nullptr) GTEST_SKIP() << "IDKIOSK_PHOTOS names no folder with photographs";
  PosixFileSystem files;
  const CaptureSettings settings;
  const ChosenDetector detector = MakeDetector("auto");
  FrameAnalyzer analyzer(settings, *detector.detector, detector.smiles.get(), detector.mesh.get());
  const auto names = files.List(folder);
  ASSERT_TRUE(names);
  int pictures = 0;
  for (const std::string& name : *names) {
    if (!IsPictureName(name)) continue;
    ++pictures;
    const auto line =
        InspectPicture(std::string(folder) + "/" + name, settings, analyzer,
                       [&](const std::string& path) { return ReadPictureFile(files, path); });
    ASSERT_TRUE(line) << line.error().message;
    EXPECT_THAT(*line, HasSubstr("\"good_selfie\":true"));
  }
  EXPECT_GT(pictures, 0);
}

}  // namespace
}  // namespace idkiosk
