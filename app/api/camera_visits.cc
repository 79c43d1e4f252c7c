#include "app/api/camera_visits.h"

#include <algorithm>
#include <ranges>
#include <utility>

namespace idkiosk {
namespace {

uint16_t MarkOf(std::string_view body) {
  return static_cast<uint16_t>(std::hash<std::string_view>()(body));
}

}  // namespace

CameraVisits::Visit* CameraVisits::At(const CallReference& reference) {
  const auto found = std::ranges::find(visits_, reference, &Visit::reference);
  return found == visits_.end() ? nullptr : &*found;
}

Status CameraVisits::Begin(std::shared_ptr<const VisitOrder> order) {
  const CallReference reference = order->reference;
  {
    const MutexLock lock(mutex_);
    visits_.push_back({.order = order,
                       .reference = reference,
                       .key = order->key,
                       .body_mark = MarkOf(order->body.text()),
                       .case_id = order->case_id});
    if (visits_.size() > kKept) visits_.pop_front();
  }
  begin_(std::move(order));
  MutexLock lock(mutex_);
  changed_.Wait(lock, [&]() REQUIRES(mutex_) {
    const Visit* const visit = At(reference);
    return closed_ || visit == nullptr || visit->stage != Stage::kAsked;
  });
  const Visit* const visit = At(reference);
  Status answer = visit == nullptr || visit->stage == Stage::kAsked
                      ? Fail(ErrorCode::kUnavailable, "the kiosk is stopping")
                      : visit->answer;
  // A request that came to nothing may come again.
  if (!answer)
    std::erase_if(visits_, [&](const Visit& each) { return each.reference == reference; });
  return answer;
}

void CameraVisits::Begun(const CallReference& reference, const Status& answer) {
  {
    const MutexLock lock(mutex_);
    Visit* const visit = At(reference);
    if (visit == nullptr) return;
    visit->answer = answer;
    // It may be over already.
    if (visit->stage == Stage::kAsked) visit->stage = answer ? Stage::kAtCamera : Stage::kOver;
  }
  changed_.NotifyAll();
}

bool CameraVisits::Over(const VisitEnd& end) {
  const MutexLock lock(mutex_);
  Visit* const visit = At(end.order->reference);
  if (visit == nullptr) return false;
  visit->order.reset();
  visit->stage = Stage::kOver;
  if (!end.is_handed_in) visit->why = end.why ? Name(*end.why) : "left";
  return !end.is_handed_in;
}

void CameraVisits::Close() {
  {
    const MutexLock lock(mutex_);
    closed_ = true;
  }
  changed_.NotifyAll();
}

std::optional<CameraVisits::Visit> CameraVisits::Find(const CallReference& reference) const {
  const MutexLock lock(mutex_);
  const auto found = std::ranges::find(visits_, reference, &Visit::reference);
  if (found == visits_.end()) return std::nullopt;
  return *found;
}

Result<std::optional<CallReference>> CameraVisits::FindRequest(std::string_view key,
                                                               std::string_view body) const {
  const MutexLock lock(mutex_);
  for (const Visit& each : visits_) {
    if (key.empty() || each.key != key) continue;
    if (each.body_mark != MarkOf(body) || (each.order && each.order->body.text() != body)) {
      return Fail(ErrorCode::kFailedPrecondition, "this key came with another body before");
    }
    return each.reference;
  }
  return std::nullopt;
}

}  // namespace idkiosk
