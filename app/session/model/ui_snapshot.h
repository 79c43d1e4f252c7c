#ifndef IDKIOSK_APP_SESSION_MODEL_UI_SNAPSHOT_H_
#define IDKIOSK_APP_SESSION_MODEL_UI_SNAPSHOT_H_

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/capture/guidance.h"
#include "app/service/answer_codec.h"
#include "app/session/model/clerk_view.h"
#include "app/settings/settings.h"
#include "platform/base/secret_bytes.h"

namespace idkiosk {

// The page at one moment: everything it knows of a session. Data only; app/ui/README.md
// describes its JSON. What is not of this screen is absent.
enum class Screen {
  kWelcome,
  kConsent,
  kNumber,
  kReason,
  kRepeated,  // the same was asked here before
  kCamera,
  kLook,
  kWaiting,
  kAnswer,
  kStopped,
  // Staff's.
  kLocked,
  kDesk,
  kOperator,
};

enum class NumberProblem {
  kTooShort,
  kTestNumberInProduction,
  // The results of holding a slip to the camera.
  kUnreadableSlip,  // codes were seen, and no number in them
  kTwoNumbers,      // which of them it is cannot be told
  kNoSlip,          // no code was seen in time
  kNoCamera,
};

// Why nothing comes from the camera.
enum class CameraTrouble { kAway, kBlack, kFrozen };

enum class WaitingStage { kSealing, kQueued, kSending, kChecking };

// The state of a receipt.
enum class ReceiptState { kPrinting, kPrinted, kFailed };

enum class AnswerKind { kVerified, kNotVerified, kKept, kUnknown, kRefused };

// Why a session ended before anything was asked.
enum class StopReason {
  kDeclined,
  kCaptureTimeout,
  kCameraAway,
  kQueueFull,
  kSpendCap,
  kHeld,  // a person must mend the kiosk or its access first
  kNotReady,
  kNotSetUp,
};

// "welcome", "test_number_in_production", ...: as they stand in the JSON.
[[nodiscard]] std::string_view Name(Screen screen);
// True for a screen of a clerk, an agent or an operator: no person's session.
[[nodiscard]] bool IsStaffs(Screen screen);
[[nodiscard]] std::string_view Name(NumberProblem problem);
[[nodiscard]] std::string_view Name(CameraTrouble trouble);
[[nodiscard]] std::string_view Name(WaitingStage stage);
[[nodiscard]] std::string_view Name(AnswerKind kind);
[[nodiscard]] std::string_view Name(StopReason reason);
[[nodiscard]] std::string_view Name(ReceiptState state);

struct UiSnapshot {
  struct Number {
    std::string digits;  // personal; whoever keeps a snapshot wipes them
    std::optional<NumberProblem> problem;
    bool scanning = false;  // the camera looks for a slip
    bool operator==(const Number&) const = default;
  };
  struct Camera {
    Prompt prompt = Prompt::kSelfie;
    Guidance guidance = Guidance::kNone;
    int step = 0;     // pictures kept: 0..5
    double held = 0;  // of the time that this step must be held: 0..1
    std::optional<CameraTrouble> trouble;
    bool restarted = false;  // the track was lost just now
    bool operator==(const Camera&) const = default;
  };
  struct Waiting {
    WaitingStage stage = WaitingStage::kSealing;
    bool is_long = false;  // the person need not wait any longer
    bool operator==(const Waiting&) const = default;
  };
  struct Answer {
    AnswerKind kind = AnswerKind::kKept;
    std::string reference;
    std::string reason;  // CallAnswer's
    int seconds_left = 0;
    std::optional<ReceiptState> receipt = std::nullopt;  // nothing: none was asked for
    bool operator==(const Answer&) const = default;
  };
  struct Stopped {
    StopReason why = StopReason::kCameraAway;
    bool can_retry = false;
    int seconds_left = 0;
    bool operator==(const Stopped&) const = default;
  };
  struct Reasons {
    std::vector<RequestReason> list;
    std::string chosen;  // the code; empty: none yet
    bool operator==(const Reasons& other) const {
      const auto same = [](const RequestReason& a, const RequestReason& b) {
        return a.code == b.code && a.label == b.label;
      };
      return chosen == other.chosen && std::ranges::equal(list, other.list, same);
    }
  };

  std::string session;
  Screen screen = Screen::kWelcome;
  bool online = true;
  std::string language;
  bool sound = true;
  std::optional<int> idle_seconds;  // while the warning is up: until everything is erased
  std::optional<Number> number;
  std::optional<Reasons> reasons;
  std::optional<Camera> camera;
  std::optional<Waiting> waiting;
  std::optional<Answer> answer;
  std::optional<Stopped> stopped;
  std::optional<int> locked_seconds;  // on the screen `locked`: until a PIN is judged again
  std::optional<ClerkView> desk;
  std::optional<AgentView> agent;  // on every screen of a handheld
  std::string operator_console;    // OperatorConsole::Snapshot
  bool operator==(const UiSnapshot&) const = default;
};

// The kiosk's equipment besides a camera. Does not change while it runs.
struct UiEquipment {
  std::vector<std::string> voices;  // languages that are spoken
  bool printer = false;
  bool logo = false;
  bool scanner = false;
};

// The snapshot as the page reads it, with what the configuration and the equipment say of every
// screen. `revision` counts up with every change.
[[nodiscard]] SecretBytes ToJson(const UiSnapshot& snapshot, uint64_t revision,
                                 const Settings& settings, const UiEquipment& equipment = {});

}  // namespace idkiosk

#endif  // IDKIOSK_APP_SESSION_MODEL_UI_SNAPSHOT_H_
