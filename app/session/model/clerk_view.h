#ifndef IDKIOSK_APP_SESSION_MODEL_CLERK_VIEW_H_
#define IDKIOSK_APP_SESSION_MODEL_CLERK_VIEW_H_

#include <optional>
#include <string>
#include <vector>

#include "app/queue/call_record.h"
#include "app/session/model/snapshot_names.h"
#include "platform/base/json.h"

namespace idkiosk {

// Everything a clerk sees. Data only; its JSON is `Desk` of app/ui/web/snapshot.d.ts.
struct ClerkView {
  struct Call {
    CallReference reference;
    std::string state;     // StateWord's
    std::string verdict;   // Name(Verdict); empty: none
    std::string question;  // TaskOf's
    int64_t age_minutes = 0;
    int attempts = 0;
    std::string price;      // of sending it again; empty: that is not possible
    bool answered = false;  // its answer can still be opened
    bool operator==(const Call&) const = default;
  };
  // Personal. Its bytes lie on the heap, which is wiped when it is given back.
  struct Field {
    std::string name;  // "name", "status", "service_reference"
    std::string value;
    bool operator==(const Field&) const = default;
  };
  struct Answer {
    AnswerKind kind = AnswerKind::kUnknown;
    std::string reference;
    std::optional<AnswerReason> reason;
    std::string question;
    std::vector<Field> fields;
    bool photo = false;
    bool operator==(const Answer&) const = default;
  };
  struct Task {
    Endpoint endpoint = Endpoint::kVerify;
    std::string price;        // of asking it once
    bool has_reason = false;  // the profile sends a request reason with it
    bool operator==(const Task&) const = default;
  };
  std::vector<Task> tasks;
  std::vector<std::string> types;  // of numbers that `check` takes
  int64_t calls_today = 0;
  std::string spent_today;
  std::string currency;
  std::vector<Call> queue;
  NetworkState network = NetworkState::kUnknown;
  bool camera_away = false;
  bool asking = false;
  std::optional<CommandProblem> problem;  // why the last question came to nothing
  std::optional<Answer> answer;
  bool operator==(const ClerkView&) const = default;
};

// The members `desk` and, of an agent's handheld, `agent` of the snapshot.
void WriteDesk(JsonWriter& json, const ClerkView& desk);

// The bar above an agent's screens.
struct AgentView {
  std::optional<int> battery;  // percent; nothing: there is none
  int64_t waiting = 0;         // calls that were not sent yet
  std::optional<int64_t> minutes_since_delivery;
  std::string price;  // of one check
  bool operator==(const AgentView&) const = default;
};
void WriteAgent(JsonWriter& json, const AgentView& agent);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_SESSION_MODEL_CLERK_VIEW_H_
