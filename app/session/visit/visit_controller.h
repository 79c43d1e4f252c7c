#ifndef IDKIOSK_APP_SESSION_VISIT_VISIT_CONTROLLER_H_
#define IDKIOSK_APP_SESSION_VISIT_VISIT_CONTROLLER_H_

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/consent/consent_texts.h"
#include "app/session/call_watch.h"
#include "app/session/model/ui_snapshot.h"
#include "app/session/queue_client.h"
#include "app/session/visit/number_at_screen.h"
#include "app/session/visit/number_entry.h"
#include "app/session/visit/picture_taker.h"
#include "app/session/visit/receipt_printer.h"
#include "app/session/visit/slip_reader.h"
#include "app/session/visit/visit_order.h"
#include "platform/api/clock.h"
#include "platform/api/entropy.h"
#include "platform/api/task_runner.h"
#include "platform/base/json.h"
#include "platform/base/thread_checker.h"

namespace idkiosk {

// The path one person walks at a kiosk, and then the next person: welcome, consent, number, reason,
// camera, look, waiting, answer, and everything of them is wiped. On the control thread.
class VisitController final : private PictureTaker::Listener {
 public:
  // The optional devices. Null: there is none, and the command for it is refused.
  struct Devices {
    ReceiptPrinter* receipts = nullptr;
    SlipReader* slips = nullptr;
  };
  // All must outlive this.
  struct Dependencies {
    const Settings& settings;
    TaskRunner& runner;
    const Clock& clock;
    Entropy& entropy;
    PictureTaker& camera;
    QueueClient& queue;
    // Hears of every change; also where only its cause has changed.
    std::function<void(const UiSnapshot& snapshot)> publish;
    Devices devices = {};
    // Opens the camera for a moment, and says whether it is there; empty: nobody can tell.
    std::function<void(std::move_only_function<void(bool there)> then)> look_at_camera = {};
    // What one check costs, for an agent who decides about another one; empty: nobody here does.
    std::string price = {};
    // A visit is over, and the screen free; `reference`: of the call that was kept, empty: none, or
    // not yet. Only for who calls Begin.
    std::function<void(const CallReference& reference)> visit_over = {};
    // What came of a visit's order, as soon as it is decided. Only for who gives Begin an order.
    std::function<void(const VisitEnd& end)> order_over = {};
    const ConsentTexts* consents = nullptr;  // null: idkiosk's own
    NumberAtScreen* at_screen = nullptr;     // null: nobody asks who is there
  };

  explicit VisitController(Dependencies deps);
  ~VisitController() override;
  VisitController(const VisitController&) = delete;
  VisitController& operator=(const VisitController&) = delete;

  // Runs a person's command of app/ui/web/snapshot.d.ts with its arguments. Errors:
  // kFailedPrecondition (another session, or not possible on this screen), kInvalid (the arguments
  // make no sense; the message never repeats them).
  [[nodiscard]] Status Do(std::string_view session, std::string_view command, JsonView arguments);

  // One of the five pictures on the screen `look`, exactly as it will be sent: 0 is the selfie.
  // Errors: kNotFound (another session or screen, or no such number).
  [[nodiscard]] Result<SecretBytes> Picture(std::string_view session, size_t index) const;

  // Returns the present state of the screen.
  [[nodiscard]] const UiSnapshot& view() const {
    control_thread_.Check();
    return view_;
  }

  // A person whose number somebody else has given already sits down before the screen: the path
  // from the consent to the answer. A new session begins with it.
  struct Visit {
    const VerificationCall& question;  // one that takes pictures, of a NIN
    std::string language;
    bool sound = true;
    bool confirmed = false;     // whoever asks was told that the same was asked before
    bool shows_answer = false;  // else others show it
    std::shared_ptr<const VisitOrder> order = {};  // null: the clerk at this screen asks
  };
  void Begin(const Visit& visit);

  // Somebody else wants the screen: everything of the person is wiped.
  void End();

  // News from the delivery.
  void SetOnline(bool online);
  void SetReasons(std::vector<RequestReason> reasons);
  void OnCallChanged(const CallReference& reference);

 private:
  // Everything of one person. Replaced as a whole when the session ends.
  struct Person {
    NumberEntry number;
    std::string reason;
    std::optional<CaptureBundle> bundle;
    CallReference reference;
    bool visits = false;        // begun by Begin
    bool shows_answer = false;  // of a visit
    std::shared_ptr<const VisitOrder> order = {};
    Endpoint endpoint = Endpoint::kVerify;
    bool confirmed = false;  // asks although the same was asked before
    LightPace pace = LightPace::kUsual;
    int tries = 1;                        // of somebody who was not verified
    std::optional<Consent> consent = {};  // what they agreed to, and in which language
    uint32_t left_out = 0;                // challenges that they cannot show, a bit each
  };
  struct Command;
  static const Command kCommands[];

