// capture, record, inspect: pictures, without any service.
#include <fmt/format.h>

#include "app/assembly/stop_deadline.h"
#include "app/capture/tools/contact_sheet.h"
#include "app/capture/tools/recording.h"
#include "app/cli/command_line.h"
#include "app/cli/terminal_capture.h"

namespace idkiosk {
namespace {

struct CaptureOptions {
  std::string source;
  std::string folder;
  std::string debug;  // a folder; empty: no sheet

  std::vector<Argument> arguments(const std::string& sources) {
    return {
        {.name = "--camera", .target = &source, .type = "SOURCE", .help = sources},
        {.name = "--out",
         .target = &folder,
         .type = "DIR",
         .help = "The folder for selfie.jpg, liveness-1..4.jpg and capture.json",
         .required = true},
        {.name = "--debug",
         .target = &debug,
         .type = "DIR",
         .help = "For engineers: the folder for contact-sheet.jpg, which shows the face in many "
                 "frames with what was measured on each"},
    };
  }
};

// Makes the folder where there is none, and says so: a mistyped one is found by that.
Status MakeFolder(Components& components, const std::string& folder) {
  FileSystem& files = components.drivers().files;
  const bool is_there = files.Exists(folder).value_or(false);
  const Status made = files.CreateFolder(folder);
  if (made && !is_there) components.terminal().Say(fmt::format("The folder {} was made.", folder));
  return made;
}

Status WriteBundle(Components& components, const std::string& folder, const CaptureResult& result) {
  if (auto made = MakeFolder(components, folder); !made) return made;
  FileSystem& files = components.drivers().files;
  const CaptureBundle& bundle = result.bundle;
  auto written =
      files.WriteDurably(folder + "/selfie.jpg", bundle.selfie.jpeg.view(), FileAccess::kOwnerOnly);
  for (size_t i = 0; written && i < bundle.liveness.size(); ++i) {
    written = files.WriteDurably(fmt::format("{}/liveness-{}.jpg", folder, i + 1),
                                 bundle.liveness[i].jpeg.view(), FileAccess::kOwnerOnly);
  }
  if (!written) return written;
  return files.WriteDurably(folder + "/capture.json", AsBytes(ToJson(result.record)),
                            FileAccess::kOwnerOnly);
}

// What was seen so far, whether or not it became a bundle: a capture that fails is what one wants
// to look at.
Status WriteSheet(Components& components, const std::string& folder, ContactSheet& sheet) {
  const auto jpeg = sheet.Encode();
  if (!jpeg) return std::unexpected(jpeg.error());
  if (auto made = MakeFolder(components, folder); !made) return made;
  FileSystem& files = components.drivers().files;
  const std::string path = folder + "/contact-sheet.jpg";
  if (auto written = files.WriteDurably(path, jpeg->view(), FileAccess::kOwnerOnly); !written) {
    return written;
  }
  components.terminal().Say(fmt::format(
      "{} shows {} frames of this capture and the face in them, for engineers. Delete it when you "
      "have seen it.",
      path, sheet.tiles()));
  return {};
}

CommandResult<CaptureResult> CaptureForEngineers(Components& components,
                                                 const CaptureOptions& options) {
  const auto settings = components.settings_or_defaults();
  if (!settings) return std::unexpected(settings.error());
  if (!(*settings)->capture.debug_pictures) {
    return StopWith(
        ExitCode::kConfiguration,
        "--debug writes people's faces to the disk, which production does not: it needs "
        "capture.debug_pictures in the configuration");
  }
  ContactSheet sheet;
  auto captured = CaptureFrom(components, options.source, CameraPurpose::kLook, &sheet);
  if (sheet.tiles() == 0) return captured;
  if (auto written = WriteSheet(components, options.debug, sheet); !written && captured) {
    return StopWith(ExitCode::kCapture, written.error());
  }
  return captured;
}

CommandResult<ExitCode> RunCapture(Components& components, CaptureOptions& options) {
  auto captured = options.debug.empty()
                      ? CaptureFrom(components, options.source, CameraPurpose::kLook)
                      : CaptureForEngineers(components, options);
  if (!captured) return std::unexpected(captured.error());
  if (auto written = WriteBundle(components, options.folder, *captured); !written) {
    return StopWith(ExitCode::kCapture, written.error());
  }
  components.terminal().Say(
      fmt::format("Five pictures, {} bytes together, are in {}. They show a face: delete them when "
                  "you are done.",
                  captured->bundle.total_bytes(), options.folder));
  if (components.json()) components.terminal().Print(ToJson(captured->record));
  return ExitCode::kDone;
}

struct RecordOptions {
  std::string source;
  std::string folder;
  double seconds = 60;

