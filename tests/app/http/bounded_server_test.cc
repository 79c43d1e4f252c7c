#include "app/http/bounded_server.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "tests/app/http/socket_pair.h"
#include "tests/app/ui/raw_client.h"

namespace idkiosk {
namespace {

using std::chrono::milliseconds;
using testing::EndsWith;
using testing::HasSubstr;

constexpr const char* kAddress = "127.0.0.1";

// What a thread and a test tell each other.
class Event {
 public:
  void Happen() {
    const MutexLock lock(mutex_);
    happened_ = true;
    changed_.NotifyAll();
  }
  void Await() {
    MutexLock lock(mutex_);
    changed_.Wait(lock, [this]() REQUIRES(mutex_) { return happened_; });
  }

 private:
  Mutex mutex_;
  ConditionVariable changed_;
  bool happened_ GUARDED_BY(mutex_) = false;
};

// Gives back what it is sent.
class EchoServer final : public BoundedServer {
 public:
  explicit EchoServer(const Bounds& bounds) : BoundedServer(bounds, [this] { ++beats_; }) {
    Get("/", [](const httplib::Request&, httplib::Response& response) {
      response.set_content("here", "text/plain");
    });
    Get("/late", [this](const httplib::Request&, httplib::Response& response) {
      asked.Happen();
      let_go.Await();
      response.set_content(std::string(kLate, 'l'), "text/plain");
    });
    Get("/meet", [this](const httplib::Request&, httplib::Response&) { Meet(); });
    Post("/", [](const httplib::Request& request, httplib::Response& response) {
      response.set_content(request.body, "text/plain");
    });
    port_ = bind_to_any_port(kAddress);
  }
  ~EchoServer() override {
    StopTaking();
    StopServing();
  }
  void Start() { StartTaking(); }
  void Stop() { StopTaking(); }

  [[nodiscard]] int port() const { return port_; }
  [[nodiscard]] int beats() const { return beats_; }
  // How many requests were answered at one time, at most.
  [[nodiscard]] int most_at_once() {
    const MutexLock lock(mutex_);
    return most_;
  }
  // How many threads answered.
  [[nodiscard]] size_t threads() {
    const MutexLock lock(mutex_);
    return threads_.size();
  }

  // Of /late: it was asked for; it may be answered.
  Event asked;
  Event let_go;
  static constexpr size_t kLate = 100'000;  // more bytes than one write may take

 private:
  bool process_and_close_socket(socket_t socket) override {
    Take(socket, HttpConnection::Rank::kOwnUser);
    return true;
  }
  bool Answer(HttpConnection& connection) override {
    const bool goes_on = Process(connection, kAddress, port_);
    if (goes_on) connection.set_rank(HttpConnection::Rank::kKnown);
    return goes_on;
  }
  // The first two requests wait for each other.
  void Meet() {
    MutexLock lock(mutex_);
    ++came_;
    threads_.insert(std::this_thread::get_id());
    most_ = std::max(most_, ++inside_);
    changed_.NotifyAll();
    changed_.Wait(lock, [this]() REQUIRES(mutex_) { return came_ >= 2; });
    --inside_;
  }

  int port_ = 0;
  std::atomic<int> beats_ = 0;
  Mutex mutex_;
  ConditionVariable changed_;
  int came_ GUARDED_BY(mutex_) = 0;
  int inside_ GUARDED_BY(mutex_) = 0;
  int most_ GUARDED_BY(mutex_) = 0;
  std::set<std::thread::id> threads_ GUARDED_BY(mutex_);
};

// Ends an answer once it is let go, and says that the connection goes on.
class LateServer final : public BoundedServer {
 public:
  LateServer(const Bounds& bounds, Event& asked, Event& let_go)
      : BoundedServer(bounds, [] {}), asked_(asked), let_go_(let_go) {
    port_ = bind_to_any_port(kAddress);
    StartTaking();
  }
  ~LateServer() override {
    StopTaking();
    StopServing();
  }
  [[nodiscard]] int port() const { return port_; }
  // Of the connection that is answered.
  [[nodiscard]] int socket() const { return socket_; }

