#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "app/capture/vision/face_detector.h"
#include "drivers/secure_storage/mbedtls_crypto.h"
#include "platform/posix/posix_file_system.h"
#include "tests/app/capture/pictures.h"
#include "tests/fakes/scratch_folder.h"

namespace idkiosk {
namespace {

using testing::HasSubstr;

class DetectorChoiceTest : public testing::Test {
 protected:
  Result<ChosenDetector> Choose() {
    const std::array<std::string, 2> places = {folder_ + "/a.onnx", folder_ + "/b.onnx"};
    return ChooseDetector(settings_, places, files_, MbedtlsCrypto());
  }

  const ScratchFolder scratch_;
  const std::string& folder_ = scratch_.path();
  PosixFileSystem files_;
  CaptureSettings settings_;
};

TEST_F(DetectorChoiceTest, MakesDoWithCascadesAndSaysWhy) {
  const auto chosen = Choose();
  ASSERT_TRUE(chosen) << chosen.error().message;
  EXPECT_EQ(chosen->detector->name(), "OpenCV cascade frontalface_alt2");
  EXPECT_THAT(chosen->compromise, HasSubstr("no face model at " + folder_ + "/a.onnx or "));
  EXPECT_THAT(chosen->compromise, HasSubstr("run tools/setup"));
  EXPECT_NE(chosen->smiles, nullptr);
}

TEST_F(DetectorChoiceTest, NeverLoadsAModelOfAnotherDigest) {
  ASSERT_TRUE(
      files_.WriteDurably(folder_ + "/b.onnx", AsBytes("no model"), FileAccess::kOwnerOnly));
  const auto chosen = Choose();
  ASSERT_FALSE(chosen);
  EXPECT_EQ(chosen.error().code, ErrorCode::kCorrupt);
  EXPECT_THAT(chosen.error().message, HasSubstr(folder_ + "/b.onnx is not the expected file"));
}

TEST_F(DetectorChoiceTest, InsistsOnTheModelWhereConfigurationDoes) {
  settings_.detector = "yunet";
  EXPECT_EQ(Choose().error().code, ErrorCode::kNotFound);
  settings_.model = folder_ + "/mine.onnx";
  EXPECT_THAT(Choose().error().message, HasSubstr("no face model at " + folder_ + "/mine.onnx:"));
}

TEST_F(DetectorChoiceTest, NamesBothWhenThereIsNeither) {
  settings_.cascades = folder_;
  const auto chosen = Choose();
  ASSERT_FALSE(chosen);
  EXPECT_EQ(chosen.error().code, ErrorCode::kNotFound);
  EXPECT_THAT(chosen.error().message, HasSubstr("no face model at"));
  EXPECT_THAT(chosen.error().message, HasSubstr("install Debian's opencv-data"));
}

TEST_F(DetectorChoiceTest, NamesACascadeThatCannotBeRead) {
  settings_.detector = "cascade";
  settings_.cascades = folder_;
  ASSERT_TRUE(files_.WriteDurably(folder_ + "/haarcascade_frontalface_alt2.xml", AsBytes("<xml"),
                                  FileAccess::kOwnerOnly));
  const auto chosen = Choose();
  ASSERT_FALSE(chosen);
  EXPECT_EQ(chosen.error().code, ErrorCode::kCorrupt);
  EXPECT_THAT(chosen.error().message, HasSubstr("frontalface_alt2.xml is not a cascade"));
}

TEST_F(DetectorChoiceTest, AsksForSmilesOnlyWhereTheyCanBeTold) {
  settings_.detector = "cascade";
  for (const char* name : {"frontalface_alt2", "profileface"}) {
    const std::string file = std::string("/haarcascade_") + name + ".xml";
    std::filesystem::copy_file(settings_.cascades + file, folder_ + file);
  }
  settings_.cascades = folder_;
  const auto chosen = Choose();
  ASSERT_TRUE(chosen) << chosen.error().message;
  EXPECT_EQ(chosen->smiles, nullptr);
}

TEST_F(DetectorChoiceTest, RefusesADetectorThatItDoesNotKnow) {
  settings_.detector = "eyes";
  EXPECT_EQ(Choose().error().message,
            "capture.detector is 'eyes'; it can be auto, yunet or cascade");
}

TEST_F(DetectorChoiceTest, TakesTheNetworkWhereItsModelIs) {
  if (!HasYunet()) GTEST_SKIP() << "YuNet's model is not on this machine";
  const ChosenDetector chosen = MakeDetector("auto");
  EXPECT_EQ(chosen.detector->name(), "YuNet 2023mar");
  EXPECT_EQ(chosen.compromise.empty(), chosen.mesh != nullptr) << chosen.compromise;
}

TEST_F(DetectorChoiceTest, TakesTheMeshBesideTheModelOrSaysWhatGoesUnnoticed) {
  settings_.detector = "cascade";
  const auto without = Choose();
  ASSERT_TRUE(without) << without.error().message;
  EXPECT_EQ(without->mesh, nullptr);
  EXPECT_THAT(without->compromise,
              HasSubstr("no model of a face's points at " + folder_ + "/facemesh_468.onnx"));
  EXPECT_THAT(without->compromise, HasSubstr("closed eyes"));
  if (!HasMesh()) GTEST_SKIP() << "FaceMesh's model is not on this machine";
  std::filesystem::copy_file(MeshPath(), folder_ + "/facemesh_468.onnx");
  const auto with = Choose();
  ASSERT_TRUE(with) << with.error().message;
  EXPECT_NE(with->mesh, nullptr);
  EXPECT_EQ(with->compromise, "");
}

TEST_F(DetectorChoiceTest, NeverLoadsAMeshOfAnotherDigest) {
  settings_.detector = "cascade";
  settings_.model = folder_ + "/mine.onnx";
  ASSERT_TRUE(files_.WriteDurably(folder_ + "/facemesh_468.onnx", AsBytes("no model"),
                                  FileAccess::kOwnerOnly));
  const auto chosen = Choose();
  ASSERT_FALSE(chosen);
  EXPECT_EQ(chosen.error().code, ErrorCode::kCorrupt);
  EXPECT_THAT(chosen.error().message, HasSubstr("facemesh_468.onnx is not the expected file"));
}

}  // namespace
}  // namespace idkiosk