  // Commands. Each is called only on a screen that its row in kCommands names.
  Status Start(JsonView arguments);
  Status SetLanguage(JsonView arguments);
  Status SetSound(JsonView arguments);
  Status Agree(JsonView);
  Status TypeDigit(JsonView arguments);
  Status DeleteDigit(JsonView);
  Status TypeNumber(JsonView arguments);
  Status Next(JsonView);
  Status Back(JsonView);
  Status ChooseReason(JsonView arguments);
  Status Stop(JsonView);
  // In visit_controller_agree.cc, as are Agree and EnterConsent.
  Status Cannot(JsonView);
  Status LeaveOut(JsonView arguments);
  Status AskStaff(JsonView);
  Status Decline(JsonView);
  Status Send(JsonView);
  Status RetakePictures(JsonView);
  Status ChangeNumber(JsonView);
  Status StayHere(JsonView);
  Status GoOn(JsonView);
  Status SlowLight(JsonView arguments);
  // In visit_controller_devices.cc.
  Status PrintReceipt(JsonView);
  Status ScanSlip(JsonView arguments);
  void OnSlip(const Result<SecretBytes>& nin);
  void StopScanning();

  void OnStep(const CaptureStep& step) override;
  void OnTrouble(CameraTrouble trouble) override;
  void OnPictures(Result<CaptureBundle> pictures) override;

  void Show(Screen screen);
  void EnterConsent();
  void EnterNumber();
  void EnterReasonOrCamera();
  // To the camera, unless something speaks against it.
  void ApproachCamera();
  // In visit_controller_door.cc, as are Begin, End, and what is looked at on the welcome.
  void TurnAway(const Obstacle& obstacle);
  // In visit_controller_camera.cc.
  void EnterCamera();
  void WaitForCamera(int seconds);
  void EnterStopped(StopReason why, bool can_retry);
  void EnterAnswer(AnswerKind kind, std::optional<AnswerReason> reason);
  // On the answer: what was handed in goes its own way, and the person tries once more.
  void TryDifferently();
  // On the welcome: whether somebody can be let in; while not, every few seconds.
  void LookAtDoor();
  void SayWhetherOpen();
  void SetClosed(std::optional<StopReason> why);
  // When an obstacle is over, by a clock that tells the time.
  [[nodiscard]] std::optional<WallTime> EndOf(const Obstacle& obstacle) const;
  // In visit_controller_camera.cc. Unless it was there when it was last opened.
  void LookAtCamera();
  // Wipes everything of the person, and welcomes the next.
  void EndSession();
  void BeginSession();

  void OnAccepted(const Accepted& accepted);
  // The same once the person has left.
  void OnAcceptedLate(const Accepted& accepted, const std::shared_ptr<const VisitOrder>& order);
  void OnNews(const CallWatch::News& news);

  void Touched();
  // How long an answer is shown.
  [[nodiscard]] int AnswerSeconds(AnswerKind kind) const;
  void CountDown();
  [[nodiscard]] int* Counter();
  void Tick();

  // Returns the question as far as it is known, without its pictures.
  [[nodiscard]] VerificationCall Question() const;
  [[nodiscard]] std::vector<RequestReason> ReasonsHere() const;
  [[nodiscard]] std::vector<Prompt> MayBeLeftOut() const;
  [[nodiscard]] ConsentTexts::Text ConsentHere() const;
  void ShowNumber(std::optional<NumberProblem> problem);
  void Publish();

  const ThreadChecker control_thread_;
  const Dependencies deps_;
  std::vector<RequestReason> reasons_;  // the service's list; empty: not known yet
  Person person_;
  UiSnapshot view_;
  CallWatch watch_;
  std::optional<Restart> restart_;  // the newest of the capture; said until
  MonotonicTime restarted_until_{};
  uint64_t approach_ = 0;  // the newest question to the intake whose answer still counts
  std::optional<bool> camera_is_there_;  // when it was last opened; nothing: it never was
  std::optional<StopReason> obstacle_;   // as the intake said last, on the welcome
  std::optional<WallTime> opens_at_;     // the end of that, where it is known
  ScopedTimer idle_timer_;
  ScopedTimer door_timer_;
  ScopedTimer tick_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_SESSION_VISIT_VISIT_CONTROLLER_H_
