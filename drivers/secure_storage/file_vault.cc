#include "drivers/secure_storage/file_vault.h"

#include <unistd.h>

#include <algorithm>
#include <utility>

#include "drivers/secure_storage/mark_file.h"
#include "drivers/secure_storage/root_key_report.h"
#include "drivers/secure_storage/slot_trouble.h"
#include "platform/base/log.h"

namespace idkiosk {
namespace {

// Whoever writes the vault just now is done in a moment.
constexpr Duration kPatience = std::chrono::seconds(5);

// Errors that are a verdict on the bytes of one file. Every other keeps the vault from being judged
// at all, and then nothing is written over.
bool IsVerdict(ErrorCode code) {
  return code == ErrorCode::kNotFound || code == ErrorCode::kCorrupt ||
         code == ErrorCode::kUnauthenticated;
}

// The secret that holds the mark's session, and one that no mark ever had.
constexpr std::string_view kMarkSession = "mark.session";
constexpr uint64_t kFarSession = 2;

constexpr std::string_view kErasedInTpm =
    "The vault's files were overwritten and removed, and the TPM's counter with them. idkiosk "
    "opens no copy of these files any more. Whoever has a copy, this board and its system could "
    "still ask the TPM for the key: to be sure, clear the TPM, or revoke the API key and change "
    "the password at the service.";

SecretBytes NumberAsSecret(uint64_t number) {
  Bytes bytes;
  AppendUint64(bytes, number);
  return SecretBytes::CopyOf(bytes);
}

}  // namespace

FileVault::FileVault(FileSystem& files, Entropy& entropy, const Crypto& crypto, std::string folder,
                     const TpmOptions& tpm)
    : files_(files),
      entropy_(entropy),
      crypto_(crypto),
      folder_(std::move(folder)),
      key_path_(folder_ + "/vault.key"),
      next_key_path_(folder_ + "/vault.key.next"),
      keys_(files, entropy, crypto, tpm) {}

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
         IsSettled(slots[1]) && !is_uncounted;
}

std::string FileVault::SlotPath(size_t index) const {
  return folder_ + (index == 0 ? "/vault.a" : "/vault.b");
}

Result<std::unique_ptr<FileLock>> FileVault::Lock(Duration patience) {
  const std::string path = folder_ + "/vault.lock";
  auto lock = patience == Duration::zero() ? files_.Lock(path) : files_.LockWithin(path, patience);
  if (lock) return lock;
  if (lock.error().code == ErrorCode::kNotFound) {
    return Fail(ErrorCode::kFailedPrecondition,
                "there is no vault in {}: make one with 'idkiosk vault init'", folder_);
  }
  return std::unexpected(lock.error().Within("the vault cannot be written now"));
}

FileVault::Slot FileVault::ReadSlot(size_t index, const Result<VaultKey>& key,
                                    const Result<VaultKey>& next_key) {
  const std::string path = SlotPath(index);
  const auto bytes = files_.Read(path, kMaxSlotSize);
  if (!bytes) {
    return {.open = std::unexpected(AsSlotVerdict(bytes.error(), path)),
            .is_no_file = bytes.error().code == ErrorCode::kInvalid};
  }
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
  auto key = keys_.Read(key_path_);
  auto next_key = keys_.Read(next_key_path_);
  for (const auto* each : {&key, &next_key}) {
    const bool is_judged = each->key || each->trouble || IsVerdict(each->key.error().code);
    if (!is_judged) return std::unexpected(each->key.error());
  }
  std::array<Slot, 2> slots{ReadSlot(0, key.key, next_key.key), ReadSlot(1, key.key, next_key.key)};
  for (const Slot& slot : slots) {
    if (!slot.open && !IsVerdict(slot.open.error().code)) {
      return std::unexpected(slot.open.error());
    }
  }
  const bool second_is_newer =
      slots[1].open && (!slots[0].open || slots[1].open->generation > slots[0].open->generation);
  return State{std::move(key.key), std::move(next_key.key), std::move(slots),
               second_is_newer ? 1U : 0U, key.trouble ? key.trouble : next_key.trouble};
}

Result<FileVault::State> FileVault::Load(Asking asking) {
  trouble_.reset();
  auto state = Look();
  if (!state) return state;
  const auto& [first, second] = state->slots;
  // While a key does not come, a copy that does not open may be newer than the other one.
  if (state->trouble && !(first.open && second.open)) {
    trouble_ = state->trouble;
    return std::unexpected(trouble_->ToError());
  }
  if (!state->slots[state->newest].open) return NoGoodCopy(*state);
  if (Status counted = CheckCount(*state, asking); !counted) {
    return std::unexpected(counted.error());
  }
  return state;
}

