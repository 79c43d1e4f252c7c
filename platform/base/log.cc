#include "platform/base/log.h"

#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/rotating_file_sink.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>
#include <sys/stat.h>

#include <memory>

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

std::shared_ptr<spdlog::logger> MakeLogger(spdlog::sink_ptr sink, LogLevel lowest) {
  auto logger = std::make_shared<spdlog::logger>("idkiosk", std::move(sink));
  logger->set_formatter(std::make_unique<spdlog::pattern_formatter>(
      "%Y-%m-%dT%H:%M:%S.%eZ %l %v", spdlog::pattern_time_type::utc));
  logger->set_level(ToSpdlog(lowest));
  logger->flush_on(spdlog::level::warn);
  return logger;
}

// The one global of the program: a log line may be written from anywhere.
std::shared_ptr<spdlog::logger>& Logger() {
  static auto logger =
      MakeLogger(std::make_shared<spdlog::sinks::stderr_sink_mt>(), LogLevel::kWarning);
  return logger;
}

}  // namespace

Status StartLogging(LogLevel lowest, const std::string& file) {
  if (file.empty()) {
    Logger() = MakeLogger(std::make_shared<spdlog::sinks::stderr_sink_mt>(), lowest);
    return {};
  }
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

void WriteLog(LogLevel level, std::string_view text) {
  std::string line(text);
  for (char& c : line) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  }
  Logger()->log(ToSpdlog(level), line);
}

}  // namespace idkiosk
