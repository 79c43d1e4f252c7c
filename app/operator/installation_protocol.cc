#include "app/operator/installation_protocol.h"

#include <algorithm>

#include "app/operator/newest_files.h"
#include "platform/base/json.h"
#include "platform/base/text/printable.h"

namespace idkiosk {
namespace {

constexpr int kVersion = 1;
constexpr size_t kKept = 10;

size_t CountOf(const Findings& findings, FindingState state) {
  return static_cast<size_t>(std::ranges::count(findings, state, &Finding::state));
}

// What a protocol says of the whole kiosk: "ready" only where nothing is bad.
std::string_view ResultOf(const Findings& findings) {
  return CountOf(findings, FindingState::kBad) == 0 ? "ready" : "not ready";
}

Findings Clean(Findings findings) {
  for (Finding& each : findings) each.text = WithoutLongNumbers(each.text);
  return findings;
}

std::string StepText(const InstallationStep& step) {
  std::string text = fmt::format("\n{}\n", step.name);
  for (const Finding& each : Clean(step.findings)) {
    text +=
        fmt::format("  {:<5} {:<14} {}\n", Name(each.state), Name(each.part), Printable(each.text));
    if (!each.mend.empty()) text += fmt::format("  {:<20} -> {}\n", "", Printable(each.mend));
  }
  return text;
}

}  // namespace

Findings InstallationProtocol::findings() const {
  Findings all;
  for (const InstallationStep& each : steps) Append(all, each.findings);
  return all;
}

std::string ProtocolText(const InstallationProtocol& protocol) {
  std::string text = "Installation of an idkiosk\n\n";
  const auto line = [&](std::string_view name, const std::string& value) {
    if (!value.empty()) text += fmt::format("{:<12} {}\n", name, value);
  };
  line("made at", FormatRfc3339(protocol.made_at));
  line("program", "idkiosk " + protocol.version);
  line("kiosk", protocol.kiosk);
  line("service", protocol.service);
  for (const InstallationStep& each : protocol.steps) text += StepText(each);
  const Findings all = protocol.findings();
  text += fmt::format("\nResult: {}. Good: {}, to know: {}, to mend: {}.\n", ResultOf(all),
                      CountOf(all, FindingState::kGood), CountOf(all, FindingState::kNote),
                      CountOf(all, FindingState::kBad));
  text += fmt::format("\nInstalled and looked at by {}.\n\nDate and signature: {:_<40}\n",
                      protocol.signed_by, "");
  return text;
}

std::string ProtocolJson(const InstallationProtocol& protocol) {
  JsonWriter json(2);
  json.BeginObject()
      .Field("what", "The protocol of an installation. It holds no personal data and no secret.")
      .Field("version", kVersion)
      .Field("made_at", FormatRfc3339(protocol.made_at))
      .Field("program", protocol.version)
      .Field("kiosk", protocol.kiosk)
      .Field("service", protocol.service)
      .Field("signed_by", protocol.signed_by)
      .Field("result", ResultOf(protocol.findings()));
  json.Key("steps").BeginArray();
  for (const InstallationStep& each : protocol.steps) {
    json.BeginObject().Field("step", each.name).Key("findings");
    WriteFindings(json, Clean(each.findings));
    json.EndObject();
  }
  json.EndArray();
  return json.EndObject().Take() + "\n";
}

Result<std::string> KeepProtocol(FileSystem& files, const std::string& folder,
                                 const InstallationProtocol& protocol) {
  const std::string path = fmt::format("{}/installation-{}", folder, TimeForName(protocol.made_at));
  const std::pair<std::string, std::string> both[] = {{".json", ProtocolJson(protocol)},
                                                      {".txt", ProtocolText(protocol)}};
  for (const auto& [suffix, text] : both) {
    if (Status room = MakeRoom(files, folder, {"installation-", suffix}, kKept); !room) {
      return std::unexpected(room.error());
    }
    if (Status written = files.WriteDurably(path + suffix, AsBytes(text), FileAccess::kOwnerOnly);
        !written) {
      return std::unexpected(written.error());
    }
  }
  return path + ".txt";
}

}  // namespace idkiosk
