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
#include "tests/integration/kiosk_fixture.h"

// 'idkiosk run' as it is installed, touched through its page's own requests.
namespace idkiosk {
namespace {

using testing::HasSubstr;
using testing::Not;

// The page's stream of snapshots.
class SnapshotStream {
 public:
  SnapshotStream(int port, const std::string& request) : client_(port) { client_.Send(request); }

  // The next one, from the one in force on; nothing once the server has closed.
  std::string Next() {
    for (;;) {
      const size_t begin = received_.find(kMark);
      const size_t end = begin == std::string::npos ? begin : received_.find("\n\n", begin);
      if (end != std::string::npos) {
        std::string text = received_.substr(begin + kMark.size(), end - begin - kMark.size());
        received_.erase(0, end);
        return text;
      }
      const std::string more = client_.ReadSome();
      if (more.empty()) return more;
      received_ += more;
    }
  }

 private:
  static constexpr std::string_view kMark = "data: ";

  RawClient client_;
  std::string received_;
};

class PageTest : public KioskFixture {
 protected:
  void Run() {
    // The reasons are known from the beginning, and not once the kiosk has asked for them.
    ASSERT_EQ(Kiosk({"reasons"}).exit_code, 0);
    service_ = std::make_unique<Process>(
        KioskCommand({"run", "--camera", "synthetic", "--start-page", StartFile()}));
    ASSERT_TRUE(service_->AwaitErr("ready: ")) << service_->err();
    const StartPage start(ReadFile(StartFile()));
    host_ = start.host;
    port_ = start.port;
    cookie_ = CookieIn(start.Post());
    ASSERT_FALSE(cookie_.empty()) << service_->err();
  }

  std::string StartFile() const { return folder_ / "start.html"; }

  // `line`: method and path.
  std::string Ask(const std::string& line, const std::string& more = "",
                  const std::string& body = "") const {
    RawClient client(port_);
    client.Send(
        fmt::format("{} HTTP/1.1\r\nHost: {}\r\nCookie: {}\r\nConnection: close\r\n{}\r\n{}", line,
                    host_, cookie_, more, body));
    return client.ReadAll();
  }

  // Reads the page's snapshots, from the one in force on, until one has this at that pointer.
  // Later commands are of its session.
  JsonDocument Await(const std::string& pointer, const std::string& value) {
    SnapshotStream stream(
        port_,
        fmt::format("GET /events HTTP/1.1\r\nHost: {}\r\nCookie: {}\r\n\r\n", host_, cookie_));
    for (std::string text = stream.Next(); !text.empty(); text = stream.Next()) {
      JsonDocument snapshot = Parse(text);
      session_ = Text(snapshot, "/session");
      if (Text(snapshot, pointer) == value) return snapshot;
    }
    ADD_FAILURE() << pointer << " never became " << value << ": " << service_->err();
    return {};
  }
  JsonDocument AwaitScreen(const std::string& screen) { return Await("/screen", screen); }

  int Do(const std::string& command, const std::string& arguments = "") const {
    const std::string body =
        fmt::format(R"({{"session":"{}","do":"{}"{}}})", session_, command, arguments);
    return StatusOf(Ask("POST /command",
                        fmt::format("Origin: http://{}\r\nContent-Type: application/json\r\n"
                                    "Content-Length: {}\r\n",
                                    host_, body.size()),
                        body));
  }

  enum class Visit { kFirst, kAgain };
  // The same person comes again: the page points that out.
  void AskAboutThePerson(Visit visit) {
    AwaitScreen("welcome");
    EXPECT_EQ(Do("start", R"(,"language":"ha")"), 204);
    EXPECT_EQ(Do("agree"), 204);
    EXPECT_EQ(Do("number", fmt::format(R"(,"digits":"{}")", test_nin_)), 204);
    EXPECT_EQ(Do("next"), 204);
    EXPECT_EQ(Do("reason", R"(,"code":"ACCOUNT_OPENING")"), 204);
    if (visit == Visit::kAgain) {
      AwaitScreen("repeated");
      EXPECT_EQ(Do("go_on"), 204);
    }
    AwaitScreen("look");
    EXPECT_EQ(Do("send"), 204);
  }

  std::unique_ptr<Process> service_;
  std::string host_;
  std::string cookie_;
  std::string session_;
  int port_ = 0;
};

TEST_F(PageTest, VerifiesAPersonKeepsTheNextOfflineAndStopsCleanly) {
  StartSandbox();
  Provision();
  Run();
  struct stat start{};
  ASSERT_EQ(stat(StartFile().c_str(), &start), 0);
  EXPECT_EQ(start.st_mode & 0777, 0400U);
  EXPECT_THAT(Ask("GET /"), HasSubstr("Content-Encoding: gzip"));

  AskAboutThePerson(Visit::kFirst);
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

  const JsonDocument stats = Parse(Kiosk({"queue", "stats", "--json"}).out);
  EXPECT_EQ(Text(stats, "/pending"), "1");
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
