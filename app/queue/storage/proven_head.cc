#include "app/queue/storage/proven_head.h"

#include <algorithm>

namespace idkiosk {
namespace {

constexpr size_t kMacSize = Crypto::Digest().size();

}  // namespace

Bytes WriteProvenHead(std::string_view mark, ByteSpan head, size_t room, const Crypto& crypto,
                      const SecretBytes& key) {
  Bytes bytes;
  bytes.reserve(mark.size() + sizeof(uint32_t) + head.size() + kMacSize + room);
  bytes.insert(bytes.end(), mark.begin(), mark.end());
  AppendUint32(bytes, static_cast<uint32_t>(head.size()));
  bytes.insert(bytes.end(), head.begin(), head.end());
  const Crypto::Digest mac = crypto.HmacSha256(key, bytes);
  bytes.insert(bytes.end(), mac.begin(), mac.end());
  return bytes;
}

Result<ProvenHead> ReadProvenHead(std::string_view mark, ByteSpan bytes, const Crypto& crypto,
                                  const SecretBytes& key) {
  const size_t before = mark.size() + sizeof(uint32_t);
  if (bytes.size() < before + kMacSize || !AsText(bytes).starts_with(mark)) {
    return Fail(ErrorCode::kCorrupt, "it is cut short, or no such file");
  }
  const size_t size = ReadUint32(bytes.subspan(mark.size()).first<4>());
  if (size > bytes.size() - before - kMacSize) return Fail(ErrorCode::kCorrupt, "it is cut short");
  const ByteSpan said = bytes.first(before + size);
  if (!std::ranges::equal(crypto.HmacSha256(key, said), bytes.subspan(said.size(), kMacSize))) {
    return Fail(ErrorCode::kCorrupt, "it does not prove genuine");
  }
  return ProvenHead{said.subspan(before), bytes.subspan(said.size() + kMacSize)};
}

}  // namespace idkiosk
