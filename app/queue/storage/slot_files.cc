#include "app/queue/storage/slot_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <set>
#include <utility>

#include "platform/base/log.h"

namespace idkiosk {
namespace {

constexpr std::string_view kSlotMagic = "IKSLOT1\n";
constexpr std::string_view kSlotsPrefix = "slots-";

// Where the parts of a slot begin.
constexpr size_t kSizeAt = kSlotMagic.size();
constexpr size_t kNumberAt = kSizeAt + sizeof(uint32_t);
constexpr size_t kNameAt = kNumberAt + sizeof(uint32_t);
// Behind the name a zero, and the note: the number, and in the upper half its complement, so that a
// flipped bit is no note.
constexpr size_t kNoteAt = kNameAt + SlotFiles::kLongestName + 1;
constexpr size_t kContentAt = kNoteAt + 1;
constexpr size_t kSector = 512;
constexpr size_t kBlock = 4096;

// Slots for questions without pictures, and for those with pictures of the usual size; larger ones
// get a file each, of so many bytes or a multiple.
struct SlotKind {
  size_t size;
  int count;
};
constexpr std::array<SlotKind, 2> kSlotKinds = {{{kBlock, 64}, {160 * 1024, 8}}};
constexpr size_t kLargeStep = 64 * 1024;

uint8_t NoteByte(int number) {
  const int low = std::clamp(number, 0, SlotFiles::kLargestNote);
  return low == 0 ? 0 : static_cast<uint8_t>(low | ((~low & 0x0f) << 4));
}

int NoteIn(uint8_t byte) {
  const int low = byte & 0x0f;
  return byte == NoteByte(low) ? low : 0;
}

// The slots that something of so many bytes, with its head, is put into.
SlotKind SlotKindFor(size_t size) {
  const auto* const kind =
      std::ranges::find_if(kSlotKinds, [=](const SlotKind& each) { return size <= each.size; });
  if (kind != kSlotKinds.end()) return *kind;
  return {(size + kLargeStep - 1) / kLargeStep * kLargeStep, 1};
}

// A file's name tells its slots: slots-0007-8x163840.
struct FileName {
  uint32_t number = 0;
  uint32_t count = 0;
  size_t size = 0;
};

template <typename T>
bool TakeNumber(std::string_view& text, T& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return error == std::errc();
}

bool TakeWord(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word)) return false;
  text.remove_prefix(word.size());
  return true;
}

std::optional<FileName> ParseName(std::string_view name) {
  FileName parsed;
  const bool good = TakeWord(name, kSlotsPrefix) && TakeNumber(name, parsed.number) &&
                    TakeWord(name, "-") && TakeNumber(name, parsed.count) && TakeWord(name, "x") &&
                    TakeNumber(name, parsed.size) && name.empty();
  constexpr uint32_t kMostSlots = 1024;
  if (!good || parsed.count > kMostSlots || parsed.size < kBlock) return std::nullopt;
  return parsed;
}

}  // namespace

std::string SlotFiles::PathOf(const std::string& file) const {
  return fmt::format("{}/{}", folder_, file);
}

// What cannot be looked at wholly is as it was seen before: half a list would tell of copies that
// they are gone.
Status SlotFiles::Look() {
  Seen before = std::exchange(seen_, {});
  Status looked = LookIntoAll();
  if (!looked) seen_ = std::move(before);
  return looked;
}

Status SlotFiles::LookIntoAll() {
  const auto names = files_.List(folder_);
  if (!names && names.error().code == ErrorCode::kNotFound) return {};
  if (!names) return std::unexpected(names.error());
  for (const std::string& each : *names) {
    if (!ParseName(each)) continue;
    const Status looked = LookInto(each);
    // A pipe or a folder that somebody put there; or another process has just removed it.
    const bool is_none = !looked && (looked.error().code == ErrorCode::kInvalid ||
                                     looked.error().code == ErrorCode::kNotFound);
    if (!looked && !is_none) return looked;
    if (is_none) seen_.is_damaged = true;
  }
  return {};
}

