#ifndef IDKIOSK_APP_UI_PEER_QUEUE_H_
#define IDKIOSK_APP_UI_PEER_QUEUE_H_

#include <sys/types.h>

#include <functional>
#include <optional>
#include <thread>
#include <vector>

#include "app/ui/peer_user.h"
#include "platform/base/mutex.h"

namespace idkiosk {

// Where new connections wait until it is known whose they are, on a thread of its own: whoever
// takes connections waits for no table of the kernel's, and all that wait are looked up at once.
class PeerQueue {
 public:
  // The most that may wait; more wait in the kernel, which loses none of them.
  static constexpr size_t kPlaces = 256;
  // Takes over a connection; the user as PeerUser tells it.
  using Told = std::function<void(int socket, std::optional<uid_t> user)>;

  // `told` is called on the queue's thread.
  explicit PeerQueue(Told told);
  // Closes those who wait.
  ~PeerQueue();
  PeerQueue(const PeerQueue&) = delete;
  PeerQueue& operator=(const PeerQueue&) = delete;

  // Takes over an accepted connection; waits for a place where all are taken, for no longer than
  // one look at the table. Any thread.
  void Take(int socket);

 private:
  void Work(const std::stop_token& stop);

  const Told told_;
  Mutex mutex_;
  ConditionVariable changed_;
  std::vector<int> waiting_ GUARDED_BY(mutex_);
  std::jthread thread_;  // last: it uses the others
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_UI_PEER_QUEUE_H_
