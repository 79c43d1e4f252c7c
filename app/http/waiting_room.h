#ifndef IDKIOSK_APP_HTTP_WAITING_ROOM_H_
#define IDKIOSK_APP_HTTP_WAITING_ROOM_H_

#include <chrono>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "app/http/http_connection.h"
#include "platform/base/mutex.h"

namespace idkiosk {

// The requests that may wait for a thread once the room has let them go: more than it has places,
// or a burst would be cut off unheard. Any more are.
inline constexpr size_t kMostRequests = 256;

// Where connections wait for the head of a request, at the cost of no thread. There are so many
// places; when they are taken, the oldest connection goes of those with the least rank. One whose
// request has come is served before any is sent away.
class WaitingRoom {
 public:
  struct Limits {
    size_t places = 64;
    std::chrono::milliseconds request_time;  // for the first head, from when it came in
    std::chrono::milliseconds idle_time;     // for a connection that was answered before
  };
  using Serve = std::function<void(std::shared_ptr<HttpConnection>)>;

  // `serve` is called on the room's thread, with a connection whose next request's head has come.
  WaitingRoom(const Limits& limits, Serve serve);
  // Sends everybody away.
  ~WaitingRoom();
  WaitingRoom(const WaitingRoom&) = delete;
  WaitingRoom& operator=(const WaitingRoom&) = delete;

  // Lets a connection in. Any thread.
  void Take(std::shared_ptr<HttpConnection> connection);

 private:
  using Clock = HttpConnection::Clock;
  struct Guest {
    std::shared_ptr<HttpConnection> connection;
    Clock::time_point deadline;
  };
  void Run();
  [[nodiscard]] bool LetIn(std::vector<Guest>& guests);
  void AwaitAnything(const std::vector<Guest>& guests) const;
  void ServeWhoAsked(std::vector<Guest>& guests);
  void SendAway(std::vector<Guest>& guests) const;
  void Wake() const;

  const Limits limits_;
  const Serve serve_;
  const int wake_;  // an event
  Mutex mutex_;
  std::vector<Guest> arrivals_ GUARDED_BY(mutex_);
  bool stopping_ GUARDED_BY(mutex_) = false;
  std::jthread thread_;  // last: it uses the others
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_HTTP_WAITING_ROOM_H_
