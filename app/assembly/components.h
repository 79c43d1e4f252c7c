#ifndef IDKIOSK_APP_ASSEMBLY_COMPONENTS_H_
#define IDKIOSK_APP_ASSEMBLY_COMPONENTS_H_

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "app/assembly/command_result.h"
#include "app/assembly/drivers.h"
#include "app/audit/audit_trail.h"
#include "app/capture/capture_runner.h"
#include "app/capture/vision/face_detector.h"
#include "app/capture/vision/frame_analyzer.h"
#include "app/queue/delivery_worker.h"
#include "app/queue/durable_queue.h"
#include "app/service/endpoint_profile.h"
#include "app/service/request_reasons.h"
#include "app/service/service_client.h"
#include "app/service/token_keeper.h"
#include "app/settings/settings.h"
#include "app/workers/picture_shrinker.h"

namespace idkiosk {

// The options before every command: idkiosk --config FILE --json COMMAND.
struct GlobalOptions {
  std::string config = "/etc/idkiosk/kiosk.jsonc";
  bool config_given = false;
  bool json = false;
};

// The program's parts, each made when a command first asks for it, in the order they need one
// another: settings, vault, queue, service, delivery. One thread.
class Components {
 public:
  // Both must outlive this.
  Components(const Drivers& drivers, const GlobalOptions& options);
  ~Components();
  Components(const Components&) = delete;
  Components& operator=(const Components&) = delete;

  [[nodiscard]] const Drivers& drivers() const { return drivers_; }
  [[nodiscard]] Terminal& terminal() const { return drivers_.terminal; }
  [[nodiscard]] bool json() const { return options_.json; }
  [[nodiscard]] const std::string& config_path() const { return options_.config; }
  [[nodiscard]] const GlobalOptions& options() const { return options_; }

  [[nodiscard]] CommandResult<const Settings*> settings();
  // The same, but the service's address may still be missing.
  [[nodiscard]] CommandResult<const Settings*> settings_before_provisioning();
  // The same, or the defaults where no configuration was named and none is installed: pictures can
  // be taken and looked at without a service.
  [[nodiscard]] CommandResult<const Settings*> settings_or_defaults();
  // As before provisioning; the log of a program that runs alone says also what goes well. Before
  // any other thread starts.
  [[nodiscard]] CommandResult<const Settings*> settings_of_a_service();
  // The settings were changed on the disk: the next part that needs them reads them again.
  void ForgetSettings() { settings_.reset(); }
  // Reads the profile of the service, once.
  [[nodiscard]] CommandResult<const ServiceProfile*> profile();

  // A secret that somebody types, or what `file` (mode 0600) holds where one is named.
  [[nodiscard]] CommandResult<SecretBytes> SecretFrom(const std::string& file,
                                                      std::string_view question);

  [[nodiscard]] CommandResult<SecureStorage*> vault();
  [[nodiscard]] CommandResult<VaultAdministration*> vault_administration();
  // Where it is put down who did what; any thread may write it.
  [[nodiscard]] CommandResult<AuditTrail*> audit();
  // What people agreed to; any thread may write it.
  [[nodiscard]] CommandResult<ConsentLog*> consents();
  [[nodiscard]] CommandResult<DurableQueue*> queue(DurableQueue::Role role);
  // Lets go of its files. Requires that what queue() returned is used no more.
  void CloseQueue() { queue_.reset(); }
  [[nodiscard]] CommandResult<ServiceClient*> service();
  // Fetched from the service where none are kept. Offline, the kept ones serve, whatever their age.
  [[nodiscard]] CommandResult<RequestReasons*> reasons();
  // Asks the service for the list, whatever is kept: that proves the credentials, too, and costs
  // nothing. Ends with kConfiguration where the service refuses them.
  [[nodiscard]] CommandResult<RequestReasons*> fresh_reasons();
  [[nodiscard]] CommandResult<DeliveryWorker*> worker();
  // The capture's limits: smaller pictures where the service has refused larger ones.
  [[nodiscard]] CommandResult<const CaptureSettings*> capture_settings();

  // The same as it stands now: any thread, once capture_settings() was asked for.
  [[nodiscard]] CaptureSettings newest_capture_settings() const {
    return shrinker_->RememberedSettings();
  }
  // Ends the exchange with the service that is under way; any thread, once service() was asked for.
  void CancelExchange() { http_->Cancel(); }

  [[nodiscard]] CommandResult<FrameAnalyzer*> analyzer();
  // Ends the analyzer, and with it every pixel that it and its networks keep of the faces that it
  // saw; analyzer() loads it again. On the thread that asks for analyzer().
  void ForgetFaces();
  // Whether that camera has shown colours since the program began: one that shows none later looks
  // at something grey. On the thread that opens cameras.
  [[nodiscard]] bool HasShownColours(const std::string& camera) const {
    return coloured_cameras_.contains(camera);
  }
  void NoteColours(const std::string& camera) { coloured_cameras_.insert(camera); }
  // An analyzer with its own detector, for a thread of its own.
  struct LoadedAnalyzer {
    ChosenDetector detector;
    std::unique_ptr<FrameAnalyzer> analyzer;
  };
  [[nodiscard]] CommandResult<LoadedAnalyzer> LoadAnalyzer();
  // The folders of spoken sentences: the configuration's recordings, then the program's own.
  [[nodiscard]] std::vector<std::string> VoicePlaces() const;
  [[nodiscard]] const std::string& detector_compromise() const {
    return analyzer_.detector.compromise;
  }

  // The process was asked to stop (SIGINT, SIGTERM, SIGHUP).
  [[nodiscard]] bool stopping() const;
  // From now on such a signal ends the process at once: for what only reads, and takes its time.
  void EndWhenAskedTo();
  // Waits on the clock, until `time` at the latest; false when the process was asked to stop.
  [[nodiscard]] bool WaitUntil(MonotonicTime time);

 private:
  [[nodiscard]] std::vector<std::string> ModelPlaces() const;
  // Requires settings_.
  [[nodiscard]] std::unique_ptr<RequestReasons> MakeReasons() const;

  const Drivers& drivers_;
  const GlobalOptions& options_;

  std::unique_ptr<Settings> settings_;
  std::unique_ptr<ServiceProfile> profile_;
  ChosenVault vault_;
  std::unique_ptr<AuditTrail> audit_;
  std::unique_ptr<ConsentLog> consents_;
  std::unique_ptr<DurableQueue> queue_;
  std::unique_ptr<HttpClient> http_;
  std::unique_ptr<TokenKeeper> tokens_;
  std::unique_ptr<ServiceClient> service_;
  std::unique_ptr<RequestReasons> reasons_;
  std::unique_ptr<PictureShrinker> shrinker_;
  std::unique_ptr<CaptureSettings> capture_settings_;
  std::unique_ptr<DeliveryWorker> worker_;
  LoadedAnalyzer analyzer_;
  std::set<std::string> coloured_cameras_;  // by source
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_ASSEMBLY_COMPONENTS_H_
