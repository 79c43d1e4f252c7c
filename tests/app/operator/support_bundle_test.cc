#include "app/operator/support_bundle.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "platform/base/json.h"
#include "tests/fakes/fake_clock.h"
#include "tests/fakes/fake_file_system.h"

namespace idkiosk {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

SupportFacts Facts() {
  SupportFacts facts;
  facts.version = "1.2.3";
  facts.made_at = FakeClock().WallNow();
  facts.uptime = std::chrono::hours(5);
  facts.settings.service.base_url = "https://a.example";
  facts.findings = {{KioskPart::kCamera, FindingState::kBad, "it is away", "Plug it in."}};
  facts.queue.emplace().In(CallState::kPending) = 3;
  facts.currency = "NGN";
  facts.hours = {{facts.made_at, 2, 20'000}};
  facts.log = LinesOf({{facts.made_at, LogLevel::kWarning, "camera: away"}});
  return facts;
}

JsonDocument Read(const SupportFacts& facts) {
  auto document = JsonDocument::Parse(SupportText(facts));
  EXPECT_TRUE(document) << document.error().message;
  return document ? std::move(*document) : JsonDocument();
}

TEST(SupportBundleTest, SaysHowTheKioskIs) {
  const JsonDocument bundle = Read(Facts());
  const JsonView root = bundle.root();
  EXPECT_EQ(root.At("/program/version").AsString(), "1.2.3");
  EXPECT_EQ(root.At("/program/uptime_s").AsNumber(), 18'000);
  EXPECT_EQ(root["settings"]["service.base_url"].AsString(), "https://a.example");
  EXPECT_EQ(root.At("/readiness/0/mend").AsString(), "Plug it in.");
  EXPECT_EQ(root.At("/queue/pending").AsInteger(), 3);
  EXPECT_EQ(root.At("/billed_by_hour/0/price").AsNumber(), 200);
  EXPECT_THAT(std::string(*root.At("/log/0").AsString()), EndsWith(" warning camera: away"));
}

TEST(SupportBundleTest, HoldsNothingOfAPersonAndNoSecret) {
  SupportFacts facts = Facts();
  facts.settings.service.test_nin = "70123456789";
  facts.settings.service.proxy = "http://clerk:passing@proxy.example:3128";
  facts.settings.camera.source = "opencv:rtsp://admin:watching@10.0.0.2/";
  facts.findings.push_back({KioskPart::kQueue, FindingState::kBad, "of 70123456780", "none"});
  facts.queue->holds.emplace_back().detail = "asked for 70123456781";
  facts.log.emplace_back("NIN 70123456782, tel +2348012345678");
  CaptureRecord record;
  record.camera.source = "opencv:rtsp://admin:watching@10.0.0.2/";
  PictureRecord selfie;
  selfie.seen.face.emplace();
  selfie.seen.face->light.mean = 123.5;
  record.pictures.push_back(selfie);
  facts.last_capture = record;
  const std::string text = SupportText(facts);
  for (const char* leak :
       {"7012345", "23480", "clerk", "passing", "admin", "watching", "123.5", "luma_"}) {
    EXPECT_THAT(text, Not(HasSubstr(leak)));
  }
  EXPECT_THAT(text, HasSubstr("NIN [number], tel +[number]"));
  EXPECT_THAT(text, HasSubstr("10.0.0.2"));
}

TEST(SupportBundleTest, NamesNobodyOfTheStaff) {
  SupportFacts facts = Facts();
  facts.staff = {"anna", "b.bello", "me"};
  facts.log = {"the clerk was let in: Anna", "signed out: b.bello.", "anna-2 and meme stay, not me",
               "(ANNA)"};
  facts.findings.push_back({KioskPart::kVault, FindingState::kBad, "anna's PIN", "Ask b.bello."});
  const JsonDocument bundle = Read(facts);
  EXPECT_EQ(bundle.root().At("/log/0").AsString(), "the clerk was let in: [name]");
  EXPECT_EQ(bundle.root().At("/log/1").AsString(), "signed out: [name].");
  EXPECT_EQ(bundle.root().At("/log/2").AsString(), "anna-2 and meme stay, not [name]");
  EXPECT_EQ(bundle.root().At("/log/3").AsString(), "([name])");
  EXPECT_EQ(bundle.root().At("/readiness/1/text").AsString(), "[name]'s PIN");
  EXPECT_EQ(bundle.root().At("/readiness/1/mend").AsString(), "Ask [name].");
}

TEST(SupportBundleTest, IsWrittenWholeForItsOwnerAlone) {
  FakeFileSystem files;
  const auto path = KeepSupportBundle(files, "/state", Facts());
  ASSERT_TRUE(path) << path.error().message;
  EXPECT_THAT(*path, testing::StartsWith("/state/support/support-20261120T010000"));
  // ReadSecret refuses what somebody else may read.
  const auto kept = files.ReadSecret(*path, 1 << 20);
  ASSERT_TRUE(kept) << kept.error().message;
  EXPECT_EQ(kept->text(), SupportText(Facts()));
}

TEST(SupportBundleTest, KeepsTheNewestFiveAndNothingElseGoes) {
  FakeFileSystem files;
  files.Put("/state/support/notes.txt", AsBytes("mine"));
  SupportFacts facts = Facts();
  std::vector<std::string> paths;
  for (int i = 0; i < 8; ++i) {
    facts.made_at += std::chrono::minutes(1);
    paths.push_back(*KeepSupportBundle(files, "/state", facts));
  }
  EXPECT_THAT(*files.List("/state/support"), SizeIs(6));
  for (size_t i = 0; i < paths.size(); ++i) EXPECT_EQ(*files.Exists(paths[i]), i >= 3) << i;
  EXPECT_TRUE(*files.Exists("/state/support/notes.txt"));
}

TEST(SupportBundleTest, FullDiskIsSaid) {
  FakeFileSystem files;
  files.set_capacity(100);
  const auto path = KeepSupportBundle(files, "/state", Facts());
  ASSERT_FALSE(path);
  EXPECT_EQ(path.error().code, ErrorCode::kExhausted);
}

TEST(SupportBundleTest, OfALogFileTheNewestLinesAreTaken) {
  FakeFileSystem files;
  std::string text;
  for (size_t i = 0; i < 3 * kKeptLogLines; ++i) text += fmt::format("line {}\n", i);
  files.Put("/log", AsBytes(text));
  const auto lines = NewestLinesOf(files, "/log");
  ASSERT_THAT(lines, SizeIs(kKeptLogLines));
  EXPECT_EQ(lines.front(), fmt::format("line {}", 2 * kKeptLogLines));
  EXPECT_THAT(NewestLinesOf(files, "/none"), SizeIs(0));
}

}  // namespace
}  // namespace idkiosk
