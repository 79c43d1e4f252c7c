#ifndef IDKIOSK_PLATFORM_BASE_STDERR_SINK_H_
#define IDKIOSK_PLATFORM_BASE_STDERR_SINK_H_

#include <fmt/format.h>
#include <poll.h>
#include <spdlog/details/null_mutex.h>
#include <spdlog/sinks/base_sink.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdint>
#include <string>

#include "platform/base/mutex.h"

namespace idkiosk {

// Standard error for log lines, which waits for nobody: where its reader stands still, a terminal
// that was stopped or a journal that hangs, lines are left out, and their number is said once there
// is room again. An answer that was paid for is behind no log line.
class StderrSink final : public spdlog::sinks::base_sink<spdlog::details::null_mutex> {
 protected:
  void sink_it_(const spdlog::details::log_msg& message) override {
    const MutexLock lock(mutex_);
    if (left_out_ > 0 && Put(Noted(message))) left_out_ = 0;
    if (left_out_ > 0 || !Put(message)) ++left_out_;
  }
  void flush_() override {}

 private:
  // As many lines as were left out, at the time of this one.
  spdlog::details::log_msg Noted(const spdlog::details::log_msg& message) REQUIRES(mutex_) {
    said_ = fmt::format("{} lines are left out here: nobody read them", left_out_);
    spdlog::details::log_msg note = message;
    note.level = spdlog::level::warn;
    note.payload = said_;
    return note;
  }
  // Returns false where it would have to wait.
  bool Put(const spdlog::details::log_msg& message) REQUIRES(mutex_) {
    spdlog::memory_buf_t line;
    formatter_->format(message, line);
    // A pipe that takes anything takes that much.
    const size_t size = std::min<size_t>(line.size(), PIPE_BUF);
    if (send(STDERR_FILENO, line.data(), size, MSG_DONTWAIT | MSG_NOSIGNAL) >= 0) return true;
    if (errno != ENOTSOCK) return false;
    pollfd reader{STDERR_FILENO, POLLOUT, 0};
    if (poll(&reader, 1, 0) != 1 || (reader.revents & POLLOUT) == 0) return false;
    return write(STDERR_FILENO, line.data(), size) >= 0;
  }

  Mutex mutex_;
  uint64_t left_out_ GUARDED_BY(mutex_) = 0;
  std::string said_ GUARDED_BY(mutex_);
};

}  // namespace idkiosk

#endif  // IDKIOSK_PLATFORM_BASE_STDERR_SINK_H_
