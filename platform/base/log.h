#ifndef IDKIOSK_PLATFORM_BASE_LOG_H_
#define IDKIOSK_PLATFORM_BASE_LOG_H_

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "platform/base/error.h"
#include "platform/base/time.h"

namespace idkiosk {

enum class LogLevel { kDebug, kInfo, kWarning, kError };

// Sets where log lines go: once, before any other thread starts; until then warnings and errors go
// to standard error. `file` empty: standard error, where lines are left out while nobody reads it.
// A file is of mode 0600, and turned over at 4 MiB, three old ones being kept. Errors: kUnavailable
// if the file cannot be opened.
[[nodiscard]] Status StartLogging(LogLevel lowest, const std::string& file);

// "debug", "info", "warning", "error".
[[nodiscard]] std::string_view Name(LogLevel level);

// One line in logfmt: time=2026-11-20T01:00:00.000Z level=info msg="...". Any thread. Control
// characters become '?', quotation marks and backslashes are escaped, so that no input can forge a
// line or a field; a text of more than kLongestLogText bytes is cut.
void WriteLog(LogLevel level, std::string_view text);
inline constexpr size_t kLongestLogText = 2000;

struct LogLine {
  WallTime time;
  LogLevel level = LogLevel::kInfo;
  std::string text;
  bool operator==(const LogLine&) const = default;
};

// The newest lines that were written, the oldest of them first: as many as are kept in memory for
// this, kKeptLogLines at most. Any thread.
[[nodiscard]] std::vector<LogLine> NewestLogLines();
inline constexpr size_t kKeptLogLines = 200;

// The values that a line may hold: names of endpoints, states, references, counts, durations. A
// SecretBytes does not compile here; a NIN, a name or a picture never stands in an ordinary string.
template <typename... Args>
void LogDebug(fmt::format_string<Args...> format, Args&&... args) {
  WriteLog(LogLevel::kDebug, fmt::format(format, std::forward<Args>(args)...));
}

template <typename... Args>
void LogInfo(fmt::format_string<Args...> format, Args&&... args) {
  WriteLog(LogLevel::kInfo, fmt::format(format, std::forward<Args>(args)...));
}

template <typename... Args>
void LogWarning(fmt::format_string<Args...> format, Args&&... args) {
  WriteLog(LogLevel::kWarning, fmt::format(format, std::forward<Args>(args)...));
}

template <typename... Args>
void LogError(fmt::format_string<Args...> format, Args&&... args) {
  WriteLog(LogLevel::kError, fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace idkiosk

#endif  // IDKIOSK_PLATFORM_BASE_LOG_H_
