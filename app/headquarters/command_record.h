#ifndef IDKIOSK_APP_HEADQUARTERS_COMMAND_RECORD_H_
#define IDKIOSK_APP_HEADQUARTERS_COMMAND_RECORD_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "platform/api/secure_storage.h"
#include "platform/base/json.h"
#include "platform/base/time.h"

namespace idkiosk {

// What became of a command.
enum class CommandState {
  kRefused,      // nothing was done
  kBegun,        // the program may have stopped before it was done
  kOnTrial,      // settings are in force, and may be taken back
  kDone,         //
  kFailed,       // it was begun, and could not be done
  kRolledBack,   // the settings of before are in force again
  kInterrupted,  // the program stopped meanwhile: it was done, or not
};
[[nodiscard]] std::string_view Name(CommandState state);

// What headquarters are told of a command.
struct FleetReply {
  std::string command = {};  // SHA-256 of its document, in hex; empty: it is none
  int64_t revision = 0;
  std::string action = {};
  CommandState state = CommandState::kRefused;
  std::string reason = {};     // why; empty where it is done
  std::string signed_by = {};  // names of keys, "alice, bob"
  WallTime at = {};
  std::vector<std::string> log = {};  // of send_log; not kept
};
void WriteReply(JsonWriter& json, const FleetReply& reply);

// The commands that this kiosk has taken, as a secret of the vault: an older copy of it is an older
// copy of the vault. One thread.
class CommandRecord {
 public:
  static constexpr std::string_view kSecret = "fleet.commands";
  static constexpr size_t kKept = 12;

  // Must outlive this.
  explicit CommandRecord(SecureStorage& vault) : vault_(vault) {}

  // Reads it. Errors: SecureStorage's; kCorrupt, and then no command is taken.
  [[nodiscard]] Status Load();

  // The newest revision that was taken; 0: none was.
  [[nodiscard]] int64_t newest() const { return newest_; }
  // The newest time at which headquarters have signed something that was taken: it is later now.
  [[nodiscard]] WallTime issued() const { return issued_; }
  // The newest kKept of them, the oldest first.
  [[nodiscard]] const std::vector<FleetReply>& replies() const { return replies_; }
  [[nodiscard]] const FleetReply* Find(std::string_view command) const;

  // A command is begun. Once this returns none of its revision, or of an earlier one, is ever taken
  // again. Errors: SecureStorage's, and then it is as before.
  [[nodiscard]] Status Begin(FleetReply reply, WallTime issued);
  // What became of it. Errors: the same.
  [[nodiscard]] Status Settle(std::string_view command, CommandState state, std::string reason,
                              WallTime at);

 private:
  [[nodiscard]] Status Save(const std::vector<FleetReply>& replies, int64_t newest,
                            WallTime issued);

  SecureStorage& vault_;
  int64_t newest_ = 0;
  WallTime issued_;
  std::vector<FleetReply> replies_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_HEADQUARTERS_COMMAND_RECORD_H_
