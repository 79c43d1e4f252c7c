#include "app/operator/installation_protocol.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "platform/base/json.h"
#include "tests/fakes/fake_clock.h"
#include "tests/fakes/fake_file_system.h"

namespace idkiosk {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

InstallationProtocol Protocol() {
  InstallationProtocol protocol;
  protocol.version = "1.2.3";
  protocol.made_at = FakeClock().WallNow();
  protocol.service = "sandbox, https://a.example";
  protocol.signed_by = "a.installer";
  protocol.steps = {
      {"screen", {{KioskPart::kScreen, FindingState::kGood, "HDMI-A-1, 1920x1080", ""}}},
      {"network", {{KioskPart::kService, FindingState::kBad, "it is away", "Plug it in."}}}};
  return protocol;
}

TEST(InstallationProtocolTest, TextSaysWhatIsToBeMendedAndWhoSigns) {
  const std::string text = ProtocolText(Protocol());
  EXPECT_THAT(text, HasSubstr("\nscreen\n  good  screen         HDMI-A-1, 1920x1080\n"));
  EXPECT_THAT(text, HasSubstr("  bad   service        it is away\n"));
  EXPECT_THAT(text, HasSubstr("-> Plug it in.\n"));
  EXPECT_THAT(text, HasSubstr("Result: not ready. Good: 1, to know: 0, to mend: 1."));
  EXPECT_THAT(text, HasSubstr("Installed and looked at by a.installer."));
  EXPECT_THAT(text, HasSubstr("Date and signature: ____"));
}

TEST(InstallationProtocolTest, OnlyAKioskWithNothingBadIsReady) {
  InstallationProtocol protocol = Protocol();
  protocol.steps.pop_back();
  EXPECT_THAT(ProtocolText(protocol), HasSubstr("Result: ready."));
  protocol.steps.back().findings.push_back(
      {KioskPart::kScreen, FindingState::kNote, "no touch panel", "Plug it in."});
  EXPECT_THAT(ProtocolText(protocol), HasSubstr("Result: ready. Good: 1, to know: 1"));
}

TEST(InstallationProtocolTest, JsonHoldsTheSame) {
  const auto document = JsonDocument::Parse(ProtocolJson(Protocol()));
  ASSERT_TRUE(document) << document.error().message;
  const JsonView root = document->root();
  EXPECT_EQ(root["result"].AsString(), "not ready");
  EXPECT_EQ(root["signed_by"].AsString(), "a.installer");
  EXPECT_EQ(root["program"].AsString(), "1.2.3");
  EXPECT_EQ(root.At("/steps/1/step").AsString(), "network");
  EXPECT_EQ(root.At("/steps/1/findings/0/mend").AsString(), "Plug it in.");
}

TEST(InstallationProtocolTest, HoldsNoNumberOfAPersonAndNothingThatATerminalObeys) {
  InstallationProtocol protocol = Protocol();
  protocol.steps.back().findings[0].text = "of 70123456789 \x1b[2J";
  for (const std::string& text : {ProtocolText(protocol), ProtocolJson(protocol)}) {
    EXPECT_THAT(text, Not(HasSubstr("7012345")));
    EXPECT_THAT(text, Not(HasSubstr("\x1b")));
  }
}

TEST(InstallationProtocolTest, IsKeptAsTextAndJsonForItsOwnerAlone) {
  FakeFileSystem files;
  const auto path = KeepProtocol(files, "/state/installation", Protocol());
  ASSERT_TRUE(path) << path.error().message;
  EXPECT_EQ(*path, "/state/installation/installation-20261120T010000.000Z.txt");
  const auto text = files.ReadSecret(*path, 1 << 20);  // refuses what somebody else may read
  ASSERT_TRUE(text) << text.error().message;
  EXPECT_EQ(text->text(), ProtocolText(Protocol()));
  EXPECT_TRUE(*files.Exists("/state/installation/installation-20261120T010000.000Z.json"));
}

TEST(InstallationProtocolTest, TheNewestTenStay) {
  FakeFileSystem files;
  files.Put("/state/installation/notes.txt", AsBytes("mine"));
  InstallationProtocol protocol = Protocol();
  std::vector<std::string> paths;
  for (int i = 0; i < 13; ++i) {
    protocol.made_at += std::chrono::minutes(1);
    paths.push_back(*KeepProtocol(files, "/state/installation", protocol));
  }
  EXPECT_THAT(*files.List("/state/installation"), SizeIs(21));
  for (size_t i = 0; i < paths.size(); ++i) EXPECT_EQ(*files.Exists(paths[i]), i >= 3) << i;
  EXPECT_TRUE(*files.Exists("/state/installation/notes.txt"));
}

TEST(InstallationProtocolTest, AFullDiskIsSaid) {
  FakeFileSystem files;
  files.set_capacity(100);
  const auto path = KeepProtocol(files, "/state/installation", Protocol());
  ASSERT_FALSE(path);
  EXPECT_EQ(path.error().code, ErrorCode::kExhausted);
}

}  // namespace
}  // namespace idkiosk
