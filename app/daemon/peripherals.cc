#include "app/daemon/peripherals.h"

#include <utility>

#include "platform/base/log.h"

namespace idkiosk {

Peripherals::Peripherals(Components& components)
    : voice_(components.drivers().files, components.VoicePlaces()) {
  equipment_.voices = voice_.Languages();
  equipment_.scanner = true;  // the camera itself
}

CommandResult<std::unique_ptr<Peripherals>> Peripherals::Make(Components& components,
                                                              const Settings& settings,
                                                              TaskRunner& control) {
  std::unique_ptr<Peripherals> devices(new Peripherals(components));
  const std::string trouble =
      VoiceFolderTrouble(components.drivers().files, settings.ui.voice_folder);
  if (!trouble.empty()) LogWarning("{}", trouble);
  if (Status added = devices->AddPrinter(components, settings.printer.target, control); !added) {
    return StopWith(ExitCode::kConfiguration, added.error());
  }
  if (!settings.brand.logo.empty()) {
    auto logo = LoadBrandLogo(components.drivers().files, settings.brand.logo);
    if (!logo) return StopWith(ExitCode::kConfiguration, logo.error().Within("brand.logo"));
    devices->logo_ = std::move(*logo);
    devices->equipment_.logo = true;
  }
  if (!settings.light.led.empty()) {
    devices->light_ = components.drivers().make_light(settings.light);
    devices->TurnLight(false);  // it may be on from before a crash
  }
  return devices;
}

Peripherals::~Peripherals() {
  TurnLight(false);
  if (!printing_thread_.joinable()) return;
  printing_->Post([this] { printing_->Stop(); });
  printing_thread_.join();
}

Status Peripherals::AddPrinter(Components& components, const std::string& target,
                               TaskRunner& control) {
  if (target.empty()) return {};
  auto printer = components.drivers().make_printer(target);
  if (!printer) return std::unexpected(printer.error().Within("printer.target"));
  printer_ = std::move(*printer);
  printing_ = components.drivers().make_task_loop();
  receipts_.emplace(*printer_, *printing_, control);
  printing_thread_ = std::jthread([this] { printing_->Run(); });
  equipment_.printer = true;
  return {};
}

void Peripherals::TurnLight(bool on) {
  if (light_ == nullptr) return;
  const Status turned = on ? light_->On() : light_->Off();
  if (!turned && !std::exchange(light_failed_, true)) {
    LogWarning("light.led: {}", turned.error().message);
  }
}

VisitController::Devices Peripherals::of_a_session(SlipReader& slips) {
  return {.receipts = receipts_ ? &*receipts_ : nullptr, .slips = &slips};
}

}  // namespace idkiosk