Status SlotFiles::LookInto(const std::string& file) {
  const FileName geometry = *ParseName(file);
  seen_.sizes.insert(geometry.size);
  for (uint32_t i = 0; i < geometry.count; ++i) {
    const Place place{file, uint64_t{i} * geometry.size, geometry.size};
    const auto head = ReadHead(place);
    // Behind the end of a file that was cut short.
    if (!head && head.error().code == ErrorCode::kCorrupt) {
      seen_.is_damaged = true;
      return {};
    }
    if (!head) return std::unexpected(head.error());
    if (head->is_free) {
      seen_.free.emplace(place.size, place);
    } else if (head->name.empty()) {
      seen_.nameless.push_back(place);
    } else {
      const auto name = NameOf(place, *head);
      if (!name) return std::unexpected(name.error());
      Take(*name, {place, head->number, head->note});
    }
  }
  return {};
}

Result<std::string> SlotFiles::NameOf(const Place& place, const Head& head) {
  if (head.is_said || proven_name_ == nullptr) return head.name;
  const size_t size = std::min(head.size, place.size - kContentAt);
  const auto bytes = ReadFrom(place, kContentAt, size);
  if (!bytes) return std::unexpected(bytes.error());
  std::string proven = proven_name_(*bytes);
  if (!proven.empty()) return proven;
  seen_.is_damaged = true;
  return head.name;
}

void SlotFiles::Take(const std::string& name, const Taken& taken) {
  const auto [found, is_new] = seen_.taken.emplace(name, taken);
  if (is_new) return;
  Taken older = taken;
  if (found->second.number < taken.number) std::swap(found->second, older);
  seen_.nameless.push_back(older.place);
}

// A bad sector says nothing of what was written there, and may be read at another time.
Result<Bytes> SlotFiles::ReadFrom(const Place& place, size_t at, size_t size) {
  auto bytes = files_.ReadPart(PathOf(place.file), place.at + at, size);
  if (bytes || bytes.error().code != ErrorCode::kCorrupt) return bytes;
  return Fail(
      ErrorCode::kUnavailable,
      "{}. If it stays so, replace the disk: copy the state folder with ddrescue, which goes "
      "on behind what cannot be read, and start idkiosk; what nobody can tell then is held "
      "until a person has looked",
      bytes.error().message);
}

Result<SlotFiles::Head> SlotFiles::ReadHead(const Place& place) {
  const auto bytes = ReadFrom(place, 0, kContentAt + kBeginning);
  if (!bytes) return std::unexpected(bytes.error());
  if (bytes->size() < kContentAt) return Fail(ErrorCode::kCorrupt, "{} is cut short", place.file);
  Head head;
  head.is_free = std::ranges::all_of(ByteSpan(*bytes).first(kContentAt),
                                     [](uint8_t each) { return each == 0; });
  if (!AsText(*bytes).starts_with(kSlotMagic)) return head;
  head.size = ReadUint32(ByteSpan(*bytes).subspan<kSizeAt, sizeof(uint32_t)>());
  head.number = ReadUint32(ByteSpan(*bytes).subspan<kNumberAt, sizeof(uint32_t)>());
  const std::string_view name = AsText(*bytes).substr(kNameAt, kLongestName);
  head.name = name.substr(0, name.find('\0'));
  head.note = NoteIn((*bytes)[kNoteAt]);
  head.is_said = AsText(*bytes).substr(kContentAt).contains(head.name);
  return head;
}

std::vector<std::string> SlotFiles::names() const {
  std::vector<std::string> names;
  names.reserve(seen_.taken.size());
  for (const auto& [name, taken] : seen_.taken) names.push_back(name);
  return names;
}

bool SlotFiles::WouldBeSeen(size_t size) const {
  return !seen_.is_damaged && seen_.nameless.empty() &&
         seen_.sizes.contains(SlotKindFor(kContentAt + size).size);
}

Status SlotFiles::Note(const std::string& name, int number) {
  const auto place = Find(name);
  if (!place) {
    return place.error().code == ErrorCode::kNotFound ? Status() : std::unexpected(place.error());
  }
  const auto file = files_.OpenFixed(PathOf(place->file));
  if (!file) return std::unexpected(file.error());
  const Bytes note(1, NoteByte(number));
  if (Status written = (*file)->Write(place->at + kNoteAt, note); !written) return written;
  seen_.taken.at(name).note = NoteIn(note.front());
  return {};
}

