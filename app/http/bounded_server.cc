#include "app/http/bounded_server.h"

#include <sys/socket.h>

#include <utility>

#include "platform/base/secret_bytes.h"

namespace idkiosk {
namespace {

constexpr time_t kIdleSeconds = 5;
// Few bytes in the kernel's buffers: what a slow reader sees is still new.
constexpr int kSendBuffer = 256 << 10;  // bytes
// What is being answered when the server stops may be written for so long: whoever does not read it
// does not keep the program from its end.
constexpr auto kLastWrites = std::chrono::seconds(2);

// Hands each connection over on httplib's thread that accepts it; tells that they are being taken.
class AtOnce final : public httplib::TaskQueue {
 public:
  explicit AtOnce(const std::function<void()>& beat) : beat_(beat) {}

  bool enqueue(std::function<void()> task) override {
    beat_();
    task();
    return true;
  }
  void shutdown() override {}
  void on_idle() override { beat_(); }

 private:
  const std::function<void()>& beat_;
};

}  // namespace

// A socket that a stopping server hurries out of its reads, and then of its writes.
class BoundedServer::OpenSocket {
 public:
  OpenSocket(BoundedServer& server, int socket) : server_(server), socket_(socket) {
    const MutexLock lock(server_.open_mutex_);
    server_.open_.insert(socket_);
    if (server_.stopping_) (void)shutdown(socket_, server_.ending_);
  }
  ~OpenSocket() {
    const MutexLock lock(server_.open_mutex_);
    server_.open_.erase(socket_);
    server_.closed_.NotifyAll();
  }

 private:
  BoundedServer& server_;
  const int socket_;
};

thread_local HttpConnection* BoundedServer::connection_ = nullptr;
thread_local bool BoundedServer::close_after_ = false;

BoundedServer::BoundedServer(const Bounds& bounds, std::function<void()> beat)
    : bounds_(bounds),
      beat_(std::move(beat)),
      threads_(bounds.threads, kMostRequests),
      ending_(SHUT_RD) {
  new_task_queue = [this] { return new AtOnce(beat_); };
  set_idle_interval(kIdleSeconds);
  set_payload_max_length(bounds_.largest_body);
  set_post_routing_handler([](const httplib::Request&, httplib::Response& response) {
    if (response.status < 400) return;
    close_after_ = true;
    response.headers.erase("Keep-Alive");
    response.set_header("Connection", "close");
  });
}

BoundedServer::~BoundedServer() = default;

void BoundedServer::StartTaking() {
  room_.emplace(
      WaitingRoom::Limits{.request_time = bounds_.request_time, .idle_time = bounds_.idle_time},
      [this](auto connection) {
        threads_.enqueue([this, asked = std::move(connection)]() mutable {
          Serve(asked);
          asked.reset();
          WipeUnusedStack();
        });
      });
  beat_();
  thread_ = std::thread([this] { listen_after_bind(); });
  wait_until_ready();
}

void BoundedServer::StopTaking() {
  stopping_ = true;
  {
    const MutexLock lock(open_mutex_);
    for (const int socket : open_) (void)shutdown(socket, ending_);
  }
  stop();
  if (thread_.joinable()) thread_.join();
}

void BoundedServer::StopServing() {
  room_.reset();
  {
    MutexLock lock(open_mutex_);
    (void)closed_.WaitFor(lock, kLastWrites,
                          [this]() REQUIRES(open_mutex_) { return open_.empty(); });
    ending_ = SHUT_RDWR;
    for (const int socket : open_) (void)shutdown(socket, ending_);
  }
  threads_.shutdown();
}

void BoundedServer::Take(int socket, HttpConnection::Rank rank) {
  (void)setsockopt(socket, SOL_SOCKET, SO_SNDBUF, &kSendBuffer, sizeof kSendBuffer);
  room_->Take(std::make_shared<HttpConnection>(socket, rank));
}

void BoundedServer::Serve(const std::shared_ptr<HttpConnection>& connection) {
  {
    const OpenSocket open(*this, connection->socket());
    connection->BeginRequest(bounds_.request_time, bounds_.largest_head + bounds_.largest_body);
    if (!Answer(*connection)) return;
  }
  // StopTaking sets it, and then takes the lock, before the room may go.
  const MutexLock lock(open_mutex_);
  if (!stopping_) room_->Take(connection);
}

bool BoundedServer::Process(HttpConnection& connection, const std::string& address, int port) {
  connection_ = &connection;
  close_after_ = false;
  bool closed_by_client = false;
  const bool written =
      process_request(connection, address, 0, address, port, false, closed_by_client, nullptr);
  return written && !closed_by_client && !close_after_ && !stopping_;
}

}  // namespace idkiosk
