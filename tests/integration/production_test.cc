// Production bills nobody for what no live camera showed.
#include <gmock/gmock.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#include "tests/integration/exit_codes.h"
#include "tests/integration/kiosk_fixture.h"

namespace idkiosk {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kSomebody = "70123456789";

class ProductionTest : public KioskFixture {
 protected:
  void SetUp() override {
    environment_ = "production";
    ASSERT_NO_FATAL_FAILURE(StartSandbox());
  }

  Finished VerifyBy(const std::vector<std::string>& means) {
    return RunProgram(VerifyCommand(means), std::string(kSomebody) + "\n");
  }

  // Something that OpenCV would open, if it were asked.
  std::string Film() {
    std::ofstream(folder_ / "film.avi") << "no camera opens before it is refused";
    return folder_ / "film.avi";
  }
};

TEST_F(ProductionTest, BillsNobodyForADrawingARecordingOrPicturesTakenElsewhere) {
  ASSERT_NO_FATAL_FAILURE(Provision());
  for (const std::vector<std::string>& means :
       {std::vector<std::string>{"--camera", "synthetic"},
        {"--camera", "images:" + pictures()},
        {"--camera", "opencv:" + Film()},
        {"--camera", "opencv:file://" + Film()},
        {"--camera", "opencv:filesrc location=" + Film() + " ! decodebin ! appsink"},
        {"--pictures", pictures()}}) {
    const Finished refused = VerifyBy(means);
    EXPECT_EQ(refused.exit_code, kConfiguration) << means.back() << refused.err;
    EXPECT_THAT(refused.err, AllOf(HasSubstr("in production"), Not(HasSubstr("OpenCV"))));
  }
  EXPECT_EQ(BilledRows(), 0);
  EXPECT_EQ(Kiosk({"--json", "queue", "list"}).out, "[]\n");
}

// The drawn sitter is nobody, whatever is written down about recordings.
TEST_F(ProductionTest, NeverVerifiesTheDrawnSitter) {
  ASSERT_NO_FATAL_FAILURE(Provision(R"("capture": { "allow_recorded": true },)"));
  const Finished refused = VerifyBy({"--camera", "synthetic"});
  EXPECT_EQ(refused.exit_code, kConfiguration) << refused.err;
  EXPECT_THAT(refused.err, HasSubstr("synthetic shows a drawing of a person"));
  EXPECT_EQ(BilledRows(), 0);
}

TEST_F(ProductionTest, VerifiesByRecordingsWhereThatIsWrittenDown) {
  ASSERT_NO_FATAL_FAILURE(Provision(R"("capture": { "allow_recorded": true },)"));
  const Finished asked = VerifyBy({"--pictures", pictures()});
  EXPECT_EQ(Text(Parse(asked.out), "/state"), "done") << asked.err;
  EXPECT_EQ(BilledRows(), 1);
}

TEST_F(ProductionTest, RunsNoKioskThatWouldShowAnythingElse) {
  ASSERT_NO_FATAL_FAILURE(Provision());
  for (const std::string& source :
       {std::string("synthetic"), "images:" + pictures(), "opencv:" + Film()}) {
    const Finished refused = Kiosk({"run", "--camera", source});
    EXPECT_EQ(refused.exit_code, kConfiguration) << refused.err;
    EXPECT_THAT(refused.err, AllOf(HasSubstr("in production"), HasSubstr(source)));
  }
}

// There is nothing to see where the machine has a camera.
TEST_F(ProductionTest, DrawsNobodyWhereNoCameraIs) {
  ASSERT_NO_FATAL_FAILURE(Provision());
  for (const auto& entry : std::filesystem::directory_iterator("/dev")) {
    if (entry.path().filename().string().starts_with("video")) GTEST_SKIP() << "there is a camera";
  }
  const Finished refused = VerifyBy({"--camera", "auto"});
  EXPECT_EQ(refused.exit_code, kConfiguration) << refused.err;
  EXPECT_THAT(refused.err, HasSubstr("auto finds no camera"));
  EXPECT_EQ(BilledRows(), 0);
  // One may be plugged in later: the kiosk runs, and says that it is without.
  Process run(KioskCommand({"run", "--camera", "auto"}));
  EXPECT_TRUE(run.AwaitErr("auto finds no camera")) << run.err();
  EXPECT_TRUE(run.AwaitErr("ready: "));
  run.Signal(SIGTERM);
  EXPECT_EQ(run.Wait().exit_code, kDone);
}

}  // namespace
}  // namespace idkiosk
