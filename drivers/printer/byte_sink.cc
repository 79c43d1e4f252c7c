#include "drivers/printer/byte_sink.h"

#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>

#include "platform/base/file_descriptor.h"
#include "platform/base/text/digits.h"

namespace idkiosk {
namespace {

using std::chrono::milliseconds;
using SteadyTime = std::chrono::steady_clock::time_point;

// A printer's buffer holds a receipt; one that takes nothing for this long has no paper.
constexpr milliseconds kConnect{3000};
constexpr milliseconds kTakeAll{8000};
constexpr int kRawPort = 9100;

Error ErrorOf(int number, std::string_view what) {
  Error error = ErrnoError(number, what);
  // A line printer that is off, and a socket whose other end has gone.
  if (error.code != ErrorCode::kNotFound && error.code != ErrorCode::kForbidden) {
    error.code = number == ETIMEDOUT ? ErrorCode::kTimeout : ErrorCode::kUnavailable;
  }
  return error;
}

// False once the time is over.
bool AwaitWritable(int file, SteadyTime until) {
  for (;;) {
    const auto left =
        std::chrono::ceil<milliseconds>(until - std::chrono::steady_clock::now()).count();
    if (left <= 0) return false;
    pollfd waiting{.fd = file, .events = POLLOUT, .revents = 0};
    const int ready = poll(&waiting, 1, static_cast<int>(left));
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) return true;  // the write says what it is
  }
}

Status WriteAll(int file, ByteSpan bytes, std::string_view target, SteadyTime until) {
  while (!bytes.empty()) {
    const ssize_t written = write(file, bytes.data(), bytes.size());
    if (written > 0) {
      bytes = bytes.subspan(static_cast<size_t>(written));
    } else if (written < 0 && errno != EAGAIN && errno != EINTR) {
      return std::unexpected(ErrorOf(errno, fmt::format("printer {}", target)));
    } else if (!AwaitWritable(file, until)) {
      return Fail(ErrorCode::kTimeout,
                  "printer {}: it accepts no data; does it have paper, and is its cover closed?",
                  target);
    }
  }
  return {};
}

class FileSink final : public ByteSink {
 public:
  FileSink(FileSystem& files, std::string path) : files_(files), path_(std::move(path)) {}

  Status Write(ByteSpan bytes) override {
    if (bytes.empty()) return FindFolder();
    return files_.WriteDurably(path_, bytes, FileAccess::kOwnerOnly);
  }

 private:
  [[nodiscard]] Status FindFolder() const {
    const std::string folder = path_.substr(0, std::max<size_t>(path_.rfind('/'), 1));
    const auto exists = files_.Exists(folder);
    if (!exists) return std::unexpected(exists.error());
    if (*exists) return {};
    return Fail(ErrorCode::kNotFound, "printer file:{}: there is no folder {}", path_, folder);
  }

  FileSystem& files_;
  const std::string path_;
};

class DeviceSink final : public ByteSink {
 public:
  explicit DeviceSink(std::string path) : path_(std::move(path)) {}

  Status Write(ByteSpan bytes) override {
    const FileDescriptor file(open(path_.c_str(), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
    if (file.get() < 0) {
      return std::unexpected(ErrorOf(errno, fmt::format("printer {}", path_)));
    }
    if (termios line; tcgetattr(file.get(), &line) == 0) {
      cfmakeraw(&line);  // no line ends that somebody else added
      (void)tcsetattr(file.get(), TCSANOW, &line);
    }
    return WriteAll(file.get(), bytes, path_, std::chrono::steady_clock::now() + kTakeAll);
  }

 private:
  const std::string path_;
};

class TcpSink final : public ByteSink {
 public:
  TcpSink(std::string host, std::string port)
      : host_(std::move(host)), port_(std::move(port)), name_(fmt::format("{}:{}", host_, port_)) {}

  Status Write(ByteSpan bytes) override {
    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* found = nullptr;
    const int failed = getaddrinfo(host_.c_str(), port_.c_str(), &hints, &found);
    if (failed != 0) {
      return Fail(ErrorCode::kUnavailable, "printer {}: {}", name_, gai_strerror(failed));
    }
    const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> addresses(found, &freeaddrinfo);
    Status last = Fail(ErrorCode::kUnavailable, "printer {}: it has no address", name_);
    for (const addrinfo* each = found; each != nullptr; each = each->ai_next) {
      const FileDescriptor socket_file(
          socket(each->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
      last = Connect(socket_file.get(), *each);
      if (last) return Send(socket_file.get(), bytes);
    }
    return last;
  }

 private:
  [[nodiscard]] Status Connect(int file, const addrinfo& address) const {
    if (connect(file, address.ai_addr, address.ai_addrlen) == 0) return {};
    if (errno != EINPROGRESS) return std::unexpected(ErrorOf(errno, "printer " + name_));
    if (!AwaitWritable(file, std::chrono::steady_clock::now() + kConnect)) {
      return Fail(ErrorCode::kTimeout, "printer {}: it does not answer; is it on?", name_);
    }
    int error = 0;
    socklen_t size = sizeof error;
    (void)getsockopt(file, SOL_SOCKET, SO_ERROR, &error, &size);
    if (error != 0) return std::unexpected(ErrorOf(error, "printer " + name_));
    return {};
  }

  // Ends when the printer has taken the last byte, or has closed the connection.
  [[nodiscard]] Status Send(int file, ByteSpan bytes) const {
    const SteadyTime until = std::chrono::steady_clock::now() + kTakeAll;
    if (Status sent = WriteAll(file, bytes, name_, until); !sent) return sent;
    (void)shutdown(file, SHUT_WR);
    return {};
  }

  const std::string host_;
  const std::string port_;
  const std::string name_;
};

Result<std::unique_ptr<ByteSink>> MakeTcpSink(std::string_view place) {
  const size_t colon = place.rfind(':');
  const std::string host(place.substr(0, colon));
  const std::string_view digits =
      colon == std::string_view::npos ? std::string_view() : place.substr(colon + 1);
  const int port =
      colon == std::string_view::npos ? kRawPort : ParseNumber<int>(digits).value_or(0);
  if (host.empty() || port < 1 || port > 65535) {
    return Fail(ErrorCode::kInvalid, "must be \"tcp:HOST\" or \"tcp:HOST:PORT\"");
  }
  return std::make_unique<TcpSink>(host, std::to_string(port));
}

}  // namespace

Result<std::unique_ptr<ByteSink>> MakeByteSink(const std::string& target, FileSystem& files) {
  const std::string_view text(target);
  if (text.starts_with("tcp:")) return MakeTcpSink(text.substr(4));
  if (text.starts_with("file:/")) return std::make_unique<FileSink>(files, target.substr(5));
  if (text.starts_with("device:/")) return std::make_unique<DeviceSink>(target.substr(7));
  return Fail(ErrorCode::kInvalid,
              "must be \"tcp:HOST[:PORT]\", \"device:/dev/usb/lp0\" or \"file:/PATH\"");
}

}  // namespace idkiosk
