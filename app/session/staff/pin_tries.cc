#include "app/session/staff/pin_tries.h"

#include <algorithm>

#include "app/session/staff/staff_list.h"
#include "platform/base/log.h"
#include "platform/base/text/digits.h"

// Version 3 of the file is one line of text, always of the same length: "pin-tries/3 ", how often
// it was written (20 digits), a space, the wrong tries of all (7 digits), then for each of 64
// places a space, a name, spaces up to 32 signs, a space and that person's wrong tries (7 digits),
// then a space, a MAC (64 hexadecimal digits) and a line end. A place without a name is nobody's.
// The MAC is the HMAC-SHA-256 of all that stands before its space, a space and the kind of staff,
// by the vault's key "pin-tries/v1". The vault keeps the same line as the secret "clerk.pin_tries"
// or "operator.pin_tries"; when the power fails between the two, the file is the newer one, and
// right.
//
// Version 2, "pin-tries/2 ", had no places: the tries were those of the only person. Version 1,
// "pin-tries/1 ", the number and a line end, had no MAC: anybody could write it. It counts as a
// lockout, or as more where it says more.

namespace idkiosk {
namespace {

constexpr std::string_view kMagic = "pin-tries/3 ";
constexpr std::string_view kMagic2 = "pin-tries/2 ";
constexpr std::string_view kMagic1 = "pin-tries/1 ";
constexpr std::string_view kKeyLabel = "pin-tries/v1";
constexpr size_t kSerialDigits = 20;
constexpr size_t kTriesDigits = 7;
constexpr size_t kNameSize = 32;
constexpr size_t kTriesAt = kMagic.size() + kSerialDigits + 1;
constexpr size_t kPlacesAt = kTriesAt + kTriesDigits;
constexpr size_t kPlaceSize = 1 + kNameSize + 1 + kTriesDigits;
constexpr size_t kMacAt = kPlacesAt + kMostOfOneKind * kPlaceSize + 1;
constexpr size_t kMac2At = kPlacesAt + 1;
constexpr size_t kLargestFile = 4096;

constexpr Duration kFirstWait = std::chrono::seconds(30);
constexpr Duration kLongestWait = std::chrono::minutes(15);

std::optional<int> TriesAt(std::string_view line, size_t at) {
  const auto tries = ParseNumber<int>(line.substr(at, kTriesDigits));
  return tries && *tries >= 0 && *tries <= PinTries::kMost ? tries : std::nullopt;
}

std::string SecretName(Staff staff) { return fmt::format("{}.pin_tries", Name(staff)); }

// What the tries of an only person are among those of all: they lock as long.
int OfAll(int tries) {
  return tries < PinTries::kLockout ? tries : tries - PinTries::kLockout + PinTries::kLockoutOfAll;
}

// What a file without a MAC counts as.
int TriesOfVersion1(std::string_view line) {
  if (!line.starts_with(kMagic1) || !line.ends_with('\n')) return PinTries::kLockoutOfAll;
  line.remove_prefix(kMagic1.size());
  line.remove_suffix(1);
  const int said = ParseNumber<int>(line).value_or(0);
  if (said > PinTries::kMost) return PinTries::kLockoutOfAll;
  return OfAll(std::max(said, PinTries::kLockout));
}

}  // namespace

Duration WaitAfter(int tries, int lockout) {
  Duration wait = tries < lockout ? Duration() : kFirstWait;
  for (int i = lockout; i < tries && wait < kLongestWait; ++i) wait *= 2;
  return std::min(wait, kLongestWait);
}

PinTries::PinTries(const Dependencies& deps, Staff staff, const std::string& state_folder)
    : deps_(deps), staff_(staff), path_(Path(state_folder, staff)) {}

std::string PinTries::Path(const std::string& state_folder, Staff staff) {
  return fmt::format("{}/{}-pin-tries", state_folder, Name(staff));
}

std::string PinTries::Proven(std::string said, const SecretBytes& key) const {
  const std::string whole = fmt::format("{} {}", said, Name(staff_));
  return fmt::format("{} {}\n", said, ToHex(deps_.crypto.HmacSha256(key, AsBytes(whole))));
}

std::string PinTries::TextOf(const Line& line, const SecretBytes& key) const {
  std::string said = fmt::format("{}{:020} {:07}", kMagic, line.serial, line.counts.all);
  size_t places = 0;
  for (const auto& [name, tries] : line.counts.own) {
    if (tries == 0 || places == kMostOfOneKind) continue;
    said += fmt::format(" {:<32} {:07}", name.substr(0, kNameSize), tries);
    ++places;
  }
  for (; places < kMostOfOneKind; ++places) said += fmt::format(" {:<32} {:07}", "", 0);
  return Proven(std::move(said), key);
}

std::optional<PinTries::Line> PinTries::LineOfVersion2(std::string_view text,
                                                       const SecretBytes& key) const {
  if (text.size() < kMac2At) return std::nullopt;
  const auto serial = ParseNumber<uint64_t>(text.substr(kMagic2.size(), kSerialDigits));
  const auto tries = TriesAt(text, kTriesAt);
  if (!serial || !tries) return std::nullopt;
  const std::string same = Proven(std::string(text.substr(0, kPlacesAt)), key);
  if (!SecretBytes::CopyOf(same).Equals(AsBytes(text))) return std::nullopt;
  return Line{*serial, {OfAll(*tries), {}}};
}

std::optional<PinTries::Line> PinTries::LineOf(std::string_view text,
                                               const SecretBytes& key) const {
  if (text.starts_with(kMagic2)) return LineOfVersion2(text, key);
  if (!text.starts_with(kMagic) || text.size() < kMacAt) return std::nullopt;
  const auto serial = ParseNumber<uint64_t>(text.substr(kMagic.size(), kSerialDigits));
  const auto all = TriesAt(text, kTriesAt);
  if (!serial || !all) return std::nullopt;
  Line line{*serial, {*all, {}}};
  for (size_t at = kPlacesAt + 1; at < kMacAt; at += kPlaceSize) {
    std::string_view name = text.substr(at, kNameSize);
    name = name.substr(0, name.find_last_not_of(' ') + 1);
    const auto tries = TriesAt(text, at + kNameSize + 1);
    if (!tries) return std::nullopt;
    if (!name.empty()) line.counts.own.emplace(name, *tries);
  }
  if (!SecretBytes::CopyOf(TextOf(line, key)).Equals(AsBytes(text))) return std::nullopt;
  return line;
}

Result<PinTries::Counts> PinTries::Read(std::span<const std::string> names) {
  if (names.empty()) return Counts();
  const auto key = deps_.storage.DeriveKey(kKeyLabel);
  if (!key) return std::unexpected(key.error());
  const auto copy = deps_.storage.Get(SecretName(staff_));
  if (!copy && copy.error().code != ErrorCode::kNotFound) return std::unexpected(copy.error());
  auto kept = copy ? LineOf(copy->text(), *key) : std::nullopt;
  if (kept && kept->serial > newest_.serial) newest_ = std::move(*kept);

  const auto bytes = deps_.files.Read(path_, kLargestFile);
  const std::string_view text = bytes ? AsText(*bytes) : "";
  auto filed = LineOf(text, *key);
  const bool is_ours = filed && filed->serial >= newest_.serial;
  if (is_ours) newest_ = std::move(*filed);
  // Whoever is not there any more needs no place.
  std::erase_if(newest_.counts.own, [&](const auto& each) {
    return std::ranges::find(names, each.first) == names.end();
  });
  Counts counts = newest_.counts;
  if (!is_ours) counts.all = std::max(counts.all, TriesOfVersion1(text));
  return counts;
}

Status PinTries::Forgive(std::span<const std::string> names, const std::string& name) {
  auto counts = Read(names);
  if (!counts) return std::unexpected(counts.error());
  counts->all = 0;
  counts->own.erase(name);
  return Write(*counts);
}

Status PinTries::Write(const Counts& counts) {
  const auto key = deps_.storage.DeriveKey(kKeyLabel);
  if (!key) return std::unexpected(key.error());
  Line next{newest_.serial + 1, counts};
  const std::string text = TextOf(next, *key);
  Status written = deps_.files.Overwrite(path_, AsBytes(text));
  const bool no_place = !written && (written.error().code == ErrorCode::kNotFound ||
                                     written.error().code == ErrorCode::kFailedPrecondition);
  if (no_place) written = deps_.files.WriteDurably(path_, AsBytes(text), FileAccess::kOwnerOnly);
  if (!written) return written;
  newest_ = std::move(next);
  Status kept = deps_.storage.Put(SecretName(staff_), SecretBytes::CopyOf(text));
  if (kept || kept.error().code != ErrorCode::kExhausted) return kept;
  LogWarning("the vault keeps no copy of the count of wrong PINs: {}", kept.error().message);
  return {};
}

}  // namespace idkiosk
