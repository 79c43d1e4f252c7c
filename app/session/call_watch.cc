#include "app/session/call_watch.h"

#include <utility>

namespace idkiosk {
namespace {

constexpr Duration kLongWait = std::chrono::seconds(8);
// Nobody is held up for longer; the answer comes all the same.
constexpr Duration kLongestWait = std::chrono::seconds(60);
constexpr Duration kLookAgain = std::chrono::milliseconds(400);
// A request of this age has been written; what lasts is the service's own work.
constexpr Duration kChecking = std::chrono::milliseconds(1200);

}  // namespace

void CallWatch::Begin(const CallReference& reference) {
  control_thread_.Check();
  End();
  reference_ = reference;
  begun_ = clock_.Now();
  sending_since_.reset();
  stage_ = WaitingStage::kQueued;
  Look();
}

void CallWatch::End() {
  control_thread_.Check();
  ++watch_;
  reference_.clear();
  look_.Cancel();
}

void CallWatch::OnCallChanged(const CallReference& reference) {
  control_thread_.Check();
  if (!reference.empty() && reference == reference_) Look();
}

void CallWatch::Look() {
  control_thread_.Check();
  look_ = ScopedTimer(runner_, clock_.Now() + kLookAgain, [this] { Look(); });
  queue_.Show(reference_, [this, watch = watch_](const Result<CallSummary>& call) {
    if (watch == watch_) OnShown(call);
  });
}

void CallWatch::OnShown(const Result<CallSummary>& call) {
  control_thread_.Check();
  const MonotonicTime now = clock_.Now();
  News news;
  if (call) news.answer = AnswerOf(*call);
  if (!news.answer && now - begun_ >= kLongestWait) news.answer = CallAnswer();
  if (news.answer) {
    End();
  } else if (call && call->state == CallState::kSending) {
    if (!sending_since_) sending_since_ = now;
    stage_ = now - *sending_since_ < kChecking ? WaitingStage::kSending : WaitingStage::kChecking;
  }
  news.stage = stage_;
  news.is_long = now - begun_ >= kLongWait;
  tell_(news);
}

}  // namespace idkiosk
