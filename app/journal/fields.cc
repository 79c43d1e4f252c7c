#include "app/journal/fields.h"

namespace idkiosk {

FieldWriter& FieldWriter::Byte(uint8_t value) {
  bytes_.push_back(value);
  return *this;
}

FieldWriter& FieldWriter::Uint32(uint32_t value) {
  AppendUint32(bytes_, value);
  return *this;
}

FieldWriter& FieldWriter::Int64(int64_t value) {
  AppendUint64(bytes_, static_cast<uint64_t>(value));
  return *this;
}

FieldWriter& FieldWriter::Text(std::string_view text) {
  AppendUint32(bytes_, static_cast<uint32_t>(text.size()));
  bytes_.insert(bytes_.end(), text.begin(), text.end());
  return *this;
}

ByteSpan FieldReader::Take(size_t size) {
  good_ = good_ && size <= rest_.size();
  if (!good_) return {};
  const ByteSpan taken = rest_.first(size);
  rest_ = rest_.subspan(size);
  return taken;
}

uint8_t FieldReader::Byte() {
  const ByteSpan taken = Take(1);
  return good_ ? taken[0] : 0;
}

uint32_t FieldReader::Uint32() {
  const ByteSpan taken = Take(4);
  return good_ ? ReadUint32(taken.first<4>()) : 0;
}

int64_t FieldReader::Int64() {
  const ByteSpan taken = Take(8);
  return good_ ? static_cast<int64_t>(ReadUint64(taken.first<8>())) : 0;
}

Bytes FieldReader::Blob() {
  const ByteSpan taken = Take(Uint32());
  return {taken.begin(), taken.end()};
}

std::string FieldReader::Text() { return std::string(AsText(Take(Uint32()))); }

}  // namespace idkiosk
