#include "platform/base/log.h"

#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/ringbuffer_sink.h>
#include <spdlog/sinks/rotating_file_sink.h>
#include <spdlog/spdlog.h>
#include <sys/stat.h>

#include <filesystem>
#include <memory>

#include "platform/base/log_file.h"
#include "platform/base/stderr_sink.h"
#include "platform/base/text/printable.h"

namespace idkiosk {
namespace {

constexpr size_t kFileSize = 4 << 20;
constexpr size_t kOldFiles = 3;

spdlog::level::level_enum ToSpdlog(LogLevel level) {
  switch (level) {
    case LogLevel::kDebug:
      return spdlog::level::debug;
    case LogLevel::kInfo:
      return spdlog::level::info;
    case LogLevel::kWarning:
      return spdlog::level::warn;
    case LogLevel::kError:
      return spdlog::level::err;
  }
  return spdlog::level::err;
}

LogLevel FromSpdlog(spdlog::level::level_enum level) {
  switch (level) {
    case spdlog::level::trace:
    case spdlog::level::debug:
      return LogLevel::kDebug;
    case spdlog::level::info:
      return LogLevel::kInfo;
    case spdlog::level::warn:
      return LogLevel::kWarning;
    default:
      return LogLevel::kError;
  }
}

using Ring = spdlog::sinks::ringbuffer_sink_mt;

// Outlives each logger, so that what was said before the log file was known is not forgotten.
const std::shared_ptr<Ring>& NewestLines() {
  static const auto ring = std::make_shared<Ring>(kKeptLogLines);
  return ring;
}

std::shared_ptr<spdlog::logger> MakeLogger(spdlog::sink_ptr sink, LogLevel lowest) {
  const spdlog::sinks_init_list sinks = {std::move(sink), NewestLines()};
  auto logger = std::make_shared<spdlog::logger>("idkiosk", sinks);
  logger->set_formatter(std::make_unique<spdlog::pattern_formatter>(
      "time=%Y-%m-%dT%H:%M:%S.%eZ level=%l msg=\"%v\"", spdlog::pattern_time_type::utc));
  logger->set_level(ToSpdlog(lowest));
  // Each line: what is written down last is what a kill leaves.
  logger->flush_on(ToSpdlog(lowest));
  return logger;
}

// The one global of the program: a log line may be written from anywhere.
std::shared_ptr<spdlog::logger>& Logger() {
  static auto logger = MakeLogger(std::make_shared<StderrSink>(), LogLevel::kWarning);
  return logger;
}

}  // namespace

Status CheckLogFile(const std::string& file) {
  if (file.empty()) return {};
  // From a pipe it would wait for somebody who reads.
  std::error_code ignored;
  const auto about = std::filesystem::status(file, ignored);
  if (std::filesystem::exists(about) && !std::filesystem::is_regular_file(about)) {
    return Fail(ErrorCode::kInvalid, "log.file: {} is not an ordinary file", file);
  }
  const auto folder = std::filesystem::path(file).parent_path();
  if (!folder.empty() && !std::filesystem::is_directory(folder, ignored)) {
    return Fail(ErrorCode::kNotFound, "log.file: there is no folder {}: make it", folder.string());
  }
  return {};
}

Status StartLogging(LogLevel lowest, const std::string& file) {
  if (file.empty()) {
    Logger() = MakeLogger(std::make_shared<StderrSink>(), lowest);
    return {};
  }
  if (Status good = CheckLogFile(file); !good) return good;
  const mode_t before = umask(0077);
  try {
    Logger() = MakeLogger(
        std::make_shared<spdlog::sinks::rotating_file_sink_mt>(file, kFileSize, kOldFiles), lowest);
  } catch (const spdlog::spdlog_ex& error) {
    umask(before);
    return Fail(ErrorCode::kUnavailable, "log file {}: {}", file, error.what());
  }
  umask(before);
  return {};
}

std::string_view Name(LogLevel level) {
  switch (level) {
    case LogLevel::kDebug:
      return "debug";
    case LogLevel::kInfo:
      return "info";
    case LogLevel::kWarning:
      return "warning";
    case LogLevel::kError:
      return "error";
  }
  return "error";
}

void WriteLog(LogLevel level, std::string_view text) {
  std::string line;
  for (const char c : Printable(text.substr(0, kLongestLogText))) {
    if (c == '"' || c == '\\') line.push_back('\\');
    line.push_back(c);
  }
  if (text.size() > kLongestLogText) line += " ...";
  Logger()->log(ToSpdlog(level), line);
}

std::vector<LogLine> NewestLogLines() {
  std::vector<LogLine> lines;
  for (const auto& each : NewestLines()->last_raw()) {
    LogLine& line = lines.emplace_back();
    line.time = std::chrono::floor<WallTime::duration>(each.time);
    line.level = FromSpdlog(each.level);
    bool escaped = false;
    for (const char c : std::string_view(each.payload.data(), each.payload.size())) {
      escaped = !escaped && c == '\\';
      if (!escaped) line.text.push_back(c);
    }
  }
  return lines;
}

}  // namespace idkiosk
