#ifndef IDKIOSK_DRIVERS_CAMERA_PACKET_SOCKET_H_
#define IDKIOSK_DRIVERS_CAMERA_PACKET_SOCKET_H_

#include <type_traits>
#include <utility>

#include "platform/api/clock.h"
#include "platform/base/bytes.h"
#include "platform/base/file_descriptor.h"

// One end of a socket of packets (AF_UNIX, SOCK_SEQPACKET), as a file number.
namespace idkiosk {

// Two ends that belong together; both invalid where there is no room.
[[nodiscard]] std::pair<FileDescriptor, FileDescriptor> MakeSocketPair();

// Sends one packet, and `file` with it unless that is -1. Does not wait: false where the other end
// is gone, or reads nothing.
[[nodiscard]] bool SendPacket(int socket, ByteSpan packet, int file = -1);

enum class Arrival {
  kWhole,  // a packet of just that size
  kWrong,  // a packet of another size; it is gone
  kNone,   // nothing yet
  kEnded,  // the other end is closed
};

// Takes a packet of just the size of `into` if one is there. Files that come with it are closed.
[[nodiscard]] Arrival TakePacket(int socket, MutableByteSpan into);

// Takes a packet and the one file that may come with it. Waits for ever.
[[nodiscard]] Arrival AwaitPacket(int socket, MutableByteSpan into, FileDescriptor& file);

// Whether something came to be read, or the other end was closed, before `deadline`.
[[nodiscard]] bool AwaitArrival(int socket, MonotonicTime deadline, const Clock& clock);

// A message as the bytes of its packet.
template <typename Message>
[[nodiscard]] ByteSpan PacketOf(const Message& message) {
  static_assert(std::is_trivially_copyable_v<Message>);
  return {reinterpret_cast<const uint8_t*>(&message), sizeof message};
}
template <typename Message>
[[nodiscard]] MutableByteSpan RoomIn(Message& message) {
  static_assert(std::is_trivially_copyable_v<Message>);
  return {reinterpret_cast<uint8_t*>(&message), sizeof message};
}

}  // namespace idkiosk

#endif  // IDKIOSK_DRIVERS_CAMERA_PACKET_SOCKET_H_
