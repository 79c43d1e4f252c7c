#include "app/session/staff/pin_tries.h"

#include <algorithm>
#include <charconv>

#include "platform/base/log.h"

// Version 2 of the file is one line of text: "pin-tries/2 ", how often it was written (20 digits),
// a space, the wrong tries (7 digits), a space, a MAC (64 hexadecimal digits) and a line end. The
// MAC is the HMAC-SHA-256 of all that stands before its space, a space and the staff's name, by the
// vault's key "pin-tries/v1". The vault keeps the same line as the secret "clerk.pin_tries" or
// "operator.pin_tries"; when the power fails between the two, the file is the newer one, and right.
//
// Version 1, "pin-tries/1 ", the number and a line end, had no MAC: anybody could write it. It
// counts as a lockout, or as more where it says more.

namespace idkiosk {
namespace {

constexpr std::string_view kMagic = "pin-tries/2 ";
constexpr std::string_view kOldMagic = "pin-tries/1 ";
constexpr std::string_view kKeyLabel = "pin-tries/v1";
constexpr size_t kSerialDigits = 20;
constexpr size_t kTriesDigits = 7;
constexpr size_t kTriesAt = kMagic.size() + kSerialDigits + 1;
constexpr size_t kMacAt = kTriesAt + kTriesDigits + 1;
constexpr size_t kLargestFile = 256;

template <typename Number>
std::optional<Number> NumberOf(std::string_view digits) {
  Number number = 0;
  const char* const end = digits.data() + digits.size();
  const auto [stopped, error] = std::from_chars(digits.data(), end, number);
  if (error != std::errc() || stopped != end) return std::nullopt;
  return number;
}

std::string SecretName(Staff staff) { return fmt::format("{}.pin_tries", Name(staff)); }

// What an older program's file counts as.
int TriesOfOld(std::string_view line) {
  if (!line.starts_with(kOldMagic) || !line.ends_with('\n')) return PinTries::kLockout;
  line.remove_prefix(kOldMagic.size());
  line.remove_suffix(1);
  const int said = NumberOf<int>(line).value_or(0);
  return said > PinTries::kMost ? PinTries::kLockout : std::max(said, PinTries::kLockout);
}

}  // namespace

PinTries::PinTries(const Dependencies& deps, Staff staff, const std::string& state_folder)
    : deps_(deps), staff_(staff), path_(Path(state_folder, staff)) {}

std::string PinTries::Path(const std::string& state_folder, Staff staff) {
  return fmt::format("{}/{}-pin-tries", state_folder, Name(staff));
}

std::string PinTries::LineOf(const Count& count, const SecretBytes& key) const {
  const std::string said = fmt::format("{}{:020} {:07}", kMagic, count.serial, count.tries);
  const std::string proven = fmt::format("{} {}", said, Name(staff_));
  return fmt::format("{} {}\n", said, ToHex(deps_.crypto.HmacSha256(key, AsBytes(proven))));
}

std::optional<PinTries::Count> PinTries::CountOf(std::string_view line,
                                                 const SecretBytes& key) const {
  if (!line.starts_with(kMagic) || line.size() < kMacAt) return std::nullopt;
  const auto serial = NumberOf<uint64_t>(line.substr(kMagic.size(), kSerialDigits));
  const auto tries = NumberOf<int>(line.substr(kTriesAt, kTriesDigits));
  if (!serial || !tries || *tries < 0 || *tries > kMost) return std::nullopt;
  const Count count{*serial, *tries};
  if (!SecretBytes::CopyOf(LineOf(count, key)).Equals(AsBytes(line))) return std::nullopt;
  return count;
}

Result<int> PinTries::Read() {
  if (const auto pin = deps_.storage.Get(PinSecret(staff_)); !pin) {
    if (pin.error().code == ErrorCode::kNotFound) return 0;
    return std::unexpected(pin.error());
  }
  const auto key = deps_.storage.DeriveKey(kKeyLabel);
  if (!key) return std::unexpected(key.error());
  const auto copy = deps_.storage.Get(SecretName(staff_));
  if (!copy && copy.error().code != ErrorCode::kNotFound) return std::unexpected(copy.error());
  const auto kept = copy ? CountOf(copy->text(), *key) : std::nullopt;
  if (kept && kept->serial > newest_.serial) newest_ = *kept;

  const auto bytes = deps_.files.Read(path_, kLargestFile);
  const std::string_view line = bytes ? AsText(*bytes) : "";
  const auto filed = CountOf(line, *key);
  if (!filed || filed->serial < newest_.serial) return std::max(newest_.tries, TriesOfOld(line));
  newest_ = *filed;
  return newest_.tries;
}

Status PinTries::Write(int tries) {
  const auto key = deps_.storage.DeriveKey(kKeyLabel);
  if (!key) return std::unexpected(key.error());
  const Count next{newest_.serial + 1, tries};
  const std::string line = LineOf(next, *key);
  Status written = deps_.files.Overwrite(path_, AsBytes(line));
  const bool no_place = !written && (written.error().code == ErrorCode::kNotFound ||
                                     written.error().code == ErrorCode::kFailedPrecondition);
  if (no_place) written = deps_.files.WriteDurably(path_, AsBytes(line), FileAccess::kOwnerOnly);
  if (!written) return written;
  newest_ = next;
  Status kept = deps_.storage.Put(SecretName(staff_), SecretBytes::CopyOf(line));
  if (kept || kept.error().code != ErrorCode::kExhausted) return kept;
  LogWarning("the vault keeps no copy of the count of wrong PINs: {}", kept.error().message);
  return {};
}

}  // namespace idkiosk
