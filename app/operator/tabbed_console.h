#ifndef IDKIOSK_APP_OPERATOR_TABBED_CONSOLE_H_
#define IDKIOSK_APP_OPERATOR_TABBED_CONSOLE_H_

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "app/operator/back_office.h"
#include "app/operator/console_tabs.h"
#include "app/operator/operator_backend.h"
#include "app/session/staff/operator_console.h"
#include "platform/api/clock.h"
#include "platform/api/task_runner.h"
#include "platform/base/enum_rows.h"
#include "platform/base/thread_checker.h"

namespace idkiosk {

// The operator's console of the page: readiness, queue, ledger, camera, vault, staff, log, set-up.
// Reads only what the open tab shows, every two seconds again where it changes by itself; the
// camera is let go when its tab is left. On the control thread.
class TabbedConsole final : public OperatorConsole, private OperatorBackend::CameraListener {
 public:
  // All must outlive it.
  TabbedConsole(OperatorBackend& sources, OfficeBackend& office, TaskRunner& control,
                const Clock& clock);
  ~TabbedConsole() override;

  void Open(std::function<void()> changed) override;
  void Close() override;
  void Do(std::string_view command, JsonView arguments, Reply reply) override;
  void ShowNumber(const CallReference& reference, Reply reply) override;
  [[nodiscard]] std::string Snapshot() const override;

 private:
  enum class Tab { kReady, kQueue, kLedger, kCamera, kVault, kStaff, kLog, kSetup };
  static constexpr std::array<std::string_view, 8> kTabs = {"ready", "queue", "ledger", "camera",
                                                            "vault", "staff", "log",    "setup"};
  static_assert(kTabs.size() == EnumeratorCount<Tab>());
  // The operator who agrees, too. Nobody: the name is empty.
  struct Second {
    std::string name;
    SecretBytes pin;
  };
  struct Command;
  static const Command kCommands[];

  [[nodiscard]] std::string_view Problem() const;
  void ChooseTab(JsonView arguments, Reply reply);
  void Resend(JsonView arguments, Reply reply);
  void GiveUp(JsonView arguments, Reply reply);
  void SetUp(JsonView arguments, Reply reply);
  void Erase(JsonView arguments, Reply reply);
  void SetUpFrom(SecretBytes message, OperatorBackend::Typed typed, Second second, Reply reply);
  void Scan(JsonView arguments, Reply reply);
  void OnScanned(Result<SecretBytes> message);
  void StopScan();
  void KeepBundle(JsonView arguments, Reply reply);

  void Enter(Tab tab);
  void Leave();
  void CheckAll();
  void Read();
  void ReadAgainLater();
  void Decide(JsonView arguments, OperatorBackend::Decision decision, Reply reply);
  void LiftHold(JsonView arguments, Reply reply);
  // Replies with what was decided, and reads the tab again.
  [[nodiscard]] OperatorBackend::Then<Status> ReadAgainAfter(Reply reply);
  [[nodiscard]] static Second SecondOf(JsonView arguments);
  // Runs `act` with the name of the second operator, once they were confirmed, or with none.
  void WithSecond(Second second, AuditEvent event,
                  std::move_only_function<void(std::string second, Reply)> act, Reply reply);
  void OnSetUp(const Status& done, Duration after);
  void WriteBundle();

  void OnCamera(const std::string& source, const std::string& format,
                const std::string& detector) override;
  void OnMeasures(std::vector<Measure> measures) override;
  void OnCameraTrouble(std::string sentence) override;

  // `then` of an answer that is worth something only in the opening it was asked in. Keeps what
  // went wrong for the page.
  template <typename T>
  auto Keep(std::optional<T>& place);
  template <typename Function>
  auto InThisOpening(Function function);
  void Changed();

  const ThreadChecker control_thread_;
  OperatorBackend& sources_;
  OfficeBackend& files_;
  TaskRunner& control_;
  const Clock& clock_;
  std::function<void()> changed_;  // empty: closed
  BackOffice office_;
  uint64_t opening_ = 0;
  Tab tab_ = Tab::kReady;
  std::string problem_;  // why the open tab cannot be shown; empty: it can

  CheckFindings found_;
  std::optional<OperatorBackend::QueueView> queue_;
  std::optional<OperatorBackend::LedgerView> ledger_;
  std::optional<CameraView> camera_;
  std::optional<SecureStorage::Info> vault_;
  OperatorBackend::StaffView staff_;
  std::vector<LogLine> log_;
  SetupView setup_;
  SecretBytes scanned_;         // a message that lacks something; empty: none
  bool bundle_wanted_ = false;  // as soon as every check has answered
  ScopedTimer again_;
  ScopedTimer anew_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_OPERATOR_TABBED_CONSOLE_H_
