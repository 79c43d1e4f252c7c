#ifndef IDKIOSK_APP_DAEMON_PERIPHERALS_H_
#define IDKIOSK_APP_DAEMON_PERIPHERALS_H_

#include <memory>
#include <optional>
#include <thread>

#include "app/assembly/components.h"
#include "app/session/visit/visit_controller.h"
#include "app/ui/brand_logo.h"
#include "app/ui/voice_files.h"

namespace idkiosk {

// The devices besides the camera, as the configuration names them: voice, printer, light and logo.
// Made and destroyed on the control thread.
class Peripherals {
 public:
  // `control` must outlive it, and runs none of its tasks after it has gone.
  [[nodiscard]] static CommandResult<std::unique_ptr<Peripherals>> Make(Components& components,
                                                                        const Settings& settings,
                                                                        TaskRunner& control);
  // Waits for the receipt under way.
  ~Peripherals();
  Peripherals(const Peripherals&) = delete;
  Peripherals& operator=(const Peripherals&) = delete;

  // The equipment that the page shows, and the devices that a visit may use.
  [[nodiscard]] const UiEquipment& equipment() const { return equipment_; }
  [[nodiscard]] VisitController::Devices of_a_session(SlipReader& slips);
  [[nodiscard]] const VoiceFiles& voice() const { return voice_; }
  // Null: none.
  [[nodiscard]] const BrandLogo* logo() const { return logo_ ? &*logo_ : nullptr; }

  // The lamp, while somebody is looked at. A lamp that fails is said once, and keeps nobody from
  // anything. One thread at a time.
  void TurnLight(bool on);

 private:
  explicit Peripherals(Components& components);
  [[nodiscard]] Status AddPrinter(Components& components, const std::string& target,
                                  TaskRunner& control);

  const VoiceFiles voice_;
  std::optional<BrandLogo> logo_;
  std::unique_ptr<Light> light_;
  bool light_failed_ = false;
  UiEquipment equipment_;
  std::unique_ptr<Printer> printer_;
  std::unique_ptr<TaskLoop> printing_;
  std::optional<ReceiptPrinter> receipts_;
  std::jthread printing_thread_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_DAEMON_PERIPHERALS_H_
