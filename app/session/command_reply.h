#ifndef IDKIOSK_APP_SESSION_COMMAND_REPLY_H_
#define IDKIOSK_APP_SESSION_COMMAND_REPLY_H_

#include <functional>
#include <optional>
#include <string>

#include "app/session/model/snapshot_names.h"
#include "platform/base/error.h"

namespace idkiosk {

// The answer to a command of the page: `Reply` of app/ui/web/snapshot.d.ts. Nothing here identifies
// a person.
struct CommandReply {
  // kInvalid: the arguments make no sense. kFailedPrecondition: another session, or not possible on
  // this screen. kForbidden: refused, and `problem` says why.
  Status status;
  std::optional<CommandProblem> problem = std::nullopt;
  int seconds = 0;             // until trying again makes sense, or since when
  std::string reference = {};  // of the call that it is about; empty: none
  // It goes on, and takes longer than a page waits; nothing else of this is said then.
  bool under_way = false;
};

// Returns the refusal of a command. `sentence` is for whoever reads the log.
[[nodiscard]] inline CommandReply Refused(ErrorCode code, std::string_view sentence,
                                          std::optional<CommandProblem> problem = std::nullopt) {
  return {Fail(code, "{}", sentence), problem};
}

// Called once, on the control thread: at once, or when a worker has answered.
using Reply = std::move_only_function<void(CommandReply)>;

}  // namespace idkiosk

#endif  // IDKIOSK_APP_SESSION_COMMAND_REPLY_H_
