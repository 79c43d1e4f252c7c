#include "drivers/secure_storage/vault_format.h"

#include <algorithm>
#include <string_view>

namespace idkiosk {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view kKeyMagic = "IDKVKEY\n";
constexpr std::string_view kSlotMagic = "IDKVAULT";
constexpr uint32_t kVersion = 1;
constexpr size_t kMagicSize = 8;
constexpr size_t kSaltSize = 32;
// What is sealed, so that nothing else under the same key can be put in its place.
constexpr std::string_view kName = "secrets\0\0\0\0\0\0\0\0\0"sv;
constexpr std::string_view kSealLabel = "vault/v1";
constexpr std::string_view kKeyIdLabel = "vault/key-id/v1";

// Where the fields of a slot begin.
constexpr size_t kDeviceAt = 12;
constexpr size_t kKeyIdAt = 28;
constexpr size_t kSlotAt = 44;
constexpr size_t kNameAt = 45;
constexpr size_t kGenerationAt = 61;
constexpr size_t kLengthAt = 69;
constexpr size_t kSaltAt = 73;
constexpr size_t kNonceAt = 105;
constexpr size_t kHeaderSize = 117;

static_assert(kName.size() == kGenerationAt - kNameAt);
static_assert(kHeaderSize + Crypto::kTagSize + Crypto::kDigestSize == kSlotOverhead);
static_assert(kMagicSize + 4 + sizeof(VaultId) + Crypto::kKeySize + Crypto::kDigestSize ==
              kKeyFileSize);

VaultId KeyId(const Crypto& crypto, const VaultKey& key) {
  const SecretBytes derived = crypto.DeriveKey(key.key, {}, kKeyIdLabel);
  VaultId id;
  std::ranges::copy(derived.view().first(id.size()), id.begin());
  return id;
}

// The frame that both kinds of file have: magic and version in front, a digest behind.
Status CheckFrame(const Crypto& crypto, std::string_view magic, ByteSpan bytes) {
  if (bytes.size() < kMagicSize + 4 + Crypto::kDigestSize) {
    return Fail(ErrorCode::kCorrupt, "is cut short");
  }
  const auto digest = crypto.Sha256(bytes.first(bytes.size() - Crypto::kDigestSize));
  if (AsText(bytes.first(kMagicSize)) != magic ||
      !std::ranges::equal(digest, bytes.last(Crypto::kDigestSize))) {
    return Fail(ErrorCode::kCorrupt, "is damaged");
  }
  const uint32_t version = ReadUint32(bytes.subspan<kMagicSize, 4>());
  if (version > kVersion) {
    return Fail(ErrorCode::kFailedPrecondition,
                "was written by a newer idkiosk (format {}, this one knows {}): run that one",
                version, kVersion);
  }
  if (version == 0) return Fail(ErrorCode::kCorrupt, "is damaged");
  return {};
}

void Append(Bytes& out, ByteSpan bytes) { out.insert(out.end(), bytes.begin(), bytes.end()); }

void AppendDigest(const Crypto& crypto, Bytes& out) { Append(out, crypto.Sha256(out)); }

}  // namespace

VaultKey VaultKey::Fresh(Entropy& entropy) {
  VaultKey fresh{{}, SecretBytes(Crypto::kKeySize)};
  entropy.Fill(fresh.device);
  entropy.Fill(fresh.key.mutable_view());
  return fresh;
}

VaultKey VaultKey::Successor(Entropy& entropy) const {
  VaultKey successor = Fresh(entropy);
  successor.device = device;
  return successor;
}

SecretBytes EncodeKeyFile(const Crypto& crypto, const VaultKey& key) {
  Bytes bytes;
  bytes.reserve(kKeyFileSize);  // no growing: it would leave the key in freed memory
  Append(bytes, AsBytes(kKeyMagic));
  AppendUint32(bytes, kVersion);
  Append(bytes, key.device);
  Append(bytes, key.key.view());
  AppendDigest(crypto, bytes);
  SecretBytes encoded = SecretBytes::CopyOf(bytes);
  Wipe(bytes);
  return encoded;
}

