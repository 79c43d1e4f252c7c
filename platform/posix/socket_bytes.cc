#include "platform/posix/socket_bytes.h"

#include <linux/sockios.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace idkiosk {
namespace {

constexpr auto kStep = std::chrono::milliseconds(50);

// A record's head (RFC 8446, 5.1): type, version, length.
constexpr size_t kHeadOfRecord = 5;
constexpr uint8_t kApplicationData = 23;
// TLS 1.3 sends an alert as application data: its two bytes, its type and a tag of 16 bytes.
constexpr size_t kSealedAlert = 19;

// Whether a record that holds more than an alert is among these.
bool HasData(std::span<const uint8_t> records) {
  while (!records.empty()) {
    if (records.size() < kHeadOfRecord) return records[0] == kApplicationData;
    const size_t length = records[3] * size_t{256} + records[4];
    if (records[0] == kApplicationData && length > kSealedAlert) return true;
    records = records.subspan(std::min(records.size(), kHeadOfRecord + length));
  }
  return false;
}

}  // namespace

bool HasBytesOnTheWay(int socket) {
  int bytes = 0;
  return ioctl(socket, SIOCOUTQ, &bytes) == 0 && bytes > 0;
}

bool MoreComesBehind(int socket, bool is_tls, Duration patience,
                     const std::atomic<bool>& cancelled) {
  using std::chrono::milliseconds;
  for (auto left = std::chrono::ceil<milliseconds>(patience); !cancelled;) {
    const milliseconds step = std::min<milliseconds>(left, kStep);
    pollfd readable{.fd = socket, .events = POLLIN, .revents = 0};
    if (poll(&readable, 1, static_cast<int>(step.count())) > 0) {
      std::array<uint8_t, 512> bytes;
      const ssize_t count = recv(socket, bytes.data(), bytes.size(), MSG_PEEK | MSG_DONTWAIT);
      if (count <= 0) return false;
      return !is_tls || HasData(std::span(bytes).first(static_cast<size_t>(count)));
    }
    left -= step;
    if (left <= milliseconds(0)) return false;
  }
  return false;
}

}  // namespace idkiosk
