// config, version: what the program is and what it was told.
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

#include "app/assembly/version.h"
#include "app/cli/command_line.h"
#include "app/consent/consent_texts.h"
#include "app/settings/load_settings.h"
#include "app/settings/settings_access.h"
#include "app/ui/brand_logo.h"
#include "app/ui/voice_files.h"
#include "platform/base/json.h"
#include "platform/base/log_file.h"

namespace idkiosk {
namespace {

struct CheckOptions {
  std::string file;

  std::vector<Argument> arguments() {
    return {{.name = "file",
             .target = &file,
             .type = "FILE",
             .help = "The configuration file; without it, that of --config"}};
  }
};

template <typename T>
Status StatusOf(const Result<T>& result) {
  if (result) return {};
  return std::unexpected(result.error());
}

// What a setting names, and whether 'idkiosk run' can use it.
struct NamedPart {
  std::string_view key;  // empty: the error says where it is
  Status good;
};

std::vector<NamedPart> NamedParts(const Drivers& drivers, const Settings& settings) {
  std::vector<NamedPart> parts = {
      {"camera.source", drivers.check_camera(settings.camera.source)},
      {"", StatusOf(LoadProfile(drivers.files, settings.service.profile))},
      {"service.ca_file", StatusOf(drivers.make_http_client(settings.service))},
      {"consent.folder", StatusOf(ConsentTexts::Load(settings, drivers.files))},
      {"log.file", CheckLogFile(settings.log.file)}};
  if (!settings.printer.target.empty()) {
    parts.push_back({"printer.target", StatusOf(drivers.make_printer(settings.printer.target))});
  }
  if (!settings.brand.logo.empty()) {
    parts.push_back({"brand.logo", StatusOf(LoadBrandLogo(drivers.files, settings.brand.logo))});
  }
  return parts;
}

CommandResult<ExitCode> RunConfigCheck(Components& components, CheckOptions& options) {
  FileSystem& files = components.drivers().files;
  if (options.file.empty()) options.file = components.config_path();
  const auto loaded = LoadSettings(files, options.file);
  if (!loaded) return StopWith(ExitCode::kConfiguration, loaded.error());
  std::vector<std::string> troubles;
  for (const auto& [key, good] : NamedParts(components.drivers(), *loaded)) {
    if (good) continue;
    // What the program itself lacks is no key's fault.
    if (good.error().code == ErrorCode::kInternal) {
      return StopWith(ExitCode::kConfiguration, good.error());
    }
    const bool says_key = key.empty() || good.error().message.starts_with(key);
    const Error error = says_key ? good.error() : good.error().Within(key);
    troubles.push_back(key.empty()
                           ? error.message
                           : error.Within(PlaceOfSetting(files, options.file, key)).message);
  }
  std::ranges::copy(WhatOthersMayChange(options.file, *loaded), std::back_inserter(troubles));
  if (!troubles.empty()) {
    return StopWith(ExitCode::kConfiguration, fmt::format("{}", fmt::join(troubles, "\n")));
  }
  // No reason to refuse it.
  if (const auto trouble = VoiceFolderTrouble(files, loaded->ui.voice_folder); !trouble.empty()) {
    components.terminal().Say(trouble);
  }
  components.terminal().Say(fmt::format("{}: good.", options.file));
  return ExitCode::kDone;
}

CommandResult<ExitCode> RunVersion(Components& components, NoOptions&) {
  const std::string libraries = LibraryVersions(components.drivers());
  const auto analyzer = components.analyzer();
  const std::string detector = analyzer ? (*analyzer)->detector_name() : analyzer.error().message;
  if (components.json()) {
    components.terminal().Print(JsonWriter()
                                    .BeginObject()
                                    .Field("version", ProgramVersion())
                                    .Field("libraries", libraries)
                                    .Field("detector", detector)
                                    .EndObject()
                                    .text());
    return ExitCode::kDone;
  }
  components.terminal().Print(
      fmt::format("idkiosk {}\n{}\nface detector: {}", ProgramVersion(), libraries, detector));
  return ExitCode::kDone;
}

}  // namespace

void AddConfigCommands(CommandLine& line) {
  line.AddGroup("config", "Check the configuration",
                {line.Make("check", "Check a configuration and name what is wrong with it",
                           &RunConfigCheck)});
  line.Add(line.Make("version",
                     "Print the versions of this program, its libraries and its face detector",
                     &RunVersion));
}

}  // namespace idkiosk
