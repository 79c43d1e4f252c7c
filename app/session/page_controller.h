#ifndef IDKIOSK_APP_SESSION_PAGE_CONTROLLER_H_
#define IDKIOSK_APP_SESSION_PAGE_CONTROLLER_H_

#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "app/session/command_reply.h"
#include "app/session/queue_client.h"
#include "app/session/staff/agent_bar.h"
#include "app/session/staff/clerk_console.h"
#include "app/session/staff/first_operator.h"
#include "app/session/staff/operator_console.h"
#include "app/session/staff/page_user.h"
#include "app/session/staff/pin_lock.h"
#include "app/session/staff/staff_directory.h"
#include "app/session/visit/visit_controller.h"
#include "platform/base/thread_checker.h"

namespace idkiosk {

// Routes the page's commands to the side that has the screen (a person's path, a clerk's desk or
// the operator's console, each of staff's behind its PIN), and publishes one snapshot of it. The
// mode of the settings decides which sides there are. On the control thread.
class PageController {
 public:
  // All must outlive this.
  struct Dependencies {
    const Settings& settings;
    const ServiceProfile& profile;
    TaskRunner& runner;
    TaskRunner& storage_runner;
    const Clock& clock;
    Entropy& entropy;
    PictureTaker& camera;
    QueueClient& queue;
    FileSystem& files;
    PinLock& clerk_lock;
    PinLock& operator_lock;
    StaffDirectory& staff;
    PageUser& user;
    OperatorConsole& console;
    // Hears of every change. `revision` counts up.
    std::function<void(const UiSnapshot& snapshot, uint64_t revision)> publish;
    // Opens the camera for a moment while nobody sits before it, and says whether it is there.
    std::function<void(std::move_only_function<void(bool there)> then)> look_at_camera = {};
    VisitController::Devices devices = {};
    const ConsentTexts* consents = nullptr;  // null: idkiosk's own
    NumberAtScreen* at_screen = nullptr;     // null: nobody asks who is there
    // What came of an order of Invite's, as soon as it is decided; the screen may not be free yet.
    std::function<void(const VisitEnd& end)> order_over = {};
    // BecomeFirstOperator, on the storage thread; empty: nobody becomes one here, as the kiosk is
    // set up.
    std::function<FirstOperator(const std::string& name, const SecretBytes& pin)> become_first = {};
    // Whether a page is open that shows what is published; empty: one is.
    std::function<bool()> is_page_open = {};
  };

  explicit PageController(Dependencies deps);
  PageController(const PageController&) = delete;
  PageController& operator=(const PageController&) = delete;

  // Runs a command of app/ui/web/snapshot.d.ts. `arguments` is all of it, valid until this returns.
  // No message repeats an argument.
  void Do(std::string_view session, std::string_view command, JsonView arguments, Reply reply);

  // Ends what the page showed until now, because whoever opens it may be somebody else: a visit is
  // erased, staff's screens are locked. A call that was handed in stays.
  void OnPageOpened();

  // Has the person of another program's check come before the screen, from the consent on. Whoever
  // sits there is not disturbed. Errors: kUnavailable, why it cannot begin now.
  [[nodiscard]] Status Invite(std::shared_ptr<const VisitOrder> order);

  // VisitController's.
  [[nodiscard]] Result<SecretBytes> Picture(std::string_view session, size_t index) const;
  // The picture in the answer on the desk. Errors: kNotFound (another session, or none).
  [[nodiscard]] Result<SecretBytes> AnswerPhoto(std::string_view session) const;

  // News from the delivery.
  void SetOnline(bool online);
  void SetReasons(const std::vector<RequestReason>& reasons);
  void OnCallChanged(const CallReference& reference);

 private:
  // The side that has the screen.
  enum class Front { kPerson, kLocked, kDesk, kOperator };

  // What is before whoever types: a screen may stay as it is while another browser takes it over.
  struct Moment {
    std::string session;
    uint64_t opening = 0;
    bool operator==(const Moment&) const = default;
  };
  [[nodiscard]] Moment Now() const { return {view().session, openings_}; }

  // The commands of one front.
  void DoForStaff(std::string_view command, JsonView arguments, Reply reply);
  void Unlock(JsonView arguments, Reply reply);
  void UnlockConsole(JsonView arguments, Reply reply);
  void BecomeFirst(JsonView arguments, Reply reply);
  [[nodiscard]] bool MayBecomeFirst() const;
  void ShowNumber(JsonView arguments, Reply reply);
  void OpenConsole();
  void CloseConsole();
  [[nodiscard]] bool ConsoleMayOpen() const;

  // Staff has come, or has gone: nothing of anybody stays.
  void SignIn(const PinLock::Answer& answer);
  void LetIn();
  void Lock();
  void LockOnceFree();
  // Whoever is signed in may be staff no more, or have another PIN.
  void OnStaffChanged();
  [[nodiscard]] bool IsStaffNoMore() const;
  void CountDown();

  void Seat(const VerificationCall& question, bool confirmed);
  void OnVisitOver(const CallReference& reference);
  [[nodiscard]] Status CheckFree() const;
  [[nodiscard]] Consent ConsentHere() const;
  void LookAtCamera(std::move_only_function<void(bool there)> then);
  void OnPersonChanged(const UiSnapshot& person);

  // Ends the session before, and begins a new one of staff. The language stays.
  void Enter(Front front, Screen screen);
  void Touched();
  [[nodiscard]] const UiSnapshot& view() const;
  void Publish();

  const ThreadChecker control_thread_;
  const Dependencies deps_;
  Front front_ = Front::kPerson;
  UiSnapshot staff_view_;
  UiSnapshot published_;
  uint64_t revision_ = 0;
  uint64_t openings_ = 0;  // of the page
  std::vector<RequestReason> reasons_;
  ScopedTimer idle_;
  ScopedTimer tick_;
  std::optional<ClerkConsole> desk_;  // of a branch
  std::optional<AgentBar> agent_;     // of a handheld
  bool complete_ = false;             // nothing is told before
  VisitController person_;            // last: it tells of itself while it is made
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_SESSION_PAGE_CONTROLLER_H_
