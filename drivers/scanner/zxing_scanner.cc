#include "drivers/scanner/zxing_scanner.h"

#define ZX_USE_UTF8 1
#include <ZXing/ReadBarcode.h>

#include <exception>

#include "platform/base/log.h"

namespace idkiosk {

std::vector<SecretBytes> ZxingScanner::Read(ByteSpan bgr, int width, int height) {
  std::vector<SecretBytes> texts;
  constexpr size_t kChannels = 3;
  if (width <= 0 || height <= 0 ||
      bgr.size() < kChannels * static_cast<size_t>(width) * static_cast<size_t>(height)) {
    return texts;
  }
  try {
    ZXing::DecodeHints hints;
    hints.setFormats(ZXing::BarcodeFormat::QRCode | ZXing::BarcodeFormat::PDF417);
    hints.setTryHarder(true);
    hints.setTryRotate(true);
    const ZXing::ImageView picture(bgr.data(), width, height, ZXing::ImageFormat::BGR);
    for (const ZXing::Result& code : ZXing::ReadBarcodes(picture, hints)) {
      if (!code.isValid()) continue;
      std::string text = code.text();
      texts.push_back(SecretBytes::Take(text));
    }
  } catch (const std::exception& failed) {
    LogWarning("reading codes: {}", failed.what());
  }
  return texts;
}

}  // namespace idkiosk
