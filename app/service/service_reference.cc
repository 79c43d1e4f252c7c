#include "app/service/service_reference.h"

#include <algorithm>
#include <string>
#include <vector>

#include "app/settings/nin.h"
#include "platform/base/secret_bytes.h"
#include "platform/base/text/digits.h"
#include "platform/base/text/letter_case.h"

namespace idkiosk {
namespace {

constexpr size_t kOfMobile = 10;  // digits, without what stands for its country

// 70x, 80x, 81x, 90x, 91x: see CheckPhone.
bool IsMobileWithoutZero(std::string_view digits) {
  return digits.size() == kOfMobile && std::string_view("789").contains(digits[0]) &&
         std::string_view(digits[0] == '7' ? "0" : "01").contains(digits[1]);
}

bool IsMobileOfNigeria(std::string_view digits) {
  if (digits.starts_with("00")) digits.remove_prefix(2);
  return digits.starts_with("234") && IsMobileWithoutZero(digits.substr(3));
}

// Eleven digits that begin with a day of these years, as a service counts by the day: 20261127001.
// Of all NINs one in 27,000 looks like that.
bool BeginsWithADay(std::string_view digits) {
  const auto number = [digits](size_t at) {
    return (digits[at] - '0') * 10 + (digits[at + 1] - '0');
  };
  return number(0) == 20 && number(2) >= 20 && number(2) < 30 && number(4) >= 1 &&
         number(4) <= 12 && number(6) >= 1 && number(6) <= 31;
}

bool MayBeNin(std::string_view digits) { return IsNin(digits) && !BeginsWithADay(digits); }

// In capitals, as nobody agrees on the groups and the case of a number.
std::string LettersAndDigits(std::string_view text) {
  std::string plain = UpperCase(text);
  std::erase_if(plain, [](char c) { return !IsLetter(c) && !IsDigit(c); });
  return plain;
}

// With nothing but signs beside its digits.
bool IsNumberOfAPerson(std::string_view text) {
  if (std::ranges::any_of(text, IsLetter)) return false;
  const std::string digits = LettersAndDigits(text);
  return MayBeNin(digits) || IsMobileOfNigeria(digits) || IsMobileWithoutZero(digits) ||
         (text.starts_with('+') && !digits.empty());
}

bool HasNumberOfAPerson(std::string_view text) {
  while (!text.empty()) {
    const auto end = std::ranges::find_if_not(text, IsDigit);
    const std::string_view run(text.begin(), end);
    if (MayBeNin(run) || IsMobileOfNigeria(run)) return true;
    text.remove_prefix(std::min(run.size() + 1, text.size()));
  }
  return false;
}

// Each run of what is `wanted`, in its order.
std::vector<std::string_view> Runs(std::string_view text, bool (*wanted)(char)) {
  std::vector<std::string_view> runs;
  while (!text.empty()) {
    const auto begin = std::ranges::find_if(text, wanted);
    const auto end = std::find_if_not(begin, text.end(), wanted);
    if (begin != end) runs.emplace_back(begin, end);
    text = std::string_view(end, text.end());
  }
  return runs;
}

// A day of birth, with one sign between its groups; a service counts by days of now.
bool HasDayOfBirth(std::string_view text) {
  const auto is_year = [](std::string_view run) {
    return run.size() == 4 &&
           (run.starts_with("19") || run.starts_with("200") || run.starts_with("201"));
  };
  const auto is_short = [](std::string_view run) { return run.size() <= 2; };
  const auto runs = Runs(text, IsDigit);
  for (size_t i = 2; i < runs.size(); ++i) {
    const auto follows = [&](size_t at) {
      return runs[at].data() == runs[at - 1].data() + runs[at - 1].size() + 1;
    };
    if (!follows(i - 1) || !follows(i) || !is_short(runs[i - 1])) continue;
    if (is_year(runs[i - 2]) && is_short(runs[i])) return true;
    if (is_short(runs[i - 2]) && is_year(runs[i])) return true;
  }
  return false;
}

}  // namespace

bool MayBePersonal(std::string_view reference) {
  const bool are_words = reference.contains(' ') && std::ranges::none_of(reference, IsDigit);
  return are_words || reference.contains('@') || IsNumberOfAPerson(reference) ||
         HasNumberOfAPerson(reference) || HasDayOfBirth(reference);
}

bool HoldsName(std::string_view reference, std::string_view name) {
  constexpr size_t kShortestWord = 3;
  const std::string within = UpperCase(reference);
  const auto words = Runs(within, IsLetter);
  std::string joined = within;  // a word may be split
  std::erase_if(joined, [](char c) { return !IsLetter(c); });
  const std::string wanted = UpperCase(name);
  return std::ranges::any_of(Runs(wanted, IsLetter), [&](std::string_view each) {
    if (each.size() < kShortestWord) return false;
    return each.size() > kShortestWord ? joined.contains(each)
                                       : std::ranges::count(words, each) > 0;
  });
}

bool HoldsNumber(std::string_view reference, std::string_view number) {
  constexpr size_t kShortestWithin = 4;
  const std::string within = LettersAndDigits(reference);
  const std::string plain = LettersAndDigits(number);
  if (plain.empty()) return !number.empty() && reference.contains(number);
  if (plain.size() < kShortestWithin) return within == plain;
  std::string_view looked_for = plain;
  if (looked_for.size() > kOfMobile && AreDigits(looked_for)) {
    looked_for.remove_prefix(looked_for.size() - kOfMobile);
  }
  if (within.contains(looked_for)) return true;
  // Letters between its digits.
  std::string digits = within;
  std::erase_if(digits, [](char c) { return !IsDigit(c); });
  return looked_for.size() >= kOfMobile && AreDigits(looked_for) && digits.contains(looked_for);
}

bool HoldsSecret(std::string_view reference, std::string_view secret) {
  // A shorter one, such as an account's number, may well be part of each.
  constexpr size_t kShortest = 8;
  if (secret.size() < kShortest) return false;
  std::string plain = LettersAndDigits(secret);
  const bool holds = reference.contains(secret) ||
                     (plain.size() >= kShortest && LettersAndDigits(reference).contains(plain));
  Wipe(plain);
  return holds;
}

}  // namespace idkiosk
