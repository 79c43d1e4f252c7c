#include "app/assembly/file_places.h"

#include <filesystem>
#include <string_view>

namespace idkiosk {
namespace {

std::string AbsoluteFolderOf(const std::string& path) {
  return std::filesystem::absolute(path).parent_path().string();
}

// What stands behind "device:"; empty for another kind of source.
std::string_view Behind(std::string_view kind, std::string_view source) {
  return source.starts_with(kind) ? source.substr(kind.size()) : std::string_view();
}

}  // namespace

FilePlaces PlacesOfRun(const Settings& settings, const RunPlaces& run) {
  FilePlaces places{
      // /run: of the network's name servers. /sys and /proc: of cameras, batteries, this process.
      .readable = {"/usr", "/lib", "/lib64", "/etc", "/proc", "/sys", "/run", run.program_folder,
                   run.program_folder + "/models", settings.service.profile,
                   settings.service.ca_file, settings.results.webhook_ca, settings.capture.model,
                   settings.capture.cascades, settings.ui.voice_folder, settings.consent.folder,
                   settings.brand.logo, run.camera_reads},
      .writable = {"/dev", settings.state_folder, AbsoluteFolderOf(run.config),
                   AbsoluteFolderOf(run.start_page), settings.results.spool, settings.light.led,
                   settings.staff.sticks, std::string(Behind("device:", settings.printer.target))}};
  for (const std::string& made : {settings.log.file, settings.api.socket}) {
    if (!made.empty()) places.writable.push_back(AbsoluteFolderOf(made));
  }
  if (const auto file = Behind("file:", settings.printer.target); !file.empty()) {
    places.writable.push_back(AbsoluteFolderOf(std::string(file)));
  }
  std::erase(places.readable, "");
  std::erase(places.writable, "");
  return places;
}

}  // namespace idkiosk
