#ifndef IDKIOSK_TESTS_FAULTS_ANSWER_PROXY_H_
#define IDKIOSK_TESTS_FAULTS_ANSWER_PROXY_H_

#include <functional>
#include <string>

#include "platform/base/mutex.h"
#include "tests/platform/posix/scripted_server.h"

namespace idkiosk::faults {

// Stands between the kiosk and a sandbox without TLS, and changes what the service answers to calls
// that it bills.
class AnswerProxy {
 public:
  // What the kiosk gets instead of the service's own answer, which has been carried out and billed.
  using Change = std::function<std::string(const std::string& answer)>;

  // `service`: the sandbox's port on this machine.
  explicit AnswerProxy(int service);

  [[nodiscard]] int port() const { return server_.port(); }

  // From now on the request is carried out, and its answer changed.
  void Set(Change change);
  // From now on this is the answer, and the service hears nothing of the request.
  void AnswerInstead(std::string answer);
  void Heal() { Set({}); }
  // How many answers were changed since.
  [[nodiscard]] int changed() const;

 private:
  ScriptedServer::Reaction React(const std::string& request);
  [[nodiscard]] std::string CarryOut(const std::string& request) const;

  const int service_;
  mutable Mutex mutex_;
  Change change_ GUARDED_BY(mutex_);
  bool carries_out_ GUARDED_BY(mutex_) = true;
  int changed_ GUARDED_BY(mutex_) = 0;
  ScriptedServer server_;
};

// An answer with this status line ("503 Service Unavailable"), these header lines and this body.
[[nodiscard]] std::string AnswerOf(const std::string& status, const std::string& headers,
                                   const std::string& body);

}  // namespace idkiosk::faults

#endif  // IDKIOSK_TESTS_FAULTS_ANSWER_PROXY_H_
