#ifndef IDKIOSK_TESTS_APP_SESSION_VISIT_VISIT_FIXTURE_H_
#define IDKIOSK_TESTS_APP_SESSION_VISIT_VISIT_FIXTURE_H_

#include <deque>
#include <string>
#include <vector>

#include "app/session/visit/visit_controller.h"
#include "tests/app/service/service_fixture.h"
#include "tests/fakes/fake_clock.h"
#include "tests/fakes/fake_entropy.h"
#include "tests/fakes/fake_task_runner.h"

namespace idkiosk {

// A camera that the test plays.
class FakePictureTaker final : public PictureTaker {
 public:
  void Start(Listener& listener, Duration asks_after, LightPace asked) override {
    listener_ = &listener;
    asks_at_once = asks_after == Duration::zero();
    pace = asked;
    ++starts;
  }
  void LeaveOut(uint32_t challenges) override { left_out = challenges; }
  void Stop() override { listener_ = nullptr; }

  uint32_t left_out = 0;

  [[nodiscard]] bool running() const { return listener_ != nullptr; }
  void Step(const CaptureStep& step) { listener_->OnStep(step); }
  void Trouble(CameraTrouble trouble) { listener_->OnTrouble(trouble); }
  // The run ends with five pictures, told apart by their bytes.
  void Deliver();
  void Fail(ErrorCode code);

  int starts = 0;
  bool asks_at_once = true;  // of the newest run
  LightPace pace = LightPace::kUsual;

 private:
  Listener* listener_ = nullptr;
};

// A queue that answers as the test lays it down, and, where the test wants, when it says so.
class FakeQueueClient final : public QueueClient {
 public:
  void FindObstacle(VerificationCall question, bool confirmed, Then<Looked> then) override;
  void Accept(VerificationCall call, Terms terms, Then<Accepted> then) override;
  void NobodyWaits(const CallReference& reference) override { left.push_back(reference); }
  void Show(const CallReference& reference, Then<Result<CallSummary>> then) override;
  void ReadOverview(Then<Result<Overview>> then) override { then(overview); }
  void ReadTally(Then<Result<Tally>> then) override {
    ++counted;
    then(tally);
  }
  void OpenAnswer(const CallReference& reference, Then<Result<AnswerParts>> then) override;
  void Resend(const CallReference& reference, int, Then<Status> then) override {
    resent.push_back(reference);
    then(decided);
  }
  void GiveUp(const CallReference& reference, Then<Status> then) override {
    given_up.push_back(reference);
    then(decided);
  }

  // Answers who asked the intake first.
  void AnswerObstacle();
  // Answers what was handed in last.
  void AnswerAccept(Accepted answer);

  Status room;
  std::optional<Hold> hold;
  std::optional<CallSummary> earlier;  // found for a question with a number
  int looked_up = 0;                   // how often the intake was asked
  VerificationCall asked;              // what it was asked last
  bool holds_obstacles = false;        // AnswerObstacle answers instead of FindObstacle
  std::vector<VerificationCall> accepted;
  bool confirmed = false;                   // as the last call was handed in
  std::optional<Consent> consent;           // the same
  std::shared_ptr<const VisitOrder> order;  // the same
  bool holds_accepts = false;               // AnswerAccept answers instead of Accept
  std::vector<CallReference> left;
  CallSummary summary;  // what Show answers
  Overview overview;
  Tally tally;
  int counted = 0;
  std::optional<Error> no_answer;          // what OpenAnswer answers instead of Amina Sample's
  SecretBytes photo = DrawJpeg(700, 'P');  // hers
  std::vector<CallReference> opened;
  Status decided;
  std::vector<CallReference> resent;
  std::vector<CallReference> given_up;

 private:
  std::deque<std::move_only_function<void()>> looking_;
  std::deque<Then<Accepted>> waiting_;
};

// A printer that the test looks at.
class FakePrinter final : public Printer {
 public:
  Status Print(const PrintJob& job) override {
    jobs.push_back(job);
    return answer;
  }

  std::vector<PrintJob> jobs;
  Status answer;
};

// A camera that looks for slips, played by the test.
class FakeSlipReader final : public SlipReader {
 public:
  void Start(Then then) override {
    then_ = std::move(then);
    ++starts;
  }
  void Stop() override { then_ = nullptr; }

  [[nodiscard]] bool looking() const { return then_ != nullptr; }
  void End(Result<SecretBytes> nin) { std::exchange(then_, nullptr)(std::move(nin)); }

  int starts = 0;

 private:
  Then then_;
};

// One kiosk in virtual time.
struct VisitFixture {
  // `get_ready`: replaces the one of `with`.
  explicit VisitFixture(Settings with = Settings(), bool with_devices = true,
                        Duration get_ready = Duration::zero());

  // Sends a person's command; `arguments` is the rest of the JSON object. Fails if refused.
  void Do(std::string_view command, std::string_view arguments = "");
  [[nodiscard]] Status TryDo(std::string_view command, std::string_view arguments = "",
                             std::string_view session = "");

  // Walks on to a screen from the welcome, with a good number.
  void WalkToNumber();
  void WalkToCamera();
  void WalkToLook();
  void WalkToWaiting();

  [[nodiscard]] Screen screen() const { return shown.back().screen; }
  [[nodiscard]] const UiSnapshot& view() const { return shown.back(); }

  const Settings settings;
  FakeClock clock;
  FakeTaskRunner runner{clock};
  FakeEntropy entropy;
  FakePictureTaker camera;
  bool camera_is_there = true;  // when somebody looks
  int looks = 0;
  FakeQueueClient queue;
  FakePrinter printer;
  FakeTaskRunner printing{clock};  // the printer's thread
  ReceiptPrinter receipts{printer, printing, runner};
  FakeSlipReader slips;
  std::vector<UiSnapshot> shown;
  NumberAtScreen at_screen;
  VisitController session;
};

inline constexpr std::string_view kNin = "12345678901";
inline constexpr const char* kReference = "KD7Q2M";

}  // namespace idkiosk

#endif  // IDKIOSK_TESTS_APP_SESSION_VISIT_VISIT_FIXTURE_H_
