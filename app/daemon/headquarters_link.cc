#include "app/daemon/headquarters_link.h"

#include <algorithm>
#include <utility>

#include "platform/base/log.h"

namespace idkiosk {
namespace {

// So that a broker takes the reply.
constexpr size_t kLargestLog = 48 << 10;  // bytes
constexpr Duration kNextTry = std::chrono::seconds(1);

// The newest lines of the log that fit, the oldest first.
std::vector<std::string> LogForHeadquarters() {
  std::vector<std::string> lines;
  size_t bytes = 0;
  const auto newest = NewestLogLines();
  for (auto each = newest.rbegin(); each != newest.rend(); ++each) {
    std::string line =
        fmt::format("{} {} {}", FormatRfc3339(each->time), Name(each->level), each->text);
    bytes += line.size();
    if (bytes > kLargestLog) break;
    lines.push_back(std::move(line));
  }
  std::ranges::reverse(lines);
  return lines;
}

}  // namespace

HeadquartersLink::HeadquartersLink(const Dependencies& deps)
    : host_(deps.host),
      is_visit_(deps.is_visit),
      headquarters_({.settings = deps.settings,
                     .config_path = deps.host.components.config_path(),
                     .queue = deps.queue,
                     .vault = deps.vault,
                     .audit = deps.host.audit,
                     .files = deps.host.components.drivers().files,
                     .clock = deps.host.clock,
                     .crypto = deps.host.components.drivers().crypto,
                     .signatures = deps.host.components.drivers().signatures,
                     .complaints = deps.complaints,
                     .wake = deps.wake,
                     .start_anew = [this] { EndSoon(Daemon::End::kAnew); },
                     .erase = [&host = deps.host] { return host.EraseKeys(); },
                     .start_erased = [this] { EndSoon(Daemon::End::kErased); },
                     .log = &LogForHeadquarters}) {}

void HeadquartersLink::Start() {
  host_.storage_runner->Post([this] {
    if (Status begun = headquarters_.Begin(); !begun) {
      LogError("no command of headquarters is carried out: {}", begun.error().message);
    }
  });
  LookAfter();
}

void HeadquartersLink::LookAfter() {
  host_.storage_runner->Post([this] { headquarters_.LookAfter(); });
  look_ = ScopedTimer(*host_.control, host_.clock.Now() + kLook, [this] { LookAfter(); });
}

void HeadquartersLink::EndSoon(Daemon::End how) {
  host_.control->Post([this, how] {
    const MonotonicTime now = host_.clock.Now();
    end_ = ScopedTimer(*host_.control, now + kFirst,
                       [this, how, latest = now + kLongestWait] { EndWhenFree(how, latest); });
  });
}

void HeadquartersLink::EndWhenFree(Daemon::End how, MonotonicTime latest) {
  const MonotonicTime now = host_.clock.Now();
  if (!is_visit_ || how == Daemon::End::kErased || now >= latest) return host_.StartAnew(how);
  end_ = ScopedTimer(*host_.control, now + kNextTry,
                     [this, how, latest] { EndWhenFree(how, latest); });
}

}  // namespace idkiosk
