#include "tests/drivers/printer/paper.h"

#include <fmt/format.h>

#include <algorithm>

namespace idkiosk {
namespace {

constexpr size_t kColumns = 32;

// A printer's own view of ESC/POS, written from its manual and not from the encoder.
class Paper {
 public:
  explicit Paper(ByteSpan bytes) : bytes_(bytes) {}

  std::string Print() {
    while (at_ < bytes_.size()) {
      const uint8_t byte = Take();
      if (byte == 0x1B) {
        Escape();
      } else if (byte == 0x1D) {
        GroupSeparator();
      } else if (byte == '\n') {
        EndLine();
      } else {
        line_.push_back(static_cast<char>(byte));
      }
    }
    return paper_;
  }

 private:
  uint8_t Take() { return at_ < bytes_.size() ? bytes_[at_++] : 0; }

  void Unknown(std::string_view prefix, uint8_t code) {
    paper_ += fmt::format("<unknown {} {:02X}>\n", prefix, code);
  }

  void Escape() {
    const uint8_t code = Take();
    if (code == '@') {
      factor_ = 1;
    } else if (code == 't') {
      if (Take() != 16) Unknown("code page", bytes_[at_ - 1]);
    } else if (code == 'a') {
      centred_ = Take() == 1;
    } else if (code == 'E') {
      Take();  // bold: not shown
    } else {
      Unknown("1B", code);
    }
  }

  void GroupSeparator() {
    const uint8_t code = Take();
    if (code == '!') {
      const uint8_t size = Take();
      if ((size >> 4) != (size & 15)) Unknown("size", size);
      factor_ = (size & 15U) + 1;
    } else if (code == 'V') {
      if (Take() != 'B') Unknown("cut", bytes_[at_ - 1]);
      Take();
      paper_ += "~~~~\n";
    } else if (code == '(' && Take() == 'k') {
      Code();
    } else {
      Unknown("1D", code);
    }
  }

  void Code() {
    size_t length = Take();
    length += static_cast<size_t>(Take()) << 8;
    const ByteSpan body = bytes_.subspan(at_, std::min(length, bytes_.size() - at_));
    at_ += body.size();
    if (body.size() != length || length < 3 || body[0] != 0x31) return Unknown("code", 0);
    const std::string_view text = AsText(body.subspan(2));
    switch (body[1]) {
      case 0x41:  // model 2
      case 0x43:  // size of a module
      case 0x45:  // correction
        return;
      case 0x50:
        stored_ = text.substr(1);
        return;
      case 0x51:
        line_ += fmt::format("[QR {}]", stored_);
        return;
      default:
        Unknown("code function", body[1]);
    }
  }

  void EndLine() {
    const size_t width = line_.size() * factor_;
    const bool code = line_.starts_with("[QR");
    if (width > kColumns && !code) paper_ += "<too wide>";
    const size_t indent =
        centred_ && width < kColumns && !line_.empty() ? (kColumns - width) / 2 : 0;
    if (factor_ > 1 && !line_.empty()) paper_ += fmt::format("x{} ", factor_);
    paper_ += std::string(indent, ' ') + line_ + "\n";
    line_.clear();
  }

  const ByteSpan bytes_;
  size_t at_ = 0;
  size_t factor_ = 1;
  bool centred_ = false;
  std::string line_;
  std::string stored_;
  std::string paper_;
};

}  // namespace

std::string PaperOf(ByteSpan bytes) { return Paper(bytes).Print(); }

}  // namespace idkiosk