int SlotFiles::NoteOf(const std::string& name) const {
  const auto found = seen_.taken.find(name);
  return found == seen_.taken.end() ? 0 : found->second.note;
}

bool SlotFiles::IsThere(const std::string& name, const Taken& taken) {
  const auto head = ReadHead(taken.place);
  return head && head->name == name && head->number == taken.number;
}

Result<SlotFiles::Place> SlotFiles::Find(const std::string& name) {
  auto found = seen_.taken.find(name);
  if (found == seen_.taken.end() || !IsThere(name, found->second)) {
    if (Status looked = Look(); !looked) return std::unexpected(looked.error());
    found = seen_.taken.find(name);
  }
  if (found != seen_.taken.end()) return found->second.place;
  return Fail(ErrorCode::kNotFound, "nothing of {} is in {}", name, folder_);
}

Result<SlotFiles::Place> SlotFiles::TakeFree(size_t size) {
  const SlotKind kind = SlotKindFor(size);
  const size_t wanted = kind.size;
  for (const bool again : {false, true}) {
    if (again) {
      if (Status made = MakeFile(wanted, kind.count); !made) {
        return std::unexpected(made.error());
      }
    }
    for (auto each = seen_.free.find(wanted); each != seen_.free.end() && each->first == wanted;) {
      const Place place = std::move(each->second);
      each = seen_.free.erase(each);
      // Another process may have taken it meanwhile.
      const auto head = ReadHead(place);
      if (head && head->is_free) return place;
    }
  }
  return Fail(ErrorCode::kInternal, "a file of slots that was just made has none");
}

Status SlotFiles::MakeFile(size_t size, int count) {
  if (Status made = files_.CreateFolder(folder_); !made) return made;
  const auto names = files_.List(folder_);
  if (!names) return std::unexpected(names.error());
  uint32_t last = 0;
  for (const std::string& each : *names) {
    if (const auto name = ParseName(each)) last = std::max(last, name->number);
  }
  const std::string file = fmt::format("{}{:04}-{}x{}", kSlotsPrefix, last + 1, count, size);
  // Zeros and not a hole: a slot is written where the disk has its blocks already.
  const Bytes zeros(size * static_cast<size_t>(count));
  if (Status written = files_.WriteDurably(PathOf(file), zeros, FileAccess::kOwnerOnly); !written) {
    return written;
  }
  for (int i = 0; i < count; ++i)
    seen_.free.emplace(size, Place{file, static_cast<size_t>(i) * size, size});
  return {};
}

Status SlotFiles::Write(const std::string& name, ByteSpan bytes) {
  if (name.size() > kLongestName) return Fail(ErrorCode::kInvalid, "{} is too long a name", name);
  auto place = TakeFree(kContentAt + bytes.size());
  if (!place) return std::unexpected(place.error());
  const auto before = seen_.taken.find(name);
  const uint32_t number = before == seen_.taken.end() ? 1 : before->second.number + 1;
  Bytes slot(kSlotMagic.begin(), kSlotMagic.end());
  slot.reserve(kContentAt + bytes.size());
  AppendUint32(slot, static_cast<uint32_t>(bytes.size()));
  AppendUint32(slot, number);
  slot.insert(slot.end(), name.begin(), name.end());
  slot.resize(kContentAt);
  slot.insert(slot.end(), bytes.begin(), bytes.end());
  const auto file = files_.OpenFixed(PathOf(place->file));
  if (!file) return std::unexpected(file.error());
  ByteSpan last = slot;
  Status written;
  if (number > 1 && slot.size() > kSector) {
    // What makes it count comes last, in one sector, so that half of it never stands for the older.
    last = last.first(kSector);
    written = (*file)->Write(place->at + kSector, ByteSpan(slot).subspan(kSector));
    if (written) written = (*file)->Sync();
  }
  if (written) written = (*file)->Write(place->at, last);
  if (written) written = (*file)->Sync();
  Take(name, {*place, number});
  if (!written || number == 1) return written;
  const Place older = seen_.nameless.back();
  seen_.nameless.pop_back();
  return Wipe(older.file, {&older, 1});
}

