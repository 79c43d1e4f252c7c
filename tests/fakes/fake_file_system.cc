#include "tests/fakes/fake_file_system.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <utility>

#include "platform/base/text/file_path.h"

namespace idkiosk {
namespace {

constexpr uint64_t kSector = 512;

std::string NameOf(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

class FakeFileLock final : public FileLock {
 public:
  FakeFileLock(std::shared_ptr<std::set<std::string>> locks, std::string path)
      : locks_(std::move(locks)), path_(std::move(path)) {}
  ~FakeFileLock() override { locks_->erase(path_); }

 private:
  std::shared_ptr<std::set<std::string>> locks_;
  std::string path_;
};

}  // namespace

Status FakeFileSystem::Step(std::string_view what, const std::string& path) {
  constexpr std::array<std::string_view, 7> kChanges = {"write",  "overwrite",     "sync", "rename",
                                                        "remove", "create folder", "lock"};
  ++steps_;
  if (auto call = calls_.extract(steps_); !call.empty()) call.mapped()();
  if (what == "sync") ++syncs_;
  if (steps_ == power_fails_at_) power_failed_ = true;
  const bool changes = std::ranges::find(kChanges, what) != kChanges.end();
  if (power_ != nullptr && changes) (void)power_->TakeStep();
  if (power_failed()) return Fail(ErrorCode::kUnavailable, "cannot {} {}: no power", what, path);
  if (const auto planned = failing_steps_.find(steps_); planned != failing_steps_.end()) {
    return Fail(planned->second, "cannot {} {}: planned failure", what, path);
  }
  return {};
}

Status FakeFileSystem::WriteStep(std::string_view what, CutWrite::Kind kind,
                                 const std::string& path, ByteSpan bytes, uint64_t offset,
                                 FileAccess access) {
  const bool powered = !power_failed();
  Status step = Step(what, path);
  if (powered && power_failed()) {
    cut_ = {kind, path, offset, Bytes(bytes.begin(), bytes.end()), access};
  }
  return step;
}

void FakeFileSystem::FailStep(size_t count, ErrorCode code) {
  failing_steps_[steps_ + count] = code;
}

void FakeFileSystem::CallBeforeStep(size_t count, std::function<void()> what) {
  calls_[steps_ + count] = std::move(what);
}

void FakeFileSystem::Restart(Unsynced fate, size_t sectors) {
  FinishCutWrite(fate, sectors);
  if (fate == Unsynced::kLost) now_ = disk_;
  if (fate == Unsynced::kReordered) now_ = Reorder();
  if (fate == Unsynced::kNamesLost) now_ = UnderOldNames();
  for (auto& [path, file] : now_) {
    if (!file.synced && fate == Unsynced::kTorn) file.content.resize(file.content.size() / 2);
    file.synced = true;
    for (const auto& [offset, before] : std::exchange(file.pending, {})) {
      const bool lost = fate == Unsynced::kTorn && random_() % 2 == 0;
      if (lost) std::ranges::copy(before, file.content.begin() + static_cast<ptrdiff_t>(offset));
    }
  }
  disk_ = now_;
  locks_ = std::make_shared<std::set<std::string>>();
  power_fails_at_ = 0;
  power_failed_ = false;
  failing_steps_.clear();
  calls_.clear();
  renamed_.clear();
  lies_ = nullptr;
}

size_t FakeFileSystem::cut_sectors() const {
  return cut_ ? (cut_->offset % kSector + cut_->bytes.size() + kSector - 1) / kSector : 0;
}

// Of a write of a whole file nothing is there but where a fate says how much.
void FakeFileSystem::FinishCutWrite(Unsynced fate, size_t sectors) {
  if (!cut_) return;
  CutWrite write = std::move(*std::exchange(cut_, std::nullopt));
  if (fate == Unsynced::kCut) {
    const uint64_t end = sectors * kSector;
    const uint64_t from = write.offset % kSector;
    write.bytes.resize(std::min<uint64_t>(write.bytes.size(), end - std::min(end, from)));
  }
  if (write.kind == CutWrite::Kind::kInPlace) {
    const auto found = now_.find(write.path);
    if (found != now_.end()) PutInPlace(found->second, write.offset, write.bytes);
    return;
  }
  if (fate != Unsynced::kCut && fate != Unsynced::kReordered) return;
  if (write.kind == CutWrite::Kind::kBeside) {
    now_[write.path + ".new"] = {std::move(write.bytes), write.access, false, {}, ++ids_};
    return;
  }
  const auto found = now_.find(write.path);
  if (found == now_.end()) return;
  write.bytes.resize(std::min(write.bytes.size(), found->second.content.size()));
  std::ranges::copy(write.bytes, found->second.content.begin());
  found->second.synced = false;
}

FakeFileSystem::Files FakeFileSystem::Reorder() {
  std::map<std::string, bool> old;  // whose names did not arrive
  for (const auto& [path, file] : now_) old[path] = Chance();
  for (const auto& [path, file] : disk_) old.try_emplace(path, Chance());
  for (const auto& [from, to] : renamed_) old[from] = old[to];
  Files files;
  for (const auto& [path, is_old] : old) {
    const auto now = now_.find(path);
    const auto disk = disk_.find(path);
    const bool same = now != now_.end() && disk != disk_.end() && now->second.id == disk->second.id;
    if (same) {
      files[path] = Reordered(now->second, &disk->second);
    } else if (is_old && disk != disk_.end()) {
      files[path] = disk->second;
    } else if (!is_old && now != now_.end()) {
      files[path] = Reordered(now->second, nullptr);
    }
  }
  return files;
}

FakeFileSystem::File FakeFileSystem::Reordered(const File& file, const File* durable) {
  File mixed = file;
  for (const auto& [offset, before] : std::exchange(mixed.pending, {})) {
    if (Chance()) std::ranges::copy(before, mixed.content.begin() + static_cast<ptrdiff_t>(offset));
  }
  if (std::exchange(mixed.synced, true)) return mixed;
  const bool has_before = durable != nullptr && durable->content.size() == mixed.content.size();
  const Bytes before = has_before ? durable->content : Bytes(mixed.content.size());
  for (size_t at = 0; at < mixed.content.size(); at += kSector) {
    if (!Chance()) continue;
    const size_t size = std::min<size_t>(kSector, mixed.content.size() - at);
    const auto from = before.begin() + static_cast<ptrdiff_t>(at);
    std::copy_n(from, size, mixed.content.begin() + static_cast<ptrdiff_t>(at));
  }
  // A new file may be as long as it became, or empty.
  if (!has_before && Chance()) mixed.content.clear();
  return mixed;
}

FakeFileSystem::Files FakeFileSystem::UnderOldNames() const {
  Files files = disk_;
  for (auto& [path, file] : files) {
    for (const auto& [name, now] : now_) {
      if (now.id == file.id && now.id != 0) file = now;
    }
  }
  return files;
}

Status FakeFileSystem::SyncFolder(const std::string& folder) {
  if (auto step = Step("sync", folder); !step) return step;
  if (Lies(folder)) return {};
  std::erase_if(renamed_, [&](const auto& each) { return FolderOf(each.second) == folder; });
  std::erase_if(disk_, [&](const auto& each) {
    return FolderOf(each.first) == folder && !now_.contains(each.first);
  });
  for (const auto& [path, file] : now_) {
    if (FolderOf(path) != folder) continue;
    const auto before = disk_.find(path);
    // What of its content was synced is there already.
    if (before != disk_.end() && before->second.id == file.id && file.id != 0) continue;
    disk_[path] = file.synced ? Durable(file) : File{{}, file.access, true, {}, file.id};
  }
  return {};
}

FakeFileSystem::File FakeFileSystem::Durable(const File& file) {
  File durable = file;
  for (const auto& [offset, before] : std::exchange(durable.pending, {})) {
    std::ranges::copy(before, durable.content.begin() + static_cast<ptrdiff_t>(offset));
  }
  return durable;
}

Result<const FakeFileSystem::File*> FakeFileSystem::Find(const std::string& path,
                                                         size_t max_size) const {
  if (folders_.contains(path)) return Fail(ErrorCode::kInvalid, "{} is a folder, not a file", path);
  const auto found = now_.find(path);
  if (found == now_.end()) return Fail(ErrorCode::kNotFound, "cannot open {}: not there", path);
  if (found->second.content.size() > max_size) {
    return Fail(ErrorCode::kExhausted, "{} is larger than {} bytes", path, max_size);
  }
  return &found->second;
}

Result<Bytes> FakeFileSystem::Read(const std::string& path, size_t max_size) {
  if (auto step = Step("read", path); !step) return std::unexpected(step.error());
  const auto file = Find(path, max_size);
  if (!file) return std::unexpected(file.error());
  return (*file)->content;
}

Result<Bytes> FakeFileSystem::ReadBelow(const std::string& folder, const std::string& path,
                                        size_t max_size) {
  const std::filesystem::path below(path);
  const bool leads_up = std::ranges::any_of(
      below, [](const auto& part) { return part.empty() || part == "." || part == ".."; });
  if (path.empty() || below.is_absolute() || leads_up) {
    return Fail(ErrorCode::kInvalid, "{} is no file below {}", path, folder);
  }
  return Read(fmt::format("{}/{}", folder, path), max_size);
}

Result<Bytes> FakeFileSystem::ReadPart(const std::string& path, uint64_t offset, size_t size) {
  if (auto step = Step("read", path); !step) return std::unexpected(step.error());
  const auto file = Find(path, std::numeric_limits<size_t>::max());
  if (!file) return std::unexpected(file.error());
  const auto bad = unreadable_.find(path);
  constexpr uint64_t kBlock = 4096;
  const uint64_t block = bad == unreadable_.end() ? 0 : bad->second / kBlock * kBlock;
  if (bad != unreadable_.end() && offset < block + kBlock && block < offset + size) {
    return std::unexpected(ErrnoError(EIO, "cannot read " + path));
  }
  ByteSpan part = (*file)->content;
  part = part.subspan(std::min<uint64_t>(offset, part.size()));
  part = part.first(std::min(size, part.size()));
  return Bytes(part.begin(), part.end());
}

Result<SecretBytes> FakeFileSystem::ReadSecret(const std::string& path, size_t max_size) {
  if (auto step = Step("read", path); !step) return std::unexpected(step.error());
  const auto file = Find(path, max_size);
  if (!file) return std::unexpected(file.error());
  if ((*file)->access != FileAccess::kOwnerOnly) {
    return Fail(ErrorCode::kForbidden, "{} may be used by others: run 'chmod 600 {}'", path, path);
  }
  return SecretBytes::CopyOf((*file)->content);
}

Status FakeFileSystem::WriteBeside(const std::string& path, ByteSpan bytes, FileAccess access) {
  const std::string beside = path + ".new";
  now_.erase(beside);
  if (auto step = WriteStep("write", CutWrite::Kind::kBeside, path, bytes, 0, access); !step) {
    return step;
  }
  if (!folders_.contains(FolderOf(path))) {
    return Fail(ErrorCode::kNotFound, "cannot open {}: no such folder", path);
  }
  if (bytes.size() > capacity_ - std::min(capacity_, used())) {
    return Fail(ErrorCode::kExhausted, "cannot write {}: the disk is full", path);
  }
  File& file = now_[beside] = {Bytes(bytes.begin(), bytes.end()), access, false, {}, ++ids_};
  if (auto step = Step("sync", path); !step) return step;
  file.synced = !Lies(path);
  if (auto step = Step("rename", path); !step) return step;
  if (const auto refused = unchangeable_.find(path); refused != unchangeable_.end()) {
    return Fail(refused->second, "cannot write {}: planned refusal", path);
  }
  now_[path] = std::move(file);
  now_.erase(beside);
  return {};
}

Status FakeFileSystem::WriteDurably(const std::string& path, ByteSpan bytes, FileAccess access) {
  if (auto written = WriteBeside(path, bytes, access); !written) {
    if (!power_failed()) now_.erase(path + ".new");
    return written;
  }
  return SyncFolder(FolderOf(path));
}

Status FakeFileSystem::Overwrite(const std::string& path, ByteSpan bytes) {
  if (auto step = WriteStep("overwrite", CutWrite::Kind::kOver, path, bytes); !step) return step;
  const auto found = now_.find(path);
  if (found == now_.end()) return Fail(ErrorCode::kNotFound, "cannot open {}: not there", path);
  File& file = found->second;
  if (file.content.size() != bytes.size()) {
    return Fail(ErrorCode::kFailedPrecondition, "{} has {} bytes, not {}", path,
                file.content.size(), bytes.size());
  }
  file.content.assign(bytes.begin(), bytes.end());
  file.synced = false;
  if (auto step = Step("sync", path); !step) return step;
  if (Lies(path)) return {};
  file.synced = true;
  if (disk_.contains(path)) disk_[path] = file;
  return {};
}

class FakeFileSystem::Fixed final : public FixedFile {
 public:
  Fixed(FakeFileSystem& files, std::string path) : files_(files), path_(std::move(path)) {}
  [[nodiscard]] Status Write(uint64_t offset, ByteSpan bytes) override {
    return files_.WriteInPlace(path_, offset, bytes);
  }
  [[nodiscard]] Status Sync() override { return files_.SyncInPlace(path_); }
  [[nodiscard]] Status CheckInPlace() override {
    if (files_.now_.contains(path_)) return {};
    return Fail(ErrorCode::kUnavailable, "{} is not there any more", path_);
  }

