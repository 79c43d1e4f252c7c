#ifndef IDKIOSK_APP_DAEMON_SETUP_DAEMON_H_
#define IDKIOSK_APP_DAEMON_SETUP_DAEMON_H_

#include <memory>

#include "app/assembly/components.h"
#include "app/daemon/daemon_console.h"
#include "app/daemon/page_host.h"
#include "app/daemon/served_page.h"

namespace idkiosk {

// A kiosk that does not know its service yet: its page says so to everybody, and lets an operator
// set it up. It has no queue and takes no pictures; its camera reads the code of an onboarding
// message, which is tried at the service before it is stored.
class SetupDaemon final : public Daemon {
 public:
  // Serves the page to the browser of `login`; both must outlive this.
  // `camera`: as KioskDaemon::Start takes it.
  [[nodiscard]] static CommandResult<std::unique_ptr<SetupDaemon>> Start(Components& components,
                                                                         std::string camera,
                                                                         BrowserLogin& login);
  ~SetupDaemon() override;
  SetupDaemon(const SetupDaemon&) = delete;
  SetupDaemon& operator=(const SetupDaemon&) = delete;

  [[nodiscard]] End Run() override;

 private:
  // This kiosk takes none.
  class NoPictures final : public PictureTaker {
    void Start(Listener&, Duration, LightPace) override {}
    void LeaveOut(uint32_t) override {}
    void Stop() override {}
  };
  class NoQueue final : public QueueClient {
    void FindObstacle(VerificationCall, bool, Then<Looked>) override {}
    void Accept(VerificationCall, Terms, Then<Accepted>) override {}
    void NobodyWaits(const CallReference&) override {}
    void Show(const CallReference&, Then<Result<CallSummary>>) override {}
    void ReadOverview(Then<Result<Overview>>) override {}
    void ReadTally(Then<Result<Tally>>) override {}
    void OpenAnswer(const CallReference&, Then<Result<AnswerParts>>) override {}
    void Resend(const CallReference&, int, Then<Status>) override {}
    void GiveUp(const CallReference&, Then<Status>) override {}
  };

  SetupDaemon(Components& components, const Settings& settings, std::string camera,
              BrowserLogin& login);
  [[nodiscard]] SecretBytes Show(UiSnapshot shown, uint64_t revision) const;

  const Settings settings_;  // of a kiosk: there is no desk yet, and no agent
  const ServiceProfile profile_;
  const ChosenVault vault_;
  Metrics metrics_;
  PageHost host_;
  CameraThread camera_;
  NoPictures pictures_;
  NoQueue queue_;
  DaemonConsole console_;
  ServedPage page_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_DAEMON_SETUP_DAEMON_H_
