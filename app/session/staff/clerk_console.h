#ifndef IDKIOSK_APP_SESSION_STAFF_CLERK_CONSOLE_H_
#define IDKIOSK_APP_SESSION_STAFF_CLERK_CONSOLE_H_

#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "app/session/call_watch.h"
#include "app/session/command_reply.h"
#include "app/session/model/clerk_view.h"
#include "app/session/queue_client.h"
#include "app/session/throttle.h"
#include "app/session/visit/visit_controller.h"
#include "platform/base/thread_checker.h"

namespace idkiosk {

// A clerk's work at the desk of a branch: ask, read the answer, look after the queue. Nothing
// of a person survives Lock. On the control thread.
class ClerkConsole {
 public:
  // All must outlive this.
  struct Dependencies {
    const Settings& settings;
    const ServiceProfile& profile;
    TaskRunner& runner;
    const Clock& clock;
    QueueClient& queue;
    // The person that the question is about sits down before the camera: OnVisitOver says what came
    // of it. `confirmed`: the clerk was told that the same was asked before.
    std::function<void(const VerificationCall& question, bool confirmed)> seat;
    // What the person agrees to whom the clerk has shown or read it, in the clerk's language.
    std::function<Consent()> consent;
    // view() has become another one.
    std::function<void()> changed;
  };

  explicit ClerkConsole(Dependencies deps);

  // A clerk is there, and looks at it. Until Lock.
  void Open();
  void Lock();

  // A command of app/ui/web/snapshot.d.ts, valid on the screen `desk`.
  void Do(std::string_view command, JsonView arguments, Reply reply);

  // `reference`: the call handed in for the person who sat down; empty: none.
  void OnVisitOver(const CallReference& reference);

  // News from others.
  void OnCallChanged(const CallReference& reference);
  void SetReasons(std::vector<RequestReason> reasons);
  void SetOnline(bool online);
  void SetCameraAway(bool away);

  [[nodiscard]] const ClerkView& view() const {
    control_thread_.Check();
    return view_;
  }
  // Returns the picture of the shown answer: a JPEG or PNG. Errors: kNotFound.
  [[nodiscard]] Result<SecretBytes> Photo() const;

 private:
  void Ask(JsonView arguments, Reply reply);
  void Show(JsonView arguments, Reply reply);
  void Decide(std::string_view command, JsonView arguments, Reply reply);
  void Dismiss();

  // Why it is not asked; nothing if it may be.
  [[nodiscard]] std::optional<CommandReply> ProblemOf(const VerificationCall& call) const;
  [[nodiscard]] CommandReply ReplyOf(const Obstacle& obstacle) const;
  void OnLooked(QueueClient::Looked looked, bool confirmed, Reply reply);
  void HandIn(VerificationCall call, bool confirmed, Reply reply);
  void Await(const CallReference& reference);
  void OnNews(const CallWatch::News& news);
  void OpenAnswer(ClerkView::Answer answer, bool opened_by_hand, Reply reply);
  // A question is over without an answer.
  void Refuse(std::optional<Obstacle::Kind> obstacle);
  void Refresh();
  void ShowOverview(const QueueClient::Overview& overview);
  [[nodiscard]] const ClerkView::Call* Find(std::string_view reference) const;

  const ThreadChecker control_thread_;
  const Dependencies deps_;
  std::vector<RequestReason> reasons_;
  ClerkView view_;
  SecretBytes photo_;
  CallReference awaited_;  // empty: none
  std::string question_;   // of it
  uint64_t laid_ = 0;      // counts up whenever what lies on the desk is put away
  bool open_ = false;
  bool refreshing_ = false;
  bool refresh_again_ = false;
  CallWatch watch_;
  ScopedTimer refresh_;
  Throttle throttle_;  // of calls that change one after the other
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_SESSION_STAFF_CLERK_CONSOLE_H_
