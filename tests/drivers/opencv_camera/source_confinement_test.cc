#include "drivers/opencv_camera/source_confinement.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/sched.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <functional>

#include "platform/posix/file_confinement.h"
#include "platform/posix/process_hardening.h"
#include "tests/fakes/scratch_folder.h"

namespace idkiosk {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::IsSupersetOf;
using testing::Not;
using testing::StartsWith;

TEST(SourceNeedsTest, AFilmNeedsItsFileAndNobody) {
  for (const char* name : {"/srv/film.mp4", "file:///srv/film.mp4", "file:/srv/film.mp4"}) {
    const SourceNeeds needs = NeedsOf(name);
    EXPECT_THAT(needs.readable, Contains("/srv/film.mp4")) << name;
    EXPECT_THAT(needs.writable, ElementsAre("/dev/null"));
    EXPECT_THAT(needs.sockets, IsEmpty());
  }
}

TEST(SourceNeedsTest, ANumberNeedsItsDeviceAndNobody) {
  EXPECT_THAT(NeedsOf("7").writable, ElementsAre("/dev/null", "/dev/video7"));
  EXPECT_THAT(NeedsOf("7").sockets, IsEmpty());
}

TEST(SourceNeedsTest, AnAddressNeedsTheNetworkAndNoFileOfAnybody) {
  const SourceNeeds needs = NeedsOf("rtsp://clerk:s3cret@camera/live");
  EXPECT_THAT(needs.sockets, ElementsAre(AF_INET, AF_INET6));
  EXPECT_THAT(needs.readable, Contains("/etc/resolv.conf"));
  for (const char* place : {"/", "/etc", "/home", "/var", "/proc", "/run", "/dev", "/tmp"}) {
    EXPECT_THAT(needs.readable, Not(Contains(place)));
    EXPECT_THAT(needs.writable, Not(Contains(place)));
  }
}

TEST(SourceNeedsTest, APipelineNeedsWhatItNames) {
  const SourceNeeds film =
      NeedsOf(R"(filesrc location="/srv/a film.mp4" ! decodebin3x ! videoconvert ! appsink)");
  EXPECT_THAT(film.readable, Contains("/srv/a film.mp4"));
  EXPECT_THAT(NeedsOf("multifilesrc location=/srv/f-%03d.png ! appsink").readable,
              Contains("/srv"));
  EXPECT_THAT(NeedsOf("v4l2src device=/dev/video3 ! appsink").writable, Contains("/dev/video3"));
  struct Case {
    const char* pipeline;
    std::vector<int> sockets;
  };
  for (const Case& each : {
           Case{"v4l2src device=/dev/video3 ! videoconvert ! appsink", {}},
           {"libcamerasrc ! video/x-raw,width=1280 ! appsink", {}},
           {"filesrc location=/srv/film.mp4 ! qtdemux ! avdec_h264 ! appsink", {}},
           {"videotestsrc ! appsink", {}},
           {"rtspsrc location=rtsp://camera/live ! appsink", {AF_INET, AF_INET6}},
           {"udpsrc port=5000 ! appsink", {AF_INET, AF_INET6}},
           {"unheardofsrc ! appsink", {AF_INET, AF_INET6}},
           {"uridecodebin uri=http://camera/ ! appsink", {AF_INET, AF_INET6}},
           {"pipewiresrc ! appsink", {AF_INET, AF_INET6, AF_UNIX}},
       }) {
    EXPECT_EQ(NeedsOf(each.pipeline).sockets, each.sockets) << each.pipeline;
  }
}

// The exit code of a process that is confined to `needs` and then does `work`.
int Confined(const SourceNeeds& needs, const std::function<int()>& work) {
  const pid_t child = fork();
  if (child == 0) {
    HardenProcess();
    ConfineTo(needs);
    _exit(work());
  }
  int status = 0;
  (void)waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

class ConfinementTest : public testing::Test {
 protected:
  // tools/attack adds them up.
  void TearDown() override { RecordProperty("attacks", attacks_); }

  void Refused(const SourceNeeds& needs, const std::string& what,
               const std::function<bool()>& attack) {
    ++attacks_;
    EXPECT_EQ(Confined(needs, [&] { return attack() ? 1 : 0; }), 0) << what;
  }

  const ScratchFolder folder_;
  const SourceNeeds film_ = NeedsOf(folder_ / "film.avi");
  const SourceNeeds stream_ = NeedsOf("rtsp://camera/live");
  int attacks_ = 0;
};

TEST_F(ConfinementTest, OpensItsFilmAndNoOtherFile) {
  if (!FileConfinement::IsAvailable()) GTEST_SKIP() << "this kernel has no Landlock";
  const std::string film = folder_ / "film.avi";
  const std::string state = folder_ / "vault.key";
  std::ofstream(film) << "film";
  std::ofstream(state) << "key";
  EXPECT_EQ(Confined(film_, [&] { return open(film.c_str(), O_RDONLY) >= 0 ? 0 : 1; }), 0);
  const std::string environment = fmt::format("/proc/{}/environ", getpid());
  for (const SourceNeeds* needs : {&film_, &stream_}) {
    for (const std::string& path :
         {state, folder_.path(), std::string("/etc/passwd"), std::string("/"), environment,
          std::string("/dev/tty"), std::string("/dev/mem")}) {
      Refused(*needs, "read " + path, [&] { return open(path.c_str(), O_RDONLY) >= 0; });
    }
    for (const std::string& path : {film, state, folder_ / "new"}) {
      Refused(*needs, "write " + path,
              [&] { return open(path.c_str(), O_WRONLY | O_CREAT, 0600) >= 0; });
    }
    Refused(*needs, "remove its film", [&] { return unlink(film.c_str()) == 0; });
    Refused(*needs, "move its film",
            [&] { return rename(film.c_str(), (folder_ / "other").c_str()) == 0; });
  }
}

TEST_F(ConfinementTest, TalksToNobodyButItsStream) {
  for (const int family : {AF_UNIX, AF_INET, AF_INET6, AF_NETLINK, AF_PACKET, AF_VSOCK, AF_ALG}) {
    const auto make = [family] { return socket(family, SOCK_STREAM, 0) >= 0; };
    Refused(film_, fmt::format("make a socket of family {}", family), make);
    if (family == AF_INET || family == AF_INET6) continue;
    Refused(stream_, fmt::format("make a socket of family {}", family), make);
  }
  EXPECT_EQ(Confined(stream_, [] { return socket(AF_INET, SOCK_STREAM, 0) >= 0 ? 0 : 1; }), 0);
  // The kernel looks at no more than 32 bits of it.
  Refused(film_, "make a socket by a number that is too long",
          [] { return syscall(SYS_socket, (1L << 32) | AF_INET, SOCK_STREAM, 0) >= 0; });
  Refused(stream_, "wait for others", [] {
    const int here = socket(AF_INET, SOCK_STREAM, 0);
    return listen(here, 1) == 0;
  });
}

TEST_F(ConfinementTest, StartsNothingAndTouchesNoOtherProcess) {
  const pid_t other = getpid();
  for (const SourceNeeds* needs : {&film_, &stream_}) {
    Refused(*needs, "start a program", [] {
      const char* const arguments[] = {"true", nullptr};
      execv("/bin/true", const_cast<char**>(arguments));
      return errno != EPERM;
    });
    Refused(*needs, "start a process", [] {
      const pid_t child = fork();
      if (child == 0) _exit(0);
      return child > 0;
    });
    Refused(*needs, "start a process by the newest call", [] {
      clone_args arguments{};
      const long child = syscall(SYS_clone3, &arguments, sizeof arguments);
      if (child == 0) _exit(0);
      return child > 0;
    });
    Refused(*needs, "signal another process", [other] { return kill(other, 0) == 0; });
    Refused(*needs, "signal another thread",
            [other] { return syscall(SYS_tgkill, other, other, 0) == 0; });
    Refused(*needs, "trace another process",
            [other] { return ptrace(PTRACE_SEIZE, other, 0, 0) == 0; });
    Refused(*needs, "hold another process",
            [other] { return syscall(SYS_pidfd_open, other, 0) >= 0; });
    Refused(*needs, "limit another process", [other] {
      const rlimit none{0, 0};
      return prlimit(other, RLIMIT_NOFILE, &none, nullptr) == 0;
    });
    Refused(*needs, "load a filter into the kernel",
            [] { return syscall(SYS_bpf, 0, nullptr, 0) >= 0 || errno != EPERM; });
    Refused(*needs, "use io_uring",
            [] { return syscall(SYS_io_uring_setup, 1, nullptr) >= 0 || errno != EPERM; });
  }
}

TEST_F(ConfinementTest, HasAnEndOfMemoryAndFiles) {
  Refused(film_, "take two gigabytes", [] {
    constexpr size_t kMuch = size_t{2} << 30;
    void* const memory = malloc(kMuch);  // NOLINT
    return memory != nullptr;
  });
  Refused(film_, "open a thousand files", [] {
    int last = 0;
    for (int i = 0; i < 1000 && last >= 0; ++i) last = dup(STDERR_FILENO);
    return last >= 0;
  });
}

// What its libraries need.
TEST_F(ConfinementTest, StillRunsThreadsAndEndsItselfWhereSomethingIsWrong) {
  EXPECT_EQ(Confined(film_,
                     [] {
                       pthread_t thread{};
                       const auto work = [](void* sum) -> void* {
                         *static_cast<int*>(sum) = 7;
                         return nullptr;
                       };
                       int sum = 0;
                       if (pthread_create(&thread, nullptr, work, &sum) != 0) return 1;
                       pthread_join(thread, nullptr);
                       return sum;
                     }),
            7);
  EXPECT_EQ(Confined(film_,
                     []() -> int {
                       std::signal(SIGABRT, SIG_DFL);
                       abort();
                     }),
            128 + SIGABRT);
}

}  // namespace
}  // namespace idkiosk
