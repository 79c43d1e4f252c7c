#ifndef IDKIOSK_APP_HEADQUARTERS_FLEET_COMMAND_H_
#define IDKIOSK_APP_HEADQUARTERS_FLEET_COMMAND_H_

#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/queue/call_record.h"
#include "app/settings/local_settings.h"
#include "platform/base/bytes.h"
#include "platform/base/error.h"

namespace idkiosk {

// What headquarters may ask of a kiosk.
enum class CommandAction {
  kSettings,
  kHoldSending,
  kReleaseSending,
  kRetryHolds,
  kRestart,
  kSendLog,
  kGiveUp,
  kDiscard,
  kErase,
};

// A row of the table of actions.
struct CommandTraits {
  CommandAction action;
  std::string_view name;        // as it stands in a command
  int signatures = 1;           // by so many different keys, at least
  bool names_a_call = false;    // it has `reference`
  bool tells_a_reason = false;  // it may have `why`
};
[[nodiscard]] const CommandTraits& TraitsOf(CommandAction action);

// A setting that headquarters may change; every other one is refused.
struct OrderedSetting {
  std::string_view key;
  int signatures = 1;  // two where money or personal data hangs on it
};
[[nodiscard]] std::span<const OrderedSetting> AllOrderedSettings();

// A command as it was signed.
struct FleetCommand {
  std::string tenant;
  std::string kiosk;  // either this
  std::string group;  // or this
  int64_t revision = 0;
  WallTime issued;
  WallTime expires;
  CommandAction action = CommandAction::kRestart;
  std::vector<SettingChange> settings;
  // Of kSettings: the kiosk must be well with them by then.
  std::chrono::seconds healthy_within = kHealthyWithin;
  CallReference reference;
  std::string why;

  static constexpr std::chrono::seconds kHealthyWithin{600};  // also the longest
  static constexpr std::chrono::seconds kShortestWithin{5};
  static constexpr auto kLongestLife = std::chrono::days(31);  // from `issued` to `expires`

  // Signatures that it needs.
  [[nodiscard]] int signatures() const;
  // "settings, revision 17: ui.idle, ui.sound": for the audit trail.
  [[nodiscard]] std::string Describe() const;
};

// Reads a document that somebody has signed: an object with no member besides those that README.md
// lists. Errors: kInvalid, naming the member.
[[nodiscard]] Result<FleetCommand> ParseFleetCommand(std::string_view document);

// A document with what was signed of it, not believed yet.
struct SignedCommand {
  struct Signature {
    std::string key;  // its name
    Bytes bytes;
  };
  std::string document;
  std::vector<Signature> signatures;

  static constexpr size_t kLargest = 16 << 10;  // bytes of the whole text
  static constexpr size_t kMostSignatures = 3;
};
[[nodiscard]] Result<SignedCommand> ParseSignedCommand(std::string_view text);

// What is signed of a document: nothing that is signed for another purpose is a command.
[[nodiscard]] std::string SignedText(std::string_view document);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_HEADQUARTERS_FLEET_COMMAND_H_
