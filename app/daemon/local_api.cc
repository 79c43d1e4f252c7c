#include "app/daemon/local_api.h"

#include <algorithm>
#include <utility>

#include "app/api/api_client.h"
#include "app/capture/picture_files.h"
#include "app/session/face_pictures.h"
#include "platform/base/log.h"

namespace idkiosk {
namespace {

// What libjpeg reads later begins like this.
constexpr std::array<uint8_t, 3> kJpegStart = {0xff, 0xd8, 0xff};

// Finds a picture by its name in the bundle.
Result<Frame> FrameOf(const ApiBackend::GivenPictures& pictures, const std::string& name) {
  const auto at = static_cast<size_t>(std::ranges::find(kBundleNames, name) - kBundleNames.begin());
  const ByteSpan bytes = pictures.at(at).view();
  if (bytes.size() < kJpegStart.size() ||
      !std::ranges::equal(bytes.first<kJpegStart.size()>(), kJpegStart)) {
    return Fail(ErrorCode::kCorrupt, "{} is no JPEG", name);
  }
  return Frame::Owning(PixelFormat::kJpeg, 0, 0, 0, Bytes(bytes.begin(), bytes.end()));
}

}  // namespace

LocalApi::LocalApi(const Dependencies& deps)
    : components_(deps.host.components),
      settings_(deps.settings),
      audit_(deps.host.audit),
      heartbeat_(deps.host.clock),
      backend_({.settings = deps.settings,
                .profile = deps.profile,
                .config_path = components_.config_path(),
                .queue = deps.queue,
                .vault = deps.vault,
                .audit = deps.host.audit,
                .consents = deps.consents,
                .consent_texts = deps.consent_texts,
                .files = components_.drivers().files,
                .clock = deps.host.clock,
                .entropy = components_.drivers().entropy,
                .storage_runner = *deps.host.storage_runner,
                .wake = deps.wake,
                .online = deps.online,
                .metrics = deps.metrics,
                .audit_entries = [this](uint64_t number,
                                        size_t limit) { return audit_.Entries(number, limit); },
                .others = deps.others,
                .headquarters = &deps.headquarters,
                .gate = [this](auto pictures) { return Gate(std::move(pictures)); },
                .begin_visit = deps.begin_visit,
                .at_screen = &deps.at_screen,
                .is_visit = [&is_visit = deps.is_visit] { return is_visit.load(); }}) {}

std::vector<std::string> LocalApi::Complaints() {
  std::vector<std::string> parts;
  for (const Finding& each : backend_.Health()) {
    const std::string name(Name(each.part));
    const bool is_new = std::ranges::find(parts, name) == parts.end();
    if (each.state == FindingState::kBad && is_new) parts.push_back(name);
  }
  return parts;
}

Status LocalApi::Serve() {
  const ApiSettings& chosen = settings_.api;
  if (chosen.socket.empty()) {
    const Status started = Start({.socket = ApiSocketOf(settings_), .own_user_alone = true});
    if (!started) {
      LogWarning("commands cannot reach this kiosk by its socket: {}", started.error().message);
    }
    return {};
  }
  if (const auto analyzer = components_.LoadAnalyzer(); !analyzer) {
    return Fail(ErrorCode::kInvalid, "{}", analyzer.error().message);
  }
  return Start({.socket = chosen.socket,
                .group = chosen.group,
                .supervisors = chosen.supervisors,
                .fleet_user = chosen.fleet_user});
}

Status LocalApi::Start(const ApiServer::Options& options) {
  // What cannot be learnt is seen by supervisors alone.
  if (const auto read = audit_.Read([this](const auto& entry) { backend_.owners().Learn(entry); });
      !read) {
    LogWarning("who asked for earlier checks is not known: {}", read.error().message);
  }
  auto server = ApiServer::Start(options, backend_, heartbeat_);
  if (!server) return std::unexpected(server.error());
  server_ = std::move(*server);
  LogInfo("the local API is at {}", options.socket);
  return {};
}

Result<FacePictures> LocalApi::Gate(ApiBackend::GivenPictures pictures) {
  const MutexLock lock(gate_);
  // For these faces alone: it keeps pixels of them as long as it lives.
  const auto loaded = components_.LoadAnalyzer();
  if (!loaded) return Fail(ErrorCode::kUnavailable, "{}", loaded.error().message);
  BundleNames names;
  std::ranges::copy(kBundleNames, names.begin());
  auto result = BundleFromStills(
      names, components_.newest_capture_settings(), *loaded->analyzer,
      [&pictures](const std::string& name) { return FrameOf(pictures, name); },
      components_.drivers().clock);
  if (!result) return std::unexpected(result.error());
  return TakePictures(std::move(result->bundle));
}

}  // namespace idkiosk