  std::vector<Argument> arguments(const std::string& sources) {
    return {
        {.name = "--camera", .target = &source, .type = "SOURCE", .help = sources},
        {.name = "--out",
         .target = &folder,
         .type = "DIR",
         .help = "The folder for the frames",
         .required = true},
        {.name = "--seconds",
         .target = &seconds,
         .help = "Record no longer than this",
         .range = NumberRange{0.1, 3600}},
    };
  }
};

CommandResult<ExitCode> RunRecord(Components& components, RecordOptions& options) {
  const StopDeadline soon(components, ExitCode::kCapture);
  auto camera = OpenCameraOf(components, options.source, CameraPurpose::kLook);
  if (!camera) return std::unexpected(camera.error());
  if (const Status made = MakeFolder(components, options.folder); !made) {
    return StopWith(ExitCode::kCapture, made.error());
  }
  const auto longest =
      std::chrono::duration_cast<Duration>(std::chrono::duration<double>(options.seconds));
  const Drivers& drivers = components.drivers();
  CaptureRunner runner(camera->limits, *camera->analyzer, drivers.clock, drivers.entropy);
  TerminalObserver observer(components);
  FollowedObserver followed(*camera, observer);
  const auto recording = Record(*camera->camera, camera->info, options.folder, longest, runner,
                                drivers.files, followed, observer.stop_token());
  if (!recording) return StopWith(ExitCode::kCapture, recording.error());
  components.terminal().Say(fmt::format(
      "{} frames, {} of them, are in {}. They show a face: delete them when you are done.",
      recording->frames, FormatDuration(recording->length), options.folder));
  if (!recording->complete) {
    components.terminal().Say(
        "Not every challenge was shown, so playing this back does not complete a capture.");
  }
  if (components.json()) {
    components.terminal().Print(JsonWriter()
                                    .BeginObject()
                                    .Field("frames", recording->frames)
                                    .Field("bytes", recording->bytes)
                                    .Field("complete", recording->complete)
                                    .EndObject()
                                    .text());
  }
  return recording->complete ? ExitCode::kDone : ExitCode::kCapture;
}

struct InspectOptions {
  std::vector<std::string> files;

  std::vector<Argument> arguments() {
    return {{.name = "files",
             .target = &files,
             .type = "FILE",
             .help = "JPEG or PNG pictures",
             .required = true}};
  }
};

CommandResult<ExitCode> RunInspect(Components& components, InspectOptions& options) {
  const auto settings = components.settings_or_defaults();
  if (!settings) return std::unexpected(settings.error());
  const auto analyzer = components.analyzer();
  if (!analyzer) return std::unexpected(analyzer.error());
  const StopDeadline soon(components, ExitCode::kCapture);
  ExitCode exit_code = ExitCode::kDone;
  for (const std::string& file : options.files) {
    if (components.stopping()) return StopWith(ExitCode::kCapture, "stopped");
    const auto measures =
        InspectPicture(file, (*settings)->capture, **analyzer, components.drivers().read_picture);
    if (measures) {
      components.terminal().Print(*measures);
      continue;
    }
    exit_code = ExitCode::kCapture;
    components.terminal().Print(JsonWriter()
                                    .BeginObject()
                                    .Field("file", file)
                                    .Field("error", measures.error().message)
                                    .EndObject()
                                    .text());
  }
  return exit_code;
}

}  // namespace

void AddCaptureCommands(CommandLine& line, const std::string& camera_forms) {
  const std::string sources = camera_forms + " (default: the configuration's)";
  line.Add(line.Make("capture", "Take a selfie and four liveness pictures", &RunCapture, sources));
  line.Add(line.Make("record", "Record a camera's raw frames, to play them again as images:DIR",
                     &RunRecord, sources));
  line.Add(line.Make("inspect", "Print what is seen in pictures: one line of JSON for each file",
                     &RunInspect));
}

}  // namespace idkiosk
