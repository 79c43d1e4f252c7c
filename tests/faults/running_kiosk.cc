#include "tests/faults/running_kiosk.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <sstream>

#include "tests/app/ui/raw_client.h"

namespace idkiosk::faults {
namespace {

namespace fs = std::filesystem;

constexpr int kLookAgainMs = 20;

// A program that was killed leaves its start page there.
std::string Cleared(const std::string& path) {
  fs::remove(path);
  return path;
}

}  // namespace

RunningKiosk::RunningKiosk(FaultKiosk& kiosk, const std::vector<std::string>& variables)
    : kiosk_(kiosk),
      start_page_(Cleared(kiosk.folder_ / "start.html")),
      process_(kiosk.KioskCommand({"run", "--camera", "synthetic", "--start-page", start_page_}),
               "", variables) {}

bool RunningKiosk::AwaitReady() {
  while (!fs::exists(start_page_)) {
    if (Ended()) return false;
    (void)poll(nullptr, 0, kLookAgainMs);
  }
  return true;
}

bool RunningKiosk::AwaitDelivered() {
  while (!Ended()) {
    const auto states = kiosk_.States();
    const bool waits = std::ranges::any_of(states, [](const auto& call) {
      return call.second == "pending" || call.second == "sending";
    });
    if (!waits) return true;
    (void)poll(nullptr, 0, kLookAgainMs);
  }
  return false;
}

int RunningKiosk::page_port() const { return StartPage(ReadFile(start_page_)).port; }

size_t RunningKiosk::descriptors() const {
  return static_cast<size_t>(std::distance(
      fs::directory_iterator(fmt::format("/proc/{}/fd", process_.id())), fs::directory_iterator()));
}

long RunningKiosk::peak_kib() const {
  std::stringstream status(ReadFile(fmt::format("/proc/{}/status", process_.id())));
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmHWM:")) return std::stol(line.substr(6));
  }
  return 0;
}

Finished RunningKiosk::Stop() {
  process_.Signal(SIGTERM);
  return kiosk_.Note(process_.Wait());
}

bool RunningKiosk::Ended() const {
  siginfo_t info{};
  return waitid(P_PID, static_cast<id_t>(process_.id()), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
         info.si_pid != 0;
}

}  // namespace idkiosk::faults
