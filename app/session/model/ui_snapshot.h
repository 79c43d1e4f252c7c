#ifndef IDKIOSK_APP_SESSION_MODEL_UI_SNAPSHOT_H_
#define IDKIOSK_APP_SESSION_MODEL_UI_SNAPSHOT_H_

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/capture/capture_sequence.h"
#include "app/capture/challenges.h"
#include "app/capture/measures.h"
#include "app/service/answer_codec.h"
#include "app/session/model/clerk_view.h"
#include "app/session/model/snapshot_names.h"
#include "app/settings/settings.h"
#include "platform/base/secret_bytes.h"
#include "platform/base/time.h"

namespace idkiosk {

// Returns whether the screen belongs to a clerk, an agent or an operator: no person's session.
[[nodiscard]] bool IsStaffs(Screen screen);

// Everything the page shows at one moment. Data only; its JSON is `Snapshot` of
// app/ui/web/snapshot.d.ts. What does not belong to the screen is absent.
struct UiSnapshot {
  struct Number {
    std::string digits;  // personal; whoever keeps a snapshot wipes them
    std::optional<NumberProblem> problem;
    bool scanning = false;  // the camera looks for a slip
    bool operator==(const Number&) const = default;
  };
  struct Camera {
    std::optional<int> starts_in = std::nullopt;  // seconds; nothing: it has started
    Prompt prompt = Prompt::kSelfie;
    Guidance guidance = Guidance::kNoFace;
    int step = 0;     // pictures kept: 0..5
    double held = 0;  // of the time that this step must be held: 0..1
    std::optional<CameraTrouble> trouble = std::nullopt;
    std::optional<Restart> restarted = std::nullopt;  // just now
    // What the screen around the face goes to, and how slowly; nothing: it is white.
    std::optional<ScreenColour> light = std::nullopt;
    Duration fade = {};
    bool gentle = false;  // colours follow each other slowly, as the person wished
    bool operator==(const Camera&) const = default;
  };
  struct Cannot {
    std::vector<Prompt> challenges;  // that may be left out here
    std::vector<Prompt> left_out;    // of them, already
    bool gentle = false;             // colours follow each other slowly already
    bool operator==(const Cannot&) const = default;
  };
  struct Waiting {
    WaitingStage stage = WaitingStage::kSealing;
    std::string reference;  // empty: it is not kept yet
    bool is_long = false;   // the person need not wait any longer
    bool operator==(const Waiting&) const = default;
  };
  struct Answer {
    AnswerKind kind = AnswerKind::kKept;
    std::string reference;
    std::optional<AnswerReason> reason;
    int seconds_left = 0;
    std::string number_end = {};  // the last digits of the number that was asked about
    // What the person may do differently, which is a call of its own.
    bool other_number = false;
    bool new_pictures = false;
    std::string price = {};  // of either; empty: that is nothing to whoever stands there
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
  std::optional<int> idle_seconds;   // while the warning is up: until everything is erased
  std::optional<StopReason> closed;  // on the welcome: why nothing can be asked now
  std::optional<WallTime> opens_at;  // when the spending cap is over that keeps it closed, or stops
  std::string consent_text;          // on the consent: the bank's own; empty: idkiosk's
  std::string consent_language;      // of it
  std::optional<Number> number;
  std::optional<Reasons> reasons;
  std::optional<Camera> camera;
  std::optional<Cannot> cannot;
  std::optional<Waiting> waiting;
  std::optional<Answer> answer;
  std::optional<Stopped> stopped;
  std::optional<EarlierCheck> repeated;  // what became of the check before
  std::optional<int> locked_seconds;     // on the screen `locked`: until a PIN is judged again
  std::vector<std::string> clerks;       // on `locked`: who may sign in; of several
  std::vector<std::string> operators;    // the same of the console, where it may open
  bool may_become_first = false;         // nobody is operator yet, and whoever comes may become it
  std::string user;                      // of staff, who is signed in; empty: nobody
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
