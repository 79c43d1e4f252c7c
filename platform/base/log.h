#ifndef IDKIOSK_PLATFORM_BASE_LOG_H_
#define IDKIOSK_PLATFORM_BASE_LOG_H_

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>

#include "platform/base/error.h"

namespace idkiosk {

enum class LogLevel { kDebug, kInfo, kWarning, kError };

// Where log lines go. Set once, before any other thread starts; until then warnings and errors go
// to standard error. `file` empty: standard error. A file is of mode 0600, and turned over at 4
// MiB, three old ones being kept. Errors: kUnavailable if the file cannot be opened.
[[nodiscard]] Status StartLogging(LogLevel lowest, const std::string& file);

// One line: UTC time, level, text. Any thread. Control characters become '?', so that no input can
// forge a line.
void WriteLog(LogLevel level, std::string_view text);

// What a line may hold: names of endpoints, states, references, counts, durations. A SecretBytes
// does not compile here; a NIN, a name or a picture never stands in an ordinary string.
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
