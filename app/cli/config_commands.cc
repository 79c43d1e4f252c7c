// config, version: what the program is and what it was told.
#include <fmt/ranges.h>

#include "app/assembly/version.h"
#include "app/cli/command_line.h"
#include "app/consent/consent_texts.h"
#include "app/settings/load_settings.h"
#include "app/settings/settings_access.h"
#include "app/ui/voice_files.h"
#include "platform/base/json.h"

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

CommandResult<ExitCode> RunConfigCheck(Components& components, CheckOptions& options) {
  if (options.file.empty()) options.file = components.config_path();
  const auto loaded = LoadSettings(components.drivers().files, options.file);
  if (!loaded) return StopWith(ExitCode::kConfiguration, loaded.error());
  const auto place_of = [&](std::string_view key) {
    return PlaceOfSetting(components.drivers().files, options.file, key);
  };
  if (auto known = components.drivers().check_camera(loaded->camera.source); !known) {
    return StopWith(ExitCode::kConfiguration,
                    known.error().Within("camera.source").Within(place_of("camera.source")));
  }
  if (const auto profile = LoadProfile(components.drivers().files, loaded->service.profile);
      !profile) {
    return StopWith(ExitCode::kConfiguration, profile.error());
  }
  if (const auto client = components.drivers().make_http_client(loaded->service); !client) {
    // What the program itself lacks is no key's fault.
    const bool is_bug = client.error().code == ErrorCode::kInternal;
    return StopWith(
        ExitCode::kConfiguration,
        is_bug ? client.error()
               : client.error().Within("service.ca_file").Within(place_of("service.ca_file")));
  }
  if (const auto texts = ConsentTexts::Load(*loaded, components.drivers().files); !texts) {
    return StopWith(ExitCode::kConfiguration, texts.error().Within(place_of("consent.folder")));
  }
  if (const auto troubles = WhatOthersMayChange(options.file, *loaded); !troubles.empty()) {
    return StopWith(ExitCode::kConfiguration, fmt::format("{}", fmt::join(troubles, "\n")));
  }
  // No reason to refuse it.
  if (const auto trouble = VoiceFolderTrouble(components.drivers().files, loaded->ui.voice_folder);
      !trouble.empty()) {
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
