#ifndef IDKIOSK_APP_SESSION_COMMAND_REPLY_H_
#define IDKIOSK_APP_SESSION_COMMAND_REPLY_H_

#include <functional>
#include <string>

#include "platform/base/error.h"

namespace idkiosk {

// The reply to a command of the page: app/ui/README.md. Nothing here identifies a person.
struct CommandReply {
  // kInvalid: the arguments make no sense. kFailedPrecondition: another session, or not possible on
  // this screen. kForbidden: refused, and `problem` says why.
  Status status;
  std::string problem;    // the page's word for it: "wrong", "locked_out"; empty: none
  int seconds = 0;        // until trying again makes sense, or since when
  std::string reference;  // of the call that it is about; empty: none
};

// Called once, on the control thread: at once, or when a worker has answered.
using Reply = std::move_only_function<void(CommandReply)>;

}  // namespace idkiosk

#endif  // IDKIOSK_APP_SESSION_COMMAND_REPLY_H_
