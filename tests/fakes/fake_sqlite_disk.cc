#include "tests/fakes/fake_sqlite_disk.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <utility>

namespace idkiosk {
namespace {

constexpr size_t kSector = 512;

void PutAt(std::string& content, size_t offset, std::string_view bytes) {
  if (content.size() < offset + bytes.size()) content.resize(offset + bytes.size());
  std::memcpy(content.data() + offset, bytes.data(), bytes.size());
}

}  // namespace

// What SQLite holds: must begin with its own part.
struct FakeSqliteDisk::Handle {
  sqlite3_file base;
  FakeSqliteDisk* disk;
  File* file;
  bool maps;  // uses the file's shared memory
};

// SQLite's side of the table of functions.
struct FakeSqliteDisk::Calls {
  static Handle& Of(sqlite3_file* file) { return *reinterpret_cast<Handle*>(file); }
  static FakeSqliteDisk& Of(sqlite3_vfs* vfs) {
    return *static_cast<FakeSqliteDisk*>(vfs->pAppData);
  }

  static int Open(sqlite3_vfs* vfs, sqlite3_filename name, sqlite3_file* file, int flags,
                  int* out_flags) {
    FakeSqliteDisk& disk = Of(vfs);
    file->pMethods = nullptr;
    if (disk.power_failed()) return SQLITE_IOERR;
    const std::string path = name == nullptr ? "temporary" : name;
    if (!disk.files_.contains(path) && (flags & SQLITE_OPEN_CREATE) == 0) return SQLITE_CANTOPEN;
    Handle& handle = Of(file);
    handle.disk = &disk;
    handle.file = &disk.files_[path];
    handle.base.pMethods = &kMethods;
    handle.maps = false;
    ++handle.file->connections;
    if (out_flags != nullptr) *out_flags = flags;
    return SQLITE_OK;
  }

  static int Delete(sqlite3_vfs* vfs, const char* name, int sync) {
    return Of(vfs).Delete(name, sync != 0);
  }

  static int Access(sqlite3_vfs* vfs, const char* name, int, int* result) {
    if (Of(vfs).power_failed()) return SQLITE_IOERR;
    *result = Of(vfs).files_.contains(name) ? 1 : 0;
    return SQLITE_OK;
  }

  static int FullPathname(sqlite3_vfs*, const char* name, int size, char* out) {
    sqlite3_snprintf(size, out, "%s", name);
    return SQLITE_OK;
  }

  static int Randomness(sqlite3_vfs* vfs, int size, char* out) {
    for (int i = 0; i < size; ++i) out[i] = static_cast<char>(Of(vfs).random_());
    return size;
  }

  static int Sleep(sqlite3_vfs*, int microseconds) { return microseconds; }

  static int CurrentTime(sqlite3_vfs*, double* out) {
    *out = 2461000.5;  // a day in 2025; nothing here depends on it
    return SQLITE_OK;
  }

  static int LastError(sqlite3_vfs*, int, char*) { return 0; }

  static int Close(sqlite3_file* file) {
    --Of(file).file->connections;
    return SQLITE_OK;
  }

  static int Read(sqlite3_file* file, void* out, int size, sqlite3_int64 offset) {
    const Handle& handle = Of(file);
    if (handle.disk->power_failed()) return SQLITE_IOERR_READ;
    const std::string& content = handle.file->now;
    const auto want = static_cast<size_t>(size);
    const size_t begin = std::min(static_cast<size_t>(offset), content.size());
    const size_t have = std::min(want, content.size() - begin);
    std::memcpy(out, content.data() + begin, have);
    std::memset(static_cast<char*>(out) + have, 0, want - have);
    return have == want ? SQLITE_OK : SQLITE_IOERR_SHORT_READ;
  }

  static int Write(sqlite3_file* file, const void* from, int size, sqlite3_int64 offset) {
    const Handle& handle = Of(file);
    return handle.disk->WriteTo(
        *handle.file, static_cast<size_t>(offset),
        std::string(static_cast<const char*>(from), static_cast<size_t>(size)));
  }

  static int Truncate(sqlite3_file* file, sqlite3_int64 size) {
    return Of(file).disk->TruncateTo(*Of(file).file, static_cast<size_t>(size));
  }

  static int Sync(sqlite3_file* file, int) { return Of(file).disk->Sync(*Of(file).file); }

  static int FileSize(sqlite3_file* file, sqlite3_int64* out) {
    if (Of(file).disk->power_failed()) return SQLITE_IOERR_FSTAT;
    *out = static_cast<sqlite3_int64>(Of(file).file->now.size());
    return SQLITE_OK;
  }

