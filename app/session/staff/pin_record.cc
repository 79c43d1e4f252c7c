#include "app/session/staff/pin_record.h"

#include <algorithm>
#include <array>

// The record of a PIN (all numbers big endian):
//
//   4 bytes    version, now 1
//   4 bytes    iterations of PBKDF2-HMAC-SHA-256, 1 to 100,000,000
//   16 bytes   salt
//   32 bytes   the stretched PIN
//
// Nothing follows. It lies in the vault, sealed like every secret; the stretching is for whoever
// gets at the vault's key as well.

namespace idkiosk {
namespace {

constexpr uint32_t kVersion = 1;
constexpr size_t kSaltSize = 16;
constexpr size_t kSaltAt = 8;
constexpr size_t kDigestAt = kSaltAt + kSaltSize;
constexpr size_t kRecordSize = kDigestAt + Crypto::kKeySize;
// A damaged number must not keep the thread for hours.
constexpr uint32_t kMostIterations = 100'000'000;

constexpr size_t kShortest = 6;
constexpr size_t kLongest = 12;

constexpr uint32_t kProbe = 20'000;
constexpr Duration kAimed = std::chrono::milliseconds(100);
constexpr uint32_t kFewest = 50'000;

// Whether each digit follows the one before by the same step, once around the keys: 0 for one digit
// all over, 1 for 890123, 9 for 321098.
bool GoesInSteps(std::string_view digits, int step) {
  for (size_t i = 1; i < digits.size(); ++i) {
    if ((digits[i - 1] - '0' + step) % 10 != digits[i] - '0') return false;
  }
  return true;
}

// Whether a few digits come again and again: 123123, 27272727.
bool RepeatsABlock(std::string_view digits) {
  for (size_t block = 2; block <= digits.size() / 2; ++block) {
    if (digits.substr(block) == digits.substr(0, digits.size() - block)) return true;
  }
  return false;
}

}  // namespace

std::string_view Name(Staff staff) { return staff == Staff::kClerk ? "clerk" : "operator"; }

std::string_view PinSecret(Staff staff) {
  return staff == Staff::kClerk ? "clerk_pin" : "operator_pin";
}

Status CheckNewPin(const SecretBytes& pin) {
  const std::string_view text = pin.text();
  const bool digits = std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
  if (!digits || text.size() < kShortest || text.size() > kLongest) {
    return Fail(ErrorCode::kInvalid, "a PIN has {} to {} digits, and nothing but digits", kShortest,
                kLongest);
  }
  if (GoesInSteps(text, 0)) {
    return Fail(ErrorCode::kInvalid,
                "this PIN repeats one digit, which a thief tries first: choose another");
  }
  if (GoesInSteps(text, 1) || GoesInSteps(text, 9)) {
    return Fail(ErrorCode::kInvalid,
                "this PIN counts up or down, which a thief tries first: choose another");
  }
  if (RepeatsABlock(text)) {
    return Fail(ErrorCode::kInvalid,
                "this PIN repeats a few digits, which a thief tries first: choose another");
  }
  return {};
}

uint32_t MeasureIterations(const Crypto& crypto, const Clock& clock) {
  const std::array<uint8_t, kSaltSize> salt{};
  const MonotonicTime begin = clock.Now();
  (void)crypto.Stretch(SecretBytes(kShortest), salt, kProbe);
  const Duration took = std::max<Duration>(clock.Now() - begin, std::chrono::microseconds(1));
  const int64_t wanted = kProbe * (kAimed.count() / 1000) / (took.count() / 1000);
  return static_cast<uint32_t>(std::clamp<int64_t>(wanted, kFewest, kMostIterations));
}

SecretBytes MakePinRecord(const SecretBytes& pin, uint32_t iterations, const Crypto& crypto,
                          Entropy& entropy) {
  Bytes head;
  AppendUint32(head, kVersion);
  AppendUint32(head, iterations);
  std::array<uint8_t, kSaltSize> salt;
  entropy.Fill(salt);
  const SecretBytes stretched = crypto.Stretch(pin, salt, iterations);
  SecretBytes record(kRecordSize);
  auto to = std::ranges::copy(head, record.mutable_view().begin()).out;
  to = std::ranges::copy(salt, to).out;
  std::ranges::copy(stretched.view(), to);
  return record;
}

Result<bool> PinFits(const SecretBytes& record, const SecretBytes& pin, const Crypto& crypto) {
  if (record.size() != kRecordSize || ReadUint32(record.view().first<4>()) != kVersion) {
    return Fail(ErrorCode::kCorrupt,
                "the record of the PIN is damaged, or was written by a newer idkiosk: set the PIN "
                "again with 'idkiosk pin set'");
  }
  const uint32_t iterations = ReadUint32(record.view().subspan<4, 4>());
  if (iterations == 0 || iterations > kMostIterations) {
    return Fail(ErrorCode::kCorrupt, "the record of the PIN is damaged");
  }
  const SecretBytes stretched =
      crypto.Stretch(pin, record.view().subspan(kSaltAt, kSaltSize), iterations);
  return stretched.Equals(record.view().subspan(kDigestAt));
}

}  // namespace idkiosk
