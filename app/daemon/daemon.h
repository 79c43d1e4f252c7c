#ifndef IDKIOSK_APP_DAEMON_DAEMON_H_
#define IDKIOSK_APP_DAEMON_DAEMON_H_

namespace idkiosk {

// The program behind `idkiosk run`: it serves a page until the process is asked to stop or its
// parts are to be made anew.
class Daemon {
 public:
  enum class End {
    kStopped,
    kAnew,
    kErased,  // and what the vault's keys opened is to be erased before
  };

  virtual ~Daemon() = default;

  // The caller's is the control thread.
  [[nodiscard]] virtual End Run() = 0;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_DAEMON_DAEMON_H_
