#ifndef IDKIOSK_APP_HEADQUARTERS_HEADQUARTERS_H_
#define IDKIOSK_APP_HEADQUARTERS_HEADQUARTERS_H_

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/audit/audit_log.h"
#include "app/headquarters/command_record.h"
#include "app/headquarters/fleet_command.h"
#include "app/headquarters/refusals.h"
#include "app/headquarters/settings_trial.h"
#include "app/queue/durable_queue.h"
#include "app/settings/settings.h"
#include "app/settings/signing_key.h"
#include "platform/api/signature_check.h"

namespace idkiosk {

// Carries out what headquarters have signed: each command once, in the order of their revisions,
// and nothing else, whoever brings it. The storage thread, but for MayLook.
class Headquarters {
 public:
  static constexpr Duration kSteady = std::chrono::seconds(15);  // well for so long: it is well
  // A command that is signed in the future by more is one of a kiosk whose clock is behind.
  static constexpr Duration kClockAgreement = std::chrono::hours(1);

  // All must outlive this.
  struct Dependencies {
    const Settings& settings;
    std::string config_path;
    DurableQueue& queue;
    SecureStorage& vault;
    AuditLog& audit;
    FileSystem& files;
    const Clock& clock;
    const Crypto& crypto;
    const SignatureCheck& signatures;
    // The parts of this kiosk that are not well, as /v1/health says; "queue", "vault".
    std::function<std::vector<std::string>()> complaints;
    std::function<void()> wake;                               // the delivery
    std::function<void()> start_anew;                         // soon
    std::function<Status()> erase = [] { return Status(); };  // every key
    std::function<void()> start_erased;                       // soon
    std::function<std::vector<std::string>()> log = [] { return std::vector<std::string>(); };
  };
  explicit Headquarters(Dependencies deps);

  // Reads what was taken before, and says what became of what was begun. Once, before the others.
  // Errors: CommandRecord::Load's, and then every command is refused.
  [[nodiscard]] Status Begin();

  // Whether one more may be looked at now. Any thread.
  [[nodiscard]] bool MayLook() { return refusals_.MayLook(); }
  // Looks at what should be a signed command, and carries it out where it is one.
  [[nodiscard]] FleetReply Take(std::string_view text);
  // What became of the newest ones, the oldest first.
  [[nodiscard]] const std::vector<FleetReply>& replies() const { return record_.replies(); }

  // Looks after settings on trial, and the refusals that have no line yet. Every few seconds.
  void LookAfter();

 private:
  // What was signed by whom.
  struct Proven {
    std::string document;
    std::string command;  // its SHA-256, in hex
    std::string by;       // "alice, bob"
    int signatures = 0;   // by different keys
  };
  [[nodiscard]] Result<Proven> Prove(std::string_view text) const;
  [[nodiscard]] Result<FleetCommand> Judge(const Proven& proven) const;
  [[nodiscard]] Status CheckAddress(const FleetCommand& command) const;
  [[nodiscard]] Status CheckTime(const FleetCommand& command) const;
  // What can be said before anything is begun.
  [[nodiscard]] Status CheckDoable(const FleetCommand& command) const;
  [[nodiscard]] FleetReply Refuse(FleetReply reply, const Error& why);
  [[nodiscard]] FleetReply Repeat(const FleetReply& known, const Proven& proven);
  [[nodiscard]] FleetReply CarryOut(const FleetCommand& command, FleetReply reply);
  [[nodiscard]] Status Do(const FleetCommand& command, FleetReply& reply);
  [[nodiscard]] Status RetryHolds();
  [[nodiscard]] Status BeginTrial(const FleetCommand& command, const FleetReply& reply);
  void Settle(FleetReply& reply, CommandState state, const std::string& reason);
  void FinishTrial();
  void KeepTrial();
  [[nodiscard]] std::string By(std::string_view names) const;
  // Those that were not there before the trial.
  [[nodiscard]] std::vector<std::string> NewComplaints() const;

  const Dependencies deps_;
  std::vector<SigningKey> keys_;
  CommandRecord record_;
  Refusals refusals_;
  SettingsTrialFile trial_file_;
  Status ready_ = Fail(ErrorCode::kFailedPrecondition, "it has not begun");
  std::optional<SettingsTrial> trial_;  // under way in this run of the program
  MonotonicTime trial_until_{};
  std::optional<MonotonicTime> well_since_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_HEADQUARTERS_HEADQUARTERS_H_
