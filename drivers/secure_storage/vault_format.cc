#include "drivers/secure_storage/vault_format.h"

#include <algorithm>
#include <string_view>

namespace idkiosk {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view kKeyMagic = "IDKVKEY\n";
constexpr std::string_view kSlotMagic = "IDKVAULT";
constexpr uint32_t kVersion = 1;
constexpr uint32_t kSealedKeyVersion = 2;  // of a key file
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

constexpr size_t kSealedKeySize = 2 * Crypto::kKeySize + 8;

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
Result<uint32_t> CheckFrame(const Crypto& crypto, std::string_view magic, ByteSpan bytes,
                            uint32_t newest = kVersion) {
  if (bytes.size() < kMagicSize + 4 + Crypto::kDigestSize) {
    return Fail(ErrorCode::kCorrupt, "is cut short");
  }
  const auto digest = crypto.Sha256(bytes.first(bytes.size() - Crypto::kDigestSize));
  if (AsText(bytes.first(kMagicSize)) != magic ||
      !std::ranges::equal(digest, bytes.last(Crypto::kDigestSize))) {
    return Fail(ErrorCode::kCorrupt, "is damaged");
  }
  const uint32_t version = ReadUint32(bytes.subspan<kMagicSize, 4>());
  if (version > newest) {
    return Fail(ErrorCode::kFailedPrecondition,
                "was written by a newer idkiosk (format {}, this one knows {}): run that one",
                version, newest);
  }
  if (version == 0) return Fail(ErrorCode::kCorrupt, "is damaged");
  return version;
}

void Append(Bytes& out, ByteSpan bytes) { out.insert(out.end(), bytes.begin(), bytes.end()); }

void AppendDigest(const Crypto& crypto, Bytes& out) { Append(out, crypto.Sha256(out)); }

// Makes a secret of bytes that are not needed any more.
SecretBytes TakeSecret(Bytes bytes) {
  SecretBytes taken = SecretBytes::CopyOf(bytes);
  Wipe(bytes);
  return taken;
}

void AppendSized(Bytes& out, ByteSpan bytes) {
  AppendUint32(out, static_cast<uint32_t>(bytes.size()));
  Append(out, bytes);
}

// Takes fields off the front of bytes that a digest has vouched for; nothing once they are too few.
class Fields {
 public:
  explicit Fields(ByteSpan bytes) : left_(bytes) {}
  ByteSpan Take(size_t size) {
    is_short_ = is_short_ || size > left_.size();
    if (is_short_) return {};
    const ByteSpan taken = left_.first(size);
    left_ = left_.subspan(size);
    return taken;
  }
  uint32_t Number() {
    const ByteSpan taken = Take(4);
    return is_short_ ? 0 : ReadUint32(taken.first<4>());
  }
  Bytes Sized() {
    const ByteSpan taken = Take(Number());
    return {taken.begin(), taken.end()};
  }
  [[nodiscard]] bool AreAllTaken() const { return !is_short_ && left_.empty(); }

 private:
  ByteSpan left_;
  bool is_short_ = false;
};

}  // namespace

VaultKey VaultKey::Fresh(Entropy& entropy) {
  VaultKey fresh{{}, SecretBytes(Crypto::kKeySize), {}};
  entropy.Fill(fresh.device);
  entropy.Fill(fresh.key.mutable_view());
  return fresh;
}

VaultKey VaultKey::Successor(Entropy& entropy) const {
  VaultKey successor = Fresh(entropy);
  successor.device = device;
  return successor;
}

VaultKey VaultKey::Clone() const {
  VaultKey clone{device, key.Clone(), {}};
  if (counter) {
    clone.counter = {counter->auth.Clone(), counter->ahead, counter->index, counter->pcrs};
  }
  return clone;
}

Result<RootKeyPlace> PlaceOfKey(const Crypto& crypto, const SecretBytes& bytes) {
  const auto version = CheckFrame(crypto, kKeyMagic, bytes.view(), kSealedKeyVersion);
  if (!version) return std::unexpected(version.error());
  return *version == kSealedKeyVersion ? RootKeyPlace::kTpm : RootKeyPlace::kFile;
}

