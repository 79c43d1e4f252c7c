#include "app/journal/journal.h"

#include <algorithm>
#include <utility>

#include "platform/base/text/digits.h"

namespace idkiosk {
namespace {

constexpr std::string_view kEnding = ".journal";
constexpr size_t kDigits = 12;

std::optional<uint64_t> FirstOf(std::string_view name) {
  if (name.size() != kDigits + kEnding.size() || !name.ends_with(kEnding)) return std::nullopt;
  const auto first = ParseNumber<uint64_t>(name.substr(0, kDigits));
  return first != 0U ? first : std::nullopt;
}

}  // namespace

Journal::Journal(Options options, const Crypto& crypto, const SecretBytes& key, FileSystem& files)
    : options_(std::move(options)), format_(crypto, key, options_.label), files_(files) {}

std::string Journal::PathOf(uint64_t first) const {
  return fmt::format("{}/{:0{}}{}", options_.folder, first, kDigits, kEnding);
}

Result<std::vector<uint64_t>> Journal::Files() {
  std::vector<uint64_t> files;
  const auto names = files_.List(options_.folder);
  if (!names && names.error().code == ErrorCode::kNotFound) return files;
  if (!names) return std::unexpected(names.error());
  for (const std::string& name : *names) {
    if (const auto first = FirstOf(name)) files.push_back(*first);
  }
  std::ranges::sort(files);
  return files;
}

Status Journal::Resume(const JournalReading& reading, bool keep_tail) {
  newest_ = reading.newest;
  file_.reset();
  failed_write_ = 0;
  if (first_in_file_ == 0) {
    if (Status made = files_.CreateFolder(options_.folder); !made) return made;
    return BeginFile();
  }
  if (keep_tail) {
    // Nothing of it is proven, so its name is wanted for the file that goes on.
    const std::string path = PathOf(first_in_file_);
    if (first_in_file_ == newest_.number + 1) {
      // Once: this or what follows may have failed the last time.
      const Status moved = files_.Rename(path, path + ".damaged");
      if (!moved && moved.error().code != ErrorCode::kNotFound) return moved;
      first_in_file_ = 0;
    }
    return BeginFile();
  }
  auto file = files_.OpenFixed(PathOf(first_in_file_));
  if (!file) return std::unexpected(file.error());
  file_ = std::move(*file);
  // A process that was killed may have added some that it had not synced yet.
  if (!reading.unproven_tail) return file_->Sync();
  failed_write_ = size_of_file_ - end_;
  return WipeFailedWrite();
}

Status Journal::BeginFile() {
  const uint64_t first = newest_.number + 1;
  const Status begun = BeginFileOf(first);
  must_begin_ = false;
  if (begun || file_ == nullptr) return begun;
  // The file before may take a record yet, and what lies behind it then would look like an
  // alteration.
  const Status removed = files_.Remove(PathOf(first));
  must_begin_ = !removed && removed.error().code != ErrorCode::kNotFound;
  return begun;
}

Status Journal::BeginFileOf(uint64_t first) {
  JournalFormat::Header header;
  header.size = options_.file_size;
  header.before = newest_;
  Bytes bytes = format_.WriteHeader(header);
  // Zeros and not a hole: a record is written where the disk has its blocks already.
  bytes.resize(options_.file_size);
  if (Status written = files_.WriteDurably(PathOf(first), bytes, FileAccess::kOwnerOnly);
      !written) {
    return written;
  }
  auto file = files_.OpenFixed(PathOf(first));
  if (!file) return std::unexpected(file.error());
  if (file_ != nullptr) full_.push_back(first_in_file_);
  file_ = std::move(*file);
  first_in_file_ = first;
  size_of_file_ = bytes.size();
  end_ = JournalFormat::kHeaderSize;
  return {};
}

Status Journal::WipeFailedWrite() {
  if (failed_write_ == 0) return {};
  const Bytes zeros(failed_write_);
  if (Status wiped = file_->Write(end_, zeros); !wiped) return wiped;
  if (Status synced = file_->Sync(); !synced) return synced;
  failed_write_ = 0;
  return {};
}

Result<JournalPosition> Journal::Append(const Addition& addition) {
  if (file_ == nullptr) return Fail(ErrorCode::kFailedPrecondition, "the journal is only read");
  const size_t size = JournalFormat::StoredSize(addition.body.size(), addition.attachment.size());
  if (addition.body.size() > JournalFormat::kMaxBody ||
      addition.attachment.size() > JournalFormat::kMaxAttachment ||
      JournalFormat::kHeaderSize + size + addition.room_after > options_.file_size) {
    return Fail(ErrorCode::kInvalid, "a record of {} bytes does not fit into the journal", size);
  }
  if (Status wiped = WipeFailedWrite(); !wiped) return std::unexpected(wiped.error());
  if (must_begin_ || end_ + size + addition.room_after > size_of_file_) {
    if (Status begun = BeginFile(); !begun) return std::unexpected(begun.error());
  }
  JournalPosition position;
  const Bytes record = format_.Write(newest_, addition.body, addition.attachment, position);
  Status added = file_->Write(end_, record);
  if (added) added = file_->Sync();
  if (!added) {
    // It may be on the disk all the same, where nobody believes it to be.
    failed_write_ = record.size();
    (void)WipeFailedWrite();
    return std::unexpected(added.error());
  }
  end_ += record.size();
  newest_ = position;
  return position;
}

Status Journal::DropOldAttachments() {
  while (!full_.empty()) {
    if (Status dropped = DropAttachmentsOf(full_.back()); !dropped) return dropped;
    full_.pop_back();
  }
  return {};
}

// A file in which anything is not proven stays as it is, for a person to look at.
Status Journal::DropAttachmentsOf(uint64_t first) {
  const auto file = files_.Read(PathOf(first), kMostRead);
  if (!file) return std::unexpected(file.error());
  auto header = format_.ReadHeader(*file);
  if (!header || !header->keeps_attachments || header->size != file->size()) return {};
  Bytes out(JournalFormat::kHeaderSize);
  JournalPosition newest = header->before;
  for (size_t at = JournalFormat::kHeaderSize; at < file->size();) {
    const ByteSpan rest = ByteSpan(*file).subspan(at);
    const auto record = format_.Read(rest, true);
    if (!record) {
      if (std::ranges::any_of(rest, [](uint8_t each) { return each != 0; })) return {};
      break;
    }
    if (record->position.number != newest.number + 1 || record->mac_before != newest.mac) return {};
    newest = record->position;
    const Bytes kept = JournalFormat::WithoutAttachment(*record, rest);
    out.insert(out.end(), kept.begin(), kept.end());
    at += record->stored_size;
  }
  header->size = static_cast<uint32_t>(out.size());
  header->keeps_attachments = false;
  std::ranges::copy(format_.WriteHeader(*header), out.begin());
  return files_.WriteDurably(PathOf(first), out, FileAccess::kOwnerOnly);
}

}  // namespace idkiosk
