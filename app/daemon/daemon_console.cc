#include "app/daemon/daemon_console.h"

#include <utility>

#include "app/assembly/camera_session.h"
#include "app/assembly/version.h"

namespace idkiosk {

KioskCorner::KioskCorner(Kiosk& kiosk, const Settings& settings, SecureStorage& storage,
                         TaskRunner& keeper, TaskRunner& control, std::function<void()> start_anew,
                         std::optional<ThreadedSources::Service> service)
    : kiosk_(kiosk),
      state_folder_(settings.state_folder),
      started_(kiosk.drivers().clock.Now()),
      service_(std::move(service)),
      sources_({.files = kiosk.drivers().files,
                .clock = kiosk.drivers().clock,
                .storage = storage,
                .keeper = keeper,
                .control = control,
                .settings = settings,
                .config_path = kiosk.config_path(),
                .facts = [this] { return Facts(); },
                .start_anew = std::move(start_anew),
                .service = service_ ? &*service_ : nullptr}),
      corner_(sources_, control, kiosk.drivers().clock) {}

void KioskCorner::NoteCapture(const CaptureRecord& record) {
  const std::lock_guard lock(mutex_);
  last_capture_ = record;
}

SupportFacts KioskCorner::Facts() {
  const Drivers& drivers = kiosk_.drivers();
  SupportFacts facts;
  facts.version = ProgramVersion();
  facts.libraries = LibraryVersions(drivers);
  facts.uptime = drivers.clock.Now() - started_;
  facts.resident_bytes = ResidentBytes(drivers.files);
  if (const auto free = drivers.files.FreeSpace(state_folder_)) facts.free_bytes = *free;
  const std::lock_guard lock(mutex_);
  facts.last_capture = last_capture_;
  return facts;
}

Result<OpenCamera> OpenCameraOf(Kiosk& kiosk, const std::string& source) {
  auto session = CameraSession::Open(kiosk, source);
  if (!session) return Fail(ErrorCode::kUnavailable, "{}", session.error().message);
  OpenCamera open;
  open.camera = &(*session)->camera();
  open.analyzer = &(*session)->analyzer();
  open.info = (*session)->info();
  open.limits = kiosk.newest_capture_settings();
  open.compromise = kiosk.detector_compromise();
  open.owner = std::shared_ptr<CameraSession>(std::move(*session));
  return open;
}

}  // namespace idkiosk