  // Who closes it deletes the log where nobody else has the file open.
  static int Lock(sqlite3_file* file, int level) {
    const bool alone = Of(file).file->connections <= 1;
    return alone || level != SQLITE_LOCK_EXCLUSIVE ? SQLITE_OK : SQLITE_BUSY;
  }
  static int Unlock(sqlite3_file*, int) { return SQLITE_OK; }
  static int CheckReservedLock(sqlite3_file*, int* out) {
    *out = 0;
    return SQLITE_OK;
  }
  static int FileControl(sqlite3_file*, int, void*) { return SQLITE_NOTFOUND; }
  static int SectorSize(sqlite3_file*) { return static_cast<int>(kSector); }
  static int Characteristics(sqlite3_file*) { return 0; }

  static int ShmMap(sqlite3_file* file, int region, int size, int extend, void volatile** out) {
    auto& shared = Of(file).file->shared;
    if (!std::exchange(Of(file).maps, true)) ++Of(file).file->mapped;
    const auto index = static_cast<size_t>(region);
    if (index >= shared.size() && extend == 0) {
      *out = nullptr;
      return SQLITE_OK;
    }
    while (shared.size() <= index) {
      shared.push_back(std::make_unique<char[]>(static_cast<size_t>(size)));
    }
    *out = shared[index].get();
    return SQLITE_OK;
  }
  static int ShmLock(sqlite3_file*, int, int, int) { return SQLITE_OK; }
  static void ShmBarrier(sqlite3_file*) {}
  static int ShmUnmap(sqlite3_file* file, int) {
    // Another connection may still use it.
    if (std::exchange(Of(file).maps, false)) --Of(file).file->mapped;
    if (Of(file).file->mapped == 0) Of(file).file->shared.clear();
    return SQLITE_OK;
  }
};

const sqlite3_io_methods FakeSqliteDisk::kMethods = [] {
  sqlite3_io_methods methods{};
  methods.iVersion = 2;
  methods.xClose = &Calls::Close;
  methods.xRead = &Calls::Read;
  methods.xWrite = &Calls::Write;
  methods.xTruncate = &Calls::Truncate;
  methods.xSync = &Calls::Sync;
  methods.xFileSize = &Calls::FileSize;
  methods.xLock = &Calls::Lock;
  methods.xUnlock = &Calls::Unlock;
  methods.xCheckReservedLock = &Calls::CheckReservedLock;
  methods.xFileControl = &Calls::FileControl;
  methods.xSectorSize = &Calls::SectorSize;
  methods.xDeviceCharacteristics = &Calls::Characteristics;
  methods.xShmMap = &Calls::ShmMap;
  methods.xShmLock = &Calls::ShmLock;
  methods.xShmBarrier = &Calls::ShmBarrier;
  methods.xShmUnmap = &Calls::ShmUnmap;
  return methods;
}();

FakeSqliteDisk::FakeSqliteDisk(uint64_t seed) : random_(seed) {
  static std::atomic<int> count = 0;
  name_ = "fake-disk-" + std::to_string(++count);
  vfs_.iVersion = 1;
  vfs_.szOsFile = sizeof(Handle);
  vfs_.mxPathname = 512;
  vfs_.zName = name_.c_str();
  vfs_.pAppData = this;
  vfs_.xOpen = &Calls::Open;
  vfs_.xDelete = &Calls::Delete;
  vfs_.xAccess = &Calls::Access;
  vfs_.xFullPathname = &Calls::FullPathname;
  vfs_.xRandomness = &Calls::Randomness;
  vfs_.xSleep = &Calls::Sleep;
  vfs_.xCurrentTime = &Calls::CurrentTime;
  vfs_.xGetLastError = &Calls::LastError;
  sqlite3_vfs_register(&vfs_, 0);
}

FakeSqliteDisk::~FakeSqliteDisk() { sqlite3_vfs_unregister(&vfs_); }

bool FakeSqliteDisk::TakeStep() {
  if (power_failed()) return false;
  ++steps_;
  if (steps_ == power_fails_at_) power_failed_ = true;
  if (power_ != nullptr) (void)power_->TakeStep();
  return !power_failed() && steps_ != fails_at_;
}

int FakeSqliteDisk::WriteTo(File& file, size_t offset, std::string bytes) {
  if (power_failed()) return SQLITE_IOERR_WRITE;
  const size_t end = offset + bytes.size();
  if (end > file.now.size() && used() + end - file.now.size() > capacity_) return SQLITE_FULL;
  const bool good = TakeStep();
  // A write that the power cut short may have arrived in part.
  if (!good && !power_failed()) return SQLITE_IOERR_WRITE;
  if (good) PutAt(file.now, offset, bytes);
  if (!good) cut_file_ = &file;
  file.unsynced.push_back({offset, std::move(bytes), false});
  return good ? SQLITE_OK : SQLITE_IOERR_WRITE;
}

int FakeSqliteDisk::TruncateTo(File& file, size_t size) {
  if (!TakeStep()) return SQLITE_IOERR_TRUNCATE;
  file.now.resize(size);
  file.unsynced.push_back({size, "", true});
  return SQLITE_OK;
}

int FakeSqliteDisk::Sync(File& file) {
  ++syncs_;
  if (!TakeStep()) return SQLITE_IOERR_FSYNC;
  if (lies_) return SQLITE_OK;
  file.disk = file.now;
  // The folder is synced with a file that is new in it.
  if (!std::exchange(file.on_disk, true)) removed_.clear();
  file.unsynced.clear();
  return SQLITE_OK;
}

int FakeSqliteDisk::Delete(const std::string& path, bool sync) {
  if (!TakeStep()) return SQLITE_IOERR_DELETE;
  auto file = files_.extract(path);
  if (file.empty()) return SQLITE_IOERR_DELETE_NOENT;
  if (sync && !lies_) {
    removed_.clear();
  } else if (file.mapped().on_disk) {
    removed_.insert_or_assign(path, std::move(file.mapped()));
  }
  return SQLITE_OK;
}

void FakeSqliteDisk::Tear(File& file) {
  for (const Write& each : file.unsynced) {
    if (each.truncates) {
      if (random_() % 2 == 0) file.disk.resize(each.offset);
      continue;
    }
    for (size_t at = 0; at < each.bytes.size();) {
      const size_t in_sector = kSector - (each.offset + at) % kSector;
      const std::string_view part = std::string_view(each.bytes).substr(at, in_sector);
      if (random_() % 2 == 0) PutAt(file.disk, each.offset + at, part);
      at += part.size();
    }
  }
}

size_t FakeSqliteDisk::cut_sectors() const {
  if (cut_file_ == nullptr) return 0;
  const Write& write = cut_file_->unsynced.back();
  return (write.offset % kSector + write.bytes.size() + kSector - 1) / kSector;
}

void FakeSqliteDisk::RestoreNames(Unsynced fate) {
  const bool all = fate == Unsynced::kKept || fate == Unsynced::kCut;
  const auto arrived = [&] {
    const bool by_chance = fate == Unsynced::kTorn || fate == Unsynced::kReordered;
    return all || (by_chance && random_() % 2 == 0);
  };
  for (auto& [path, file] : files_) file.on_disk = file.on_disk || arrived();
  std::erase_if(files_, [](const auto& each) { return !each.second.on_disk; });
  for (auto& [path, file] : std::exchange(removed_, {})) {
    if (!files_.contains(path) && !arrived()) files_.insert_or_assign(path, std::move(file));
  }
}

void FakeSqliteDisk::Restart(Unsynced fate, size_t sectors) {
  if (cut_file_ != nullptr && fate == Unsynced::kCut) {
    const Write& write = cut_file_->unsynced.back();
    const size_t in_first = write.offset % kSector;
    const size_t size = sectors * kSector - std::min(sectors * kSector, in_first);
    PutAt(cut_file_->now, write.offset, std::string_view(write.bytes).substr(0, size));
  }
  cut_file_ = nullptr;
  for (auto& [path, file] : files_) {
    if (fate == Unsynced::kTorn || fate == Unsynced::kReordered) {
      Tear(file);
    } else if (fate != Unsynced::kLost) {
      file.disk = file.now;
    }
  }
  RestoreNames(fate);
  for (auto& [path, file] : files_) {
    file.now = file.disk;
    file.unsynced.clear();
    file.shared.clear();
    file.mapped = 0;
    file.connections = 0;
  }
  fails_at_ = 0;
  power_fails_at_ = 0;
  power_failed_ = false;
  lies_ = false;
}

size_t FakeSqliteDisk::used() const {
  size_t sum = 0;
  for (const auto& [path, file] : files_) sum += file.now.size();
  return sum;
}

std::optional<std::string> FakeSqliteDisk::Content(const std::string& path) const {
  const auto found = files_.find(path);
  if (found == files_.end()) return std::nullopt;
  return found->second.now;
}

void FakeSqliteDisk::Replace(const std::string& path, std::string content) {
  File& file = files_[path];
  file.now = content;
  file.disk = std::move(content);
  file.on_disk = true;
  file.unsynced.clear();
}

void FakeSqliteDisk::Rename(const std::string& from, const std::string& to) {
  auto file = files_.extract(from);
  if (!file.empty()) files_.insert_or_assign(to, std::move(file.mapped()));
}

std::vector<std::string> FakeSqliteDisk::paths() const {
  std::vector<std::string> paths;
  for (const auto& [path, file] : files_) paths.push_back(path);
  return paths;
}

}  // namespace idkiosk
