#include "drivers/camera/opencv_module.h"

#include <dlfcn.h>
#include <stdlib.h>

#include <array>
#include <filesystem>

#include "platform/base/address.h"

namespace idkiosk {
namespace {

constexpr const char* kInstalled = "/usr/lib/idkiosk";

std::array<std::string, 2> Places() {
  std::error_code error;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
  return {fmt::format("{}/{}", program.string(), kOpenCvModuleFile),
          fmt::format("{}/{}", kInstalled, kOpenCvModuleFile)};
}

}  // namespace

void QuietOpenCvCameras() {
  constexpr const char* kNothing = "-8";  // FFmpeg's AV_LOG_QUIET
  constexpr int kUnlessSet = 0;
  (void)setenv("OPENCV_FFMPEG_LOGLEVEL", kNothing, kUnlessSet);
}

Result<std::unique_ptr<Camera>> LoadOpenCvCamera(const std::string& name, Clock& clock) {
  const auto places = Places();
  std::string found;
  std::error_code error;
  for (const std::string& place : places) {
    if (found.empty() && std::filesystem::exists(place, error)) found = place;
  }
  if (found.empty()) {
    return Fail(
        ErrorCode::kNotFound,
        "opencv:{} needs the module {}, which is neither at {} nor at {}: install it there, "
        "or use a v4l2: source",
        WithoutCredentials(name), kOpenCvModuleFile, places[0], places[1]);
  }
  // Never closed: frames of its cameras may outlive them.
  void* const module = dlopen(found.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (module == nullptr) {
    return Fail(ErrorCode::kInvalid, "the module {} cannot be loaded: {}", found, dlerror());
  }
  const auto make = reinterpret_cast<MakeOpenCvCameraEntry>(dlsym(module, kOpenCvModuleEntry));
  Camera* const camera =
      make == nullptr ? nullptr : make(kOpenCvModuleVersion, name.c_str(), &clock);
  if (camera == nullptr) {
    return Fail(ErrorCode::kInvalid, "the module {} is of another version of idkiosk: install both",
                found);
  }
  return std::unique_ptr<Camera>(camera);
}

}  // namespace idkiosk
