#ifndef IDKIOSK_APP_OPERATOR_OPERATOR_BACKEND_H_
#define IDKIOSK_APP_OPERATOR_OPERATOR_BACKEND_H_

#include <array>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "app/audit/audit_event.h"
#include "app/capture/tools/camera_look.h"
#include "app/operator/finding.h"
#include "app/queue/call_record.h"
#include "app/session/command_reply.h"
#include "app/session/staff/staff_directory.h"
#include "platform/api/secure_storage.h"
#include "platform/base/enum_rows.h"
#include "platform/base/log.h"

namespace idkiosk {

// The questions of the operator's console to the threads that own the kiosk's parts. Everything is
// called on the control thread and returns at once; answers come later, on the same thread. Nothing
// that is asked here costs money, but for a resend and a lifted hold.
class OperatorBackend {
 public:
  template <typename T>
  using Then = std::move_only_function<void(T)>;

  // The checks of readiness, in the order they are shown.
  enum class Check { kConfiguration, kVault, kQueue, kCamera, kClock, kService };
  static constexpr std::array kChecks = {Check::kConfiguration, Check::kVault, Check::kQueue,
                                         Check::kCamera,        Check::kClock, Check::kService};
  static_assert(kChecks.size() == EnumeratorCount<Check>());

  struct QueueView {
    QueueStats stats;
    std::vector<CallSummary> calls;  // DurableQueue::Newest
    WallTime now;                    // that ages are told by
    std::string currency;
  };
  struct LedgerView {
    std::vector<BilledHour> hours;
    std::string currency;
  };
  struct StaffView {
    std::vector<StaffDirectory::Person> people;
    std::string signed_in;     // the name
    bool two_persons = false;  // a second operator must agree to what is dangerous
  };
  enum class Decision { kResend, kGiveUp };

  // Hears what the camera sees, on the control thread, until LetCameraGo.
  class CameraListener {
   public:
    virtual ~CameraListener() = default;
    virtual void OnCamera(const std::string& source, const std::string& format,
                          const std::string& detector) = 0;
    virtual void OnMeasures(std::vector<Measure> measures) = 0;
    virtual void OnCameraTrouble(std::string sentence) = 0;
  };

  virtual ~OperatorBackend() = default;

  // Whether this kiosk knows its service. Where it does not, it has no queue and no camera.
  [[nodiscard]] virtual bool provisioned() const = 0;

  virtual void Look(Check check, Then<Findings> then) = 0;
  virtual void ReadQueue(Then<Result<QueueView>> then) = 0;
  virtual void ReadLedger(Then<Result<LedgerView>> then) = 0;
  virtual void ReadVault(Then<Result<SecureStorage::Info>> then) = 0;
  [[nodiscard]] virtual StaffView ReadStaff() = 0;
  [[nodiscard]] virtual std::vector<LogLine> ReadLog() = 0;

  // Decides about an unknown call. `seen`: of kResend, the attempts that the person was shown.
  // Errors: DurableQueue's.
  virtual void Decide(const CallReference& reference, Decision decision, int seen,
                      Then<Status> then) = 0;

  // Lifts the hold with this HoldId: one call goes first, and may be billed. Errors:
  // DurableQueue::Lift's.
  virtual void LiftHold(const std::string& id, Then<Status> then) = 0;

  // `listener` must outlive the watching. The page's preview shows what it sees.
  virtual void WatchCamera(CameraListener& listener) = 0;
  virtual void LetCameraGo() = 0;

  // Asks whether `name` is an operator, another one than who is signed in, with this PIN. An answer
  // that is no refusal is in the audit trail: they agree to `event`.
  virtual void Confirm(const std::string& name, SecretBytes pin, AuditEvent event,
                       Then<CommandReply> then) = 0;

  // Credentials that somebody typed, by their names in credentials.h, where a message lacks them.
  using Typed = std::vector<std::pair<std::string_view, SecretBytes>>;
  // An onboarding message: checked, tried at the service without a billed call, and only then
  // written into configuration and vault as `idkiosk provision` does. `second`: who confirmed it;
  // empty: nobody. Errors: kForbidden (a second operator must; the service was asked nothing),
  // kInvalid (what is wrong with it, what the service said, or why it could not be written).
  virtual void SetUp(SecretBytes message, Typed typed, const std::string& second,
                     Then<Status> then) = 0;
  // Looks through the camera for the code of an onboarding message, until StopScan. Errors:
  // kTimeout (none was seen), the camera's.
  virtual void ScanMessage(Then<Result<SecretBytes>> then) = 0;
  virtual void StopScan() = 0;
  // Erases the vault's keys, and then all else that is a secret or somebody's; the program's parts
  // are made again without. Errors: kForbidden, as above; SecureStorage's.
  virtual void Erase(const std::string& second, Then<Status> then) = 0;
  // Makes the program's parts again from what is on the disk now.
  virtual void StartAnew() = 0;

  // Writes a support bundle with these findings; its path.
  virtual void KeepBundle(Findings findings, Then<Result<std::string>> then) = 0;
};

// "configuration", "vault", ...: the part that a check is about.
[[nodiscard]] constexpr KioskPart PartOf(OperatorBackend::Check check) {
  constexpr KioskPart kParts[] = {KioskPart::kConfiguration, KioskPart::kVault,
                                  KioskPart::kQueue,         KioskPart::kCamera,
                                  KioskPart::kClock,         KioskPart::kService};
  static_assert(std::size(kParts) == EnumeratorCount<OperatorBackend::Check>());
  return kParts[static_cast<size_t>(check)];
}

}  // namespace idkiosk

#endif  // IDKIOSK_APP_OPERATOR_OPERATOR_BACKEND_H_
