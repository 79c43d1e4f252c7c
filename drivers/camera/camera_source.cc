#include "drivers/camera/camera_source.h"

#include <algorithm>
#include <vector>

#include "drivers/camera/image_sequence_camera.h"
#include "drivers/camera/opencv_source.h"
#include "drivers/camera/remote_camera.h"
#include "drivers/camera/supervised_camera.h"
#include "platform/base/address.h"

namespace idkiosk {
namespace {

constexpr std::string_view kFirst = "auto";

struct Wish {
  std::string_view source;
  std::string where;  // what stands behind the source's colon
  const CameraControls& controls;
  VideoKernel& kernel;
  CameraProgram& program;
  Clock& clock;
  FileSystem& files;
};

CameraChoice Supervised(std::unique_ptr<Camera> camera, const Wish& wish,
                        SyntheticCamera* sitter = nullptr) {
  SupervisedCamera::Patience patience;
  patience.silence = wish.controls.silence;
  return {
      std::make_unique<SupervisedCamera>(std::move(camera), patience, wish.clock, SleepingWait()),
      sitter};
}

Result<CameraChoice> MakeSynthetic(const Wish& wish) {
  const auto script = ParseSitterScript(wish.where);
  if (!script) return std::unexpected(script.error());
  auto camera = std::make_unique<SyntheticCamera>(std::string(wish.source), *script, wish.clock,
                                                  SleepingWait());
  SyntheticCamera* const sitter = camera.get();
  return Supervised(std::move(camera), wish, sitter);
}

Result<CameraChoice> MakeV4l2(const Wish& wish) {
  return Supervised(
      std::make_unique<V4l2Camera>(wish.where, wish.controls, wish.kernel, wish.clock), wish);
}

Result<CameraChoice> MakeOpenCv(const Wish& wish) {
  if (Status there = wish.program.Start(); !there) return std::unexpected(there.error());
  auto camera = std::make_unique<RemoteCamera>(
      wish.where, [&program = wish.program] { return program.Connect(); }, wish.clock);
  // A film ends: nobody waits for it to come back.
  if (ParseOpenCvSource(wish.where).kind == OpenCvSource::Kind::kFile) {
    return CameraChoice{std::move(camera), nullptr};
  }
  return Supervised(std::move(camera), wish);
}

Result<CameraChoice> MakeImages(const Wish& wish) {
  return CameraChoice{
      std::make_unique<ImageSequenceCamera>(wish.where, ImageSequenceCamera::Pace::kByTheClock,
                                            wish.files, wish.clock, SleepingWait()),
      nullptr};
}

// The first real camera, else the drawn sitter.
Result<CameraChoice> MakeFirst(const Wish& wish) {
  const auto cameras = ListCameras(wish.kernel);
  Wish first = wish;
  first.source = "synthetic";
  if (cameras.empty()) return MakeSynthetic(first);
  first.where = cameras.front().path;
  return MakeV4l2(first);
}

PictureMeans MeansOfOpenCv(const std::string& where, VideoKernel&) {
  return ParseOpenCvSource(where).means;
}

PictureMeans MeansOfFirst(const std::string&, VideoKernel& kernel) {
  return ListCameras(kernel).empty() ? PictureMeans::kDrawn : PictureMeans::kLive;
}

template <PictureMeans kMeans>
PictureMeans Always(const std::string&, VideoKernel&) {
  return kMeans;
}

// A form is a word, and ":WHERE" or "[:WHERE]" where it must or may say more.
struct Kind {
  std::string_view form;
  Result<CameraChoice> (*make)(const Wish&);
  PictureMeans (*means)(const std::string& where, VideoKernel&);  // before it is opened
  bool reads = false;  // WHERE is a file or folder that this process reads
};
constexpr Kind kKinds[] = {
    // A path below /dev/v4l/by-id survives re-plugging.
    {"v4l2:/dev/video0", &MakeV4l2, &Always<PictureMeans::kLive>},
    // Whatever OpenCV opens: a number, a video file, an address. Another process does.
    {"opencv:URL-OR-FILE", &MakeOpenCv, &MeansOfOpenCv},
    // Pictures in the order of their names.
    {"images:FOLDER", &MakeImages, &Always<PictureMeans::kRecorded>, /*reads=*/true},
    // The drawn sitter; SitterScript says what a script may hold.
    {"synthetic[:SCRIPT]", &MakeSynthetic, &Always<PictureMeans::kDrawn>},
    {kFirst, &MakeFirst, &MeansOfFirst},
};

bool Fits(const Kind& kind, std::string_view source) {
  const std::string_view word = kind.form.substr(0, kind.form.find_first_of("[:"));
  const std::string_view rest = kind.form.substr(word.size());
  if (!source.starts_with(word)) return false;
  source.remove_prefix(word.size());
  if (source.empty()) return !rest.starts_with(':');
  return source[0] == ':' && !rest.empty() && (source.size() > 1 || rest[0] == '[');
}

Result<const Kind*> KindOf(std::string_view source) {
  const auto* found = std::ranges::find_if(kKinds, [&](auto& kind) { return Fits(kind, source); });
  if (found != std::end(kKinds)) {
    const bool is_address = source.contains("://") || source.contains('?');
    if (NeedsCameraProgram(source) || !is_address) return found;
    return Fail(ErrorCode::kInvalid, "'{}:...' is no address; write opencv:ADDRESS for one",
                source.substr(0, source.find(':')));
  }
  return Fail(ErrorCode::kInvalid, "'{}' names no camera; write {}", WithoutCredentials(source),
              CameraForms());
}

std::string WhereIn(std::string_view source) {
  return std::string(source.substr(std::min(source.find(':'), source.size() - 1) + 1));
}

}  // namespace

std::string CameraForms() {
  std::vector<std::string_view> forms;
  for (const Kind& kind : kKinds) forms.push_back(kind.form);
  const std::string_view last = forms.back();
  forms.pop_back();
  return fmt::format("{} or {}", fmt::join(forms, ", "), last);
}

Status CheckCameraSource(std::string_view source) {
  const auto kind = KindOf(source);
  return kind ? Status() : std::unexpected(kind.error());
}

Result<CameraPromise> PromiseOf(std::string_view source, VideoKernel& kernel) {
  const auto kind = KindOf(source);
  if (!kind) return std::unexpected(kind.error());
  const PictureMeans means = (*kind)->means(WhereIn(source), kernel);
  const bool none = source == kFirst && means == PictureMeans::kDrawn;
  return CameraPromise{
      .means = means,
      .says = fmt::format("{} {} {}", WithoutCredentials(source),
                          none ? "finds no camera, and would show" : "shows", Shown(means)),
      .may_change = source == kFirst,
      .reads = (*kind)->reads ? WhereIn(source) : ""};
}

bool NeedsCameraProgram(std::string_view source) { return source.starts_with(kOpenCv); }

Result<CameraChoice> MakeCamera(std::string_view source, const CameraControls& controls,
                                VideoKernel& kernel, CameraProgram& program, Clock& clock,
                                FileSystem& files) {
  const auto kind = KindOf(source);
  if (!kind) return std::unexpected(kind.error());
  return (*kind)->make({source, WhereIn(source), controls, kernel, program, clock, files});
}

}  // namespace idkiosk