 private:
  bool process_and_close_socket(socket_t socket) override {
    Take(socket, HttpConnection::Rank::kOwnUser);
    return true;
  }
  bool Answer(HttpConnection& connection) override {
    socket_ = connection.socket();
    asked_.Happen();
    let_go_.Await();
    return true;
  }

  Event& asked_;
  Event& let_go_;
  int port_ = 0;
  int socket_ = -1;
};

class BoundedServerTest : public testing::Test {
 protected:
  static constexpr BoundedServer::Bounds kWide{.threads = 2,
                                               .largest_body = 100'000,
                                               .largest_head = 1000,
                                               .request_time = kNever,
                                               .idle_time = kNever};

  void Serve(const BoundedServer::Bounds& bounds = kWide) {
    server_ = std::make_unique<EchoServer>(bounds);
    server_->Start();
  }
  // Sends these bytes on a connection of their own. Returns all that comes until the server closes.
  [[nodiscard]] std::string Send(std::string_view bytes) const {
    RawClient client(server_->port());
    client.Send(bytes);
    return client.ReadAll();
  }
  // Whether somebody who comes now is served.
  [[nodiscard]] bool Serves() const {
    return StatusOf(Send("GET / HTTP/1.1\r\nConnection: close\r\n\r\n")) == 200;
  }
  static std::string PostOf(size_t size, std::string_view body) {
    return fmt::format("POST / HTTP/1.1\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{}", size,
                       body);
  }

