#include "tests/faults/byte_proxy.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <utility>

namespace idkiosk::faults {
namespace {

using Kind = ByteProxy::Fault::Kind;

FileDescriptor ConnectTo(int port) {
  FileDescriptor to(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<uint16_t>(port));
  if (connect(to.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
    return {};
  const int on = 1;
  (void)setsockopt(to.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  return to;
}

bool SendAll(int to, const char* bytes, size_t size) {
  while (size > 0) {
    const ssize_t sent = send(to, bytes, size, MSG_NOSIGNAL);
    if (sent <= 0) return false;
    bytes += sent;
    size -= static_cast<size_t>(sent);
  }
  return true;
}

// What is closed after this is reset.
void Reset(int of) {
  const linger at_once{.l_onoff = 1, .l_linger = 0};
  (void)setsockopt(of, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
}

}  // namespace

// Both ends of one connection of the kiosk, and how far it has come.
class ByteProxy::Connection {
 public:
  Connection(int kiosk, int service, Fault fault)
      : kiosk_(kiosk), service_(service), fault_(fault) {}

  // Carries what has come. False once it is over.
  bool Step() {
    std::array<pollfd, 2> ends{pollfd{kiosk_, Stalls(Kind::kStallRequest, requested_), 0},
                               pollfd{service_, Stalls(Kind::kStallAnswer, answered_), 0}};
    if (poll(ends.data(), ends.size(), -1) < 0) return true;
    if (ends[1].revents != 0) return Forward(service_, kiosk_, answered_, Kind::kCutAnswer);
    if (ends[0].revents == 0) return true;
    if (requested_ == 0 || answered_ > answered_before_) ++flights_;
    answered_before_ = answered_;
    if (fault_.kind == Kind::kResetFlight && flights_ == fault_.at) return EndByFault();
    return Forward(kiosk_, service_, requested_, Kind::kResetRequest);
  }

  [[nodiscard]] bool hit() const { return hit_; }
  [[nodiscard]] size_t requested() const { return requested_; }
  [[nodiscard]] size_t answered() const { return answered_; }

 private:
  // What to wait for at that end; it is always heard when the other side goes away.
  short Stalls(Kind kind, size_t carried) {
    const bool stalls = fault_.kind == kind && carried >= fault_.at;
    hit_ = hit_ || stalls;
    return stalls ? POLLRDHUP : POLLIN;
  }

  bool EndByFault() {
    hit_ = true;
    if (fault_.kind != Kind::kCutAnswer) Reset(kiosk_);
    return false;
  }

  bool Forward(int from, int to, size_t& carried, Kind ends_it) {
    const bool limited = fault_.kind == ends_it ||
                         (fault_.kind == Kind::kStallRequest && from == kiosk_) ||
                         (fault_.kind == Kind::kStallAnswer && from == service_);
    if (limited && carried >= fault_.at) return fault_.kind == ends_it ? EndByFault() : false;
    size_t most = buffer_.size();
    if (limited) most = std::min(most, fault_.at - carried);
    if (fault_.kind == Kind::kTrickle) most = 1;
    const ssize_t count = recv(from, buffer_.data(), most, 0);
    if (count <= 0) return false;
    if (fault_.kind == Kind::kTrickle) {
      hit_ = true;
      (void)poll(nullptr, 0, static_cast<int>(fault_.at));
    }
    carried += static_cast<size_t>(count);
    return SendAll(to, buffer_.data(), static_cast<size_t>(count));
  }

  const int kiosk_;
  const int service_;
  const Fault fault_;
  std::array<char, 16384> buffer_{};
  size_t requested_ = 0;
  size_t answered_ = 0;
  size_t answered_before_ = 0;
  size_t flights_ = 0;
  bool hit_ = false;
};

ByteProxy::ByteProxy(int service, int port)
    : service_(service), listener_(port), thread_([this] { Listen(); }) {}

ByteProxy::~ByteProxy() {
  {
    const MutexLock lock(mutex_);
    stopping_ = true;
    for (const int each : open_) shutdown(each, SHUT_RDWR);
  }
  listener_.Stop();
  thread_.join();
}

void ByteProxy::Set(Fault fault) {
  const MutexLock lock(mutex_);
  fault_ = fault;
  hits_ = 0;
}

int ByteProxy::hits() {
  MutexLock lock(mutex_);
  idle_.Wait(lock, [this]() REQUIRES(mutex_) { return open_.empty(); });
  return hits_;
}

size_t ByteProxy::request_bytes() {
  MutexLock lock(mutex_);
  idle_.Wait(lock, [this]() REQUIRES(mutex_) { return open_.empty(); });
  return request_bytes_;
}

size_t ByteProxy::answer_bytes() {
  MutexLock lock(mutex_);
  idle_.Wait(lock, [this]() REQUIRES(mutex_) { return open_.empty(); });
  return answer_bytes_;
}

void ByteProxy::Listen() {
  struct Carrier {
    std::atomic<bool> over = false;
    std::jthread thread;
  };
  std::list<Carrier> carriers;
  for (;;) {
    FileDescriptor kiosk = listener_.Accept();
    if (!kiosk.valid()) return;
    carriers.remove_if([](const Carrier& each) { return each.over.load(); });
    Carrier& carrier = carriers.emplace_back();
    carrier.thread = std::jthread([this, &carrier, taken = std::move(kiosk)]() mutable {
      Carry(std::move(taken));
      carrier.over = true;
    });
  }
}

void ByteProxy::Carry(FileDescriptor kiosk) {
  Fault fault;
  {
    const MutexLock lock(mutex_);
    if (stopping_) return;
    fault = fault_;
    open_.insert(kiosk.get());
    if (fault.kind == Kind::kClose) ++hits_;
  }
  if (const FileDescriptor service = ConnectTo(service_);
      service.valid() && fault.kind != Kind::kClose) {
    Connection connection(kiosk.get(), service.get(), fault);
    while (connection.Step()) {
    }
    const MutexLock lock(mutex_);
    hits_ += connection.hit() ? 1 : 0;
    request_bytes_ = connection.requested();
    answer_bytes_ = connection.answered();
  }
  const MutexLock lock(mutex_);
  open_.erase(kiosk.get());
  kiosk.Reset();
  idle_.NotifyAll();
}

}  // namespace idkiosk::faults
