#ifndef IDKIOSK_APP_API_CAMERA_VISITS_H_
#define IDKIOSK_APP_API_CAMERA_VISITS_H_

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "app/session/visit/visit_order.h"
#include "platform/base/error.h"
#include "platform/base/mutex.h"

namespace idkiosk {

// Checks whose pictures the kiosk's own camera takes, until the person has sent them: the queue
// knows a check only from then on. Kept in memory alone, the newest of them. Any thread.
class CameraVisits {
 public:
  static constexpr size_t kKept = 64;

  enum class Stage { kAsked, kAtCamera, kOver };
  struct Visit {
    std::shared_ptr<const VisitOrder> order;  // null once it is over: nothing of the person stays
    CallReference reference;
    std::string key;         // empty: none
    uint16_t body_mark = 0;  // of its request's body; too few bits to tell a number in it
    std::string case_id;
    Stage stage = Stage::kAsked;
    std::string why = {};  // it ended without a check: a StopReason's name, or "left"
    Status answer = {};    // the screen's, when it was asked
  };

  // `begin` hands an order to the screen, whose answer comes by Begun; it must not wait.
  explicit CameraVisits(std::function<void(std::shared_ptr<const VisitOrder>)> begin)
      : begin_(std::move(begin)) {}

  // Asks the screen to begin a visit, and waits for its answer, or for Close. Errors: kUnavailable,
  // why it cannot begin now.
  [[nodiscard]] Status Begin(std::shared_ptr<const VisitOrder> order);
  // The screen's answer.
  void Begun(const CallReference& reference, const Status& answer);
  // Returns whether that is news: the person has sent nothing.
  bool Over(const VisitEnd& end);
  // Nobody waits from now on.
  void Close();

  [[nodiscard]] std::optional<Visit> Find(const CallReference& reference) const;
  // The visit that a request with this key has begun; nothing: none. Errors: kFailedPrecondition
  // (another body had that key).
  [[nodiscard]] Result<std::optional<CallReference>> FindRequest(std::string_view key,
                                                                 std::string_view body) const;

 private:
  [[nodiscard]] Visit* At(const CallReference& reference) REQUIRES(mutex_);

  const std::function<void(std::shared_ptr<const VisitOrder>)> begin_;
  mutable Mutex mutex_;
  ConditionVariable changed_;
  std::deque<Visit> visits_ GUARDED_BY(mutex_);  // the oldest first
  bool closed_ GUARDED_BY(mutex_) = false;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_API_CAMERA_VISITS_H_