Status FileVault::CheckCount(State& state, Asking asking) {
  const VaultKey& key = state.sealing_key();
  if (!key.counter) return {};
  const uint64_t generation = state.current().generation;
  const auto count =
      asking == Asking::kAlways ? keys_.CheckNow(key, generation) : keys_.Check(key, generation);
  if (!count) {
    trouble_ = count.error();
    return std::unexpected(trouble_->ToError());
  }
  state.is_uncounted = *count == VaultKeys::Count::kOneAhead;
  return {};
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
  auto state = Load(Asking::kWhereItMayDiffer);
  // Another program may have replaced the key between our reading it and reading the copies, or
  // have written between that and the TPM's count.
  for (int left = 2; left > 0 && !state && state.error().code == ErrorCode::kUnauthenticated;
       --left) {
    state = Load(Asking::kWhereItMayDiffer);
  }
  if (!state || state->IsSettled()) return state;
  // What cannot be mended now is mended another time: there is a good copy.
  auto locked = LockAndLoad();
  if (!locked) return state;
  if (const Status settled = Settle(locked->state); !settled) WarnOfOneCopy(settled.error());
  return std::move(locked->state);
}

Result<FileVault::LockedState> FileVault::LockAndLoad(Duration patience) {
  auto lock = Lock(patience);
  if (!lock) return std::unexpected(lock.error());
  auto state = Load(Asking::kAlways);
  if (!state) return std::unexpected(state.error());
  return LockedState{std::move(*lock), std::move(*state)};
}

