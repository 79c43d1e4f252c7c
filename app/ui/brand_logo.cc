#include "app/ui/brand_logo.h"

#include "app/capture/image/png_size.h"
#include "platform/base/text/letter_case.h"

namespace idkiosk {
namespace {

constexpr size_t kLargestLogo = 256 << 10;  // bytes
constexpr uint32_t kLongestSide = 4096;
constexpr std::string_view kPngStart = "\x89PNG\r\n\x1A\n";

bool IsGoodSize(ByteSpan png) {
  const auto size = ReadPngSize(png);
  return size && size->width <= kLongestSide && size->height <= kLongestSide;
}

// What is no drawing. As a picture a browser runs and loads nothing of it; as a page of its own the
// page's policy stops it.
std::string_view ForbiddenPart(std::string_view svg) {
  const std::string small = LowerCase(svg);
  for (const std::string_view part :
       {"<script", "<foreignobject", "<!entity", "javascript:", "@import"}) {
    if (small.find(part) != std::string::npos) return part;
  }
  return {};
}

}  // namespace

Result<BrandLogo> LoadBrandLogo(FileSystem& files, const std::string& path) {
  const auto bytes = files.Read(path, kLargestLogo);
  if (!bytes) {
    if (bytes.error().code != ErrorCode::kExhausted) return std::unexpected(bytes.error());
    return Fail(ErrorCode::kInvalid, "{} has more than {} kB: choose a smaller logo", path,
                kLargestLogo >> 10);
  }
  const std::string_view text = AsText(*bytes);
  if (text.starts_with(kPngStart)) {
    if (IsGoodSize(*bytes)) return BrandLogo{std::string(text), "image/png"};
    return Fail(ErrorCode::kInvalid, "{} is damaged, or has more than {} pixels a side", path,
                kLongestSide);
  }
  const std::string_view start = text.substr(0, 1024);
  if (start.find("<svg") == std::string_view::npos || text.find('\0') != std::string_view::npos) {
    return Fail(ErrorCode::kInvalid, "{} is neither a PNG nor an SVG", path);
  }
  if (const auto part = ForbiddenPart(text); !part.empty()) {
    return Fail(ErrorCode::kInvalid,
                "{} holds '{}', which a logo may not: save it as a plain drawing", path, part);
  }
  return BrandLogo{std::string(text), "image/svg+xml"};
}

}  // namespace idkiosk
