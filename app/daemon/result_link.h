#ifndef IDKIOSK_APP_DAEMON_RESULT_LINK_H_
#define IDKIOSK_APP_DAEMON_RESULT_LINK_H_

#include <memory>
#include <optional>
#include <vector>

#include "app/daemon/page_host.h"
#include "app/operator/finding.h"
#include "app/results/hand_over.h"
#include "app/workers/step_loop.h"

namespace idkiosk {

// The hand-over of results of a running kiosk, where the settings name a receiver or a folder; else
// nothing is started.
class ResultLink {
 public:
  // All must outlive this.
  struct Dependencies {
    PageHost& host;
    const Settings& settings;
    const ServiceProfile& profile;
    DurableQueue& queue;
    SecureStorage& vault;
  };
  explicit ResultLink(const Dependencies& deps)
      : deps_(deps), heartbeat_(deps.host.clock), loop_(deps.host.clock, heartbeat_) {}
  ~ResultLink() { End(); }
  ResultLink(const ResultLink&) = delete;
  ResultLink& operator=(const ResultLink&) = delete;

  // Errors: Drivers::make_http_client's, HandOver::Make's.
  [[nodiscard]] Status Start();
  // What is being handed over is cut off: it comes again at the next start.
  void End();

  // A call has changed; any thread.
  void Wake() { loop_.Wake(); }
  // How it stands; any thread. Empty where it cannot be read.
  [[nodiscard]] std::vector<HandOverStanding> Standings() const;
  [[nodiscard]] Findings Check() const;
  [[nodiscard]] const Heartbeat& heartbeat() const { return heartbeat_; }

 private:
  const Dependencies deps_;
  Heartbeat heartbeat_;
  std::unique_ptr<HttpClient> http_;
  std::unique_ptr<HandOver> hand_over_;
  StepLoop loop_;  // goes first: its thread uses all of the above
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_DAEMON_RESULT_LINK_H_
