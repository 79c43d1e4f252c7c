// tune: measures a camera, and writes what fits it into the local configuration.
#include "app/assembly/stop_deadline.h"
#include "app/cli/camera_measurement.h"
#include "app/cli/command_line.h"
#include "app/settings/local_settings.h"
#include "platform/base/json.h"

namespace idkiosk {
namespace {

struct TuneOptions {
  std::string source;
  double seconds = 60;
  bool dry_run = false;

  std::vector<Argument> arguments() {
    return {
        {.name = "--camera",
         .target = &source,
         .type = "SOURCE",
         .help = "The camera to measure, written as for 'capture' (default: the configuration's). "
                 "Somebody must sit in front of it"},
        {.name = "--seconds",
         .target = &seconds,
         .help = "Measure for this long",
         .range = NumberRange{2, 600}},
        {.name = "--dry-run", .target = &dry_run, .help = "Measure only: write nothing"},
    };
  }
};

std::vector<SettingChange> Changes(const TunedThresholds& tuned) {
  std::vector<SettingChange> changes;
  for (const auto& [limit, value] : tuned.limits) {
    changes.push_back({fmt::format("capture.{}", limit->name), value});
  }
  return changes;
}

// Where the thresholds will go; asked before anybody sits there for a minute.
CommandResult<std::string> FileToWrite(Components& components) {
  const auto there = components.drivers().files.Exists(components.config_path());
  if (!there || !*there) {
    return StopWith(ExitCode::kConfiguration,
                    fmt::format("there is no configuration at {}: name one with --config, or only "
                                "measure with --dry-run",
                                components.config_path()));
  }
  return LocalSettingsPath(components.config_path());
}

void Report(Components& components, const TunedThresholds& tuned, const CaptureSettings& before,
            const std::string& written) {
  Terminal& terminal = components.terminal();
  terminal.Say(fmt::format(
      "Measured on {} of {} frames: sharpness {:.0f} (the worst tenth {:.0f}), light on the face "
      "{:.0f}, behind it {:.0f}.",
      tuned.used, tuned.frames, tuned.sharpness, tuned.least_sharpness, tuned.luma,
      tuned.surround));
  for (const auto& [limit, value] : tuned.limits) {
    terminal.Say(
        fmt::format("  capture.{}: {:g} (was {:g})", limit->name, value, limit->In(before)));
  }
  terminal.Say(written.empty() ? "Nothing was written." : fmt::format("Written to {}.", written));
  if (!components.json()) return;
  JsonWriter json;
  json.BeginObject().Field("frames", tuned.frames).Field("used", tuned.used);
  json.Field("sharpness", tuned.sharpness).Field("sharpness_p10", tuned.least_sharpness);
  json.Field("luma", tuned.luma).Field("surround_luma", tuned.surround);
  for (const auto& [limit, value] : tuned.limits) json.Field(limit->name, value);
  terminal.Print(json.Field("written", !written.empty()).EndObject().text());
}

CommandResult<ExitCode> RunTune(Components& components, TuneOptions& options) {
  std::string file;
  if (!options.dry_run) {
    auto found = FileToWrite(components);
    if (!found) return std::unexpected(found.error());
    file = std::move(*found);
  }
  std::optional<StopDeadline> soon(std::in_place, components, ExitCode::kCapture);
  const auto camera = OpenCameraOf(components, options.source, CameraPurpose::kLook);
  if (!camera) return std::unexpected(camera.error());
  const auto time =
      std::chrono::duration_cast<Duration>(std::chrono::duration<double>(options.seconds));
  const auto tuning = MeasureCamera(components, *camera, time);
  soon.reset();
  if (!tuning) return std::unexpected(tuning.error());
  const auto tuned = tuning->Finish();
  if (!tuned) return StopWith(ExitCode::kCapture, tuned.error());
  if (!file.empty()) {
    if (auto saved = SaveLocalSettings(components.drivers().files, components.config_path(),
                                       Changes(*tuned));
        !saved) {
      return StopWith(ExitCode::kConfiguration, saved.error());
    }
  }
  Report(components, *tuned, camera->limits, file);
  return ExitCode::kDone;
}

}  // namespace

void AddTuneCommand(CommandLine& line) {
  line.Add(line.Make(
      "tune", "Measure a camera's sharpness and light, and save the limits that fit it", &RunTune));
}

}  // namespace idkiosk
