#include "drivers/opencv_camera/source_confinement.h"

#include <sys/resource.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <string_view>

#include "drivers/camera/opencv_source.h"
#include "platform/posix/file_confinement.h"

namespace idkiosk {
namespace {

namespace fs = std::filesystem;
using Kind = OpenCvSource::Kind;

// The libraries, and what they ask of the machine. Nothing of /etc that is ours, and of /proc no
// other process.
constexpr std::string_view kSystem[] = {
    "/usr",         "/lib",          "/lib64",        "/etc/ld.so.cache",        "/etc/localtime",
    "/proc/self",   "/proc/cpuinfo", "/proc/meminfo", "/sys/devices/system/cpu", "/sys/fs/cgroup",
    "/dev/urandom", "/dev/zero",
};
// Names, and certificates for https and rtsps.
constexpr std::string_view kNetwork[] = {
    "/etc/resolv.conf", "/etc/hosts",     "/etc/host.conf", "/etc/nsswitch.conf", "/etc/gai.conf",
    "/etc/services",    "/etc/protocols", "/etc/ssl",       "/etc/gnutls",
};
template <size_t kCount>
void Add(std::vector<std::string>& places, const std::string_view (&more)[kCount]) {
  places.insert(places.end(), std::begin(more), std::end(more));
}

void AddNetwork(SourceNeeds& needs) {
  Add(needs.readable, kNetwork);
  needs.sockets.push_back(AF_INET);
  needs.sockets.push_back(AF_INET6);
}

// Each camera and each part of one, for pipelines that find them by themselves.
void AddCameras(SourceNeeds& needs) {
  needs.readable.insert(needs.readable.end(), {"/sys", "/run/udev"});
  needs.writable.insert(needs.writable.end(), {"/dev/dri", "/dev/dma_heap"});
  std::error_code error;
  for (const auto& each : fs::directory_iterator("/dev", error)) {
    const std::string name = each.path().filename();
    if (name.starts_with("video") || name.starts_with("media") || name.starts_with("v4l-subdev")) {
      needs.writable.push_back(each.path());
    }
  }
}

// What GStreamer is told by the environment, and its list of plugins.
void AddPlugins(SourceNeeds& needs) {
  for (const char* const variable : {"GST_REGISTRY", "GST_PLUGIN_PATH", "GST_PLUGIN_SYSTEM_PATH"}) {
    const char* const value = std::getenv(variable);
    if (value != nullptr) needs.readable.emplace_back(value);
  }
  const char* const home = std::getenv("HOME");
  if (home != nullptr) needs.readable.push_back(std::string(home) + "/.cache/gstreamer-1.0");
}

// The values of a pipeline's settings: 'location="/a b.mp4"' has /a b.mp4.
std::vector<std::string> ValuesIn(std::string_view pipeline) {
  std::vector<std::string> values;
  for (size_t at = pipeline.find('='); at != std::string_view::npos; at = pipeline.find('=')) {
    pipeline.remove_prefix(at + 1);
    const bool quoted = pipeline.starts_with('"');
    if (quoted) pipeline.remove_prefix(1);
    const size_t end = quoted ? pipeline.find('"') : pipeline.find_first_of(kBetweenWords);
    values.emplace_back(pipeline.substr(0, std::min(end, pipeline.size())));
  }
  return values;
}

void AddPlace(SourceNeeds& needs, std::string value) {
  constexpr std::string_view kFile = "file://";
  if (value.starts_with(kFile)) value.erase(0, kFile.size());
  if (value.empty() || value.contains("://")) return;
  // Many files of one folder: frame-%03d.png
  if (value.contains('%') || value.contains('*')) {
    value = fs::path(value).parent_path();
    if (value.empty()) value = ".";
  }
  (value.starts_with("/dev/") ? needs.writable : needs.readable).push_back(value);
}

bool HasOnlyLocalSources(std::string_view pipeline) {
  for (const std::string_view word : WordsOf(pipeline)) {
    const SourceElement* const element = SourceElementOf(word);
    if (word.contains('=')) {
      if (word.contains("://") && !word.contains("=file://") && !word.contains("=\"file://")) {
        return false;
      }
    } else if (element != nullptr ? !element->is_local
                                  : word.ends_with("src") || word.contains("bin")) {
      return false;
    }
  }
  return true;
}

void Limit(__rlimit_resource what, rlim_t most) {
  const rlimit limit{most, most};
  (void)setrlimit(what, &limit);
}

}  // namespace

SourceNeeds NeedsOf(const std::string& name) {
  const OpenCvSource source = ParseOpenCvSource(name);
  SourceNeeds needs;
  Add(needs.readable, kSystem);
  needs.writable.emplace_back("/dev/null");
  switch (source.kind) {
    case Kind::kFile:
      needs.readable.push_back(source.file);
      break;
    case Kind::kNumber:
      needs.readable.emplace_back("/sys");
      needs.writable.push_back("/dev/video" + std::to_string(std::stoi(name)));
      break;
    case Kind::kAddress:
      AddNetwork(needs);
      break;
    case Kind::kPipeline:
      AddPlugins(needs);
      AddCameras(needs);
      for (std::string& value : ValuesIn(name)) AddPlace(needs, std::move(value));
      if (!HasOnlyLocalSources(name)) AddNetwork(needs);
      // Its pictures come from another process of this user.
      if (name.contains("pipewiresrc")) needs.sockets.push_back(AF_UNIX);
      break;
  }
  return needs;
}

void ConfineTo(const SourceNeeds& needs) {
  Limit(RLIMIT_CORE, 0);
  Limit(RLIMIT_FSIZE, 0);
  Limit(RLIMIT_NOFILE, 256);
  Limit(RLIMIT_DATA, rlim_t{1} << 30);
  // A capture takes seconds, the longest recording an hour.
  Limit(RLIMIT_CPU, 4 * 3600);
  (void)FileConfinement::Enter(needs.readable, needs.writable);
  (void)FilterCalls(needs.sockets);
}

}  // namespace idkiosk
