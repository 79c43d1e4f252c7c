#ifndef IDKIOSK_APP_WORKERS_THREADED_OPERATOR_BACKEND_H_
#define IDKIOSK_APP_WORKERS_THREADED_OPERATOR_BACKEND_H_

#include <functional>
#include <memory>
#include <string>

#include "app/audit/audit_log.h"
#include "app/capture/open_camera.h"
#include "app/operator/operator_backend.h"
#include "app/operator/support_bundle.h"
#include "app/service/service_client.h"
#include "app/session/staff/page_user.h"
#include "app/session/staff/pin_lock.h"
#include "app/session/staff/two_persons.h"
#include "app/session/visit/slip_reader.h"
#include "app/settings/provisioning.h"
#include "app/workers/capture_worker.h"
#include "app/workers/delivery_loop.h"
#include "app/workers/threaded_queue_client.h"
#include "platform/api/task_runner.h"
#include "platform/base/thread_checker.h"

namespace idkiosk {

// Asks each part of a kiosk on the thread that owns it: configuration, vault, queue and ledger on
// the storage thread's, the service on the delivery's, the camera on the capture's.
class ThreadedOperatorBackend final : public OperatorBackend {
 public:
  // The parts that exist once the kiosk knows its service.
  struct Service {
    ThreadedQueueClient& queue;
    ServiceClient& client;  // the delivery's thread alone
    DeliveryLoop& delivery;
    CaptureWorker& capture;
    PreviewSlot& preview;
    Heartbeat& camera_heartbeat;
    // The camera's thread.
    std::function<Result<OpenCamera>()> open_camera;
  };
  // All must outlive this; the threads of storage, delivery and capture end before it goes.
  struct Dependencies {
    FileSystem& files;
    const Clock& clock;
    const Crypto& crypto;
    SecureStorage& storage;
    AuditLog& audit;
    StaffDirectory& staff;
    const PageUser& user;
    PinLock& operator_lock;
    TaskRunner& storage_runner;
    TaskRunner& control;
    const Settings& settings;
    std::string config_path;
    // Version, memory and the like: everything but settings, findings, queue, ledger and log. On
    // the storage thread.
    std::function<SupportFacts()> facts;
    std::function<void()> start_anew;
    // Erases the vault's keys; any thread. Errors: SecureStorage's.
    std::function<Status()> erase_keys;
    // Ends the program's parts, and makes them again once what the keys opened is erased, too.
    std::function<void()> start_erased;
    // Tries what an onboarding message brings before it is stored: TryOnboarding. On the thread
    // that sends.
    std::function<Status(const Onboarding&, const Settings& after, const ServiceProfile&)> try_out;
    SlipReader* messages = nullptr;    // reads onboarding messages; null: there is no camera
    const Service* service = nullptr;  // null: the kiosk does not know its service yet
    // A camera that could not be opened is tried again after so long.
    Duration open_again = std::chrono::seconds(3);
  };

  explicit ThreadedOperatorBackend(Dependencies deps);
  ~ThreadedOperatorBackend() override;

  [[nodiscard]] bool provisioned() const override { return deps_.service != nullptr; }
  void Look(Check check, Then<Findings> then) override;
  void ReadQueue(Then<Result<QueueView>> then) override;
  void ReadLedger(Then<Result<LedgerView>> then) override;
  void ReadVault(Then<Result<SecureStorage::Info>> then) override;
  [[nodiscard]] std::vector<LogLine> ReadLog() override { return NewestLogLines(); }
  void Decide(const CallReference& reference, Decision decision, int seen,
              Then<Status> then) override;
  void LiftHold(const std::string& id, Then<Status> then) override;
  void WatchCamera(CameraListener& listener) override;
  void LetCameraGo() override;
  [[nodiscard]] StaffView ReadStaff() override;
  void Confirm(const std::string& name, SecretBytes pin, AuditEvent event,
               Then<CommandReply> then) override;
  void SetUp(SecretBytes message, Typed typed, const std::string& second,
             Then<Status> then) override;
  void Erase(const std::string& second, Then<Status> then) override;
  void ScanMessage(Then<Result<SecretBytes>> then) override;
  void StopScan() override;
  void StartAnew() override { deps_.start_anew(); }
  void KeepBundle(Findings findings, Then<Result<std::string>> then) override;

 private:
  class CameraCheck;
  class Watch;
  struct News;

  void LookAtCamera(Then<Findings> then);
  void LookAtService(Then<Findings> then);
  void BeginWatch();
  void Deliver(News& news);
  // Storage thread; `queue` is null before the kiosk knows its service.
  [[nodiscard]] Result<std::string> KeepBundleNow(const Findings& findings, DurableQueue* queue);
  // An onboarding message, and what it leads to.
  struct Judged {
    Onboarding onboarding;
    Settings after;
    ServiceProfile profile;
  };
  [[nodiscard]] Result<Judged> Judge(const SecretBytes& message, const Typed& typed);
  // In whose names it is done: who is signed in, and who confirmed; on the control thread.
  [[nodiscard]] Agreement AgreedBy(const std::string& second) const;
  [[nodiscard]] std::string ByBoth(const std::string& second) const;
  [[nodiscard]] Status Provide(const SecretBytes& message, const Typed& typed,
                               const std::string& by, const Agreement& agreed_by);
  // Storage thread; `queue` is null before the kiosk knows its service.
  [[nodiscard]] Status EraseKeys(const std::string& by, const Agreement& agreed_by,
                                 DurableQueue* queue);
  // Returns what became of the ledger, for the audit trail; never stands before the erasure.
  [[nodiscard]] std::string SaveLedger(DurableQueue& queue) const;

  const ThreadChecker control_thread_;
  const Dependencies deps_;
  CameraListener* listener_ GUARDED_BY(control_thread_) = nullptr;
  std::shared_ptr<News> news_ GUARDED_BY(control_thread_);  // of the watch under way
  ScopedTimer watch_again_ GUARDED_BY(control_thread_);
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_WORKERS_THREADED_OPERATOR_BACKEND_H_
