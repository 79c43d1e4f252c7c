#ifndef IDKIOSK_APP_HTTP_BOUNDED_SERVER_H_
#define IDKIOSK_APP_HTTP_BOUNDED_SERVER_H_

#include <httplib.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <thread>

#include "app/http/http_connection.h"
#include "app/http/waiting_room.h"
#include "platform/base/mutex.h"

namespace idkiosk {

// What both servers of the program do alike. httplib reads requests and routes them; connections,
// their time and their end are ours. A server derives from it, hands each socket that it has judged
// to Take(), and answers in Answer(). The destructor of each that derives from it must call
// StopTaking() and then StopServing(): until then threads use it.
class BoundedServer : public httplib::Server {
 public:
  struct Bounds {
    size_t threads = 1;                      // that answer requests
    size_t largest_body = 0;                 // bytes
    size_t largest_head = 0;                 // bytes
    std::chrono::milliseconds request_time;  // to send a head, then to send a body
    std::chrono::milliseconds idle_time;     // between two requests of one connection
  };

 protected:
  // `beat`: called each time that the thread which takes connections looks for one, so that a
  // watchdog sees that it lives.
  BoundedServer(const Bounds& bounds, std::function<void()> beat);
  ~BoundedServer() override;

  // Begins to take connections, once the server is bound.
  void StartTaking();
  // Takes no more connections, and ends the reads of those that are there.
  void StopTaking();
  // Closes the connections that wait for a request, and ends the threads that answer, after what
  // they have begun to answer; who does not read that within two seconds is cut off.
  void StopServing();

  // Lets a connection wait for its next request, at the cost of no thread. Any thread.
  void Take(int socket, HttpConnection::Rank rank);

  // Answers the request whose head has come, by Process(), on one of the server's threads. Returns
  // whether the connection goes on.
  virtual bool Answer(HttpConnection& connection) = 0;
  // Has httplib read the request and answer it. Returns whether the connection may go on: not
  // behind a refusal, which may have left bytes unread that are no request. `address`, `port`: the
  // server's.
  bool Process(HttpConnection& connection, const std::string& address, int port);
  // The one that this thread answers.
  [[nodiscard]] static HttpConnection& connection() { return *connection_; }
  [[nodiscard]] bool stopping() const { return stopping_; }

 private:
  class OpenSocket;
  void Serve(const std::shared_ptr<HttpConnection>& connection);

  static thread_local HttpConnection* connection_;
  static thread_local bool close_after_;

  const Bounds bounds_;
  const std::function<void()> beat_;
  std::atomic<bool> stopping_ = false;
  httplib::ThreadPool threads_;
  std::optional<WaitingRoom> room_;  // while connections are taken
  std::thread thread_;
  Mutex open_mutex_;
  ConditionVariable closed_;  // one of `open_`
  std::set<int> open_ GUARDED_BY(open_mutex_);
  int ending_ GUARDED_BY(open_mutex_);  // how a stopping server shuts them down
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_HTTP_BOUNDED_SERVER_H_
