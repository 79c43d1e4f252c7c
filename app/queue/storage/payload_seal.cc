#include "app/queue/storage/payload_seal.h"

#include <algorithm>
#include <utility>

// Format 2. Each call has a random key of 32 bytes; what is sealed with AES-256-GCM is stored as
//
//   12 bytes  nonce, random
//   n bytes   ciphertext
//   16 bytes  tag
//
// A field is cut into chunks of 64 KiB (the last one shorter, an empty field one empty chunk), each
// sealed with the call's key and the associated data
//
//   "idkiosk/call/1", reference (6 bytes), epoch (4, big endian), field (1), index (4), total (4)
//
// so that no chunk can be moved to another call, field or place, and none be left out. The key is
// wrapped in the same way with the epoch's key and the associated data
//
//   "idkiosk/call-key/1", reference (6 bytes), epoch (4)
//
// and stored behind the epoch (4, big endian). Format 1 had one epoch, and did not store its
// number.
//
// Random nonces: a call's key seals some dozens of chunks, an epoch's key one key a call; the limit
// of 2^32 for random 96-bit nonces (NIST SP 800-38D) is far away.

namespace idkiosk {
namespace {

// Nonce, key and tag.
constexpr size_t kWrappedWithoutEpoch = Crypto::kNonceSize + Crypto::kKeySize + Crypto::kTagSize;

Bytes AssociatedData(std::string_view label, std::string_view reference, uint32_t epoch) {
  Bytes data;
  data.reserve(64);
  for (std::string_view part : {label, reference}) {
    data.insert(data.end(), part.begin(), part.end());
  }
  AppendUint32(data, epoch);
  return data;
}

Bytes OfKey(std::string_view reference, uint32_t epoch) {
  return AssociatedData("idkiosk/call-key/1", reference, epoch);
}

Bytes OfChunk(std::string_view reference, uint32_t epoch, SealedField field, size_t index,
              size_t total) {
  Bytes data = AssociatedData("idkiosk/call/1", reference, epoch);
  data.push_back(static_cast<uint8_t>(field));
  AppendUint32(data, static_cast<uint32_t>(index));
  AppendUint32(data, static_cast<uint32_t>(total));
  return data;
}

}  // namespace

Bytes PayloadSeal::SealOnce(const SecretBytes& key, ByteSpan associated, ByteSpan plain) {
  Crypto::Nonce nonce;
  entropy_.Fill(nonce);
  const Bytes sealed = crypto_.Seal(key, nonce, associated, plain);
  Bytes stored;
  stored.reserve(nonce.size() + sealed.size());
  stored.insert(stored.end(), nonce.begin(), nonce.end());
  stored.insert(stored.end(), sealed.begin(), sealed.end());
  return stored;
}

Result<SecretBytes> PayloadSeal::OpenOnce(const SecretBytes& key, ByteSpan associated,
                                          ByteSpan sealed) const {
  Crypto::Nonce nonce;
  if (sealed.size() < nonce.size() + Crypto::kTagSize) {
    return Fail(ErrorCode::kCorrupt, "the sealed data is cut short");
  }
  std::ranges::copy(sealed.first(nonce.size()), nonce.begin());
  return crypto_.Open(key, nonce, associated, sealed.subspan(nonce.size()));
}

CallKey PayloadSeal::MakeKey() {
  CallKey made{SecretBytes(Crypto::kKeySize), epochs_.newest()};
  entropy_.Fill(made.key.mutable_view());
  return made;
}

Bytes PayloadSeal::Wrap(std::string_view reference, const CallKey& key) {
  Bytes wrapped;
  AppendUint32(wrapped, key.epoch);
  const Bytes sealed =
      SealOnce(*epochs_.Find(key.epoch), OfKey(reference, key.epoch), key.key.view());
  wrapped.insert(wrapped.end(), sealed.begin(), sealed.end());
  return wrapped;
}

uint32_t PayloadSeal::EpochOf(ByteSpan wrapped) {
  return wrapped.size() > kWrappedWithoutEpoch ? ReadUint32(wrapped.first<4>())
                                               : EpochKeys::kDerived;
}

Result<CallKey> PayloadSeal::Unwrap(std::string_view reference, ByteSpan wrapped) const {
  CallKey opened;
  opened.epoch = EpochOf(wrapped);
  if (wrapped.size() > kWrappedWithoutEpoch) wrapped = wrapped.subspan(sizeof opened.epoch);
  const SecretBytes* const epoch_key = epochs_.Find(opened.epoch);
  if (epoch_key == nullptr) {
    return Fail(ErrorCode::kUnauthenticated, "{} was sealed in epoch {}, whose key is gone",
                reference, opened.epoch);
  }
  auto key = OpenOnce(*epoch_key, OfKey(reference, opened.epoch), wrapped);
  if (!key) return std::unexpected(key.error());
  opened.key = std::move(*key);
  return opened;
}

Result<std::vector<Bytes>> PayloadSeal::Seal(std::string_view reference, const CallKey& key,
                                             SealedField field, ByteSpan plain) {
  const size_t total = std::max<size_t>((plain.size() + kChunkSize - 1) / kChunkSize, 1);
  if (total > kMaxChunks) {
    return Fail(ErrorCode::kExhausted, "{} bytes are more than a call can keep", plain.size());
  }
  std::vector<Bytes> chunks;
  chunks.reserve(total);
  for (size_t i = 0; i < total; ++i) {
    const size_t begin = i * kChunkSize;
    const ByteSpan part = plain.subspan(begin, std::min(kChunkSize, plain.size() - begin));
    chunks.push_back(SealOnce(key.key, OfChunk(reference, key.epoch, field, i, total), part));
  }
  return chunks;
}

Result<SecretBytes> PayloadSeal::Open(std::string_view reference, const CallKey& key,
                                      SealedField field, const std::vector<Bytes>& chunks) const {
  if (chunks.empty()) return Fail(ErrorCode::kCorrupt, "a sealed part of the call is missing");
  size_t size = 0;
  for (const Bytes& each : chunks) size += each.size();
  SecretBytes plain(size);
  size_t filled = 0;
  for (size_t i = 0; i < chunks.size(); ++i) {
    const auto part =
        OpenOnce(key.key, OfChunk(reference, key.epoch, field, i, chunks.size()), chunks[i]);
    if (!part) return std::unexpected(part.error());
    std::ranges::copy(part->view(), plain.mutable_view().subspan(filled).begin());
    filled += part->size();
  }
  plain.Truncate(filled);
  return plain;
}

}  // namespace idkiosk
