#include "app/ui/metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace idkiosk {
namespace {

using testing::HasSubstr;

TEST(MetricsTest, TellsCountsInPrometheussWords) {
  Metrics metrics;
  metrics.CountAttempt(OutcomeKind::kVerified);
  metrics.CountAttempt(OutcomeKind::kVerified);
  metrics.CountAttempt(OutcomeKind::kUnreachable);
  metrics.CountCapture(200, std::chrono::milliseconds(6500));
  metrics.CountFailedCapture(ErrorCode::kTimeout);
  metrics.CountSession();
  QueueStats stats;
  stats.pending = 3;
  const std::string text = metrics.Text(stats, 45'000'000);
  for (const char* line :
       {"# TYPE idkiosk_queue_calls gauge\n", "idkiosk_queue_calls{state=\"pending\"} 3\n",
        "idkiosk_attempts_total{result=\"verified\"} 2\n",
        "idkiosk_attempts_total{result=\"unreachable\"} 1\n", "idkiosk_sessions_total 1\n",
        "idkiosk_capture_seconds_sum 6.5\n", "idkiosk_capture_seconds_count 1\n",
        "idkiosk_captures_failed_total{reason=\"timeout\"} 1\n", "idkiosk_frames_total 200\n",
        "process_resident_memory_bytes 45000000\n"}) {
    EXPECT_THAT(text, HasSubstr(line));
  }
}

}  // namespace
}  // namespace idkiosk
