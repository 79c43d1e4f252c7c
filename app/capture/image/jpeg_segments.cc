#include "app/capture/image/jpeg_segments.h"

#include <libexif/exif-data.h>

#include <memory>

namespace idkiosk {
namespace {

constexpr uint8_t kStartOfImage = 0xd8, kEndOfImage = 0xd9, kStartOfScan = 0xda;
constexpr uint8_t kHuffmanTables = 0xc4, kComment = 0xfe;
constexpr uint8_t kApp0 = 0xe0, kApp1 = 0xe1, kApp14 = 0xee, kApp15 = 0xef;

bool StandsAlone(uint8_t marker) {
  return marker == 0x01 || (marker >= 0xd0 && marker <= kStartOfImage);
}

void Note(uint8_t marker, ByteSpan payload, JpegSegments& segments) {
  if (marker == kHuffmanTables) segments.has_huffman_tables = true;
  const bool application = marker >= kApp0 && marker <= kApp15;
  if ((application && marker != kApp0 && marker != kApp14) || marker == kComment) {
    segments.has_metadata = true;
  }
  if (marker == kApp1 && segments.exif.empty() && AsText(payload).starts_with("Exif")) {
    segments.exif = payload;
  }
}

}  // namespace

JpegSegments FindJpegSegments(ByteSpan jpeg) {
  JpegSegments segments;
  size_t at = 0;
  while (at + 2 <= jpeg.size() && jpeg[at] == 0xff) {
    const uint8_t marker = jpeg[at + 1];
    if (marker == 0xff) {  // padding
      ++at;
      continue;
    }
    at += 2;
    if (StandsAlone(marker)) continue;
    if (marker == kStartOfScan || marker == kEndOfImage || at + 2 > jpeg.size()) break;
    const size_t length = static_cast<size_t>(jpeg[at]) << 8 | jpeg[at + 1];
    if (length < 2 || at + length > jpeg.size()) break;
    Note(marker, jpeg.subspan(at + 2, length - 2), segments);
    at += length;
  }
  return segments;
}

int ExifOrientation(ByteSpan exif) {
  if (exif.empty()) return 1;
  const std::unique_ptr<ExifData, void (*)(ExifData*)> data(
      exif_data_new_from_data(exif.data(), static_cast<unsigned>(exif.size())), exif_data_unref);
  if (data == nullptr) return 1;
  const ExifEntry* const entry =
      exif_content_get_entry(data->ifd[EXIF_IFD_0], EXIF_TAG_ORIENTATION);
  if (entry == nullptr || entry->format != EXIF_FORMAT_SHORT || entry->size < 2) return 1;
  const int orientation = exif_get_short(entry->data, exif_data_get_byte_order(data.get()));
  return orientation >= 1 && orientation <= 8 ? orientation : 1;
}

}  // namespace idkiosk
