#ifndef IDKIOSK_APP_CLI_ACCESS_QUEUE_ACCESS_H_
#define IDKIOSK_APP_CLI_ACCESS_QUEUE_ACCESS_H_

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/assembly/command_result.h"
#include "app/assembly/components.h"
#include "app/operator/person_erasure.h"

namespace idkiosk {

class ApiClient;

// The queue as the commands ask it: that of the running kiosk, through its socket, or, where none
// runs, its files. A decision stands in the audit trail before it takes effect.
//
// Errors of every function: DurableQueue's; of a running kiosk also kForbidden (this user may not
// ask it) and kUnavailable (it ends just now).
class QueueAccess {
 public:
  virtual ~QueueAccess() = default;

  // Returns the running kiosk; null where the files are asked.
  [[nodiscard]] virtual ApiClient* kiosk() { return nullptr; }
  // Returns whether this process, and no other, sends the calls.
  [[nodiscard]] virtual bool delivers() const = 0;

  // The oldest first.
  [[nodiscard]] virtual Result<std::vector<CallSummary>> List(bool only_open) = 0;
  [[nodiscard]] virtual Result<std::vector<CallReference>> Lost() = 0;
  // Returns names for calls that nothing names any more: "records-13-20".
  [[nodiscard]] virtual Result<std::vector<std::string>> Unnamed() = 0;
  [[nodiscard]] virtual Result<CallSummary> Show(const CallReference& reference) = 0;
  [[nodiscard]] virtual Result<std::vector<LedgerRow>> Attempts(const CallReference& reference) = 0;
  [[nodiscard]] virtual Result<SecretBytes> Answer(const CallReference& reference) = 0;
  [[nodiscard]] virtual Result<QueueStats> Stats() = 0;
  // Returns whether somebody is before the page of a running kiosk.
  [[nodiscard]] virtual Result<bool> IsVisit() = 0;
  [[nodiscard]] virtual Result<std::vector<LedgerRow>> Ledger(std::optional<WallTime> since) = 0;
  [[nodiscard]] virtual Result<std::vector<LedgerDecision>> Decisions(
      std::optional<WallTime> since) = 0;

  // What was found when the ledger was opened.
  struct LedgerState {
    std::string found;  // "genuine", "altered at 12", ...
    bool genuine = true;
    bool held = false;         // nothing is sent until somebody accepts it
    std::string missing = {};  // a sentence without its stop; empty: nothing is missing
  };
  [[nodiscard]] virtual Result<LedgerState> Verify() = 0;
  [[nodiscard]] virtual Result<ConsentLog::Contents> Consents() = 0;

  // Sends a call, again or for the first time; one that was made for another address goes to that
  // in force. `call`: as it was shown to the person who said yes.
  [[nodiscard]] virtual Status Resend(const CallSummary& call) = 0;
  [[nodiscard]] virtual Status GiveUp(const CallReference& reference) = 0;
  [[nodiscard]] virtual Status Cancel(const CallReference& reference) = 0;
  [[nodiscard]] virtual Status Settle(const CallReference& reference, int attempt,
                                      Settlement settlement) = 0;
  [[nodiscard]] virtual Status Lift(const std::string& hold_id) = 0;
  [[nodiscard]] virtual Result<ErasureReceipt> Erase(const ErasureRequest& request) = 0;
};

// How much of the queue a command needs where no kiosk runs.
enum class QueueNeed {
  kLook,     // others may deliver meanwhile
  kDecide,   // to deliver where nobody else does, else to look
  kDeliver,  // to deliver: nobody else may
};

// The one place that chooses between socket and files. `components` must outlive it.
[[nodiscard]] CommandResult<std::unique_ptr<QueueAccess>> OpenQueue(Components& components,
                                                                    QueueNeed need);

// Behind attempts of which some may be missing: says so where the ledger is not genuine. Returns
// kNeedsPerson until somebody has accepted it.
[[nodiscard]] CommandResult<ExitCode> SayWhetherGenuine(Components& components, QueueAccess& queue);
// Says where calls may have been billed of which the ledger has lost the records.
void SayWhatIsInDoubt(Components& components, QueueAccess& queue);
// Returns the running kiosk alone; null: none runs, or it has no socket.
[[nodiscard]] CommandResult<std::unique_ptr<ApiClient>> RunningKiosk(Components& components);

// Returns the queue of a running kiosk (socket_access.cc). `components` must outlive it.
[[nodiscard]] std::unique_ptr<QueueAccess> AccessBySocket(std::unique_ptr<ApiClient> kiosk,
                                                          Components& components);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_CLI_ACCESS_QUEUE_ACCESS_H_
