#include "app/ui/peer_queue.h"

#include <unistd.h>

#include <utility>

namespace idkiosk {

PeerQueue::PeerQueue(Told told)
    : told_(std::move(told)), thread_([this](const std::stop_token& stop) { Work(stop); }) {}

PeerQueue::~PeerQueue() {
  thread_.request_stop();
  thread_.join();
  const MutexLock lock(mutex_);
  for (const int socket : waiting_) close(socket);
}

void PeerQueue::Take(int socket) {
  MutexLock lock(mutex_);
  changed_.Wait(lock, [this]() REQUIRES(mutex_) { return waiting_.size() < kPlaces; });
  waiting_.push_back(socket);
  changed_.NotifyAll();
}

void PeerQueue::Work(const std::stop_token& stop) {
  PeerUser users;
  for (;;) {
    std::vector<int> sockets;
    {
      MutexLock lock(mutex_);
      const auto anybody = [this]() REQUIRES(mutex_) { return !waiting_.empty(); };
      if (!changed_.Wait(lock, stop, anybody) || stop.stop_requested()) return;
      sockets.swap(waiting_);
      changed_.NotifyAll();
    }
    const auto found = users.Of(sockets);
    for (size_t i = 0; i < sockets.size(); ++i) told_(sockets[i], found[i]);
  }
}

}  // namespace idkiosk