SecretBytes EncodeSealedKeyFile(const Crypto& crypto, const SealedKeyFile& file) {
  Bytes bytes;
  Append(bytes, AsBytes(kKeyMagic));
  AppendUint32(bytes, kSealedKeyVersion);
  Append(bytes, file.device);
  AppendUint32(bytes, file.counter_index);
  Append(bytes, file.auth.view());
  AppendUint32(bytes, file.sealed.pcrs);
  AppendSized(bytes, file.sealed.storage_name);
  AppendSized(bytes, file.sealed.endorsement_name);
  AppendSized(bytes, file.sealed.public_area);
  AppendSized(bytes, file.sealed.private_area);
  AppendDigest(crypto, bytes);
  return TakeSecret(std::move(bytes));
}

Result<SealedKeyFile> DecodeSealedKeyFile(const Crypto& crypto, const SecretBytes& bytes) {
  if (const auto good = CheckFrame(crypto, kKeyMagic, bytes.view(), kSealedKeyVersion); !good) {
    return std::unexpected(good.error());
  }
  Fields fields(bytes.view().first(bytes.size() - Crypto::kDigestSize));
  (void)fields.Take(kMagicSize + 4);
  SealedKeyFile file;
  const ByteSpan device = fields.Take(sizeof(VaultId));
  std::ranges::copy(device, file.device.begin());
  file.counter_index = fields.Number();
  file.auth = SecretBytes::CopyOf(fields.Take(Crypto::kKeySize));
  file.sealed.pcrs = fields.Number();
  file.sealed.storage_name = fields.Sized();
  file.sealed.endorsement_name = fields.Sized();
  file.sealed.public_area = fields.Sized();
  file.sealed.private_area = fields.Sized();
  if (!fields.AreAllTaken()) return Fail(ErrorCode::kCorrupt, "is damaged");
  return file;
}

SecretBytes EncodeSealedKey(const VaultKey& key) {
  Bytes bytes;
  bytes.reserve(kSealedKeySize);  // no growing: it would leave the key in freed memory
  Append(bytes, key.key.view());
  Append(bytes, key.counter->auth.view());
  AppendUint64(bytes, key.counter->ahead);
  return TakeSecret(std::move(bytes));
}

Result<VaultKey> DecodeSealedKey(const SealedKeyFile& file, const SecretBytes& bytes) {
  if (bytes.size() != kSealedKeySize) return Fail(ErrorCode::kCorrupt, "holds another secret");
  const ByteSpan fields = bytes.view();
  VaultKey key{file.device, SecretBytes::CopyOf(fields.first(Crypto::kKeySize)), {}};
  key.counter = {SecretBytes::CopyOf(fields.subspan(Crypto::kKeySize, Crypto::kKeySize)),
                 ReadUint64(fields.last<8>()), file.counter_index, file.sealed.pcrs};
  return key;
}

SecretBytes EncodeKeyFile(const Crypto& crypto, const VaultKey& key) {
  Bytes bytes;
  bytes.reserve(kKeyFileSize);  // no growing: it would leave the key in freed memory
  Append(bytes, AsBytes(kKeyMagic));
  AppendUint32(bytes, kVersion);
  Append(bytes, key.device);
  Append(bytes, key.key.view());
  AppendDigest(crypto, bytes);
  return TakeSecret(std::move(bytes));
}

Result<VaultKey> DecodeKeyFile(const Crypto& crypto, const SecretBytes& bytes) {
  if (auto good = CheckFrame(crypto, kKeyMagic, bytes.view()); !good) {
    return std::unexpected(good.error());
  }
  if (bytes.size() != kKeyFileSize) return Fail(ErrorCode::kCorrupt, "is damaged");
  const ByteSpan fields = bytes.view().subspan(kMagicSize + 4);
  VaultKey key{{}, SecretBytes::CopyOf(fields.subspan(sizeof(VaultId), Crypto::kKeySize)), {}};
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

std::unexpected<Error> FailAbout(const std::string& path, const Error& error) {
  return Fail(error.code, "{} {}", path, error.message);
}

Error AsVerdict(const Error& error, const std::string& path) {
  if (error.code != ErrorCode::kExhausted) return error;
  return {ErrorCode::kCorrupt, path + " is damaged"};
}

}  // namespace idkiosk
