#ifndef IDKIOSK_APP_SESSION_STAFF_FIRST_OPERATOR_H_
#define IDKIOSK_APP_SESSION_STAFF_FIRST_OPERATOR_H_

#include <cstdint>
#include <expected>
#include <string>

#include "app/audit/audit_log.h"
#include "app/session/command_reply.h"
#include "app/session/staff/staff_directory.h"
#include "platform/api/crypto.h"
#include "platform/api/entropy.h"
#include "platform/api/file_system.h"

namespace idkiosk {

// Who became the operator of a kiosk that had none, or why not: kBadName, kWeakPin, kTaken
// (somebody is operator already), kFailed (vault or audit trail).
using FirstOperator = std::expected<StaffDirectory::Person, CommandReply>;

struct FirstOperatorDependencies {
  SecureStorage& storage;
  FileSystem& files;
  AuditLog& audit;
  const Crypto& crypto;
  Entropy& entropy;
  uint32_t iterations = 0;   // MeasureIterations
  std::string test_nin;      // whose digits are no PIN
  std::string state_folder;  // where wrong tries are counted
};

// Gives a kiosk its first operator, by a name and a PIN that they choose: there is no PIN to begin
// with that others know. For a kiosk that is not set up: it holds nothing of anybody, and whoever
// comes to it without being the first finds out, as they are asked for a PIN. On the storage
// thread. Takes as long as MakePinRecord.
[[nodiscard]] FirstOperator BecomeFirstOperator(const FirstOperatorDependencies& deps,
                                                const std::string& name, const SecretBytes& pin);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_SESSION_STAFF_FIRST_OPERATOR_H_
