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
// nothing is started. Each has a thread of its own: a receiver that hangs delays no file.
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
  explicit ResultLink(const Dependencies& deps);
  ~ResultLink() { End(); }
  ResultLink(const ResultLink&) = delete;
  ResultLink& operator=(const ResultLink&) = delete;

  // Errors: Drivers::make_http_client's, HandOver::Make's.
  [[nodiscard]] Status Start();
  // What is being handed over is cut off: it comes again at the next start.
  void End();

  // A call has changed; any thread.
  void Wake();
  // How it stands; any thread. Empty where it cannot be read.
  [[nodiscard]] std::vector<HandOverStanding> Standings() const;
  [[nodiscard]] Findings Check() const;
  [[nodiscard]] const Heartbeat& webhook_heartbeat() const { return webhook_.heartbeat; }
  [[nodiscard]] const Heartbeat& spool_heartbeat() const { return spool_.heartbeat; }

 private:
  // The hand-over to one of the two.
  struct Line {
    explicit Line(const Clock& clock) : heartbeat(clock), loop(clock, heartbeat) {}

    Settings settings;  // which name no other
    Heartbeat heartbeat;
    std::unique_ptr<HandOver> hand_over;
    StepLoop loop;  // goes first: its thread uses all of the above
  };
  [[nodiscard]] Status Start(Line& line);

  const Dependencies deps_;
  std::unique_ptr<HttpClient> http_;
  Line webhook_;
  Line spool_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_DAEMON_RESULT_LINK_H_