  std::unique_ptr<EchoServer> server_;
};

TEST_F(BoundedServerTest, AnswersManyRequestsOfOneConnectionAndBeats) {
  Serve();
  RawClient client(server_->port());
  for (int i = 0; i < 5; ++i) {
    client.Send("GET / HTTP/1.1\r\n\r\n");
    EXPECT_EQ(StatusOf(client.ReadUntil("here")), 200) << i;
  }
  EXPECT_GE(server_->beats(), 2) << "when it began, and for the connection";
}

TEST_F(BoundedServerTest, TakesABodyUpToItsBoundAndRefusesALargerOne) {
  auto bounds = kWide;
  bounds.largest_body = 20'000;  // more than a connection takes without a thread
  Serve(bounds);
  const std::string body(20'000, 'b');
  const std::string taken = Send(PostOf(body.size(), body));
  EXPECT_EQ(StatusOf(taken), 200);
  EXPECT_THAT(taken, EndsWith(body));
  EXPECT_EQ(StatusOf(Send(PostOf(body.size() + 1, body + "b"))), 413);
  EXPECT_NE(StatusOf(Send(PostOf(1'000'000, std::string(1'000'000, 'b')))), 200);
  EXPECT_TRUE(Serves());
}

TEST_F(BoundedServerTest, ARequestOfMoreBytesThanHeadAndBodyMayHaveIsNotAnswered) {
  auto bounds = kWide;
  bounds.largest_body = 0;
  Serve(bounds);
  const auto request = [](size_t size) {
    return fmt::format("GET / HTTP/1.1\r\nConnection: close\r\nX: {}\r\n\r\n",
                       std::string(size, 'x'));
  };
  EXPECT_EQ(StatusOf(Send(request(900))), 200);
  EXPECT_NE(StatusOf(Send(request(1000))), 200);
  EXPECT_TRUE(Serves());
}

TEST_F(BoundedServerTest, ARefusalEndsTheConnectionAndWhatCameBehindIt) {
  Serve();
  const std::string answer = Send("GET /nothing HTTP/1.1\r\n\r\nGET / HTTP/1.1\r\n\r\n");
  EXPECT_EQ(StatusOf(answer), 404);
  EXPECT_THAT(answer, HasSubstr("Connection: close\r\n"));
  EXPECT_EQ(answer.find("HTTP/1.1 ", 1), std::string::npos) << answer;
}

TEST_F(BoundedServerTest, WhoSendsHalfAHeadIsCutOff) {
  auto bounds = kWide;
  bounds.request_time = milliseconds(1);
  Serve(bounds);
  EXPECT_EQ(Send("GET / HT"), "");
  EXPECT_EQ(Send(""), "");
}

TEST_F(BoundedServerTest, WhoAnnouncesABodyAndSendsNoneIsCutOff) {
  auto bounds = kWide;
  bounds.request_time = milliseconds(50);
  Serve(bounds);
  EXPECT_NE(StatusOf(Send(PostOf(10, ""))), 200);
  EXPECT_NE(StatusOf(Send(PostOf(50'000, "begins"))), 200) << "it is read on a thread";
}

TEST_F(BoundedServerTest, SilentConnectionsCostNoThread) {
  auto bounds = kWide;
  bounds.threads = 1;
  Serve(bounds);
  std::vector<std::unique_ptr<RawClient>> silent;
  for (int i = 0; i < 40; ++i) {
    silent.push_back(std::make_unique<RawClient>(server_->port()));
    if (i % 2 == 1) silent.back()->Send("GET / HTTP/1.1\r\nHost");
  }
  EXPECT_TRUE(Serves());
}

TEST_F(BoundedServerTest, AnswersAsManyRequestsAtOnceAsItHasThreads) {
  Serve();
  std::vector<std::unique_ptr<RawClient>> clients;
  for (int i = 0; i < 50; ++i) {
    clients.push_back(std::make_unique<RawClient>(server_->port()));
    clients.back()->Send("GET /meet HTTP/1.1\r\nConnection: close\r\n\r\n");
  }
  for (const auto& each : clients) EXPECT_EQ(StatusOf(each->ReadAll()), 200);
  EXPECT_EQ(server_->most_at_once(), 2);
  EXPECT_EQ(server_->threads(), 2U);
}

TEST_F(BoundedServerTest, EndsWithConnectionsThatWaitAndOneThatIsBeingRead) {
  Serve();
  RawClient known(server_->port());
  known.Send("GET / HTTP/1.1\r\n\r\n");
  EXPECT_EQ(StatusOf(known.ReadUntil("here")), 200);
  const RawClient silent(server_->port());
  RawClient half(server_->port());
  half.Send(PostOf(50'000, "begins"));
  server_.reset();
  EXPECT_EQ(known.ReadAll(), "");
  EXPECT_NE(StatusOf(half.ReadAll()), 200);
}

// The waiting room is gone by then. Whoever waits there is sent away, which lets the answer end.
TEST_F(BoundedServerTest, AnAnswerThatEndsAfterTheWaitingRoomClosesItsConnection) {
  Event asked;
  Event let_go;
  auto server = std::make_unique<LateServer>(kWide, asked, let_go);
  RawClient waits(server->port());
  waits.Send("GET / HT");
  RawClient asks(server->port());
  asks.Send("GET / HTTP/1.1\r\n\r\n");
  asked.Await();
  const int socket = server->socket();
  std::jthread witness([&] {
    EXPECT_EQ(waits.ReadAll(), "");
    let_go.Happen();
  });
  server.reset();
  EXPECT_EQ(fcntl(socket, F_GETFD), -1) << "it is still open";
  EXPECT_EQ(asks.ReadAll(), "");
}

TEST_F(BoundedServerTest, WhoIsBeingAnsweredGetsTheAnswerThoughTheServerStops) {
  Serve();
  RawClient client(server_->port());
  client.Send("GET /late HTTP/1.1\r\n\r\n");
  server_->asked.Await();
  server_->Stop();
  server_->let_go.Happen();
  const std::string answer = client.ReadAll();
  EXPECT_EQ(StatusOf(answer), 200);
  EXPECT_THAT(answer, EndsWith(std::string(EchoServer::kLate, 'l')));
}

}  // namespace
}  // namespace idkiosk
