#include "app/capture/image/png_size.h"

#include <string_view>

namespace idkiosk {

std::optional<PngSize> ReadPngSize(ByteSpan png) {
  constexpr std::string_view kStart = "\x89PNG\r\n\x1A\n";
  // The signature, then the length and the name of the first chunk, then width and height.
  constexpr size_t kNameAt = 12;
  constexpr size_t kWidthAt = 16;
  if (png.size() < kWidthAt + 8 || !AsText(png).starts_with(kStart)) return std::nullopt;
  if (AsText(png).substr(kNameAt, 4) != "IHDR") return std::nullopt;
  const PngSize size{ReadUint32(png.subspan(kWidthAt).first<4>()),
                     ReadUint32(png.subspan(kWidthAt + 4).first<4>())};
  return size.width > 0 && size.height > 0 ? std::optional(size) : std::nullopt;
}

}  // namespace idkiosk
