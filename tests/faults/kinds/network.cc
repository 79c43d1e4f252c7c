#include "tests/faults/kinds/network.h"

#include <fmt/format.h>
#include <netinet/in.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <optional>
#include <thread>

#include "tests/faults/fault_kiosk.h"
#include "tests/faults/victims.h"

namespace idkiosk::faults {
namespace {

using Fault = ByteProxy::Fault;
using Kind = ByteProxy::Fault::Kind;

// A kiosk that soon gives a silent service up.
const FaultKiosk::Settings kImpatient{
    .service = R"("total_timeout": "1 s", "connect_timeout": "500 ms",)"};

// The bytes of both sides in a connection that carries one call, pictures or not.
struct Sizes {
  size_t request = 0;
  size_t answer = 0;
};

Invocation NextCall(FaultKiosk& kiosk, bool with_pictures) {
  return CallVictims()[with_pictures ? 1 : 0].prepare(kiosk);
}

Sizes Measure(FaultKiosk& kiosk, bool with_pictures) {
  const Invocation call = NextCall(kiosk, with_pictures);
  (void)kiosk.Note(RunProgram(call.arguments, call.input));
  return {kiosk.network().request_bytes(), kiosk.network().answer_bytes()};
}

// One call under this fault; it counts once the fault has hit a connection. A command may say that
// it is kept, or unknown; it may not hang or fall over.
void AskUnder(FaultKiosk& kiosk, Fault fault, bool with_pictures) {
  Tally& tally = kiosk.tally();
  kiosk.network().Set(fault);
  const Invocation call = NextCall(kiosk, with_pictures);
  const Finished asked = kiosk.Note(RunProgram(call.arguments, call.input));
  if (kiosk.network().hits() > 0) tally.Inject();
  kiosk.network().Heal();
  tally.Check(asked.exit_code <= 5 && (asked.exit_code <= 1 || !asked.err.empty()),
              Invariant::kBack,
              fmt::format("at byte {} it ends with {}: {}", fault.at, asked.exit_code, asked.err));
}

// The fault at bytes that lie all over the connection, of calls with and without pictures.
void AskUnderAt(FaultKiosk& kiosk, Kind kind, size_t Sizes::* side, int times) {
  for (const bool with_pictures : {false, true}) {
    const Sizes whole = Measure(kiosk, with_pictures);
    const size_t last = whole.*side;
    if (last == 0) return kiosk.tally().Break("nothing went through the network");
    const int count = with_pictures ? std::max(times / 4, 1) : times;
    for (int i = 0; i < count; ++i) {
      const auto n = static_cast<size_t>(count);
      const size_t from = last * static_cast<size_t>(i) / n;
      const size_t to = last * static_cast<size_t>(i + 1) / n;
      AskUnder(kiosk, {.kind = kind, .at = kiosk.tally().Draw(from, std::max(from, to - 1))},
               with_pictures);
    }
  }
}

// A name that only OwnHosts knows; libcurl itself knows localhost.
constexpr const char* kServiceName = "service.test";

// This machine's names, as the thread that makes this and its programs see them: no server is
// asked, and the hosts file is ours.
class OwnHosts {
 public:
  explicit OwnHosts(const std::string& folder) : file_(folder + "/hosts") {
    const std::string empty = folder + "/empty";
    WriteFile(empty, "");
    Write("");
    good_ = unshare(CLONE_NEWNS) == 0 &&
            mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
            mount(file_.c_str(), "/etc/hosts", nullptr, MS_BIND, nullptr) == 0 &&
            mount(empty.c_str(), "/etc/resolv.conf", nullptr, MS_BIND, nullptr) == 0;
  }

  [[nodiscard]] bool good() const { return good_; }
  // From now on this machine is called so, too.
  void Write(const std::string& name) const {
    WriteFile(file_, "127.0.0.1 localhost\n" + (name.empty() ? "" : "127.0.0.1 " + name + "\n"));
  }

