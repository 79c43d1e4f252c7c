#include <algorithm>
#include <utility>

#include "app/journal/journal.h"

// Reading a journal, whatever has been done to it.

namespace idkiosk {
namespace {

constexpr size_t kStep = 16;  // a record begins at a multiple of this

}  // namespace

std::string Describe(const JournalVerdict& verdict) {
  switch (verdict.state) {
    case JournalState::kGenuine:
      return "genuine";
    case JournalState::kAltered:
      return fmt::format("altered at {}", verdict.number);
    case JournalState::kCut:
      return fmt::format("cut after {}", verdict.number);
    case JournalState::kRolledBack:
      return fmt::format("rolled back to {}", verdict.number);
    case JournalState::kUnmarked:
      return fmt::format("without its mark in the vault, at {}", verdict.number);
    case JournalState::kUnwitnessed:
      return fmt::format("without its witness among the copies, at {}", verdict.number);
    case JournalState::kVaultOlder:
      return fmt::format("newer than the vault, which is an older copy: it knew of {}",
                         verdict.number);
  }
  return "";
}

JournalVerdict Judge(const JournalReading& reading, const JournalPosition& database,
                     const JournalPosition& anchor) {
  const uint64_t newest = reading.newest.number;
  const bool lacks = std::max(database.number, anchor.number) > newest;
  if (reading.altered) return {JournalState::kAltered, *reading.altered};
  if (reading.unproven_tail && lacks) return {JournalState::kAltered, newest + 1};
  if (reading.shortened || database.number > newest) return {JournalState::kCut, newest};
  if (lacks) return {JournalState::kRolledBack, newest};
  if (reading.unlike) return {JournalState::kRolledBack, *reading.unlike - 1};
  return {};
}

// Goes through the files in their order.
class Journal::Reader {
 public:
  Reader(const JournalFormat& format, std::span<const JournalPosition> known, const Each& each)
      : format_(format), known_(known), each_(each) {}

  // One file; `last`: there is none behind it.
  void Go(ByteSpan file, uint64_t first, bool begins_here, bool last) {
    const auto header = format_.ReadHeader(file);
    if (begins_here) reading_.newest = header ? header->before : JournalPosition{first - 1, {}};
    if (!header || header->before != reading_.newest || header->before.number + 1 != first) {
      NoteAltered();
    }
    keeps_attachments_ = !header || header->keeps_attachments;
    // Of any other length it lacks nothing that the next file, or who remembers a record, misses.
    reading_.shortened = last && header && file.size() < header->size;
    end_ = std::min(file.size(), JournalFormat::kHeaderSize);
    ReadRecords(file);
    const bool clean = AllZero(file.subspan(end_));
    if (last) reading_.unproven_tail = !clean;
    if (!last && !clean) NoteAltered();
  }

  [[nodiscard]] const JournalReading& reading() const { return reading_; }
  // Behind the last proven record of the file that was read last.
  [[nodiscard]] size_t end() const { return end_; }
  [[nodiscard]] bool keeps_attachments() const { return keeps_attachments_; }
  // `last`: of the records that are not there; 0: nobody knows how many there were.
  void NoteAltered(uint64_t last = 0) {
    const uint64_t first = reading_.newest.number + 1;
    reading_.altered_last = std::max({reading_.altered_last, first, last});
    if (!reading_.altered) reading_.altered = first;
  }

 private:
  void ReadRecords(ByteSpan file) {
    for (size_t at = end_; at < file.size();) {
      const auto record = format_.Read(file.subspan(at), keeps_attachments_);
      if (!record) {
        // A record that is proven may follow. What nobody has written yet is quickly passed.
        at += kStep;
        while (at + kStep <= file.size() && file[at] == 0) at += kStep;
        continue;
      }
      const bool next = at == end_ && record->position.number == reading_.newest.number + 1 &&
                        record->mac_before == reading_.newest.mac;
      if (!next) NoteAltered(record->position.number - 1);
      at += record->stored_size;
      end_ = at;
      // One from elsewhere, or a second time.
      if (record->position.number <= reading_.newest.number) continue;
      Take(*record);
    }
  }

  void Take(const JournalRecord& record) {
    reading_.newest = record.position;
    ++reading_.proven;
    for (const JournalPosition& each : known_) {
      if (each.number == record.position.number && each.mac != record.position.mac &&
          !reading_.unlike) {
        reading_.unlike = each.number;
      }
    }
    each_(record);
  }

  const JournalFormat& format_;
  const std::span<const JournalPosition> known_;
  const Each& each_;
  JournalReading reading_;
  size_t end_ = 0;
  bool keeps_attachments_ = true;
};

Result<Bytes> Journal::LoadFile(uint64_t first) {
  auto bytes = files_.Read(PathOf(first), kMostRead);
  if (!bytes && bytes.error().code == ErrorCode::kExhausted) {
    bytes = files_.ReadPart(PathOf(first), 0, kMostRead);
  }
  if (bytes && format_.IsNewer(*bytes)) {
    return Fail(ErrorCode::kFailedPrecondition,
                "{} was written by a newer idkiosk: install that one", PathOf(first));
  }
  return bytes;
}

Result<uint64_t> Journal::ReadFile(uint64_t from, const Each& each) {
  const auto files = Files();
  if (!files) return std::unexpected(files.error());
  if (files->empty()) return 0;
  auto file = std::ranges::upper_bound(*files, std::max<uint64_t>(from, 1));
  if (file != files->begin()) --file;
  const auto bytes = LoadFile(*file);
  if (!bytes) return std::unexpected(bytes.error());
  const auto next = std::next(file);
  Reader(format_, {}, each).Go(*bytes, *file, true, next == files->end());
  return next == files->end() ? 0 : *next;
}

Result<JournalReading> Journal::Read(uint64_t from, std::span<const JournalPosition> known,
                                     const Each& each) {
  const auto files = Files();
  if (!files) return std::unexpected(files.error());
  Reader reader(format_, known, each);
  full_.clear();
  first_in_file_ = 0;
  auto begin = std::ranges::upper_bound(*files, std::max<uint64_t>(from, 1));
  if (begin != files->begin()) --begin;
  // The oldest records are gone, or were never asked for.
  if (!files->empty() && begin == files->begin() && *begin != 1) {
    reader.NoteAltered(*begin - 1);
  }
  for (auto file = begin; file != files->end(); ++file) {
    const auto bytes = LoadFile(*file);
    if (!bytes) return std::unexpected(bytes.error());
    const bool last = std::next(file) == files->end();
    reader.Go(*bytes, *file, file == begin, last);
    if (!last && reader.keeps_attachments()) full_.push_back(*file);
    first_in_file_ = *file;
    size_of_file_ = bytes->size();
    end_ = reader.end();
  }
  return reader.reading();
}

}  // namespace idkiosk
