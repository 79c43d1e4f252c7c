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
  metrics.lights().Count(LightFinding::kTooBright);
  metrics.lights().Count(LightFinding::kNotAsked);
  for (const char* session : {"a", "a", "b"}) metrics.NoteSession(session, true);
  metrics.NoteSession("c", false);
  metrics.NoteSession("d", true);
  QueueStats stats;
  stats.In(CallState::kPending) = 3;
  const std::string text = metrics.Text(stats, 45'000'000, 3);
  for (const char* line :
       {"# TYPE idkiosk_queue_calls gauge\n", "idkiosk_queue_calls{state=\"pending\"} 3\n",
        "idkiosk_attempts_total{result=\"verified\"} 2\n",
        "idkiosk_attempts_total{result=\"unreachable\"} 1\n", "idkiosk_sessions_total 2\n",
        "idkiosk_capture_seconds_sum 6.5\n", "idkiosk_capture_seconds_count 1\n",
        "idkiosk_captures_failed_total{reason=\"timeout\"} 1\n", "idkiosk_frames_total 200\n",
        "idkiosk_light_checks_total{finding=\"too_bright\"} 1\n",
        "idkiosk_light_checks_total{finding=\"answered\"} 0\n", "idkiosk_starts_refused_total 3\n",
        "process_resident_memory_bytes 45000000\n"}) {
    EXPECT_THAT(text, HasSubstr(line));
  }
}

TEST(MetricsTest, TellsHowFarResultsAreHandedOver) {
  EXPECT_THAT(Metrics().Text({}, 0, 0), testing::Not(HasSubstr("results")));
  const WallTime now{std::chrono::hours(10)};
  const std::vector<HandOverStanding> results = {
      {.destination = "spool", .waiting = 0, .oldest = {}, .gone = false, .trouble = ""},
      {.destination = "webhook",
       .waiting = 12,
       .oldest = now - std::chrono::minutes(3),
       .gone = false,
       .trouble = ""}};
  const std::string text = Metrics().Text({}, 0, 0, results, now);
  EXPECT_THAT(text, HasSubstr("idkiosk_results_waiting{to=\"webhook\"} 12\n"));
  EXPECT_THAT(text, HasSubstr("idkiosk_results_oldest_seconds{to=\"webhook\"} 180\n"));
  EXPECT_THAT(text, HasSubstr("idkiosk_results_oldest_seconds{to=\"spool\"} 0\n"));
}

TEST(MetricsTest, CountsTheCallsOfEveryState) {
  QueueStats stats;
  for (size_t i = 0; i < kCallStateCount; ++i) stats.calls[i] = static_cast<int64_t>(i) + 1;
  stats.held = 90;
  const std::string text = Metrics().Text(stats, 0, 0);
  EXPECT_THAT(text, HasSubstr("idkiosk_queue_calls{state=\"held\"} 90\n"));
  for (size_t i = 0; i < kCallStateCount; ++i) {
    const std::string_view name = Name(static_cast<CallState>(i));
    EXPECT_EQ(CallStateOf(name), static_cast<CallState>(i)) << name;
    EXPECT_THAT(text, HasSubstr(fmt::format("{{state=\"{}\"}} {}\n", name, i + 1)));
  }
}

}  // namespace
}  // namespace idkiosk
