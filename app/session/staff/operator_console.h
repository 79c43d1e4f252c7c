#ifndef IDKIOSK_APP_SESSION_STAFF_OPERATOR_CONSOLE_H_
#define IDKIOSK_APP_SESSION_STAFF_OPERATOR_CONSOLE_H_

#include <functional>
#include <string>
#include <string_view>

#include "app/queue/call_record.h"
#include "app/session/command_reply.h"
#include "platform/base/json.h"

namespace idkiosk {

// The screen of an operator, once the PIN was right. Everything on the control thread, which
// never waits: what takes time is asked elsewhere, and shown by `changed` when it is there.
//
// Promises: nothing is read, measured or kept while it is closed; no snapshot holds a secret, nor
// anything of a person but masked numbers and the one that ShowNumber shows.
class OperatorConsole {
 public:
  virtual ~OperatorConsole() = default;

  // At its first tab. `changed` is called whenever Snapshot() has become another one, until Close.
  virtual void Open(std::function<void()> changed) = 0;
  virtual void Close() = 0;

  // Any command while it is open but language, sound and operator.close: "operator.tab", "resend".
  // `arguments` is the whole command, valid until this returns. Commands it does not know are
  // answered with kFailedPrecondition. A reply may come after Close.
  virtual void Do(std::string_view command, JsonView arguments, Reply reply) = 0;

  // Somebody who gave the PIN for it sees the whole number that a call asks about, for a moment.
  virtual void ShowNumber(const CallReference& reference, Reply reply) = 0;

  // The member `operator` of the snapshot, as JSON text. Whoever keeps it wipes it.
  [[nodiscard]] virtual std::string Snapshot() const = 0;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_SESSION_STAFF_OPERATOR_CONSOLE_H_
