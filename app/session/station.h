#ifndef IDKIOSK_APP_SESSION_STATION_H_
#define IDKIOSK_APP_SESSION_STATION_H_

#include <functional>
#include <string_view>
#include <vector>

#include "app/session/command_reply.h"
#include "app/session/operator_corner.h"
#include "app/session/session_controller.h"
#include "app/session/staff_door.h"

namespace idkiosk {

// The one front of the page: whoever's screen it is (a person's, or the operator's corner behind a
// PIN), commands go to that one, and one snapshot tells of it. Everything on the control thread.
class Station {
 public:
  // What a station is made of. All must outlive it.
  struct Parts {
    const Settings& settings;
    TaskRunner& runner;
    const Clock& clock;
    Entropy& entropy;
    PictureTaker& camera;
    CallDesk& calls;
    StaffDoor& operator_door;
    OperatorCorner& corner;
    // Hears of every change. `revision` counts up.
    std::function<void(const UiSnapshot& snapshot, uint64_t revision)> publish;
  };

  explicit Station(Parts parts);
  Station(const Station&) = delete;
  Station& operator=(const Station&) = delete;

  // A command of app/ui/README.md. `arguments` is all of it, valid until this returns. No message
  // repeats an argument.
  void Do(std::string_view session, std::string_view command, JsonView arguments, Reply reply);

  // SessionController's.
  [[nodiscard]] Result<SecretBytes> Picture(std::string_view session, size_t index) const;
  void SetOnline(bool online) { person_.SetOnline(online); }
  void SetReasons(std::vector<RequestReason> reasons) { person_.SetReasons(std::move(reasons)); }
  void OnCallChanged(const CallReference& reference) { person_.OnCallChanged(reference); }

 private:
  // Whose screen it is.
  enum class Front { kPerson, kOperator };

  void UnlockCorner(JsonView arguments, Reply reply);
  void DoInCorner(std::string_view command, JsonView arguments, Reply reply);
  void OpenCorner();
  void CloseCorner();
  [[nodiscard]] bool CornerMayOpen() const;

  // A new session of staff; nothing of the one before is valid.
  void BeginStaffSession(Screen screen);
  void Touched();
  [[nodiscard]] const UiSnapshot& view() const;
  void Publish();

  const Parts parts_;
  Front front_ = Front::kPerson;
  UiSnapshot staff_view_;
  UiSnapshot published_;
  uint64_t revision_ = 0;
  ScopedTimer idle_;
  // Last: it publishes while it is made.
  SessionController person_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_SESSION_STATION_H_
