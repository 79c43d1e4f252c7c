#include "app/accounts/amount.h"

#include <algorithm>

#include "platform/base/text/digits.h"
#include "platform/base/text/letter_case.h"
#include "platform/base/text/trimmed.h"

namespace idkiosk {
namespace {

constexpr size_t kMostDigits = 15;  // of the whole part: fits with its hundredths

// What stands between the thousands; a space where there is nothing.
char MarkIn(std::string_view whole) {
  const size_t at = whole.find_first_of(",.'");
  return at == whole.npos ? ' ' : whole[at];
}

// "1,234,567" with this mark; also without any.
bool IsGrouped(std::string_view whole, char mark) {
  size_t after = 0;  // digits behind the last mark
  bool marked = false;
  for (const char each : whole) {
    if (each == mark) {
      if (marked ? after != 3 : after == 0 || after > 3) return false;
      marked = true;
      after = 0;
    } else if (!IsDigit(each)) {
      return false;
    } else {
      ++after;
    }
  }
  return after > 0 && (!marked || after == 3);
}

// As typed on a plain keyboard: spreadsheets put spaces that do not break, and typographers'
// apostrophes, between the thousands. Zeros behind the second decimal say nothing.
std::string Plain(std::string_view text) {
  constexpr std::pair<std::string_view, char> kSame[] = {
      {"\xC2\xA0", ' '}, {"\xE2\x80\xAF", ' '}, {"\xE2\x80\x99", '\''}};
  std::string plain;
  while (!text.empty()) {
    const auto* const same =
        std::ranges::find_if(kSame, [&](const auto& each) { return text.starts_with(each.first); });
    const bool is_same = same != std::end(kSame);
    plain.push_back(is_same ? same->second : text.front());
    text.remove_prefix(is_same ? same->first.size() : 1);
  }
  const size_t last = plain.find_last_of(",.");
  // Three decimals may be thousands.
  const bool is_fine = last != plain.npos && plain.size() - last > 4;
  while (is_fine && plain.size() - last > 3 && plain.ends_with('0')) plain.pop_back();
  return plain;
}

std::unexpected<Error> NoAmount(std::string_view text) {
  if (text.empty()) return Fail(ErrorCode::kInvalid, "no amount stands here: write it as 1234.50");
  return Fail(ErrorCode::kInvalid, "\"{}\" is no amount: write it as 1234.50", text);
}

std::unexpected<Error> Unreadable(std::string_view text) {
  if (text.starts_with('-')) {
    return Fail(ErrorCode::kInvalid,
                "\"{}\" is negative: a credit is not an attempt's price; settle it separately",
                text);
  }
  return NoAmount(text);
}

constexpr std::string_view kNaira = "\xE2\x82\xA6";
constexpr std::string_view kTypedNaira = "=N=";  // of a keyboard without the sign
constexpr std::string_view kNairaLetter = "N";
constexpr std::string_view kMinus = "\xE2\x88\x92";  // the sign of mathematics

// How long the currency is that `text` begins with; 0: it begins with none.
size_t CurrencyAt(std::string_view text) {
  constexpr size_t kCode = 3;
  for (const std::string_view sign : {kNaira, kTypedNaira}) {
    if (text.starts_with(sign)) return sign.size();
  }
  const size_t letters =
      static_cast<size_t>(std::ranges::find_if_not(text, IsLetter) - text.begin());
  const bool is_letter = text.starts_with(kNairaLetter) && letters == kNairaLetter.size();
  return letters == kCode || is_letter ? letters : 0;
}

// Whether that is no part of the amount itself, but a sign, a bracket or a space at one end of it.
bool IsAround(std::string_view text) {
  std::string rest(text);
  for (size_t at = rest.find(kMinus); at != rest.npos; at = rest.find(kMinus)) {
    rest.erase(at, kMinus.size());
  }
  return rest.find_first_not_of(" ()+-") == rest.npos;
}

// Of ASCII, and in no amount whatever.
bool IsStrange(char each) {
  return each > 0 && !IsDigit(each) && !std::string_view(" ,.'()+-").contains(each);
}

}  // namespace

std::string CurrencyCode(std::string_view text) {
  const bool is_naira = text == kNaira || text == kTypedNaira || text == kNairaLetter ||
                        EqualsIgnoringCase(text, "naira");
  return is_naira ? "NGN" : UpperCase(text);
}

Result<int64_t> ParseAmount(std::string_view as_written) {
  const std::string plain = Plain(as_written);
  const std::string_view text = plain;
  size_t last = text.find_last_of(",.");
  // 1,234,567: the same mark twice is none of decimals.
  if (last != text.npos && text.find(text[last]) != last && IsGrouped(text, text[last])) {
    last = text.npos;
  }
  const std::string_view whole = text.substr(0, last);
  const std::string_view part = last == text.npos ? "" : text.substr(last + 1);
  const bool has_other = whole.find_first_of(",.' ") != whole.npos;
  if (last != text.npos && part.size() == 3 && AreDigits(part) && !has_other && whole != "0") {
    return Fail(ErrorCode::kInvalid,
                "\"{}\" may mean two amounts: write {}{}.00, or round it to two decimals", text,
                whole, part);
  }
  const bool is_decimal = last != text.npos && !whole.contains(text[last]);
  if (is_decimal && part.size() > 2 && AreDigits(part) && IsGrouped(whole, MarkIn(whole))) {
    return Fail(ErrorCode::kInvalid, "\"{}\" has more than two decimals: round it to two", text);
  }
  if (last != text.npos && (part.empty() || part.size() > 2 || !AreDigits(part))) {
    return Unreadable(text);
  }
  const char decimal = last == text.npos ? '\0' : text[last];
  const char mark = MarkIn(whole);
  if (mark == decimal || !IsGrouped(whole, mark)) return Unreadable(text);
  std::string digits;
  std::ranges::copy_if(whole, std::back_inserter(digits), IsDigit);
  if (digits.size() > kMostDigits) {
    return Fail(ErrorCode::kInvalid, "\"{}\" is more than {}.99, the largest amount there is", text,
                std::string(kMostDigits, '9'));
  }
  digits += part;
  digits.append(2 - part.size(), '0');
  int64_t hundredths = 0;
  for (const char each : digits) hundredths = hundredths * 10 + (each - '0');
  return hundredths;
}

Result<int64_t> ParseSignedAmount(std::string_view text) {
  std::string_view size = text;
  if (text.starts_with('(') && text.ends_with(')')) {
    size = text.substr(1, text.size() - 2);
  } else if (text.starts_with('-')) {
    size.remove_prefix(1);
  } else if (text.starts_with(kMinus)) {
    size.remove_prefix(kMinus.size());
  } else if (text.ends_with('-')) {
    size.remove_suffix(1);
  } else {
    if (size.starts_with('+')) size.remove_prefix(1);
    return ParseAmount(size);
  }
  if (size.starts_with(' ')) size.remove_prefix(1);
  const auto amount = ParseAmount(size);
  if (!amount) return amount;
  return -*amount;
}

Result<InvoicedPrice> ParseInvoicedPrice(std::string_view as_written) {
  const std::string text = Plain(as_written);
  InvoicedPrice price;
  std::string amount = text;
  for (size_t at = 0; at < text.size(); ++at) {
    const size_t size = CurrencyAt(std::string_view(text).substr(at));
    if (size == 0 || (at > 0 && IsLetter(text[at - 1]))) continue;
    const std::string before(Trimmed(text.substr(0, at)));
    const std::string behind(Trimmed(text.substr(at + size)));
    if (!IsAround(before) && !IsAround(behind)) continue;
    price.currency = CurrencyCode(text.substr(at, size));
    amount = before + behind;
    break;
  }
  const auto hundredths = ParseSignedAmount(amount);
  if (!hundredths) {
    const bool is_whole =
        std::ranges::any_of(amount, IsDigit) && std::ranges::none_of(amount, IsStrange);
    return is_whole ? std::unexpected(hundredths.error()) : NoAmount(text);
  }
  price.hundredths = *hundredths;
  return price;
}

}  // namespace idkiosk