 private:
  const std::string file_;
  bool good_ = false;
};

// A port on this machine that takes a connection from nobody: its only place is taken.
class FullListener {
 public:
  explicit FullListener(int port) : socket_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    const int on = 1;
    (void)setsockopt(socket_.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    address_.sin_port = htons(static_cast<uint16_t>(port));
    address_.sin_family = AF_INET;
    address_.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const socklen_t size = sizeof address_;
    EXPECT_EQ(bind(socket_.get(), reinterpret_cast<const sockaddr*>(&address_), size), 0);
    EXPECT_EQ(listen(socket_.get(), 0), 0);
    for (FileDescriptor& each : takers_) {
      each = FileDescriptor(socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
      (void)connect(each.get(), reinterpret_cast<const sockaddr*>(&address_), size);
    }
  }

 private:
  const FileDescriptor socket_;
  sockaddr_in address_{};
  std::array<FileDescriptor, 4> takers_;
};

}  // namespace

// The service has a name, which no file and no server tells any more.
void TakeTheResolver(Tally& tally) {
  // What a thread mounts for itself alone, the programs that it starts see too.
  std::thread([&tally] {
    FaultKiosk kiosk(tally);
    const OwnHosts hosts(kiosk.folder_.path());
    if (!hosts.good()) return tally.CannotRun("root, who may mount an own /etc/resolv.conf");
    hosts.Write(kServiceName);
    FaultKiosk::Settings settings = kImpatient;
    settings.host = kServiceName;
    if (!kiosk.Begin(settings)) return;
    hosts.Write("");
    for (int i = 0; i < tally.Rounds(6, 300); ++i) {
      const Invocation call = NextCall(kiosk, i % 3 == 2);
      tally.Inject();
      const Finished asked = kiosk.Note(RunProgram(call.arguments, call.input));
      tally.Check(
          asked.exit_code == 4 && !asked.err.empty(), Invariant::kBack,
          fmt::format("without a resolver it ends with {}: {}", asked.exit_code, asked.err));
    }
    tally.Check(kiosk.BilledRows() == 0, Invariant::kPaid, "something was sent without a resolver");
    hosts.Write(kServiceName);
    kiosk.Judge();
  }).join();
}

void RefuseConnections(Tally& tally) {
  FaultKiosk kiosk(tally);
  if (!kiosk.Begin(kImpatient)) return;
  const int times = tally.Rounds(8, 400);
  for (int i = 0; i < times; ++i) {
    // A closed port, one that takes nobody, and one that takes everybody and says nothing.
    std::optional<FullListener> full;
    const int port = kiosk.TakeNetworkAway();
    if (i % 3 == 1) full.emplace(port);
    if (i % 3 == 2) {
      kiosk.BringNetworkBack();
      kiosk.network().Set({.kind = Kind::kStallRequest, .at = 0});
    }
    tally.Inject();
    const Finished asked = kiosk.Ask();
    tally.Check(
        asked.exit_code == 4, Invariant::kBack,
        fmt::format("without a connection it ends with {}: {}", asked.exit_code, asked.err));
    full.reset();
    kiosk.BringNetworkBack();
  }
  tally.Check(kiosk.BilledRows() == 0, Invariant::kPaid, "something was sent without a connection");
  kiosk.Judge();
}

void ResetRequests(Tally& tally) {
  FaultKiosk kiosk(tally);
  if (!kiosk.Begin()) return;
  AskUnderAt(kiosk, Kind::kResetRequest, &Sizes::request, tally.Rounds(24, 4000));
  kiosk.Judge();
}

void ResetAfterTheBody(Tally& tally) {
  FaultKiosk kiosk(tally);
  if (!kiosk.Begin()) return;
  const char* const kinds[] = {"reset", "drop-after-body", "drop-before-body"};
  const int times = tally.Rounds(9, 600);
  for (int i = 0; i < times; ++i) {
    kiosk.Misbehave({"--endpoint", "any", "--kind", kinds[i % std::size(kinds)]});
    tally.Inject();
    (void)kiosk.Ask();
    kiosk.Behave();
  }
  kiosk.Judge();
}

void CutAnswers(Tally& tally) {
  FaultKiosk kiosk(tally);
  if (!kiosk.Begin()) return;
  AskUnderAt(kiosk, Kind::kCutAnswer, &Sizes::answer, tally.Rounds(24, 4000));
  kiosk.Judge();
}

// The connection that the last answer came by is dead when the next call takes it.
void EndUsedConnections(Tally& tally) {
  FaultKiosk kiosk(tally);
  if (!kiosk.Begin()) return;
  const int times = tally.Rounds(8, 400);
  for (int i = 0; i < times; ++i) {
    kiosk.LetWait(4);
    kiosk.network().Set({.kind = Kind::kResetFlight, .at = 3 + static_cast<size_t>(i % 3)});
    const Finished sent = kiosk.Do({"queue", "deliver", "--wait", "0"});
    if (kiosk.network().hits() > 0) tally.Inject();
    tally.Check(sent.exit_code <= 5, Invariant::kBack,
                fmt::format("it ends with {}: {}", sent.exit_code, sent.err));
  }
  kiosk.Judge();
}

void Trickle(Tally& tally) {
  FaultKiosk kiosk(tally);
  if (!kiosk.Begin(kImpatient)) return;
  const int times = tally.Rounds(4, 200);
  for (int i = 0; i < times; ++i) {
    AskUnder(kiosk, {.kind = Kind::kTrickle, .at = tally.Draw(1, i % 2 == 0 ? 20 : 1000)}, false);
  }
  kiosk.Judge();
}

void Stall(Tally& tally) {
  FaultKiosk kiosk(tally);
  if (!kiosk.Begin(kImpatient)) return;
  AskUnderAt(kiosk, Kind::kStallRequest, &Sizes::request, tally.Rounds(4, 200));
  AskUnderAt(kiosk, Kind::kStallAnswer, &Sizes::answer, tally.Rounds(4, 200));
  kiosk.Judge();
}

// What comes through by chance, while calls pile up and are sent.
void Flap(Tally& tally) {
  FaultKiosk kiosk(tally);
  if (!kiosk.Begin(kImpatient)) return;
  const Kind kinds[] = {Kind::kNone, Kind::kClose, Kind::kResetRequest, Kind::kCutAnswer,
                        Kind::kResetFlight};
  const int times = tally.Rounds(30, 20000);
  for (int i = 0; i < times; ++i) {
    const Kind kind = kinds[tally.Draw(0, std::size(kinds) - 1)];
    const size_t at = kind == Kind::kResetFlight ? tally.Draw(1, 5) : tally.Draw(0, 5000);
    kiosk.network().Set({.kind = kind, .at = at});
    tally.Inject();
    const Finished done = i % 5 == 4 ? kiosk.Do({"queue", "deliver", "--wait", "0"}) : kiosk.Ask();
    tally.Check(done.exit_code <= 5, Invariant::kBack,
                fmt::format("it ends with {}: {}", done.exit_code, done.err));
  }
  kiosk.Judge();
}

}  // namespace idkiosk::faults
