#include "app/session/staff/pin_record.h"

#include <algorithm>
#include <array>
#include <optional>
#include <ranges>

#include "platform/base/text/digits.h"

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

using Digits = std::string_view;

// Whether each digit follows the one before by the same step, once around the keys: 0 for one digit
// all over, 1 for 890123, 9 for 321098.
bool GoesInSteps(Digits digits, int step) {
  for (size_t i = 1; i < digits.size(); ++i) {
    if ((digits[i - 1] - '0' + step) % 10 != digits[i] - '0') return false;
  }
  return true;
}

bool CountsUpOrDown(Digits digits) { return GoesInSteps(digits, 1) || GoesInSteps(digits, 9); }

// 123123, 27272727.
bool RepeatsABlock(Digits digits) {
  for (size_t block = 1; block <= digits.size() / 2; ++block) {
    if (digits.substr(block) == digits.substr(0, digits.size() - block)) return true;
  }
  return false;
}

// 112233, 447711.
bool IsMadeOfPairs(Digits digits) {
  if (digits.size() % 2 != 0) return false;
  for (size_t i = 0; i < digits.size(); i += 2) {
    if (digits[i] != digits[i + 1]) return false;
  }
  return true;
}

// 123321, 5820285.
bool ReadsTheSameBackwards(Digits digits) {
  return std::ranges::equal(digits, std::views::reverse(digits));
}

int NumberAt(Digits digits, size_t at, size_t size) {
  int number = 0;
  for (const char digit : digits.substr(at, size)) number = 10 * number + digit - '0';
  return number;
}

// Whether it is a date in that order, whose letters stand for the digits of day, month and year.
bool FitsAsDate(Digits digits, std::string_view order) {
  if (digits.size() != order.size()) return false;
  const auto field = [&](char letter) -> std::optional<int> {
    const size_t at = order.find(letter);
    if (at == std::string_view::npos) return std::nullopt;
    return NumberAt(digits, at, order.find_last_of(letter) + 1 - at);
  };
  const int day = field('D').value_or(1);
  const int month = *field('M');
  const int year = *field('Y');
  const bool is_year = std::ranges::count(order, 'Y') == 2 || (year >= 1900 && year <= 2099);
  return day >= 1 && day <= 31 && month >= 1 && month <= 12 && is_year;
}

bool IsADate(Digits digits) {
  constexpr std::string_view kOrders[] = {"DDMMYY", "MMDDYY",   "YYMMDD",   "MMYYYY",
                                          "YYYYMM", "DDMMYYYY", "MMDDYYYY", "YYYYMMDD"};
  return std::ranges::any_of(kOrders, [&](auto order) { return FitsAsDate(digits, order); });
}

// 19942001: of a birth and of a wedding.
bool IsMadeOfYears(Digits digits) {
  if (digits.size() % 4 != 0) return false;
  for (size_t i = 0; i < digits.size(); i += 4) {
    if (const int year = NumberAt(digits, i, 4); year < 1900 || year > 2099) return false;
  }
  return true;
}

// What a thief tries first; the first that fits is said.
struct Guess {
  std::string_view what;
  bool (*fits)(Digits digits);
};
constexpr Guess kGuesses[] = {
    {"repeats a digit, or a few of them", RepeatsABlock},
    {"counts up or down", CountsUpOrDown},
    {"is made of pairs of the same digit", IsMadeOfPairs},
    {"reads the same backwards", ReadsTheSameBackwards},
    {"is a date, such as a birthday or today", IsADate},
    {"is made of years", IsMadeOfYears},
};

// Whether the PIN stands in a text, whatever lies between the text's digits.
bool IsPartOf(Digits pin, const SecretBytes& text) {
  SecretBytes digits(text.size());
  const auto end = std::ranges::copy_if(text.view(), digits.mutable_view().begin(), [](uint8_t c) {
                     return c >= '0' && c <= '9';
                   }).out;
  digits.Truncate(static_cast<size_t>(end - digits.mutable_view().begin()));
  return digits.text().contains(pin);
}

}  // namespace

std::string_view Name(Staff staff) { return staff == Staff::kClerk ? "clerk" : "operator"; }

std::string_view PinSecret(Staff staff) {
  return staff == Staff::kClerk ? "clerk_pin" : "operator_pin";
}

Status CheckNewPin(const SecretBytes& pin, std::span<const SecretBytes> account) {
  const std::string_view text = pin.text();
  const bool digits = std::ranges::all_of(text, IsDigit);
  if (!digits || text.size() < kShortest || text.size() > kLongest) {
    return Fail(ErrorCode::kInvalid, "a PIN has {} to {} digits, and nothing but digits", kShortest,
                kLongest);
  }
  const auto refused = [](std::string_view what) {
    return Fail(ErrorCode::kInvalid, "this PIN {}, which a thief tries first: {}", what,
                kHowToChoosePin);
  };
  for (const Guess& guess : kGuesses) {
    if (guess.fits(text)) return refused(guess.what);
  }
  for (const SecretBytes& each : account) {
    if (IsPartOf(text, each)) return refused("is part of a number of this kiosk's account");
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

ByteSpan PinSalt(const SecretBytes& record) {
  if (record.size() != kRecordSize) return {};
  return record.view().subspan(kSaltAt, kSaltSize);
}

Result<bool> PinFits(const SecretBytes& record, const SecretBytes& pin, const Crypto& crypto) {
  if (record.size() != kRecordSize || ReadUint32(record.view().first<4>()) != kVersion) {
    return Fail(ErrorCode::kCorrupt,
                "the record of the PIN is damaged, or was written by a newer idkiosk: set the PIN "
                "again with 'idkiosk staff pin'");
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
