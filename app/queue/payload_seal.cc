#include "app/queue/payload_seal.h"

#include <algorithm>
#include <utility>

// Format 1. Each call has a random key of 32 bytes; what is sealed with AES-256-GCM is stored as
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
// Random nonces: a call's key seals some dozens of chunks, an epoch's key one key a call; the limit
// of 2^32 for random 96-bit nonces (NIST SP 800-38D) is far away.

namespace idkiosk {
namespace {

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

PayloadSeal::PayloadSeal(const Crypto& crypto, Entropy& entropy, SecretBytes epoch_key,
                         uint32_t epoch)
    : crypto_(crypto), entropy_(entropy), epoch_key_(std::move(epoch_key)), epoch_(epoch) {}

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
    return Fail(ErrorCode::kCorrupt, "what is sealed is cut short");
  }
  std::ranges::copy(sealed.first(nonce.size()), nonce.begin());
  return crypto_.Open(key, nonce, associated, sealed.subspan(nonce.size()));
}

SecretBytes PayloadSeal::MakeKey() {
  SecretBytes key(Crypto::kKeySize);
  entropy_.Fill(key.mutable_view());
  return key;
}

Bytes PayloadSeal::Wrap(std::string_view reference, const SecretBytes& key) {
  return SealOnce(epoch_key_, OfKey(reference, epoch_), key.view());
}

Result<SecretBytes> PayloadSeal::Unwrap(std::string_view reference, ByteSpan wrapped) const {
  return OpenOnce(epoch_key_, OfKey(reference, epoch_), wrapped);
}

Result<std::vector<Bytes>> PayloadSeal::Seal(std::string_view reference, const SecretBytes& key,
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
    chunks.push_back(SealOnce(key, OfChunk(reference, epoch_, field, i, total), part));
  }
  return chunks;
}

Result<SecretBytes> PayloadSeal::Open(std::string_view reference, const SecretBytes& key,
                                      SealedField field, const std::vector<Bytes>& chunks) const {
  if (chunks.empty()) return Fail(ErrorCode::kCorrupt, "a sealed part of the call is missing");
  size_t size = 0;
  for (const Bytes& each : chunks) size += each.size();
  SecretBytes plain(size);
  size_t filled = 0;
  for (size_t i = 0; i < chunks.size(); ++i) {
    const auto part = OpenOnce(key, OfChunk(reference, epoch_, field, i, chunks.size()), chunks[i]);
    if (!part) return std::unexpected(part.error());
    std::ranges::copy(part->view(), plain.mutable_view().subspan(filled).begin());
    filled += part->size();
  }
  plain.Truncate(filled);
  return plain;
}

}  // namespace idkiosk
