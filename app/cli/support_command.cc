// support: one file for whoever helps from afar.
#include "app/cli/command_line.h"
#include "app/assembly/version.h"
#include "app/operator/readiness.h"
#include "app/operator/support_bundle.h"

namespace idkiosk {
namespace {

constexpr int kHours = 24;

struct SupportOptions {
  std::string out;
};

// What can be said without a camera and without the network: it is asked for where these fail.
void LookAtQueue(Kiosk& kiosk, SupportFacts& facts) {
  const auto queue = kiosk.queue(DurableQueue::Role::kOperate);
  if (!queue) {
    facts.findings.push_back(
        {"queue", FindingState::kBad, queue.error().message, "Correct what is named there."});
    return;
  }
  Append(facts.findings, CheckQueue(**queue));
  if (auto stats = (*queue)->Stats()) facts.queue = std::move(*stats);
  if (auto hours = (*queue)->BilledHours(kHours)) facts.hours = std::move(*hours);
  facts.currency = (*kiosk.profile())->currency;
}

SupportFacts Gather(Kiosk& kiosk, const Settings& settings) {
  const Drivers& drivers = kiosk.drivers();
  SupportFacts facts;
  facts.version = ProgramVersion();
  facts.libraries = LibraryVersions(drivers);
  facts.made_at = drivers.clock.WallNow();
  if (const auto free = drivers.files.FreeSpace(settings.state_folder)) facts.free_bytes = *free;
  facts.settings = settings;
  facts.findings = CheckConfiguration(drivers.files, kiosk.config_path());
  if (const auto vault = kiosk.vault()) Append(facts.findings, CheckVault(**vault, settings.mode));
  Append(facts.findings, CheckClock(drivers.clock));
  LookAtQueue(kiosk, facts);
  facts.log = settings.log.file.empty() ? LinesOf(NewestLogLines())
                                        : NewestLinesOf(drivers.files, settings.log.file);
  return facts;
}

Attempt<ExitCode> RunSupport(Kiosk& kiosk, SupportOptions& options) {
  const auto settings = kiosk.settings_before_provisioning();
  if (!settings) return std::unexpected(settings.error());
  const SupportFacts facts = Gather(kiosk, **settings);
  FileSystem& files = kiosk.drivers().files;
  if (options.out == "-") {
    kiosk.terminal().Print(SupportText(facts));
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
    return StopWith(ExitCode::kUsage, written.error().Within("--out"));
  }
  kiosk.terminal().Say("Written. It is plain text: read it before it is sent.");
  kiosk.terminal().Print(path);
  return ExitCode::kDone;
}

}  // namespace

void AddSupportCommand(CommandLine& line) {
  auto [command, options] = line.Add<SupportOptions>(
      line.app(), "support",
      "Settings, states and log in one file for whoever helps; no person's data, no secret",
      &RunSupport);
  command
      ->add_option("--out", options.out,
                   "Where to write it; - prints it. Default: into the state folder")
      ->type_name("FILE");
}

}  // namespace idkiosk
