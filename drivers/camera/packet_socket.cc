#include "drivers/camera/packet_socket.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

namespace idkiosk {
namespace {

// A call of the kernel, made again where a signal came in between.
template <typename Call>
ssize_t Whole(Call call) {
  for (;;) {
    const ssize_t done = call();
    if (done >= 0 || errno != EINTR) return done;
  }
}

Arrival Judge(ssize_t size, size_t wanted) {
  if (size > 0) return static_cast<size_t>(size) == wanted ? Arrival::kWhole : Arrival::kWrong;
  return size < 0 && (errno == EAGAIN || errno == EWOULDBLOCK) ? Arrival::kNone : Arrival::kEnded;
}

// Room for one file beside a packet.
union OneFile {
  cmsghdr header;  // for its alignment
  std::array<char, CMSG_SPACE(sizeof(int))> bytes;
};

}  // namespace

std::pair<FileDescriptor, FileDescriptor> MakeSocketPair() {
  std::array<int, 2> ends{-1, -1};
  (void)socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data());
  return {FileDescriptor(ends[0]), FileDescriptor(ends[1])};
}

bool SendPacket(int socket, ByteSpan packet, int file) {
  iovec bytes{const_cast<uint8_t*>(packet.data()), packet.size()};
  msghdr message{};
  message.msg_iov = &bytes;
  message.msg_iovlen = 1;
  OneFile beside{};
  if (file >= 0) {
    message.msg_control = beside.bytes.data();
    message.msg_controllen = beside.bytes.size();
    cmsghdr* const header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof file);
    std::memcpy(CMSG_DATA(header), &file, sizeof file);
  }
  const ssize_t sent =
      Whole([&] { return sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT); });
  return sent == static_cast<ssize_t>(packet.size());
}

Arrival TakePacket(int socket, MutableByteSpan into) {
  // Without room for files beside it: the kernel closes those that come.
  const ssize_t size =
      Whole([&] { return recv(socket, into.data(), into.size(), MSG_DONTWAIT | MSG_TRUNC); });
  return Judge(size, into.size());
}

Arrival AwaitPacket(int socket, MutableByteSpan into, FileDescriptor& file) {
  iovec bytes{into.data(), into.size()};
  OneFile beside{};
  msghdr message{};
  message.msg_iov = &bytes;
  message.msg_iovlen = 1;
  message.msg_control = beside.bytes.data();
  message.msg_controllen = beside.bytes.size();
  const ssize_t size =
      Whole([&] { return recvmsg(socket, &message, MSG_CMSG_CLOEXEC | MSG_TRUNC); });
  const cmsghdr* const header = size < 0 ? nullptr : CMSG_FIRSTHDR(&message);
  if (header != nullptr && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS &&
      header->cmsg_len == CMSG_LEN(sizeof(int))) {
    int number = -1;
    std::memcpy(&number, CMSG_DATA(header), sizeof number);
    file = FileDescriptor(number);
  }
  return Judge(size, into.size());
}

bool AwaitArrival(int socket, MonotonicTime deadline, const Clock& clock) {
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - clock.Now()).count();
    pollfd there{.fd = socket, .events = POLLIN, .revents = 0};
    const int ready = poll(&there, 1, static_cast<int>(std::clamp<int64_t>(left, 0, 60'000)));
    if (ready > 0) return true;
    if (left <= 0 || (ready < 0 && errno != EINTR)) return false;
  }
}

}  // namespace idkiosk
