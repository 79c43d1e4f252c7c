#include "drivers/secure_storage/vault_keys.h"

#include <algorithm>

namespace idkiosk {
namespace {

// Of a TPM's memory, the part for the board's owner. The vault's own number says where in it, so
// that a counter which a power failure left behind is found and replaced.
uint32_t CounterIndex(const VaultId& device) {
  constexpr uint32_t kFirst = 0x01800000;
  constexpr uint32_t kMask = 0x003fffff;
  return kFirst | (ReadUint32(ByteSpan(device).first<4>()) & kMask);
}

Tpm::Counter Handle(const VaultCounter& counter) { return {counter.index, counter.auth.Clone()}; }

// A key that is in no TPM yet stays where it is.
std::unexpected<Error> FailToMove(const TpmError& error) {
  if (error.trouble == TpmTrouble::kAbsent) {
    return Fail(ErrorCode::kUnavailable,
                "there is no TPM here to move it into ({}). See that the TPM is switched on in the "
                "board's firmware, and that tpm.device names it. Without one, the key stays in its "
                "file.",
                error.detail);
  }
  if (error.trouble == TpmTrouble::kNoAccess) {
    return Fail(ErrorCode::kForbidden, "this user may not open the TPM ({}). {}", error.detail,
                TraitsOf(error.trouble).mend);
  }
  return std::unexpected(error.ToError());
}

constexpr size_t kMostUnsealed = 2;  // a key, and the one that replaces it

}  // namespace

VaultKeys::VaultKeys(FileSystem& files, Entropy& entropy, const Crypto& crypto,
                     const TpmOptions& tpm)
    : files_(files), entropy_(entropy), crypto_(crypto), options_(tpm), tpm_(tpm.device) {}

VaultKeys::Found VaultKeys::Read(const std::string& path) {
  const auto bytes = files_.ReadSecret(path, kMaxKeyFileSize);
  if (!bytes) return {std::unexpected(AsVerdict(bytes.error(), path)), {}};
  const auto place = PlaceOfKey(crypto_, *bytes);
  if (!place) return {FailAbout(path, place.error()), {}};
  switch (*place) {
    case RootKeyPlace::kFile: {
      auto key = DecodeKeyFile(crypto_, *bytes);
      if (!key) return {FailAbout(path, key.error()), {}};
      return {std::move(key), {}};
    }
    case RootKeyPlace::kTpm:
      break;
  }
  const auto file = DecodeSealedKeyFile(crypto_, *bytes);
  if (!file) return {FailAbout(path, file.error()), {}};
  auto key = Unseal(crypto_.Sha256(bytes->view()), *file);
  if (!key) return {std::unexpected(key.error().ToError()), key.error()};
  return {std::move(*key), {}};
}

TpmResult<VaultKey> VaultKeys::Unseal(const Crypto::Digest& digest, const SealedKeyFile& file) {
  for (const auto& [of, key] : unsealed_) {
    if (of == digest) return key.Clone();
  }
  if (refused_ && refused_->first == digest) return std::unexpected(refused_->second);
  const auto secret = tpm_.Unseal(file.sealed, file.auth);
  if (!secret) {
    if (secret.error().trouble == TpmTrouble::kWrongAuth) refused_ = {digest, secret.error()};
    return std::unexpected(secret.error());
  }
  auto key = DecodeSealedKey(file, *secret);
  if (!key) return std::unexpected(TpmError{TpmTrouble::kFailed, key.error().message});
  if (unsealed_.size() == kMostUnsealed) unsealed_.erase(unsealed_.begin());
  unsealed_.emplace_back(digest, key->Clone());
  return std::move(*key);
}

Result<VaultKey> VaultKeys::Make(const VaultKey& before, RootKeyPlace place, uint64_t generation) {
  VaultKey made = before.Successor(entropy_);
  switch (place) {
    case RootKeyPlace::kFile:
      return made;
    case RootKeyPlace::kTpm:
      break;
  }
  if (before.counter) {
    made.counter = before.Clone().counter;
    made.counter->pcrs = options_.pcrs;
    return made;
  }
  made.counter = {SecretBytes(Crypto::kKeySize), 0, CounterIndex(made.device), options_.pcrs};
  entropy_.Fill(made.counter->auth.mutable_view());
  const auto count = tpm_.MakeCounter(Handle(*made.counter));
  if (!count) return FailToMove(count.error());
  made.counter->ahead = *count - generation;
  counted_[made.counter->index] = *count;
  return made;
}

Result<SecretBytes> VaultKeys::Encode(const VaultKey& key) {
  if (!key.counter) return EncodeKeyFile(crypto_, key);
  SealedKeyFile file{key.device, key.counter->index, SecretBytes(Crypto::kKeySize), {}};
  entropy_.Fill(file.auth.mutable_view());
  auto sealed = tpm_.Seal(EncodeSealedKey(key), file.auth, key.counter->pcrs);
  if (!sealed) return std::unexpected(sealed.error().ToError());
  file.sealed = std::move(*sealed);
  return EncodeSealedKeyFile(crypto_, file);
}

TpmResult<VaultKeys::Count> VaultKeys::Check(const VaultKey& key, uint64_t generation) {
  const auto known = counted_.find(key.counter->index);
  const bool is_known = known != counted_.end() && known->second == generation + key.counter->ahead;
  return is_known ? Count::kCounted : CheckNow(key, generation);
}

TpmResult<VaultKeys::Count> VaultKeys::CheckNow(const VaultKey& key, uint64_t generation) {
  const auto count = tpm_.ReadCounter(Handle(*key.counter));
  if (!count) return std::unexpected(count.error());
  counted_[key.counter->index] = *count;
  const uint64_t newest = *count - key.counter->ahead;
  if (generation == newest) return Count::kCounted;
  if (generation == newest + 1) return Count::kOneAhead;
  const bool is_older = generation < newest;
  return std::unexpected(
      TpmError{is_older ? TpmTrouble::kRolledBack : TpmTrouble::kNoCounter,
               fmt::format("change {} is here, the TPM counted {}", generation, newest)});
}

TpmResult<void> VaultKeys::Step(const VaultKey& key, uint64_t generation) {
  if (auto stepped = tpm_.StepCounter(Handle(*key.counter)); !stepped) return stepped;
  counted_[key.counter->index] = generation + key.counter->ahead;
  return {};
}

Result<VaultKey> VaultKeys::Accepting(const VaultKey& key, uint64_t generation) {
  const auto count = tpm_.ReadCounter(Handle(*key.counter));
  if (!count) return std::unexpected(count.error().ToError());
  VaultKey accepting = key.Successor(entropy_);
  accepting.counter = key.Clone().counter;
  accepting.counter->ahead = *count - generation;
  counted_[accepting.counter->index] = *count;
  return accepting;
}

std::optional<VaultKeys::Label> VaultKeys::LabelOf(const std::string& path) {
  const auto bytes = files_.ReadSecret(path, kMaxKeyFileSize);
  if (!bytes) return {};
  const auto place = PlaceOfKey(crypto_, *bytes);
  if (!place) return {};
  switch (*place) {
    case RootKeyPlace::kFile:
      return Label();
    case RootKeyPlace::kTpm:
      break;
  }
  const auto file = DecodeSealedKeyFile(crypto_, *bytes);
  if (!file) return {};
  return Label{*place, file->counter_index};
}

Status VaultKeys::RemoveCounter(uint32_t index) {
  counted_.erase(index);
  const auto removed = tpm_.RemoveCounter(index);
  if (!removed) return std::unexpected(removed.error().ToError());
  return {};
}

}  // namespace idkiosk
