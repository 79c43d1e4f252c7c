#include "drivers/secure_storage/file_vault.h"

#include <unistd.h>

#include <utility>

#include "drivers/secure_storage/mark_file.h"
#include "platform/base/log.h"

namespace idkiosk {
namespace {

// Errors that are a verdict on the bytes of one file. Every other keeps the vault from being judged
// at all, and then nothing is written over.
bool IsVerdict(ErrorCode code) {
  return code == ErrorCode::kNotFound || code == ErrorCode::kCorrupt ||
         code == ErrorCode::kUnauthenticated;
}

// A file larger than any that we write is a damaged one.
Error AsVerdict(const Error& error, const std::string& path) {
  if (error.code != ErrorCode::kExhausted) return error;
  return {ErrorCode::kCorrupt, path + " is damaged"};
}

std::unexpected<Error> FailAbout(const std::string& path, const Error& error) {
  return Fail(error.code, "{} {}", path, error.message);
}

}  // namespace

FileVault::FileVault(FileSystem& files, Entropy& entropy, const Crypto& crypto, std::string folder)
    : files_(files),
      entropy_(entropy),
      crypto_(crypto),
      folder_(std::move(folder)),
      key_path_(folder_ + "/vault.key"),
      next_key_path_(folder_ + "/vault.key.next") {}

bool FileVault::State::IsEmpty() const {
  const auto missing = [](const auto& each) {
    return !each && each.error().code == ErrorCode::kNotFound;
  };
  return missing(key) && missing(slots[0].open) && missing(slots[1].open);
}

bool FileVault::State::IsSettled(const Slot& slot) const {
  return slot.open && slot.open->generation == current().generation &&
         slot.under_next_key == next_key.has_value();
}

bool FileVault::State::IsSettled() const {
  return !next_key && next_key.error().code == ErrorCode::kNotFound && IsSettled(slots[0]) &&
         IsSettled(slots[1]);
}

std::string FileVault::SlotPath(size_t index) const {
  return folder_ + (index == 0 ? "/vault.a" : "/vault.b");
}

Result<std::unique_ptr<FileLock>> FileVault::Lock() {
  auto lock = files_.Lock(folder_ + "/vault.lock");
  if (lock) return lock;
  if (lock.error().code == ErrorCode::kNotFound) {
    return Fail(ErrorCode::kFailedPrecondition,
                "there is no vault in {}: make one with 'idkiosk vault init'", folder_);
  }
  return std::unexpected(lock.error().Within("the vault cannot be written now"));
}

Result<VaultKey> FileVault::ReadKey(const std::string& path) {
  const auto bytes = files_.ReadSecret(path, kMaxKeyFileSize);
  if (!bytes) return std::unexpected(AsVerdict(bytes.error(), path));
  auto key = DecodeKeyFile(crypto_, *bytes);
  if (!key) return FailAbout(path, key.error());
  return key;
}

FileVault::Slot FileVault::ReadSlot(size_t index, const Result<VaultKey>& key,
                                    const Result<VaultKey>& next_key) {
  const std::string path = SlotPath(index);
  const auto bytes = files_.Read(path, kMaxSlotSize);
  if (!bytes) return {std::unexpected(AsVerdict(bytes.error(), path))};
  Slot slot{Fail(ErrorCode::kUnauthenticated, "{} is there, but not its key", path)};
  for (const auto* candidate : {&next_key, &key}) {
    if (!*candidate) continue;
    slot.open = DecodeSlot(crypto_, **candidate, index == 0 ? 'a' : 'b', *bytes);
    slot.under_next_key = candidate == &next_key;
    if (slot.open) return slot;
    slot.open = FailAbout(path, slot.open.error());
    if (slot.open.error().code != ErrorCode::kUnauthenticated) return slot;
  }
  return slot;
}

Result<FileVault::State> FileVault::Look() {
  auto key = ReadKey(key_path_);
  if (!key && !IsVerdict(key.error().code)) return std::unexpected(key.error());
  auto next_key = ReadKey(next_key_path_);
  if (!next_key && !IsVerdict(next_key.error().code)) return std::unexpected(next_key.error());
  std::array<Slot, 2> slots{ReadSlot(0, key, next_key), ReadSlot(1, key, next_key)};
  for (const Slot& slot : slots) {
    if (!slot.open && !IsVerdict(slot.open.error().code)) {
      return std::unexpected(slot.open.error());
    }
  }
  const bool second_is_newer =
      slots[1].open && (!slots[0].open || slots[1].open->generation > slots[0].open->generation);
  return State{std::move(key), std::move(next_key), std::move(slots), second_is_newer ? 1U : 0U};
}

Result<FileVault::State> FileVault::Load() {
  auto state = Look();
  if (state && !state->slots[state->newest].open) return NoGoodCopy(*state);
  return state;
}

std::unexpected<Error> FileVault::NoGoodCopy(const State& state) const {
  constexpr std::string_view kMend =
      "put the files of the vault back from a backup, or start again with 'idkiosk vault erase', "
      "'idkiosk vault init' and 'idkiosk provision'; nothing was deleted";
  if (state.IsEmpty()) {
    return Fail(ErrorCode::kFailedPrecondition,
                "there is no vault in {}: make one with 'idkiosk vault init'", folder_);
  }
  if (!state.key && !state.next_key) {
    const bool lost = state.key.error().code == ErrorCode::kNotFound;
    return Fail(lost ? ErrorCode::kUnauthenticated : ErrorCode::kCorrupt,
                "the vault cannot be opened, because {}: {}",
                lost ? key_path_ + " is gone" : state.key.error().message, kMend);
  }
  const Error& first = state.slots[0].open.error();
  const Error& second = state.slots[1].open.error();
  for (const Error* each : {&first, &second}) {
    if (each->code != ErrorCode::kUnauthenticated) continue;
    return Fail(ErrorCode::kUnauthenticated, "{} is not the key of this vault: {}; {}", key_path_,
                each->message, kMend);
  }
  return Fail(ErrorCode::kCorrupt, "both copies of the vault are unusable: {}; {}; {}",
              first.message, second.message, kMend);
}

Result<FileVault::State> FileVault::LoadAndMend() {
  auto state = Load();
  // Another program may have replaced the key between our reading it and reading the copies.
  for (int left = 2; left > 0 && !state && state.error().code == ErrorCode::kUnauthenticated;
       --left) {
    state = Load();
  }
  if (!state || state->IsSettled()) return state;
  // What cannot be mended now is mended another time: there is a good copy.
  auto locked = LockAndLoad();
  if (!locked) return state;
  (void)Settle(locked->state);
  return std::move(locked->state);
}

Result<FileVault::LockedState> FileVault::LockAndLoad() {
  auto lock = Lock();
  if (!lock) return std::unexpected(lock.error());
  auto state = Load();
  if (!state) return std::unexpected(state.error());
  return LockedState{std::move(*lock), std::move(*state)};
}

Status FileVault::WriteNextKey(State& state, VaultKey key) {
  const SecretBytes bytes = EncodeKeyFile(crypto_, key);
  if (auto written = files_.WriteDurably(next_key_path_, bytes.view(), FileAccess::kOwnerOnly);
      !written) {
    return written;
  }
  auto read_back = ReadKey(next_key_path_);
  if (!read_back || !read_back->key.Equals(key.key.view())) {
    return Fail(ErrorCode::kCorrupt, "{} does not read back as it was written", next_key_path_);
  }
  state.next_key = std::move(key);
  return {};
}

Status FileVault::WriteSlot(State& state, size_t index, uint64_t generation,
                            const VaultContents& contents) {
  const Bytes bytes = SealSlot(crypto_, entropy_, state.sealing_key(), index == 0 ? 'a' : 'b',
                               generation, contents);
  const std::string path = SlotPath(index);
  if (auto written = files_.WriteDurably(path, bytes, FileAccess::kOwnerOnly); !written) {
    return written;
  }
  Slot read_back = ReadSlot(index, state.key, state.next_key);
  if (!read_back.open || read_back.open->generation != generation ||
      !read_back.open->contents.bytes().Equals(contents.bytes().view())) {
    return Fail(ErrorCode::kCorrupt, "{} does not read back as it was written", path);
  }
  // While a vault is made, its copies are missing without being damaged.
  const Result<OpenSlot>& before = state.slots[index].open;
  if (!before && !(before.error().code == ErrorCode::kNotFound && state.next_key)) {
    LogWarning("the vault is whole again: {}; that copy was written again", before.error().message);
    repaired_ = true;
  }
  state.slots[index] = std::move(read_back);
  return {};
}

// Every order of its steps is one that Look understands after a power failure: the old key goes
// only when both copies are under the new one.
Status FileVault::Settle(State& state) {
  for (size_t index : {1 - state.newest, state.newest}) {
    if (state.IsSettled(state.slots[index])) continue;
    const OpenSlot& current = state.current();
    if (auto written = WriteSlot(state, index, current.generation, current.contents); !written) {
      return written;
    }
  }
  const bool replace = state.next_key.has_value();
  if (auto erased = EraseIfThere(replace ? key_path_ : next_key_path_); !erased) {
    return std::unexpected(erased.error());
  }
  if (!replace) return {};
  if (auto renamed = files_.Rename(next_key_path_, key_path_); !renamed) return renamed;
  state.key = std::move(state.next_key);
  state.next_key = Fail(ErrorCode::kNotFound, "{} is in force now", next_key_path_);
  for (Slot& slot : state.slots) slot.under_next_key = false;
  return {};
}

// The older copy is written first: until that is on the disk and read back, the newer one is the
// only good one.
Status FileVault::Commit(State& state, const VaultContents& contents) {
  const size_t older = 1 - state.newest;
  if (auto written = WriteSlot(state, older, state.current().generation + 1, contents); !written) {
    return std::unexpected(written.error().Within("the vault stays as it was"));
  }
  state.newest = older;
  // The change is safe; the other copy follows now or at the next call.
  (void)Settle(state);
  return {};
}

Status FileVault::WriteFresh(State& state) {
  if (auto written = WriteNextKey(state, VaultKey::Fresh(entropy_)); !written) return written;
  if (auto written = WriteSlot(state, 0, 1, VaultContents::Fresh(entropy_)); !written) {
    return written;
  }
  state.newest = 0;
  return Settle(state);
}

Status FileVault::Init() {
  const MutexLock guard(mutex_);
  if (auto created = files_.CreateFolder(folder_); !created) return created;
  const auto lock = Lock();
  if (!lock) return std::unexpected(lock.error());
  auto state = Look();
  if (!state) return std::unexpected(state.error());
  if (!state->IsEmpty()) {
    return Fail(ErrorCode::kFailedPrecondition,
                "there is a vault in {} already: 'idkiosk vault status' shows it, and 'idkiosk "
                "vault erase' erases it with all that it holds",
                folder_);
  }
  auto written = WriteFresh(*state);
  if (!written) {
    // The copies first: without them the key is that of a vault that was never finished.
    (void)files_.Remove(SlotPath(0));
    (void)files_.Remove(SlotPath(1));
    (void)files_.Erase(next_key_path_);
    return std::unexpected(written.error().Within("the vault was not made"));
  }
  return {};
}

Result<SecretBytes> FileVault::Get(std::string_view name) {
  const MutexLock guard(mutex_);
  const auto state = LoadAndMend();
  if (!state) return std::unexpected(state.error());
  const auto value = state->current().contents.Find(name);
  if (!value) {
    return Fail(ErrorCode::kNotFound,
                "the vault holds no secret '{}': set it with 'idkiosk vault set {}'", name, name);
  }
  return SecretBytes::CopyOf(*value);
}

Result<std::vector<std::optional<SecretBytes>>> FileVault::GetTogether(
    std::span<const std::string_view> names) {
  const MutexLock guard(mutex_);
  const auto state = LoadAndMend();
  if (!state) return std::unexpected(state.error());
  std::vector<std::optional<SecretBytes>> values;
  for (const std::string_view name : names) {
    const auto value = state->current().contents.Find(name);
    values.push_back(value ? std::optional(SecretBytes::CopyOf(*value)) : std::nullopt);
  }
  return values;
}

Status FileVault::Put(std::string_view name, const SecretBytes& value) {
  const MutexLock guard(mutex_);
  auto locked = LockAndLoad();
  if (!locked) return std::unexpected(locked.error());
  const auto changed = locked->state.current().contents.With(name, value);
  if (!changed) return std::unexpected(changed.error());
  return Commit(locked->state, *changed);
}

Status FileVault::Remove(std::string_view name) {
  const MutexLock guard(mutex_);
  auto locked = LockAndLoad();
  if (!locked) return std::unexpected(locked.error());
  const VaultContents& contents = locked->state.current().contents;
  if (!contents.Find(name)) {
    return Fail(ErrorCode::kNotFound, "the vault holds no secret '{}'", name);
  }
  return Commit(locked->state, contents.Without(name));
}

Result<SecureStorage::Info> FileVault::Describe() {
  const MutexLock guard(mutex_);
  const auto state = LoadAndMend();
  if (!state) return std::unexpected(state.error());
  return Info{
      fmt::format(
          "The vault's key is in {}, which only user {} may read. This does not protect against "
          "theft of the whole disk, or against somebody who puts back an older copy of the vault.",
          key_path_, geteuid()),
      state->current().generation, state->current().contents.names(), repaired_};
}

Result<std::unique_ptr<SecureMark>> FileVault::OpenMark() {
  auto key = DeriveKey("vault/mark/v1");
  if (!key) return std::unexpected(key.error());
  return MarkFile::Open(files_, crypto_, std::move(*key), MarkPath());
}

Result<SecretBytes> FileVault::DeriveKey(std::string_view label) {
  const MutexLock guard(mutex_);
  const auto state = LoadAndMend();
  if (!state) return std::unexpected(state.error());
  const SecretBytes root = SecretBytes::CopyOf(state->current().contents.root());
  return crypto_.DeriveKey(root, {}, label);
}

Status FileVault::Rotate() {
  const MutexLock guard(mutex_);
  auto locked = LockAndLoad();
  if (!locked) return std::unexpected(locked.error());
  State& state = locked->state;
  if (!state.IsSettled()) {
    if (auto settled = Settle(state); !settled) return settled;
  }
  if (auto written = WriteNextKey(state, state.key->Successor(entropy_)); !written) {
    return std::unexpected(written.error().Within("the vault keeps its key"));
  }
  if (auto settled = Settle(state); !settled) {
    return std::unexpected(
        settled.error().Within("the vault has a new key beside its old one, and the change is "
                               "finished at its next use"));
  }
  return {};
}

Result<bool> FileVault::EraseIfThere(const std::string& path) {
  const auto there = files_.Exists(path);
  if (!there || !*there) return there;
  if (auto erased = files_.Erase(path); !erased) return std::unexpected(erased.error());
  return true;
}

Result<std::string> FileVault::Erase() {
  const MutexLock guard(mutex_);
  const auto lock = Lock();
  if (!lock) return std::unexpected(lock.error());
  bool any = false;
  // Keys first, and what a power failure may have left of one: without them the rest is noise.
  for (const std::string& path :
       {key_path_, next_key_path_, next_key_path_ + ".new", SlotPath(0), SlotPath(1),
        SlotPath(0) + ".new", SlotPath(1) + ".new", MarkPath()}) {
    const auto erased = EraseIfThere(path);
    if (!erased) return std::unexpected(erased.error());
    any = any || *erased;
  }
  if (!any) {
    return Fail(ErrorCode::kFailedPrecondition, "there is no vault in {} to erase", folder_);
  }
  return "The vault's key was overwritten and removed, and so were its copies: the secrets, and "
         "every "
         "call that was sealed with it, cannot be read from these files any more. Flash memory "
         "(eMMC, SD card, SSD) and file systems that copy on write keep old bytes that no program "
         "can overwrite, and the key may be found there until they are reused. To be sure, revoke "
         "the API key and change the password at the service, and erase or destroy the medium.";
}

}  // namespace idkiosk
