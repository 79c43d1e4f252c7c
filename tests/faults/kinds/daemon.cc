#include "tests/faults/kinds/daemon.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <memory>

#include "platform/base/file_descriptor.h"
#include "tests/app/ui/raw_client.h"
#include "tests/faults/fault_kiosk.h"
#include "tests/faults/running_kiosk.h"

namespace idkiosk::faults {
namespace {

namespace fs = std::filesystem;

constexpr int kNoPictures = 6;

// systemd as the program sees it: a socket that hears datagrams, and a patience.
class Systemd {
 public:
  explicit Systemd(const std::string& path)
      : path_(path), socket_(socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path.copy(address.sun_path, sizeof address.sun_path - 1);
    EXPECT_EQ(bind(socket_.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  }

  [[nodiscard]] std::vector<std::string> variables() const {
    return {"NOTIFY_SOCKET=" + path_, fmt::format("WATCHDOG_USEC={}", kPatienceMs * 1000)};
  }
  // Waits as long as systemd would, and returns whether it heard of progress; all else is skipped.
  [[nodiscard]] bool Fed() const {
    pollfd heard{.fd = socket_.get(), .events = POLLIN, .revents = 0};
    while (poll(&heard, 1, kPatienceMs) > 0) {
      char text[64];
      const ssize_t size = recv(socket_.get(), text, sizeof text, 0);
      if (size > 0 && std::string_view(text, static_cast<size_t>(size)) == "WATCHDOG=1")
        return true;
    }
    return false;
  }

  static constexpr int kPatienceMs = 2000;

 private:
  const std::string path_;
  const FileDescriptor socket_;
};

std::vector<pid_t> ThreadsOf(pid_t process) {
  std::vector<pid_t> threads;
  for (const auto& entry : fs::directory_iterator(fmt::format("/proc/{}/task", process))) {
    threads.push_back(std::stoi(entry.path().filename()));
  }
  std::ranges::sort(threads);
  return threads;
}

// Stops one thread as a debugger does.
class StoppedThread {
 public:
  StoppedThread(pid_t process, pid_t thread) : process_(process), thread_(thread) {
    int status = 0;
    stopped_ = ptrace(PTRACE_SEIZE, thread, nullptr, nullptr) == 0 &&
               ptrace(PTRACE_INTERRUPT, thread, nullptr, nullptr) == 0 &&
               waitpid(thread, &status, __WALL) == thread && WIFSTOPPED(status);
  }

  [[nodiscard]] bool stopped() const { return stopped_; }
  // Ends the whole process, as systemd does; somebody else waits for its first thread.
  void KillProcess() const {
    kill(process_, SIGKILL);
    if (thread_ != process_) waitpid(thread_, nullptr, __WALL);
  }

 private:
  const pid_t process_;
  const pid_t thread_;
  bool stopped_ = false;
};

// Whether systemd misses the kiosk's reports, or the kiosk sends what waits without that thread. It
// reports four times within the patience: the count is longer than every thread's word is good for.
bool IsMissedOrSpared(const Systemd& systemd, FaultKiosk& kiosk) {
  constexpr int kMost = 150 * 1000 / (Systemd::kPatienceMs / 4);
  for (int fed = 0; fed < kMost; ++fed) {
    if (!systemd.Fed()) return true;
    if (fed % 10 != 9) continue;
    const auto states = kiosk.States();
    const auto waits = [](const auto& call) { return call.second == "pending"; };
    if (std::ranges::none_of(states, waits)) return true;
  }
  return false;
}

// A kiosk with one of its threads stopped: the first one, which looks after the others, or any.
void StopOne(FaultKiosk& kiosk, int round) {
  Tally& tally = kiosk.tally();
  const Systemd systemd(kiosk.folder_ / fmt::format("notify-{}", round));
  RunningKiosk running(kiosk, systemd.variables());
  if (!running.AwaitReady() || !systemd.Fed()) {
    return tally.Break("the kiosk does not report to systemd: " + running.Stop().err);
  }
  const pid_t process = running.process().id();
  const auto threads = ThreadsOf(process);
  const StoppedThread stopped(process,
                              round == 0 ? process : threads[tally.Draw(1, threads.size() - 1)]);
  if (!stopped.stopped()) return tally.CannotRun("ptrace");
  kiosk.LetWait(1);
  tally.Inject();
  tally.Check(IsMissedOrSpared(systemd, kiosk), Invariant::kBack,
              fmt::format("one of {} threads is stuck, and nobody misses it", threads.size()));
  stopped.KillProcess();
  (void)kiosk.Note(running.process().Wait());
}

// What people send to a page who mean no good.
std::string Garbage(Tally& tally, int kind) {
  switch (kind % 5) {
    case 0:
      return "GET / HTTP/1.1\r\n";  // and never goes on
    case 1:
      return std::string(tally.Draw(1, 20000), static_cast<char>(tally.Draw(0, 255)));
    case 2:
      return "POST /command HTTP/1.1\r\nContent-Length: 1000000000\r\n\r\n";
    case 3:
      return "GET /" + std::string(100'000, 'a') + " HTTP/1.1\r\n\r\n";
    default:
      return "GET /events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";
  }
}

void Flood(Tally& tally, int port, int visitors) {
  std::vector<std::unique_ptr<RawClient>> open;
  for (int i = 0; i < visitors; ++i) {
    open.push_back(std::make_unique<RawClient>(port));
    (void)open.back()->Send(Garbage(tally, i));
    tally.Inject();
    // Some stay for longer than others.
    if (i % 3 == 0) open.erase(open.begin());
  }
}

}  // namespace

// Nobody is verified by a picture without a face, by one that never moves, or by five that were
// taken before.
void ShowFramesOfNobody(Tally& tally) {
  FaultKiosk kiosk(tally);
  if (!kiosk.Begin({.more = R"("capture": { "timeout": "5 s", "challenge_timeout": "3 s" },)"}))
    return;
  const std::vector<std::vector<std::string>> reels = {
      {fs::current_path() / "tests/fuzz/corpus/capture/grey.jpg"},
      {kiosk.pictures() + "/selfie.jpg"},
      {kiosk.pictures() + "/liveness-1.jpg", kiosk.pictures() + "/selfie.jpg"},
  };
  for (int i = 0; i < tally.Rounds(1, 20); ++i) {
    for (const auto& reel : reels) {
      const std::string frames = kiosk.folder_ / "frames";
      fs::remove_all(frames);
      fs::create_directory(frames);
      for (size_t frame = 0; frame < 40; ++frame) {
        fs::copy_file(reel[frame % reel.size()], fmt::format("{}/{:03}.jpg", frames, frame));
      }
      tally.Inject();
      const Finished looked = kiosk.Note(RunProgram(
          kiosk.VerifyCommand({"--camera", "images:" + frames}), kiosk.NextNin() + "\n"));
      tally.Check(looked.exit_code == kNoPictures && !looked.err.empty(), Invariant::kBack,
                  fmt::format("{} ends with {}: {}", reel[0], looked.exit_code, looked.err));
    }
  }
  tally.Check(kiosk.BilledRows() == 0, Invariant::kPaid, "somebody was billed for such frames");
  kiosk.Judge();
}

void FloodThePage(Tally& tally) {
  FaultKiosk kiosk(tally);
  if (!kiosk.Begin()) return;
  kiosk.LetWait(2);
  RunningKiosk running(kiosk);
  if (!running.AwaitReady()) return tally.Break("the kiosk does not start: " + running.Stop().err);
  const size_t descriptors = running.descriptors();
  const long memory = running.peak_kib();
  for (int i = 0; i < tally.Rounds(2, 300); ++i) Flood(tally, running.page_port(), 100);
  tally.Check(running.AwaitDelivered(), Invariant::kBack, "the flooded kiosk ended");
  RawClient visitor(running.page_port());
  (void)visitor.Send("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n");
  tally.Check(StatusOf(visitor.ReadAll()) != 0, Invariant::kBack,
              "the page answers nobody any more");
  // Those who left are forgotten: at most a few of them are still being heard.
  tally.Check(running.descriptors() <= descriptors + 40, Invariant::kBounded,
              fmt::format("{} descriptors, {} before", running.descriptors(), descriptors));
  tally.Check(running.peak_kib() <= memory + (64L << 10), Invariant::kBounded,
              fmt::format("{} KiB, {} before", running.peak_kib(), memory));
  tally.Check(running.Stop().exit_code == 0, Invariant::kBack,
              "the flooded kiosk does not end well");
  kiosk.Judge();
}

void StopAThread(Tally& tally) {
  FaultKiosk kiosk(tally);
  if (!kiosk.Begin({.service = R"("total_timeout": "2 s", "connect_timeout": "1 s",)"})) return;
  const int times = tally.Rounds(2, 60);
  for (int i = 0; i < times && tally.needs().empty(); ++i) StopOne(kiosk, i);
  kiosk.Judge();
}

}  // namespace idkiosk::faults
