#ifndef IDKIOSK_TESTS_FAULTS_BYTE_PROXY_H_
#define IDKIOSK_TESTS_FAULTS_BYTE_PROXY_H_

#include <list>
#include <set>
#include <thread>

#include "platform/base/mutex.h"
#include "tests/fakes/loopback_listener.h"

namespace idkiosk::faults {

// Stands between the kiosk and its service on this machine, and carries every byte, until it is
// told to do what bad networks do. It reads none of it: the bytes are TLS.
class ByteProxy {
 public:
  struct Fault {
    enum class Kind : uint8_t {
      kNone,
      kClose,         // each connection is closed as soon as it is there: nothing gets through
      kResetRequest,  // reset once `at` bytes of the kiosk were carried
      kCutAnswer,     // closed once `at` bytes of the service were carried
      kStallRequest,  // nothing of the kiosk goes on after `at` bytes
      kStallAnswer,   // nothing of the service goes on after `at` bytes
      kTrickle,       // each byte takes `at` milliseconds
      kResetFlight,   // reset when the kiosk begins to send for the `at`th time
    };
    Kind kind = Kind::kNone;
    size_t at = 0;
  };

  // `service`: the port on this machine that everything goes to. `port`: its own, where it is not
  // to be any free one.
  explicit ByteProxy(int service, int port = 0);
  ~ByteProxy();
  ByteProxy(const ByteProxy&) = delete;
  ByteProxy& operator=(const ByteProxy&) = delete;

  [[nodiscard]] int port() const { return listener_.port(); }

  // For connections from now on; those that are open stay as they are.
  void Set(Fault fault);
  void Heal() { Set({}); }
  // How many connections the fault has hit since it was set. Waits until those that the kiosk has
  // ended are over.
  [[nodiscard]] int hits();
  // The bytes of the kiosk and of the service in the newest connection.
  [[nodiscard]] size_t request_bytes();
  [[nodiscard]] size_t answer_bytes();

 private:
  class Connection;

  void Listen();
  void Carry(FileDescriptor kiosk);

  const int service_;
  const LoopbackListener listener_;
  Mutex mutex_;
  Fault fault_ GUARDED_BY(mutex_);
  int hits_ GUARDED_BY(mutex_) = 0;
  size_t request_bytes_ GUARDED_BY(mutex_) = 0;
  size_t answer_bytes_ GUARDED_BY(mutex_) = 0;
  bool stopping_ GUARDED_BY(mutex_) = false;
  std::set<int> open_ GUARDED_BY(mutex_);
  ConditionVariable idle_;
  std::jthread thread_;
};

}  // namespace idkiosk::faults

#endif  // IDKIOSK_TESTS_FAULTS_BYTE_PROXY_H_