Result<VaultKey> DecodeKeyFile(const Crypto& crypto, const SecretBytes& bytes) {
  if (auto good = CheckFrame(crypto, kKeyMagic, bytes.view()); !good) {
    return std::unexpected(good.error());
  }
  if (bytes.size() != kKeyFileSize) return Fail(ErrorCode::kCorrupt, "is damaged");
  const ByteSpan fields = bytes.view().subspan(kMagicSize + 4);
  VaultKey key{{}, SecretBytes::CopyOf(fields.subspan(sizeof(VaultId), Crypto::kKeySize))};
  std::ranges::copy(fields.first(sizeof(VaultId)), key.device.begin());
  return key;
}

Bytes SealSlot(const Crypto& crypto, Entropy& entropy, const VaultKey& key, char slot,
               uint64_t generation, const VaultContents& contents) {
  std::array<uint8_t, kSaltSize> salt;
  Crypto::Nonce nonce;
  entropy.Fill(salt);
  entropy.Fill(nonce);
  Bytes bytes;
  Append(bytes, AsBytes(kSlotMagic));
  AppendUint32(bytes, kVersion);
  Append(bytes, key.device);
  Append(bytes, KeyId(crypto, key));
  bytes.push_back(static_cast<uint8_t>(slot));
  Append(bytes, AsBytes(kName));
  AppendUint64(bytes, generation);
  AppendUint32(bytes, static_cast<uint32_t>(contents.bytes().size()));
  Append(bytes, salt);
  Append(bytes, nonce);
  const SecretBytes once = crypto.DeriveKey(key.key, salt, kSealLabel);
  Append(bytes, crypto.Seal(once, nonce, bytes, contents.bytes().view()));
  AppendDigest(crypto, bytes);
  return bytes;
}

Result<OpenSlot> DecodeSlot(const Crypto& crypto, const VaultKey& key, char slot, ByteSpan bytes) {
  if (auto good = CheckFrame(crypto, kSlotMagic, bytes); !good) {
    return std::unexpected(good.error());
  }
  if (bytes.size() < kSlotOverhead ||
      ReadUint32(bytes.subspan<kLengthAt, 4>()) != bytes.size() - kSlotOverhead) {
    return Fail(ErrorCode::kCorrupt, "is damaged");
  }
  if (!std::ranges::equal(bytes.subspan(kDeviceAt, sizeof(VaultId)), key.device)) {
    return Fail(ErrorCode::kUnauthenticated, "was made on another device");
  }
  if (!std::ranges::equal(bytes.subspan(kKeyIdAt, sizeof(VaultId)), KeyId(crypto, key))) {
    return Fail(ErrorCode::kUnauthenticated, "was sealed with another key");
  }
  if (bytes[kSlotAt] != static_cast<uint8_t>(slot)) {
    return Fail(ErrorCode::kCorrupt, "holds the copy that belongs to the other slot");
  }
  const SecretBytes once = crypto.DeriveKey(key.key, bytes.subspan(kSaltAt, kSaltSize), kSealLabel);
  Crypto::Nonce nonce;
  std::ranges::copy(bytes.subspan(kNonceAt, nonce.size()), nonce.begin());
  const ByteSpan sealed =
      bytes.subspan(kHeaderSize, bytes.size() - kHeaderSize - Crypto::kDigestSize);
  auto plain = crypto.Open(once, nonce, bytes.first(kHeaderSize), sealed);
  if (!plain) return Fail(ErrorCode::kCorrupt, "was tampered with");
  auto contents = VaultContents::Decode(std::move(*plain));
  if (!contents) return Fail(ErrorCode::kCorrupt, "is damaged: {}", contents.error().message);
  return OpenSlot{ReadUint64(bytes.subspan<kGenerationAt, 8>()), std::move(*contents)};
}

}  // namespace idkiosk
