#include "drivers/printer/escpos.h"

#include <string_view>

#include "drivers/printer/latin_letters.h"

namespace idkiosk {
namespace {

using namespace std::string_view_literals;

constexpr size_t kColumns = 32;
constexpr size_t kLongestCode = 128;  // bytes: more would not be read from so small a paper

constexpr auto kInitialise = "\x1B@"sv;
constexpr auto kWindows1252 = "\x1Bt\x10"sv;
constexpr auto kCentre = "\x1B\x61\x01"sv;
// GS !: four bits of width and four of height, each one less than the factor.
constexpr auto kOnce = "\x1D!\x00"sv;
constexpr auto kTwice = "\x1D!\x11"sv;
constexpr auto kThrice = "\x1D!\x22"sv;
constexpr auto kBold = "\x1B\x45\x01"sv;
constexpr auto kNotBold = "\x1B\x45\x00"sv;
// GS ( k: model 2; modules of 8 dots; a quarter of it may be dirty; print what was stored.
constexpr auto kCodeModel = "\x1D(k\x04\x00\x31\x41\x32\x00"sv;
constexpr auto kCodeModule = "\x1D(k\x03\x00\x31\x43\x08"sv;
constexpr auto kCodeCorrection = "\x1D(k\x03\x00\x31\x45\x32"sv;
constexpr auto kCodePrint = "\x1D(k\x03\x00\x31\x51\x30"sv;
// GS V: feed to the knife, and leave a hinge.
constexpr auto kFeedAndCut = "\x1DVB\x03"sv;

class Writer {
 public:
  void Add(std::string_view text) { bytes_.insert(bytes_.end(), text.begin(), text.end()); }

  // At words where it can; a word that is longer than a line fills it.
  void AddLines(std::string_view text, size_t columns) {
    while (!text.empty()) {
      size_t end = std::min(text.size(), columns);
      if (end < text.size()) {
        const size_t space = text.substr(0, columns + 1).rfind(' ');
        if (space != std::string_view::npos && space > 0) end = space;
      }
      Add(text.substr(0, end));
      Add("\n");
      text.remove_prefix(end);
      while (text.starts_with(' ')) text.remove_prefix(1);
    }
  }

  void AddSized(std::string_view size, std::string_view text, size_t columns) {
    Add(size);
    Add(kBold);
    AddLines(text, columns);
    Add(kNotBold);
    Add(kOnce);
  }

  void AddCode(std::string_view text) {
    text = text.substr(0, kLongestCode);
    const size_t size = text.size() + 3;
    for (const auto step : {kCodeModel, kCodeModule, kCodeCorrection}) Add(step);
    Add("\x1D(k");
    bytes_.push_back(static_cast<uint8_t>(size & 0xFF));
    bytes_.push_back(static_cast<uint8_t>(size >> 8));
    Add("\x31\x50\x30"sv);
    Add(text);
    Add(kCodePrint);
    Add("\n");
  }

  [[nodiscard]] Bytes Take() { return std::move(bytes_); }

 private:
  Bytes bytes_;
};

void AddPart(Writer& writer, const PrintPart& part) {
  const std::string text = ToWindows1252(part.text);
  switch (part.kind) {
    case PrintPart::Kind::kText:
      return writer.AddLines(text, kColumns);
    case PrintPart::Kind::kHeading:
      return writer.AddSized(kTwice, text, kColumns / 2);
    case PrintPart::Kind::kLetters:
      return writer.AddSized(kThrice, text, kColumns / 3);
    case PrintPart::Kind::kSquareCode:
      return writer.AddCode(part.text);
    case PrintPart::Kind::kRule:
      return writer.AddLines(std::string(kColumns, '-'), kColumns);
  }
}

}  // namespace

Bytes EncodeEscPos(const PrintJob& job) {
  Writer writer;
  for (const auto step : {kInitialise, kWindows1252, kCentre}) writer.Add(step);
  for (const PrintPart& part : job) AddPart(writer, part);
  writer.Add("\n");
  writer.Add(kFeedAndCut);
  return writer.Take();
}

}  // namespace idkiosk