Status FileVault::WriteNextKey(State& state, VaultKey key) {
  const auto bytes = keys_.Encode(key);
  if (!bytes) return std::unexpected(bytes.error());
  if (auto written = files_.WriteDurably(next_key_path_, bytes->view(), FileAccess::kOwnerOnly);
      !written) {
    return written;
  }
  const auto read_back = keys_.Read(next_key_path_).key;
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
  if (state.slots[index].is_no_file) {
    if (Status aside = SetAside(path); !aside) return aside;
  }
  if (auto written = files_.WriteDurably(path, bytes, FileAccess::kOwnerOnly); !written) {
    return FailToWrite(path, written.error());
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

Status FileVault::SetAside(const std::string& path) {
  const std::string aside = path + ".aside";
  if (Status renamed = files_.Rename(path, aside); !renamed) {
    return FailToSetAside(path, aside, renamed.error());
  }
  LogWarning("{} was no file of the vault: it is kept as {}", path, aside);
  return {};
}

void FileVault::WarnOfOneCopy(const Error& error) {
  if (error.message == std::exchange(warned_of_, error.message)) return;
  LogWarning("the vault is read from its good copy, and not mended yet: {}", error.message);
}

// Every order of its steps is one that Look understands after a power failure: the old key goes
// only when both copies are under the new one.
Status FileVault::Settle(State& state) {
  if (auto counted = StepCount(state); !counted) return counted;
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

Status FileVault::StepCount(State& state) {
  if (!state.is_uncounted) return {};
  if (auto stepped = keys_.Step(state.sealing_key(), state.current().generation); !stepped) {
    return std::unexpected(stepped.error().ToError());
  }
  state.is_uncounted = false;
  return {};
}

// The older copy is written first: until that is on the disk and read back, the newer one is the
// only good one. The TPM counts it after that, and never two at once: whenever the power fails,
// what is here is what it counted, or the next.
Status FileVault::Commit(State& state, const VaultContents& contents) {
  if (auto counted = StepCount(state); !counted) return counted;
  const size_t older = 1 - state.newest;
  if (auto written = WriteSlot(state, older, state.current().generation + 1, contents); !written) {
    return std::unexpected(written.error().Within("the vault stays as it was"));
  }
  state.newest = older;
  state.is_uncounted = state.sealing_key().counter.has_value();
  if (auto counted = StepCount(state); !counted) {
    return std::unexpected(counted.error().Within(
        "the change is written, but it counts only once the TPM has counted it"));
  }
  // The change is safe; the other copy follows now or at the next call.
  const Status settled = Settle(state);
  return settled ? Status() : TakeBack(state, settled.error());
}

// A copy that stays behind would be taken for the newest once the other one is damaged. So what it
// lacks is taken back: then either copy has the same secrets, and nothing is written before the
// copy that is behind can be.
Status FileVault::TakeBack(State& state, const Error& why) {
  const uint64_t generation = state.current().generation;
  const Slot left = ReadSlot(1 - state.newest, state.key, state.next_key);
  const bool is_behind = left.open && left.open->generation < generation;
  const Status taken_back =
      is_behind ? WriteSlot(state, state.newest, generation + 1, left.open->contents) : Status();
  // What was not replaced is the change, and is on the disk.
  const Slot now = ReadSlot(state.newest, state.key, state.next_key);
  if (now.open && now.open->generation == generation) {
    WarnOfOneCopy(why);
    return {};
  }
  if (!taken_back) {
    return std::unexpected(taken_back.error().Within(
        "the vault's change may be on the disk or not: see 'idkiosk vault status', then do it "
        "again"));
  }
  state.is_uncounted = state.sealing_key().counter.has_value();
  (void)StepCount(state);  // else the next call does
  return std::unexpected(why.Within("the vault stays as it was"));
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
  auto locked = LockAndLoad(kPatience);
  if (!locked) return std::unexpected(locked.error());
  const auto changed = locked->state.current().contents.With(name, value);
  if (!changed) return std::unexpected(changed.error());
  return Commit(locked->state, *changed);
}

Status FileVault::Remove(std::string_view name) {
  const MutexLock guard(mutex_);
  auto locked = LockAndLoad(kPatience);
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
      state->sealing_key().counter
          ? "The vault's key is in this board's TPM. 'idkiosk vault status' says against whom that "
            "protects it."
          : fmt::format("The vault's key is in {}, which only {} may read. This does not "
                        "protect against theft of the whole disk, or against somebody who puts "
                        "back an older copy of the vault.",
                        key_path_, geteuid() == 0 ? "root" : fmt::format("user {}", geteuid())),
      state->current().generation, state->current().contents.names(), repaired_};
}

SecureStorage::RootKey FileVault::DescribeRootKey() {
  const MutexLock guard(mutex_);
  const auto label = keys_.LabelOf(key_path_);
  const auto state = LoadAndMend();
  if (!state && state.error().code == ErrorCode::kFailedPrecondition && !label) {
    return {"", "missing", state.error().message, "Make one with 'idkiosk vault init'.", {}};
  }
  if (state) {
    const auto& counter = state->sealing_key().counter;
    return GoodRootKey(counter ? RootKeyPlace::kTpm : RootKeyPlace::kFile, counter);
  }
  const auto place = label ? std::optional(label->place) : std::nullopt;
  return BadRootKey(trouble_ ? RootKeyPlace::kTpm : place, trouble_, state.error());
}

Result<std::unique_ptr<SecureMark>> FileVault::OpenMark() {
  auto key = DeriveKey("vault/mark/v1");
  if (!key) return std::unexpected(key.error());
  const std::array names = {kMarkSession};
  const auto held = GetTogether(names);
  if (!held) return std::unexpected(held.error());
  MarkSession session;
  if (const auto& number = held->front(); number && number->size() == sizeof(session.number)) {
    session.number = ReadUint64(number->view().first<8>());
  }
  session.remember = [this](uint64_t number) { return PutMarkSession(number); };
  const MutexLock guard(mutex_);
  return MarkFile::Open(files_, crypto_, std::move(*key), MarkPath(), std::move(session));
}

Status FileVault::PutMarkSession(uint64_t number) {
  const MutexLock guard(mutex_);
  auto locked = LockAndLoad(kPatience);
  if (!locked) return std::unexpected(locked.error());
  const auto changed = locked->state.current().contents.With(kMarkSession, NumberAsSecret(number));
  return changed ? Commit(locked->state, *changed) : std::unexpected(changed.error());
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
  const bool is_in_tpm = locked->state.sealing_key().counter.has_value();
  return ReplaceKey(locked->state, is_in_tpm ? RootKeyPlace::kTpm : RootKeyPlace::kFile);
}

Status FileVault::Protect(RootKeyPlace place) {
  const MutexLock guard(mutex_);
  auto locked = LockAndLoad();
  if (!locked) return std::unexpected(locked.error());
  return ReplaceKey(locked->state, place);
}

// A key in the TPM is counted, so that the files under the one before it are an older copy. A key
// in a file has no use for the counter of the one before.
Status FileVault::ReplaceKey(State& state, RootKeyPlace place) {
  if (!state.IsSettled()) {
    if (auto settled = Settle(state); !settled) return settled;
  }
  auto next = keys_.Make(*state.key, place, state.current().generation);
  if (!next) return std::unexpected(next.error().Within("the vault keeps its key"));
  const bool is_counted = next->counter.has_value();
  const auto counter_before = keys_.LabelOf(key_path_).value_or(VaultKeys::Label()).counter_index;
  if (auto written = WriteNextKey(state, std::move(*next)); !written) {
    return std::unexpected(written.error().Within("the vault keeps its key"));
  }
  const Status settled = is_counted ? Commit(state, state.current().contents) : Settle(state);
  if (!settled) {
    return std::unexpected(
        settled.error().Within("the vault has a new key beside its old one, and the change is "
                               "finished at its next use"));
  }
  if (is_counted || counter_before == 0) return {};
  if (Status removed = keys_.RemoveCounter(counter_before); !removed) {
    LogWarning("the TPM keeps a counter that nothing uses any more: {}", removed.error().message);
  }
  return {};
}

// The mark's session goes first: it must not be believed once the vault is.
Status FileVault::AcceptRollback() {
  const MutexLock guard(mutex_);
  const auto lock = Lock();
  if (!lock) return std::unexpected(lock.error());
  auto state = Look();
  if (!state) return std::unexpected(state.error());
  const auto is_open = [](const Slot& slot) { return slot.open.has_value(); };
  const bool is_usable =
      !state->trouble && state->key && std::ranges::any_of(state->slots, is_open);
  // A change of its key that a power cut left half done is finished by opening it.
  Status counted;
  if (is_usable) {
    counted = CheckCount(*state, Asking::kAlways);
  } else if (auto loaded = Load(Asking::kAlways); !loaded) {
    counted = std::unexpected(loaded.error());
  }
  if (is_usable && !state->sealing_key().counter) {
    return Fail(ErrorCode::kFailedPrecondition,
                "there is nothing to accept: this vault's key lies in a file, and only a TPM tells "
                "an older copy. Where the ledger is not genuine, 'idkiosk ledger accept' goes on");
  }
  if (counted || !trouble_ || trouble_->trouble != TpmTrouble::kRolledBack) {
    return Fail(ErrorCode::kFailedPrecondition, "the TPM knows of no older copy: {}",
                counted ? "this vault is the newest" : counted.error().message);
  }
  const auto number = state->current().contents.Find(kMarkSession);
  const uint64_t session = number && number->size() == 8 ? ReadUint64(number->first<8>()) : 0;
  const auto contents =
      state->current().contents.With(kMarkSession, NumberAsSecret(session + kFarSession));
  if (!contents) return std::unexpected(contents.error());
  const size_t older = 1 - state->newest;
  const uint64_t generation = state->current().generation + 1;
  if (auto written = WriteSlot(*state, older, generation, *contents); !written) return written;
  state->newest = older;
  auto next = keys_.Accepting(state->sealing_key(), generation);
  if (!next) return std::unexpected(next.error());
  if (auto written = WriteNextKey(*state, std::move(*next)); !written) return written;
  return Settle(*state);
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
  const auto counter = keys_.LabelOf(key_path_).value_or(VaultKeys::Label()).counter_index;
  // Keys first, and what a power failure may have left of one: without them the rest is noise.
  for (const std::string& path :
       {key_path_, next_key_path_, next_key_path_ + ".new", SlotPath(0), SlotPath(1),
        SlotPath(0) + ".new", SlotPath(1) + ".new", MarkPath()}) {
    auto erased = EraseIfThere(path);
    if (!erased && erased.error().code == ErrorCode::kInvalid && path != key_path_) {
      if (Status aside = SetAside(path); !aside) return std::unexpected(aside.error());
      erased = true;
    }
    if (!erased) return std::unexpected(erased.error());
    any = any || *erased;
  }
  if (!any) {
    return Fail(ErrorCode::kFailedPrecondition, "there is no vault in {} to erase", folder_);
  }
  if (counter != 0) {
    const Status removed = keys_.RemoveCounter(counter);
    if (removed) return std::string(kErasedInTpm);
    LogWarning("the TPM keeps the counter of the erased vault: {}", removed.error().message);
  }
  return "The vault's key was overwritten and removed, and so were its copies: the secrets, and "
         "every "
         "call that was sealed with it, cannot be read from these files any more. Flash memory "
         "(eMMC, SD card, SSD) and file systems that copy on write keep old bytes that no program "
         "can overwrite, and the key may be found there until they are reused. To be sure, revoke "
         "the API key and change the password at the service, and erase or destroy the medium.";
}

}  // namespace idkiosk
