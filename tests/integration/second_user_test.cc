#include <fcntl.h>
#include <gmock/gmock.h>
#include <grp.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <functional>

#include "tests/app/ui/raw_client.h"
#include "tests/integration/kiosk_fixture.h"

// What the browser's user, and anybody else on the board, gets of a kiosk that runs: real users,
// with the folders as config/systemd/idkiosk.tmpfiles makes them.
namespace idkiosk {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

struct User {
  uid_t uid;
  gid_t gid;
};
constexpr User kProgram{64990, 64990};
constexpr User kBrowser{65534, 65534};  // "nobody": a user that every machine knows by name
constexpr User kStranger{64991, 64991};

// The exit code of a process of that user that does `work`; -1 where a signal ended it.
int RunAs(const User& user, const std::function<int()>& work) {
  const pid_t child = fork();
  if (child == 0) {
    const bool is_user =
        setgroups(0, nullptr) == 0 && setgid(user.gid) == 0 && setuid(user.uid) == 0;
    _exit(is_user ? work() : 99);
  }
  int status = 0;
  (void)waitpid(child, &status, 0);
  EXPECT_NE(WEXITSTATUS(status), 99) << "the test's process is not of user " << user.uid;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

class SecondUserTest : public KioskFixture {
 protected:
  void SetUp() override {
    if (geteuid() != 0) GTEST_SKIP() << "processes of other users need root: run this test as root";
    ASSERT_NO_FATAL_FAILURE(StartSandbox());
    ASSERT_NO_FATAL_FAILURE(Provision(R"("ui": { "browser_user": "nobody" },)"));
    StopSandbox();
    // A call that waits, so that the queue holds somebody's number.
    ASSERT_EQ(Kiosk({"check", "--id-number", kNumber, "--wait", "0"}).exit_code, 4);
    ASSERT_EQ(chmod(folder_.path().c_str(), 0711), 0);
    for (const auto& each : fs::recursive_directory_iterator(folder_.path())) {
      Give(each.path(), kProgram);
    }
    MakeStartFolder("start", kBrowser);
    kiosk_ = Started("start");
    ASSERT_TRUE(kiosk_);
  }

  // As config/systemd/idkiosk.tmpfiles has it.
  void MakeStartFolder(const std::string& name, const User& reader) {
    const std::string path = folder_ / name;
    ASSERT_EQ(mkdir(path.c_str(), 0750), 0);
    ASSERT_EQ(chown(path.c_str(), kProgram.uid, reader.gid), 0);
    ASSERT_EQ(chmod(path.c_str(), 02750), 0);
  }

  std::unique_ptr<Process> Started(const std::string& start_folder) {
    std::vector<std::string> command = {"setpriv",
                                        "--reuid",
                                        std::to_string(kProgram.uid),
                                        "--regid",
                                        std::to_string(kProgram.gid),
                                        "--clear-groups",
                                        "--pdeathsig",
                                        "KILL"};
    for (const auto& each : KioskCommand({"run", "--camera", "synthetic", "--start-page",
                                          folder_ / start_folder + "/start.html"})) {
      command.push_back(each);
    }
    auto kiosk = std::make_unique<Process>(command);
    if (kiosk->AwaitErr("ready: ")) return kiosk;
    ADD_FAILURE() << kiosk->err();
    return nullptr;
  }

  static void Give(const std::string& path, const User& user) {
    ASSERT_EQ(lchown(path.c_str(), user.uid, user.gid), 0) << path;
  }
  [[nodiscard]] std::string start_page() const { return folder_ / "start" + "/start.html"; }

  // tools/attack adds them up.
  void TearDown() override { RecordProperty("attacks", attempts_); }

  // Something that must not work: `attack` returns whether it did.
  void Refused(const User& user, const std::string& name, const std::function<bool()>& attack) {
    ++attempts_;
    EXPECT_NE(RunAs(user, [&] { return attack() ? 0 : 1; }), 0)
        << "user " << user.uid << " may: " << name;
  }
  void RefusedToOpen(const User& user, const std::string& path) {
    for (const int flags : {O_RDONLY, O_WRONLY}) {
      Refused(user, (flags == O_RDONLY ? "read " : "write ") + path,
              [&] { return open(path.c_str(), flags | O_NONBLOCK) >= 0; });
    }
  }
  // `request`: whole, with its end.
  void RefusedByThePage(const User& user, const std::string& name, int port,
                        const std::string& request) {
    Refused(user, name, [&] {
      RawClient client(port);
      client.Send(request);
      const std::string answer = client.ReadAll();
      const int status = StatusOf(answer);
      return (status > 0 && status < 400) || answer.contains("Set-Cookie");
    });
  }

  static constexpr const char* kNumber = "70000000001";
  std::unique_ptr<Process> kiosk_;
  int attempts_ = 0;
};

TEST_F(SecondUserTest, NobodyElseReadsOrWritesAFileOfTheProgram) {
  std::vector<std::string> paths = {state(), folder_ / "kiosk.local.jsonc"};
  for (const auto& each : fs::recursive_directory_iterator(state())) paths.push_back(each.path());
  EXPECT_THAT(paths, testing::Contains(testing::EndsWith("vault.key")));
  const std::string camera = folder_ / "video0";
  ASSERT_EQ(mknod(camera.c_str(), S_IFCHR | 0660, makedev(81, 0)), 0);
  ASSERT_EQ(chmod(camera.c_str(), 0660), 0);
  paths.push_back(camera);
  for (const User& user : {kBrowser, kStranger}) {
    for (const std::string& path : paths) RefusedToOpen(user, path);
    Refused(user, "list the state folder", [&] {
      std::error_code error;
      return fs::directory_iterator(state(), error) != fs::directory_iterator();
    });
  }
}

TEST_F(SecondUserTest, NobodyElseSeesIntoTheProcess) {
  const std::string proc = "/proc/" + std::to_string(kiosk_->id());
  const std::string token = StartPage(ReadFile(start_page())).token;
  for (const User& user : {kBrowser, kStranger}) {
    for (const char* name : {"/environ", "/mem", "/maps", "/auxv", "/stack", "/syscall", "/io"}) {
      Refused(user, "read " + proc + name, [&] {
        char byte = 0;
        const int file = open((proc + name).c_str(), O_RDONLY);
        return file >= 0 && read(file, &byte, 1) == 1;
      });
    }
    for (const char* name : {"/fd", "/fdinfo", "/map_files", "/cwd/", "/root/"}) {
      Refused(user, "list " + proc + name, [&] {
        std::error_code error;
        return fs::directory_iterator(proc + name, error) != fs::directory_iterator();
      });
    }
    Refused(user, "trace it", [&] { return ptrace(PTRACE_SEIZE, kiosk_->id(), 0, 0) == 0; });
    Refused(user, "end it", [&] { return kill(kiosk_->id(), SIGTERM) == 0; });
    Refused(user, "read its memory", [&] {
      char here = 0;
      const iovec local{&here, 1};
      const iovec remote{reinterpret_cast<void*>(0x10000), 1};
      return process_vm_readv(kiosk_->id(), &local, 1, &remote, 1, 0) == 1 || errno != EPERM;
    });
  }
  // A command line is everybody's to read, unless the board hides it.
  const std::string command_line = ReadFile(proc + "/cmdline");
  EXPECT_THAT(command_line, HasSubstr("--start-page"));
  EXPECT_THAT(command_line, Not(HasSubstr(token)));
}

TEST_F(SecondUserTest, TheStartPageIsTheBrowsersToReadAndNobodysToWrite) {
  EXPECT_EQ(RunAs(kBrowser, [&] { return open(start_page().c_str(), O_RDONLY) >= 0 ? 0 : 1; }), 0);
  RefusedToOpen(kStranger, start_page());
  const std::string other = folder_ / "start" + "/start.html.new";
  for (const User& user : {kBrowser, kStranger}) {
    Refused(user, "write it", [&] { return open(start_page().c_str(), O_WRONLY) >= 0; });
    Refused(user, "remove it", [&] { return unlink(start_page().c_str()) == 0; });
    Refused(user, "lay a file in its way",
            [&] { return open(other.c_str(), O_WRONLY | O_CREAT, 0600) >= 0; });
    Refused(user, "link it", [&] { return link(start_page().c_str(), other.c_str()) == 0; });
    Refused(user, "make it readable", [&] { return chmod(start_page().c_str(), 0777) == 0; });
  }
  kiosk_->Signal(SIGTERM);
  EXPECT_EQ(kiosk_->Wait().exit_code, 0) << kiosk_->err();
  // Of another browser's kiosk, on the same board.
  MakeStartFolder("elsewhere", kStranger);
  kiosk_ = Started("elsewhere");
  RefusedToOpen(kBrowser, folder_ / "elsewhere" + "/start.html");
}

TEST_F(SecondUserTest, ThePageServesTheNewestBrowserOfItsUserAlone) {
  const StartPage used(ReadFile(start_page()));
  const auto come_in = [&](const User& user) {
    std::array<int, 2> ends{};
    EXPECT_EQ(pipe(ends.data()), 0);
    EXPECT_EQ(RunAs(user,
                    [&] {
                      const std::string cookie = CookieIn(StartPage(ReadFile(start_page())).Post());
                      return write(ends[1], cookie.data(), cookie.size()) > 0 ? 0 : 1;
                    }),
              0);
    std::string cookie(100, '\0');
    cookie.resize(static_cast<size_t>(std::max<ssize_t>(read(ends[0], cookie.data(), 100), 0)));
    close(ends[0]);
    close(ends[1]);
    return cookie;
  };
  const auto get = [&](const std::string& path, const std::string& cookie) {
    return fmt::format("GET {} HTTP/1.1\r\nHost: {}\r\nCookie: {}\r\nConnection: close\r\n\r\n",
                       path, used.host, cookie);
  };
  const std::string stolen = come_in(kBrowser);
  ASSERT_THAT(stolen, HasSubstr("idkiosk="));
  const std::string newest = come_in(kBrowser);
  ASSERT_NE(stolen, newest);
  for (const char* path :
       {"/", "/events", "/preview", "/pictures/0?s=1", "/voice/en/idle.title.wav"}) {
    RefusedByThePage(kBrowser, "no cookie", used.port, get(path, ""));
    RefusedByThePage(kBrowser, "the cookie of the browser before", used.port, get(path, stolen));
    // Even with what is good in the browser's hands.
    RefusedByThePage(kStranger, "the newest cookie", used.port, get(path, newest));
  }
  const StartPage fresh(ReadFile(start_page()));
  RefusedByThePage(kBrowser, "a token that was used", used.port, used.Request());
  RefusedByThePage(kStranger, "a token that was used", used.port, used.Request());
  RefusedByThePage(kStranger, "a token that is good", used.port, fresh.Request());
  EXPECT_EQ(StartPage(ReadFile(start_page())).token, fresh.token);
  EXPECT_EQ(RunAs(kBrowser,
                  [&] {
                    RawClient client(used.port);
                    client.Send(get("/", newest));
                    return StatusOf(client.ReadAll()) == 200 ? 0 : 1;
                  }),
            0);
}

}  // namespace
}  // namespace idkiosk