Result<Bytes> SlotFiles::Read(const std::string& name) {
  const auto place = Find(name);
  if (!place) return std::unexpected(place.error());
  const auto head = ReadHead(*place);
  if (!head) return std::unexpected(head.error());
  if (head->size > place->size - kContentAt) {
    return Fail(ErrorCode::kCorrupt, "{} in {} is damaged", name, place->file);
  }
  return ReadFrom(*place, kContentAt, head->size);
}

Status SlotFiles::Withdraw(const std::string& name) {
  const auto place = Find(name);
  if (!place) {
    return place.error().code == ErrorCode::kNotFound ? Status() : std::unexpected(place.error());
  }
  const auto file = files_.OpenFixed(PathOf(place->file));
  if (!file) return std::unexpected(file.error());
  // In one sector. Not zeros: it is free only once all of it is erased.
  const Bytes broken(kSector, 0xff);
  if (Status written = (*file)->Write(place->at, broken); !written) return written;
  if (Status synced = (*file)->Sync(); !synced) return synced;
  seen_.taken.erase(name);
  return Wipe(place->file, {&*place, 1});
}

Status SlotFiles::Wipe(const std::string& file, std::span<const Place> places) {
  const auto open = files_.OpenFixed(PathOf(file));
  if (!open) return std::unexpected(open.error());
  for (const auto& [name, at, size] : places) {
    const Bytes zeros(size);
    const ByteSpan behind = ByteSpan(zeros).subspan(kBlock);
    Status rest = behind.empty() ? Status() : (*open)->Write(at + kBlock, behind);
    if (!rest) return rest;
    if (Status first = (*open)->Write(at, ByteSpan(zeros).first(kBlock)); !first) return first;
  }
  if (Status synced = (*open)->Sync(); !synced) return synced;
  for (const Place& each : places) seen_.free.emplace(each.size, each);
  return {};
}

Status SlotFiles::Erase(std::span<const std::string> names) {
  const bool all_known = std::ranges::all_of(names, [this](const std::string& each) {
    const auto found = seen_.taken.find(each);
    return found != seen_.taken.end() && IsThere(each, found->second);
  });
  if (!all_known) {
    if (Status looked = Look(); !looked) return looked;
  }
  std::map<std::string, std::vector<Place>> by_file;
  std::map<std::string, std::vector<std::string>> names_of;
  for (const std::string& each : std::set(names.begin(), names.end())) {
    const auto found = seen_.taken.find(each);
    if (found == seen_.taken.end()) continue;
    const Place& place = found->second.place;
    by_file[place.file].push_back(place);
    names_of[place.file].push_back(each);
  }
  Status erased;
  for (const auto& [file, places] : by_file) {
    if (Status wiped = Wipe(file, places); wiped) {
      for (const std::string& each : names_of[file]) seen_.taken.erase(each);
    } else {
      erased = wiped;
    }
  }
  return erased;
}

std::vector<std::string> SlotFiles::Spare() const {
  std::map<std::string, size_t> free_slots;
  for (const auto& [size, place] : seen_.free) ++free_slots[place.file];
  std::vector<std::string> spare;
  std::set<size_t> kept;
  for (const auto& [file, count] : free_slots) {
    const FileName name = *ParseName(file);
    const bool is_large = name.size > kSlotKinds.back().size;
    if (count == name.count && (is_large || !kept.insert(name.size).second)) spare.push_back(file);
  }
  return spare;
}

bool SlotFiles::IsClean(const Place& place) {
  const auto bytes = ReadFrom(place, 0, place.size);
  return bytes && std::ranges::all_of(*bytes, [](uint8_t each) { return each == 0; });
}

void SlotFiles::Tidy() {
  std::map<std::string, std::vector<Place>> unclean;
  for (Place& each : std::exchange(seen_.nameless, {}))
    unclean[each.file].push_back(std::move(each));
  std::erase_if(seen_.free, [&](const auto& each) {
    const bool is_clean = IsClean(each.second);
    if (!is_clean) unclean[each.second.file].push_back(each.second);
    return !is_clean;
  });
  for (const auto& [file, places] : unclean) {
    if (Status wiped = Wipe(file, places); !wiped) LogWarning("{}", wiped.error().message);
  }
  for (const std::string& file : Spare()) {
    if (!files_.Remove(PathOf(file))) continue;
    std::erase_if(seen_.free, [&](const auto& each) { return each.second.file == file; });
  }
}

}  // namespace idkiosk
