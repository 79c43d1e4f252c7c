#ifndef IDKIOSK_APP_UI_METRICS_H_
#define IDKIOSK_APP_UI_METRICS_H_

#include <cstdint>
#include <map>
#include <span>
#include <string>

#include "app/capture/light_tally.h"
#include "app/queue/call_record.h"
#include "app/results/hand_over.h"
#include "platform/base/mutex.h"

namespace idkiosk {

// Counts what the program does, for /metrics. Nothing here identifies a person. Any thread.
class Metrics {
 public:
  void CountAttempt(OutcomeKind outcome);
  void CountCapture(int frames, Duration to_bundle);
  void CountFailedCapture(ErrorCode why);
  // How often the screen's light was judged.
  [[nodiscard]] LightTally& lights() { return lights_; }
  [[nodiscard]] const LightTally& lights() const { return lights_; }
  // Counts the session of a person that ends when another one, of staff or of a person, is shown.
  void NoteSession(const std::string& shown, bool of_a_person);

  // Prometheus's text format 0.0.4, with how the queue stands. `resident_bytes`: of the process;
  // `refused_starts`: the start tokens that were refused; `results`: how their hand-over stands at
  // `now`.
  [[nodiscard]] std::string Text(const QueueStats& queue, int64_t resident_bytes,
                                 uint64_t refused_starts,
                                 std::span<const HandOverStanding> results = {},
                                 WallTime now = {}) const;

 private:
  LightTally lights_;
  mutable Mutex mutex_;
  std::map<OutcomeKind, uint64_t> attempts_ GUARDED_BY(mutex_);
  std::map<ErrorCode, uint64_t> failed_captures_ GUARDED_BY(mutex_);
  uint64_t captures_ GUARDED_BY(mutex_) = 0;
  uint64_t frames_ GUARDED_BY(mutex_) = 0;
  double capture_seconds_ GUARDED_BY(mutex_) = 0;
  uint64_t sessions_ GUARDED_BY(mutex_) = 0;
  std::string shown_ GUARDED_BY(mutex_);  // the session
  bool of_a_person_ GUARDED_BY(mutex_) = false;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_UI_METRICS_H_
