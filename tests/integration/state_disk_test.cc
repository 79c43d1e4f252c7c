#include <gmock/gmock.h>
#include <sys/mount.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#include "tests/app/ui/raw_client.h"
#include "tests/fakes/small_disk.h"
#include "tests/integration/kiosk_fixture.h"

// 'idkiosk run' where the disk of its state takes nothing: it says so, and takes in nothing.
namespace idkiosk {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class StateDiskTest : public KioskFixture {
 protected:
  StateDiskTest() {
    std::filesystem::create_directory(state());
    disk_ = std::make_unique<SmallDisk>(state(), "24m,nr_inodes=120,mode=700");
    if (!disk_->mounted()) return;
    StartSandbox();
    Provision(fmt::format(R"("api": {{ "socket": "{}" }},)", Socket()));
    EXPECT_EQ(Kiosk({"reasons"}).exit_code, 0);
  }

  [[nodiscard]] std::string Socket() const { return folder_ / "api.sock"; }

  void Run() {
    kiosk_ = std::make_unique<Process>(
        KioskCommand({"run", "--camera", "synthetic", "--start-page", folder_ / "start.html"}));
    ASSERT_TRUE(kiosk_->AwaitErr("ready: ")) << kiosk_->err();
  }
  void End() {
    kiosk_->Signal(SIGTERM);
    EXPECT_EQ(kiosk_->Wait().exit_code, 0);
  }
  // As a disk that fails: what the kiosk has open stays open.
  [[nodiscard]] bool MakeReadOnly() const {
    const std::string path = state();
    const char* const folder = path.c_str();
    return mount(folder, folder, nullptr, MS_BIND, nullptr) == 0 &&
           mount(nullptr, folder, nullptr, MS_REMOUNT | MS_BIND | MS_RDONLY, nullptr) == 0;
  }
  [[nodiscard]] bool MakeWritable() const { return umount2(state().c_str(), MNT_DETACH) == 0; }
  void UseUpInodes() {
    std::filesystem::create_directory(state() + "/full");
    for (int i = 0; std::ofstream(fmt::format("{}/full/{}", state(), i)); ++i) {
    }
  }
  void UseUpBlocks() {
    std::ofstream big(state() + "/full/0", std::ios::binary | std::ios::app);
    const std::string page(4096, 'x');
    while (big.write(page.data(), static_cast<std::streamsize>(page.size())).flush()) {
    }
  }
  void FreeInodes() const { std::filesystem::remove_all(state() + "/full"); }

  [[nodiscard]] std::string Ask(const std::string& line, const std::string& body = "") const {
    RawClient program(Socket());
    program.Send(
        fmt::format("{} HTTP/1.1\r\nHost: local\r\nConnection: close\r\nContent-Type: "
                    "application/json\r\nContent-Length: {}\r\n\r\n{}",
                    line, body.size(), body));
    return program.ReadAll();
  }
  [[nodiscard]] std::string AskForACheck() const {
    return Ask("POST /v1/checks",
               fmt::format(R"({{"endpoint":"lookup_nin","nin":"{}","reason":"ACCOUNT_OPENING"}})",
                           test_nin_));
  }

  void ExpectNothingIsTakenIn(const char* why) {
    const std::string health = Ask("GET /v1/health");
    EXPECT_EQ(StatusOf(health), 503);
    EXPECT_THAT(health, AllOf(HasSubstr(R"("ready":false)"), HasSubstr(why)));
    const std::string refused = AskForACheck();
    EXPECT_EQ(StatusOf(refused), 503);
    EXPECT_THAT(refused, AllOf(HasSubstr("urn:idkiosk:problem:no-room"), HasSubstr(why)));
    EXPECT_THAT(Kiosk({"doctor"}).out, AllOf(HasSubstr("bad   room"), HasSubstr(why)));
  }

  std::unique_ptr<SmallDisk> disk_;
  std::unique_ptr<Process> kiosk_;
};

TEST_F(StateDiskTest, AReadOnlyOneIsSaidLikeAFullOne) {
  if (!disk_->mounted()) GTEST_SKIP() << "this test mounts a small file system: run it as root";
  ASSERT_NO_FATAL_FAILURE(Run());
  ASSERT_TRUE(MakeReadOnly());
  ExpectNothingIsTakenIn("is mounted read-only");
  ASSERT_TRUE(MakeWritable());
  EXPECT_EQ(StatusOf(AskForACheck()), 202);
}

TEST_F(StateDiskTest, WithoutAFreeInodeItStartsAndTakesNothingInUntilThereIsOne) {
  if (!disk_->mounted()) GTEST_SKIP() << "this test mounts a small file system: run it as root";
  ASSERT_NO_FATAL_FAILURE(Run());
  End();
  UseUpInodes();
  ASSERT_NO_FATAL_FAILURE(Run());
  ExpectNothingIsTakenIn("has no free inode");
  FreeInodes();
  EXPECT_EQ(StatusOf(AskForACheck()), 202);
}

// The log's index would have no page, and whoever writes to it be killed.
TEST_F(StateDiskTest, WithoutAFreeInodeAndFullItDeliversWhatWaits) {
  if (!disk_->mounted()) GTEST_SKIP() << "this test mounts a small file system: run it as root";
  StopSandbox();
  ASSERT_NO_FATAL_FAILURE(Run());
  ASSERT_EQ(StatusOf(AskForACheck()), 202);
  End();
  UseUpInodes();
  UseUpBlocks();
  StartSandbox();
  ASSERT_NO_FATAL_FAILURE(Run());
  while (BilledRows() == 0) {
  }
  End();
}

// There is no queue yet, and no place for one.
TEST_F(StateDiskTest, WithoutAFreeInodeTheFirstStartSaysWhyItCannotBe) {
  if (!disk_->mounted()) GTEST_SKIP() << "this test mounts a small file system: run it as root";
  UseUpInodes();
  const Finished refused = Kiosk({"run", "--camera", "synthetic"});
  EXPECT_NE(refused.exit_code, 0);
  EXPECT_THAT(refused.err, AllOf(HasSubstr("has no free inode"), HasSubstr("'df -i' counts them")));
}

}  // namespace
}  // namespace idkiosk
