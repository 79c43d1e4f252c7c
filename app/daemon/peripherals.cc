#include "app/daemon/peripherals.h"

#include <utility>

#include "platform/base/log.h"

namespace idkiosk {

KioskDevices::KioskDevices(Kiosk& kiosk) : voice_(kiosk.drivers().files, kiosk.VoicePlaces()) {
  equipment_.voices = voice_.Languages();
  equipment_.scanner = true;  // the camera itself
}

Attempt<std::unique_ptr<KioskDevices>> KioskDevices::Make(Kiosk& kiosk, const Settings& settings,
                                                          TaskRunner& control) {
  std::unique_ptr<KioskDevices> devices(new KioskDevices(kiosk));
  const std::string trouble = VoiceFolderTrouble(kiosk.drivers().files, settings.ui.voice_folder);
  if (!trouble.empty()) LogWarning("{}", trouble);
  if (Status added = devices->AddPrinter(kiosk, settings.printer.target, control); !added) {
    return StopWith(ExitCode::kConfiguration, added.error());
  }
  if (!settings.brand.logo.empty()) {
    auto logo = LoadBrandLogo(kiosk.drivers().files, settings.brand.logo);
    if (!logo) return StopWith(ExitCode::kConfiguration, logo.error().Within("brand.logo"));
    devices->logo_ = std::move(*logo);
    devices->equipment_.logo = true;
  }
  if (!settings.light.led.empty()) {
    devices->light_ = kiosk.drivers().make_light(settings.light);
    devices->TurnLight(false);  // it may be on from before a crash
  }
  return devices;
}

KioskDevices::~KioskDevices() {
  TurnLight(false);
  if (!printing_thread_.joinable()) return;
  printing_->Post([this] { printing_->Stop(); });
  printing_thread_.join();
}

Status KioskDevices::AddPrinter(Kiosk& kiosk, const std::string& target, TaskRunner& control) {
  if (target.empty()) return {};
  auto printer = kiosk.drivers().make_printer(target);
  if (!printer) return std::unexpected(printer.error().Within("printer.target"));
  printer_ = std::move(*printer);
  printing_ = kiosk.drivers().make_task_loop();
  receipts_.emplace(*printer_, *printing_, control);
  printing_thread_ = std::jthread([this] { printing_->Run(); });
  equipment_.printer = true;
  return {};
}

void KioskDevices::TurnLight(bool on) {
  if (light_ == nullptr) return;
  const Status turned = on ? light_->On() : light_->Off();
  if (!turned && !std::exchange(light_failed_, true)) {
    LogWarning("light.led: {}", turned.error().message);
  }
}

SessionController::Devices KioskDevices::of_a_session(SlipReader& slips) {
  return {.receipts = receipts_ ? &*receipts_ : nullptr, .slips = &slips};
}

}  // namespace idkiosk
