#include "app/daemon/daemon_console.h"

#include <utility>

#include "app/assembly/version.h"

namespace idkiosk {

DaemonConsole::DaemonConsole(Components& components, const Settings& settings,
                             SecureStorage& storage, TaskRunner& storage_runner,
                             TaskRunner& control, std::function<void()> start_anew,
                             std::optional<ThreadedOperatorBackend::Service> service)
    : components_(components),
      state_folder_(settings.state_folder),
      started_(components.drivers().clock.Now()),
      service_(std::move(service)),
      sources_({.files = components.drivers().files,
                .clock = components.drivers().clock,
                .storage = storage,
                .storage_runner = storage_runner,
                .control = control,
                .settings = settings,
                .config_path = components.config_path(),
                .facts = [this] { return Facts(); },
                .start_anew = std::move(start_anew),
                .service = service_ ? &*service_ : nullptr}),
      console_(sources_, control, components.drivers().clock) {}

void DaemonConsole::NoteCapture(const CaptureRecord& record) {
  const MutexLock lock(mutex_);
  last_capture_ = record;
}

SupportFacts DaemonConsole::Facts() {
  const Drivers& drivers = components_.drivers();
  SupportFacts facts;
  facts.version = ProgramVersion();
  facts.libraries = LibraryVersions(drivers);
  facts.uptime = drivers.clock.Now() - started_;
  facts.resident_bytes = ResidentBytes(drivers.files);
  if (const auto free = drivers.files.FreeSpace(state_folder_)) facts.free_bytes = *free;
  const MutexLock lock(mutex_);
  facts.last_capture = last_capture_;
  return facts;
}

}  // namespace idkiosk
