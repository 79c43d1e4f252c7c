#include "drivers/scanner/zxing_scanner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <opencv2/imgproc.hpp>

#define ZX_USE_UTF8 1
#include <ZXing/BitMatrix.h>
#include <ZXing/MultiFormatWriter.h>

namespace idkiosk {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;
using ZXing::BarcodeFormat;

// A code as it is printed on white paper, `width` pixels wide.
cv::Mat Printed(const std::string& text, BarcodeFormat format, int width) {
  ZXing::MultiFormatWriter writer(format);
  writer.setEncoding(ZXing::CharacterSet::UTF8).setMargin(4);
  const int height = format == BarcodeFormat::PDF417 ? width / 3 : width;
  const ZXing::BitMatrix bits = writer.encode(text, width, height);
  cv::Mat paper(bits.height(), bits.width(), CV_8UC3, cv::Scalar(235, 240, 240));
  for (int y = 0; y < bits.height(); ++y) {
    for (int x = 0; x < bits.width(); ++x) {
      if (bits.get(x, y)) paper.at<cv::Vec3b>(y, x) = {30, 25, 25};
    }
  }
  return paper;
}

// A camera's frame with the paper held up in it, turned by `degrees`.
cv::Mat HeldUp(const cv::Mat& paper, double degrees = 0) {
  cv::Mat frame(720, 1280, CV_8UC3, cv::Scalar(120, 110, 100));
  const cv::Point2f middle(static_cast<float>(paper.cols) / 2, static_cast<float>(paper.rows) / 2);
  cv::Mat turn = cv::getRotationMatrix2D(middle, degrees, 1);
  turn.at<double>(0, 2) += 640 - middle.x;
  turn.at<double>(1, 2) += 360 - middle.y;
  cv::warpAffine(paper, frame, turn, frame.size(), cv::INTER_LINEAR, cv::BORDER_TRANSPARENT);
  return frame;
}

std::vector<std::string> Read(const cv::Mat& frame) {
  std::vector<std::string> texts;
  const size_t size = frame.total() * frame.elemSize();
  for (const SecretBytes& text : ZxingScanner().Read({frame.data, size}, frame.cols, frame.rows)) {
    texts.emplace_back(text.text());
  }
  return texts;
}

constexpr const char* kSlip = R"({"NIN":"70123456788","fn":"AMINA","phone":"08030000000"})";

class ZxingScannerTest : public testing::TestWithParam<BarcodeFormat> {};

INSTANTIATE_TEST_SUITE_P(Formats, ZxingScannerTest,
                         testing::Values(BarcodeFormat::QRCode, BarcodeFormat::PDF417),
                         [](const auto& format) {
                           return format.param == BarcodeFormat::QRCode ? "Qr" : "Pdf417";
                         });

TEST_P(ZxingScannerTest, ReadsASlipThatIsHeldStraight) {
  EXPECT_THAT(Read(HeldUp(Printed(kSlip, GetParam(), 500))), ElementsAre(kSlip));
}

TEST_P(ZxingScannerTest, ReadsOneThatIsTilted) {
  // The bars of a PDF417 are low: it must be held straighter.
  const double degrees = GetParam() == BarcodeFormat::QRCode ? 15 : 3;
  EXPECT_THAT(Read(HeldUp(Printed(kSlip, GetParam(), 500), degrees)), ElementsAre(kSlip));
  EXPECT_THAT(Read(HeldUp(Printed(kSlip, GetParam(), 500), 180)), ElementsAre(kSlip));
}

TEST_P(ZxingScannerTest, ReadsOneThatIsALittleOutOfFocus) {
  cv::Mat frame = HeldUp(Printed(kSlip, GetParam(), 600));
  cv::GaussianBlur(frame, frame, {}, 1.2);
  EXPECT_THAT(Read(frame), ElementsAre(kSlip));
}

TEST_P(ZxingScannerTest, ReadsOneInTheDark) {
  cv::Mat frame = HeldUp(Printed(kSlip, GetParam(), 500));
  frame *= 0.25;
  cv::Mat noise(frame.size(), CV_8UC3);
  cv::setRNGSeed(7);
  cv::randn(noise, 6, 3);
  frame += noise;
  EXPECT_THAT(Read(frame), ElementsAre(kSlip));
}

TEST(ZxingScannerEdgeTest, ReadsEveryCodeOnAPaper) {
  cv::Mat frame(720, 1280, CV_8UC3, cv::Scalar(235, 240, 240));
  Printed("70123456788", BarcodeFormat::QRCode, 400).copyTo(frame({100, 100, 400, 400}));
  Printed("https://example.org", BarcodeFormat::QRCode, 400).copyTo(frame({700, 100, 400, 400}));
  EXPECT_THAT(Read(frame), UnorderedElementsAre("70123456788", "https://example.org"));
}

TEST(ZxingScannerEdgeTest, FindsNothingWhereNothingIs) {
  EXPECT_THAT(Read(cv::Mat(720, 1280, CV_8UC3, cv::Scalar(120, 110, 100))), IsEmpty());
  cv::Mat noise(720, 1280, CV_8UC3);
  cv::setRNGSeed(7);
  cv::randu(noise, 0, 255);
  EXPECT_THAT(Read(noise), IsEmpty());
}

TEST(ZxingScannerEdgeTest, TakesNoPictureThatIsSmallerThanItSays) {
  const Bytes few(100);
  EXPECT_TRUE(ZxingScanner().Read(few, 640, 480).empty());
  EXPECT_TRUE(ZxingScanner().Read(few, -1, 480).empty());
  EXPECT_TRUE(ZxingScanner().Read({}, 0, 0).empty());
}

}  // namespace
}  // namespace idkiosk