 private:
  FakeFileSystem& files_;
  const std::string path_;
};

Result<std::unique_ptr<FixedFile>> FakeFileSystem::OpenFixed(const std::string& path) {
  if (auto step = Step("open", path); !step) return std::unexpected(step.error());
  const auto file = Find(path, std::numeric_limits<size_t>::max());
  if (!file) return std::unexpected(file.error());
  return std::make_unique<Fixed>(*this, path);
}

Status FakeFileSystem::WriteInPlace(const std::string& path, uint64_t offset, ByteSpan bytes) {
  if (auto step = WriteStep("write", CutWrite::Kind::kInPlace, path, bytes, offset); !step) {
    return step;
  }
  const auto found = now_.find(path);
  if (found == now_.end()) return Fail(ErrorCode::kUnavailable, "{} is not there any more", path);
  const size_t size = found->second.content.size();
  if (offset > size || bytes.size() > size - offset) {
    return Fail(ErrorCode::kInvalid, "{} has no room at {}", path, offset);
  }
  PutInPlace(found->second, offset, bytes);
  return {};
}

void FakeFileSystem::PutInPlace(File& file, uint64_t offset, ByteSpan bytes) {
  Bytes& content = file.content;
  if (bytes.empty() || offset + bytes.size() > content.size()) return;
  for (uint64_t at = offset / kSector * kSector; at < offset + bytes.size(); at += kSector) {
    const auto begin = content.begin() + static_cast<ptrdiff_t>(at);
    const uint64_t size = std::min<uint64_t>(kSector, content.size() - at);
    file.pending.try_emplace(at, begin, begin + static_cast<ptrdiff_t>(size));
  }
  std::ranges::copy(bytes, content.begin() + static_cast<ptrdiff_t>(offset));
}

Status FakeFileSystem::SyncInPlace(const std::string& path) {
  if (auto step = Step("sync", path); !step) return step;
  if (Lies(path)) return {};
  const auto found = now_.find(path);
  if (found == now_.end()) return Fail(ErrorCode::kNotFound, "{} is not there any more", path);
  File& file = found->second;
  const auto disk = disk_.find(path);
  const bool same = disk != disk_.end() && disk->second.id == file.id;
  for (const auto& [offset, before] : std::exchange(file.pending, {})) {
    const auto at = static_cast<ptrdiff_t>(offset);
    if (same)
      std::copy_n(file.content.begin() + at, before.size(), disk->second.content.begin() + at);
  }
  return {};
}

Status FakeFileSystem::WriteAttribute(const std::string& path, std::string_view text) {
  if (auto step = Step("write", path); !step) return step;
  const auto file = now_.find(path);
  if (file == now_.end()) return Fail(ErrorCode::kNotFound, "cannot open {}: not there", path);
  const ByteSpan bytes = AsBytes(text);
  file->second.content.assign(bytes.begin(), bytes.end());
  return {};
}

Status FakeFileSystem::Remove(const std::string& path) {
  if (auto step = Step("remove", path); !step) return step;
  if (now_.erase(path) == 0) return Fail(ErrorCode::kNotFound, "cannot remove {}: not there", path);
  return SyncFolder(FolderOf(path));
}

Status FakeFileSystem::Erase(const std::string& path) {
  const Bytes zeros(Content(path).size());
  const auto written = Overwrite(path, zeros);
  return written ? Remove(path) : written;
}

Status FakeFileSystem::Rename(const std::string& from, const std::string& to) {
  if (auto step = Step("rename", from); !step) return step;
  const bool is_elsewhere = elsewhere_.has && elsewhere_.has(from);
  if (is_elsewhere) elsewhere_.rename(from, to);
  auto found = now_.extract(from);
  if (found.empty() && !is_elsewhere) {
    return Fail(ErrorCode::kNotFound, "cannot rename {}: not there", from);
  }
  if (!found.empty()) {
    now_[to] = std::move(found.mapped());
    renamed_[from] = to;
  }
  if (auto synced = SyncFolder(FolderOf(to)); !synced) return synced;
  return FolderOf(from) == FolderOf(to) ? Status() : SyncFolder(FolderOf(from));
}

Status FakeFileSystem::CreateFolder(const std::string& path) {
  if (auto step = Step("create folder", path); !step) return step;
  if (now_.contains(path)) return Fail(ErrorCode::kInvalid, "{} is a file, not a folder", path);
  for (std::string each = path; folders_.insert(each).second;) each = FolderOf(each);
  return {};
}

Result<bool> FakeFileSystem::Exists(const std::string& path) {
  if (auto step = Step("look at", path); !step) return std::unexpected(step.error());
  const bool is_elsewhere = elsewhere_.has && elsewhere_.has(path);
  return now_.contains(path) || folders_.contains(path) || is_elsewhere;
}

Result<std::vector<std::string>> FakeFileSystem::List(const std::string& folder) {
  if (auto step = Step("list", folder); !step) return std::unexpected(step.error());
  if (!folders_.contains(folder)) {
    return Fail(ErrorCode::kNotFound, "cannot list {}: not there", folder);
  }
  std::set<std::string> names;
  for (const auto& [path, file] : now_) {
    if (FolderOf(path) == folder) names.insert(NameOf(path));
  }
  for (const std::string& path : folders_) {
    if (path != folder && FolderOf(path) == folder) names.insert(NameOf(path));
  }
  return std::vector<std::string>(names.begin(), names.end());
}

Result<std::vector<std::string>> FakeFileSystem::ListFiles(const std::string& folder) {
  auto names = List(folder);
  if (!names) return names;
  std::erase_if(*names, [&](const std::string& name) {
    return folders_.contains((std::filesystem::path(folder) / name).string());
  });
  return names;
}

Result<uint64_t> FakeFileSystem::FreeSpace(const std::string& path) {
  if (auto step = Step("measure the free space at", path); !step) {
    return std::unexpected(step.error());
  }
  return capacity_ - std::min(capacity_, used());
}

Status FakeFileSystem::CheckWritable(const std::string& folder) {
  return Step("write into", folder);
}

Result<std::unique_ptr<FileLock>> FakeFileSystem::Lock(const std::string& path) {
  if (auto step = Step("lock", path); !step) return std::unexpected(step.error());
  if (!folders_.contains(FolderOf(path))) {
    return Fail(ErrorCode::kNotFound, "cannot open {}: no such folder", path);
  }
  if (!locks_->insert(path).second) {
    return Fail(ErrorCode::kUnavailable, "{} is held by process 1", path);
  }
  now_.try_emplace(path);
  return std::make_unique<FakeFileLock>(locks_, path);
}

void FakeFileSystem::RefuseToReplace(const std::string& path, std::optional<ErrorCode> code) {
  unchangeable_.erase(path);
  if (code) unchangeable_.emplace(path, *code);
}

void FakeFileSystem::Put(const std::string& path, ByteSpan bytes, FileAccess access) {
  for (std::string each = FolderOf(path); folders_.insert(each).second;) each = FolderOf(each);
  now_[path] = disk_[path] = {Bytes(bytes.begin(), bytes.end()), access, true, {}, ++ids_};
}

void FakeFileSystem::Delete(const std::string& path) {
  now_.erase(path);
  disk_.erase(path);
}

Bytes FakeFileSystem::Content(const std::string& path) const {
  const auto found = now_.find(path);
  return found == now_.end() ? Bytes() : found->second.content;
}

std::vector<std::string> FakeFileSystem::paths() const {
  std::vector<std::string> list;
  for (const auto& [path, file] : now_) list.push_back(path);
  return list;
}

uint64_t FakeFileSystem::used() const {
  uint64_t sum = 0;
  for (const auto& [path, file] : now_) sum += file.content.size();
  return sum;
}

}  // namespace idkiosk
