#ifndef IDKIOSK_PLATFORM_POSIX_ANSWER_FRAMING_H_
#define IDKIOSK_PLATFORM_POSIX_ANSWER_FRAMING_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace idkiosk {

// Judges whether the header of an answer says in one way alone where the answer ends. Two readers
// of one that says it in two ways see two different answers, and the bytes that one of them leaves
// are the next answer to the other (RFC 9112, 6.3).
class AnswerFraming {
 public:
  // Takes the line that the answer begins with. libcurl reads the first three digits of its status,
  // and passes over what else stands there: "2000" is no 200.
  void Begin(std::string_view line);

  // Takes a header line: the name as it was sent, in lower case, and the value without the spaces
  // around it.
  void Add(std::string_view name, std::string_view value);

  // Returns what is wrong with it, for "the answer ..."; empty where nothing is.
  [[nodiscard]] std::string_view trouble() const;

  [[nodiscard]] bool says_length() const { return !length_.empty(); }
  // Nothing where it says none.
  [[nodiscard]] std::optional<uint64_t> length() const;
  // Returns whether it says where the answer ends: by its length, or by a last chunk.
  [[nodiscard]] bool says_end() const { return has_coding_ || !length_.empty(); }

 private:
  std::string length_;
  bool has_coding_ = false;
  std::string_view trouble_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_PLATFORM_POSIX_ANSWER_FRAMING_H_
