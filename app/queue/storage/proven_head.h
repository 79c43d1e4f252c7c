#ifndef IDKIOSK_APP_QUEUE_STORAGE_PROVEN_HEAD_H_
#define IDKIOSK_APP_QUEUE_STORAGE_PROVEN_HEAD_H_

#include <string_view>

#include "platform/api/crypto.h"

namespace idkiosk {

// What copies of calls and notes of decisions begin with (COPIES.md): a mark of 8 bytes, the length
// of the head, the head, and the MAC of all that. `room`: how many bytes are added behind it.
[[nodiscard]] Bytes WriteProvenHead(std::string_view mark, ByteSpan head, size_t room,
                                    const Crypto& crypto, const SecretBytes& key);

struct ProvenHead {
  ByteSpan head;
  ByteSpan rest;  // behind the MAC
};

// `bytes` must outlive what is returned. Errors: kCorrupt.
[[nodiscard]] Result<ProvenHead> ReadProvenHead(std::string_view mark, ByteSpan bytes,
                                                const Crypto& crypto, const SecretBytes& key);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_QUEUE_STORAGE_PROVEN_HEAD_H_
