#include "platform/posix/answer_framing.h"

#include <algorithm>
#include <charconv>

#include "platform/base/text/digits.h"

namespace idkiosk {
namespace {

constexpr size_t kMostDigits = 18;  // fits 63 bits

bool IsLength(std::string_view value) { return value.size() <= kMostDigits && AreDigits(value); }

bool IsChunked(std::string_view value) {
  constexpr std::string_view kChunked = "chunked";
  return std::ranges::equal(value, kChunked, [](char a, char b) { return (a | 0x20) == b; });
}

}  // namespace

void AnswerFraming::Begin(std::string_view line) {
  // What an answer says that only announces another is not said of that.
  length_.clear();
  has_coding_ = false;
  const size_t space = line.find(' ');
  const std::string_view rest = space == line.npos ? "" : line.substr(space + 1);
  const std::string_view status = rest.substr(0, rest.find_first_of(" \r\n"));
  const bool is_status = status.size() == 3 && AreDigits(status);
  if (!is_status) trouble_ = "has a status that is no number of three digits";
}

void AnswerFraming::Add(std::string_view name, std::string_view value) {
  const std::string_view word = name.substr(0, name.find_first_of(" \t"));
  const bool is_length = word == "content-length";
  const bool is_coding = word == "transfer-encoding";
  if (!is_length && !is_coding) return;
  if (word.size() != name.size()) {
    trouble_ = "has a space in the name of a header that says its length";
  } else if (is_coding) {
    if (has_coding_ || !IsChunked(value)) trouble_ = "has a Transfer-Encoding other than chunked";
    has_coding_ = true;
  } else if (!IsLength(value)) {
    trouble_ = "has a Content-Length that is no number of bytes";
  } else if (!length_.empty() && length_ != value) {
    trouble_ = "has two Content-Lengths that differ";
  } else {
    length_ = value;
  }
}

std::optional<uint64_t> AnswerFraming::length() const {
  if (length_.empty()) return std::nullopt;
  uint64_t length = 0;
  std::from_chars(length_.data(), length_.data() + length_.size(), length);
  return length;
}

std::string_view AnswerFraming::trouble() const {
  if (!trouble_.empty()) return trouble_;
  if (has_coding_ && !length_.empty()) return "has a Content-Length and a Transfer-Encoding";
  return {};
}

}  // namespace idkiosk
