#include <gmock/gmock.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>

#include "platform/posix/file_confinement.h"
#include "tests/app/ui/raw_client.h"
#include "tests/integration/exit_codes.h"
#include "tests/integration/page_fixture.h"

// 'idkiosk run' as it is installed, touched through its page's own requests.
namespace idkiosk {
namespace {

using testing::HasSubstr;
using testing::Not;

class PageTest : public PageFixture {};

TEST_F(PageTest, VerifiesAPersonKeepsTheNextOfflineAndStopsCleanly) {
  StartSandbox();
  Provision();
  Run();
  struct stat start{};
  ASSERT_EQ(stat(StartFile().c_str(), &start), 0);
  EXPECT_EQ(start.st_mode & 0777, 0400U);
  EXPECT_THAT(Ask("GET /"), HasSubstr("Content-Encoding: gzip"));

  const auto stats = [this] { return Parse(Kiosk({"queue", "stats", "--json"}).out); };
  AskAboutThePerson(Visit::kFirst, [&] { EXPECT_EQ(Text(stats(), "/visit"), "true"); });
  EXPECT_EQ(Text(AwaitScreen("answer"), "/answer/kind"), "verified");
  EXPECT_EQ(BilledRows(), 1);
  EXPECT_EQ(Do("finish"), 204);

  StopSandbox();
  AskAboutThePerson(Visit::kAgain);
  const JsonDocument kept = AwaitScreen("answer");
  EXPECT_EQ(Text(kept, "/answer/kind"), "kept");
  EXPECT_EQ(Text(kept, "/answer/reason"), "network");
  Await("/online", "false");
  EXPECT_EQ(Do("finish"), 204);

  service_->Signal(SIGTERM);
  const Finished finished = service_->Wait();
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_EQ(finished.out, "file://" + StartFile() + "\n");
  EXPECT_THAT(finished.out + finished.err, Not(HasSubstr(test_nin_)));
  EXPECT_THAT(finished.out + finished.err, Not(HasSubstr(cookie_.substr(8))));
  EXPECT_FALSE(std::filesystem::exists(StartFile()));

  const JsonDocument waits = stats();
  EXPECT_EQ(Text(waits, "/pending"), "1");
  EXPECT_EQ(Text(waits, "/visit"), "false");
}

TEST_F(PageTest, OpensNoFileThatItHasNoBusinessWith) {
  if (!FileConfinement::IsAvailable()) GTEST_SKIP() << "this kernel has no Landlock";
  StartSandbox();
  const ScratchFolder voices;
  const ScratchFolder elsewhere;
  Provision(fmt::format(R"("ui": {{ "voice_folder": "{}" }},)", voices.path()));
  std::filesystem::create_directory(voices / "ha");
  const std::string wav = "RIFF....WAVE sound";
  WriteFile(voices / "ha/welcome.title.wav", wav);
  WriteFile(elsewhere / "file.wav", wav);
  std::filesystem::create_symlink(elsewhere / "file.wav", voices / "ha/welcome.choose.wav");
  Run();
  EXPECT_EQ(StatusOf(Ask("GET /voice/ha/welcome.title.wav")), 200);
  EXPECT_NE(StatusOf(Ask("GET /voice/ha/welcome.choose.wav")), 200);
  service_->Signal(SIGTERM);
  EXPECT_EQ(service_->Wait().exit_code, 0);
}

TEST_F(PageTest, LetsNobodyDeliverBesideIt) {
  ASSERT_NO_FATAL_FAILURE(StartSandbox());
  ASSERT_NO_FATAL_FAILURE(Provision());
  ASSERT_NO_FATAL_FAILURE(Run());
  const Finished refused = Kiosk({"run"});
  EXPECT_EQ(refused.exit_code, kKept) << refused.err;
  EXPECT_THAT(refused.err, HasSubstr("is running, and only one program"));
  // It is the kiosk that delivers.
  const Finished asked = Kiosk({"queue", "deliver"});
  EXPECT_EQ(asked.exit_code, 0) << asked.err;
  EXPECT_THAT(asked.err, HasSubstr("0 wait"));
}

TEST_F(PageTest, WritesItsStartPageOverNoOtherFile) {
  StartSandbox();
  Provision();
  ASSERT_EQ(Kiosk({"reasons"}).exit_code, 0);
  WriteFile(folder_ / "letter.html", "Dear customer");
  for (const std::string& path : {state() + "/vault/vault.key", folder_ / "letter.html"}) {
    const std::string before = ReadFile(path);
    ASSERT_FALSE(before.empty()) << path;
    // One that starts all the same is stopped, and would remove the file.
    Process kiosk(KioskCommand({"run", "--camera", "synthetic", "--start-page", path}));
    if (kiosk.AwaitErr("ready: ")) kiosk.Signal(SIGTERM);
    const Finished refused = kiosk.Wait();
    EXPECT_NE(refused.exit_code, 0) << path;
    EXPECT_THAT(refused.err, HasSubstr(path));
    ASSERT_TRUE(std::filesystem::exists(path)) << path;
    EXPECT_EQ(ReadFile(path), before) << path;
  }
}

// systemd as the program sees it: a socket that hears datagrams.
class NotifySocket {
 public:
  explicit NotifySocket(const std::string& path) : socket_(socket(AF_UNIX, SOCK_DGRAM, 0)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path.copy(address.sun_path, sizeof address.sun_path - 1);
    EXPECT_EQ(bind(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    setenv("NOTIFY_SOCKET", path.c_str(), 1);
    setenv("WATCHDOG_USEC", "1200000", 1);
  }
  ~NotifySocket() {
    close(socket_);
    unsetenv("NOTIFY_SOCKET");
    unsetenv("WATCHDOG_USEC");
  }

  std::string Next() const {
    char buffer[64];
    const ssize_t size = recv(socket_, buffer, sizeof buffer, 0);
    return size < 0 ? "nothing" : std::string(buffer, static_cast<size_t>(size));
  }

 private:
  int socket_;
};

TEST_F(PageTest, TellsSystemdThatItIsReadyAndMovesOn) {
  StartSandbox();
  Provision();
  const NotifySocket systemd(folder_ / "notify");
  Run();
  EXPECT_EQ(systemd.Next(), "READY=1");
  for (int i = 0; i < 4; ++i) EXPECT_EQ(systemd.Next(), "WATCHDOG=1");
  service_->Signal(SIGTERM);
  std::string last = systemd.Next();
  while (last == "WATCHDOG=1") last = systemd.Next();
  EXPECT_EQ(last, "STOPPING=1");
  EXPECT_EQ(service_->Wait().exit_code, 0);
}

}  // namespace
}  // namespace idkiosk
