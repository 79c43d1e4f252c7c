// support: one file for whoever helps from afar.
#include "app/assembly/version.h"
#include "app/cli/command_line.h"
#include "app/operator/readiness.h"
#include "app/operator/support_bundle.h"

namespace idkiosk {
namespace {

constexpr int kHours = 24;

struct SupportOptions {
  std::string out;

  std::vector<Argument> arguments() {
    return {{.name = "--out",
             .target = &out,
             .type = "FILE",
             .help = "The file to write; - prints it. Default: a new one in the state folder"}};
  }
};

// What can be said without a camera and without the network: it is asked for where these fail.
void LookAtQueue(Components& components, SupportFacts& facts) {
  const auto queue = components.queue(DurableQueue::Role::kOperate);
  if (!queue) {
    facts.findings.push_back({KioskPart::kQueue, FindingState::kBad, queue.error().message,
                              "Correct what is named there."});
    return;
  }
  Append(facts.findings, CheckQueue(**queue));
  const Drivers& drivers = components.drivers();
  Append(facts.findings, CheckResults(**components.settings(), **components.vault(), drivers.crypto,
                                      drivers.files, **queue, drivers.clock));
  if (auto stats = (*queue)->Stats()) facts.queue = std::move(*stats);
  if (auto hours = (*queue)->BilledHours(kHours)) facts.hours = std::move(*hours);
  facts.currency = (*components.profile())->currency;
}

SupportFacts Gather(Components& components, const Settings& settings) {
  const Drivers& drivers = components.drivers();
  SupportFacts facts;
  facts.version = ProgramVersion();
  facts.libraries = LibraryVersions(drivers);
  facts.made_at = drivers.clock.WallNow();
  if (const auto free = drivers.files.FreeSpace(settings.state_folder)) facts.free_bytes = *free;
  facts.settings = settings;
  facts.findings = CheckConfiguration(drivers.files, components.config_path());
  if (const auto vault = components.vault()) {
    Append(facts.findings, CheckVault(**vault, settings));
    facts.staff = StaffNames(**vault);
  }
  Append(facts.findings, CheckClock(drivers.clock));
  LookAtQueue(components, facts);
  facts.log = settings.log.file.empty() ? LinesOf(NewestLogLines())
                                        : NewestLinesOf(drivers.files, settings.log.file);
  return facts;
}

CommandResult<ExitCode> RunSupport(Components& components, SupportOptions& options) {
  const auto settings = components.settings_before_provisioning();
  if (!settings) return std::unexpected(settings.error());
  const SupportFacts facts = Gather(components, **settings);
  FileSystem& files = components.drivers().files;
  if (options.out == "-") {
    components.terminal().Print(SupportText(facts));
    return ExitCode::kDone;
  }
  std::string path = options.out;
  if (path.empty()) {
    auto kept = KeepSupportBundle(files, (*settings)->state_folder, facts);
    if (!kept) return StopWith(ExitCode::kConfiguration, kept.error());
    path = std::move(*kept);
  } else if (auto written =
                 files.WriteDurably(path, AsBytes(SupportText(facts)), FileAccess::kOwnerOnly);
             !written) {
    if (written.error().code != ErrorCode::kNotFound) {
      return StopWith(ExitCode::kUsage, written.error().Within("--out"));
    }
    return StopWith(
        ExitCode::kUsage,
        fmt::format("--out: there is no folder for '{}': make it, or name another.", path));
  }
  components.terminal().Say("Written. It is plain text: read it before you send it.");
  components.terminal().Print(path);
  return ExitCode::kDone;
}

}  // namespace

void AddSupportCommand(CommandLine& line) {
  line.Add(line.Make("support",
                     "Write settings, states and log into one file for support; it holds no "
                     "personal data and no secret",
                     &RunSupport));
}

}  // namespace idkiosk
