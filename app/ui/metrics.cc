#include "app/ui/metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace idkiosk {
namespace {

void Head(std::string& text, std::string_view name, std::string_view type, std::string_view help) {
  text += fmt::format("# HELP {0} {1}\n# TYPE {0} {2}\n", name, help, type);
}

void AddResults(std::string& text, std::span<const HandOverStanding> results, WallTime now) {
  if (results.empty()) return;
  Head(text, "idkiosk_results_waiting", "gauge", "Ends of calls that were not handed over yet.");
  for (const HandOverStanding& each : results) {
    text +=
        fmt::format("idkiosk_results_waiting{{to=\"{}\"}} {}\n", each.destination, each.waiting);
  }
  Head(text, "idkiosk_results_oldest_seconds", "gauge", "The age of the oldest of them; 0: none.");
  for (const HandOverStanding& each : results) {
    const auto age =
        each.oldest ? std::max(now - *each.oldest, WallTime::duration()) : WallTime::duration();
    text += fmt::format("idkiosk_results_oldest_seconds{{to=\"{}\"}} {}\n", each.destination,
                        age / std::chrono::seconds(1));
  }
}

void AddLights(std::string& text, const LightTally& lights) {
  Head(text, "idkiosk_light_checks_total", "counter",
       "Captures that asked for an answer to the screen's light, by what became of it.");
  for (size_t i = 0; i < kLightFindings; ++i) {
    const auto finding = static_cast<LightFinding>(i);
    if (!WasAsked(finding)) continue;
    text += fmt::format("idkiosk_light_checks_total{{finding=\"{}\"}} {}\n", Name(finding),
                        lights.CountOf(finding));
  }
}

}  // namespace

void Metrics::CountAttempt(OutcomeKind outcome) {
  const MutexLock lock(mutex_);
  ++attempts_[outcome];
}

void Metrics::CountCapture(int frames, Duration to_bundle) {
  const MutexLock lock(mutex_);
  ++captures_;
  frames_ += static_cast<uint64_t>(frames);
  capture_seconds_ += std::chrono::duration<double>(to_bundle).count();
}

void Metrics::CountFailedCapture(ErrorCode why) {
  const MutexLock lock(mutex_);
  ++failed_captures_[why];
}

void Metrics::NoteSession(const std::string& shown, bool of_a_person) {
  const MutexLock lock(mutex_);
  if (shown == shown_) return;
  if (of_a_person_) ++sessions_;
  shown_ = shown;
  of_a_person_ = of_a_person;
}

std::string Metrics::Text(const QueueStats& queue, int64_t resident_bytes, uint64_t refused_starts,
                          std::span<const HandOverStanding> results, WallTime now) const {
  const MutexLock lock(mutex_);
  std::string text;
  Head(text, "idkiosk_queue_calls", "gauge", "Calls in the queue by state; held ones are pending.");
  for (const auto& [state, count] : CountsOf(queue)) {
    text += fmt::format("idkiosk_queue_calls{{state=\"{}\"}} {}\n", state, count);
  }
  Head(text, "idkiosk_attempts_total", "counter", "Attempts to deliver a call, by their result.");
  for (const auto& [outcome, count] : attempts_) {
    text += fmt::format("idkiosk_attempts_total{{result=\"{}\"}} {}\n", Name(outcome), count);
  }
  Head(text, "idkiosk_sessions_total", "counter", "Sessions that ended, for whatever reason.");
  text += fmt::format("idkiosk_sessions_total {}\n", sessions_);
  Head(text, "idkiosk_capture_seconds", "summary", "From the first frame to the five pictures.");
  text += fmt::format("idkiosk_capture_seconds_sum {}\nidkiosk_capture_seconds_count {}\n",
                      capture_seconds_, captures_);
  Head(text, "idkiosk_captures_failed_total", "counter",
       "Captures that ended without pictures, by reason.");
  for (const auto& [why, count] : failed_captures_) {
    text += fmt::format("idkiosk_captures_failed_total{{reason=\"{}\"}} {}\n", Name(why), count);
  }
  AddLights(text, lights_);
  Head(text, "idkiosk_frames_total", "counter", "Frames analysed in captures that succeeded.");
  text += fmt::format("idkiosk_frames_total {}\n", frames_);
  Head(text, "idkiosk_starts_refused_total", "counter",
       "Start tokens of the page that were used before, or never given.");
  text += fmt::format("idkiosk_starts_refused_total {}\n", refused_starts);
  AddResults(text, results, now);
  Head(text, "process_resident_memory_bytes", "gauge", "Resident memory size in bytes.");
  text += fmt::format("process_resident_memory_bytes {}\n", resident_bytes);
  return text;
}

}  // namespace idkiosk
