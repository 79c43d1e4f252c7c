// audit: who did what to this kiosk.
#include "app/cli/call_report.h"
#include "app/cli/command_line.h"
#include "platform/base/json.h"
#include "platform/base/text/printable.h"

namespace idkiosk {
namespace {

struct AuditOptions {
  std::string since;

  std::vector<Argument> arguments() {
    return {{.name = "--since",
             .target = &since,
             .help = "Only from this time on, such as 2026-11-20 or 2026-11-20T08:00:00Z"}};
  }
};

void Print(Components& components, const AuditEntry& entry) {
  if (components.json()) {
    // One object a line, so that a trail of years can be read line by line.
    return components.terminal().Print(JsonWriter(0)
                                           .BeginObject()
                                           .Field("number", entry.number)
                                           .Field("at", FormatRfc3339(entry.at))
                                           .Field("event", entry.event)
                                           .Field("by", entry.by)
                                           .Field("what", entry.what)
                                           .EndObject()
                                           .text());
  }
  components.terminal().Print(
      Printable(fmt::format("{:>6}  {}  {:<24} {}{}{}", entry.number, FormatRfc3339(entry.at),
                            entry.event, entry.by, entry.what.empty() ? "" : ": ", entry.what)));
}

CommandResult<ExitCode> RunAuditList(Components& components, AuditOptions& options) {
  const auto since = ReadSince(options.since);
  if (!since) return std::unexpected(since.error());
  const auto trail = components.audit();
  if (!trail) return std::unexpected(trail.error());
  const auto verdict = (*trail)->Read([&](const AuditEntry& entry) {
    if (!*since || entry.at >= **since) Print(components, entry);
  });
  if (!verdict) return StopWith(ExitCode::kConfiguration, verdict.error());
  if (verdict->state == JournalState::kGenuine) return ExitCode::kDone;
  components.terminal().Say(fmt::format("This audit trail is {}.", Describe(*verdict)));
  return ExitCode::kNeedsPerson;
}

CommandResult<ExitCode> RunVerify(Components& components, NoOptions&) {
  const auto trail = components.audit();
  if (!trail) return std::unexpected(trail.error());
  uint64_t entries = 0;
  std::vector<AuditEntry> damage;
  const auto verdict = (*trail)->Read([&](const AuditEntry& entry) {
    ++entries;
    if (entry.event == Name(AuditEvent::kTrailDamaged)) damage.push_back(entry);
  });
  if (!verdict) return StopWith(ExitCode::kConfiguration, verdict.error());
  const std::string words = Describe(*verdict);
  if (components.json()) {
    components.terminal().Print(JsonWriter(0)
                                    .BeginObject()
                                    .Field("audit", words)
                                    .Field("entries", entries)
                                    .Field("damaged_before", damage.size())
                                    .EndObject()
                                    .text());
  } else {
    components.terminal().Print(fmt::format("{}; entries: {}", words, entries));
    for (const AuditEntry& each : damage) Print(components, each);
  }
  return verdict->state == JournalState::kGenuine && damage.empty() ? ExitCode::kDone
                                                                    : ExitCode::kNeedsPerson;
}

}  // namespace

void AddAuditCommands(CommandLine& line) {
  line.AddGroup(
      "audit", "Show who did what to this kiosk",
      {line.Make("list", "List every event; with --json one object a line", &RunAuditList),
       line.Make("verify", "Check whether the audit trail is genuine and complete", &RunVerify)});
}

}  // namespace idkiosk
