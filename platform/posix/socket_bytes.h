#ifndef IDKIOSK_PLATFORM_POSIX_SOCKET_BYTES_H_
#define IDKIOSK_PLATFORM_POSIX_SOCKET_BYTES_H_

#include <atomic>

#include "platform/base/time.h"

namespace idkiosk {

// What is on its way through a connection, without touching it.

// Returns whether bytes that were written have not been acknowledged by the other end's kernel. It
// does so at the latest with the first bytes that it sends afterwards.
[[nodiscard]] bool HasBytesOnTheWay(int socket);

// Waits until bytes lie in a socket behind an answer that was read to its end, for `patience` at
// most, or until `cancelled`, and takes none of them. Returns whether they are more than the end of
// the connection. `is_tls`: whether they are TLS records, of which alerts are such an end; a new
// session ticket, which servers send before their answers, counts as more.
[[nodiscard]] bool MoreComesBehind(int socket, bool is_tls, Duration patience,
                                   const std::atomic<bool>& cancelled);

}  // namespace idkiosk

#endif  // IDKIOSK_PLATFORM_POSIX_SOCKET_BYTES_H_
