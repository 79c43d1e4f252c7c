#ifndef IDKIOSK_APP_UI_METRICS_H_
#define IDKIOSK_APP_UI_METRICS_H_

#include <cstdint>
#include <map>
#include <mutex>
#include <string>

#include "app/queue/call_record.h"

namespace idkiosk {

// Counts what the program does, for /metrics. Nothing here identifies a person. Any thread.
class Metrics {
 public:
  void CountAttempt(OutcomeKind outcome);
  void CountCapture(int frames, Duration to_bundle);
  void CountFailedCapture(ErrorCode why);
  void CountSession();

  // Prometheus's text format 0.0.4, with how the queue stands. `resident_bytes`: of the process.
  [[nodiscard]] std::string Text(const QueueStats& queue, int64_t resident_bytes) const;

 private:
  mutable std::mutex mutex_;
  std::map<OutcomeKind, uint64_t> attempts_;
  std::map<ErrorCode, uint64_t> failed_captures_;
  uint64_t captures_ = 0;
  uint64_t frames_ = 0;
  double capture_seconds_ = 0;
  uint64_t sessions_ = 0;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_UI_METRICS_H_
