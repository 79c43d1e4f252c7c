#include "app/http/waiting_room.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <utility>

namespace idkiosk {

WaitingRoom::WaitingRoom(const Limits& limits, Serve serve)
    : limits_(limits),
      serve_(std::move(serve)),
      wake_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      thread_([this] { Run(); }) {}

WaitingRoom::~WaitingRoom() {
  {
    const MutexLock lock(mutex_);
    stopping_ = true;
  }
  Wake();
  thread_.join();
  close(wake_);
}

void WaitingRoom::Wake() const {
  const uint64_t one = 1;
  (void)!write(wake_, &one, sizeof one);
}

void WaitingRoom::Take(std::shared_ptr<HttpConnection> connection) {
  const auto patience =
      connection->rank() == HttpConnection::Rank::kKnown ? limits_.idle_time : limits_.request_time;
  {
    const MutexLock lock(mutex_);
    arrivals_.push_back({std::move(connection), Clock::now() + patience});
  }
  Wake();
}

void WaitingRoom::Run() {
  std::vector<Guest> guests;
  while (LetIn(guests)) {
    ServeWhoAsked(guests);
    SendAway(guests);
    AwaitAnything(guests);
  }
}

// Returns false once the room closes.
bool WaitingRoom::LetIn(std::vector<Guest>& guests) {
  uint64_t wakes = 0;
  (void)!read(wake_, &wakes, sizeof wakes);
  const MutexLock lock(mutex_);
  std::ranges::move(arrivals_, std::back_inserter(guests));
  arrivals_.clear();
  return !stopping_;
}

void WaitingRoom::ServeWhoAsked(std::vector<Guest>& guests) {
  using Heard = HttpConnection::Heard;
  std::erase_if(guests, [this](Guest& guest) {
    const Heard heard = guest.connection->Hear();
    if (heard == Heard::kRequest) serve_(std::move(guest.connection));
    return heard != Heard::kNothingYet;
  });
}

void WaitingRoom::SendAway(std::vector<Guest>& guests) const {
  const auto now = Clock::now();
  std::erase_if(guests, [&](const Guest& guest) { return guest.deadline <= now; });
  // Those who came first stand first, of each rank.
  while (guests.size() > limits_.places) {
    guests.erase(std::ranges::min_element(
        guests, {}, [](const Guest& guest) { return guest.connection->rank(); }));
  }
}

void WaitingRoom::AwaitAnything(const std::vector<Guest>& guests) const {
  std::vector<pollfd> sources{{.fd = wake_, .events = POLLIN, .revents = 0}};
  auto until = Clock::time_point::max();
  for (const Guest& guest : guests) {
    sources.push_back({.fd = guest.connection->socket(), .events = POLLIN, .revents = 0});
    until = std::min(until, guest.deadline);
  }
  int64_t milliseconds = -1;
  if (!guests.empty()) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now());
    milliseconds = std::clamp<int64_t>(left.count(), 0, 60'000);
  }
  (void)poll(sources.data(), sources.size(), static_cast<int>(milliseconds));
}

}  // namespace idkiosk
