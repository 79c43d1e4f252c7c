// What a camera or a folder of pictures may hand over, whatever its bytes: analysed, judged, cut
// and encoded as the product does it. libFuzzer, with the address and undefined-behaviour
// sanitizers.
#include <array>
#include <cstdlib>
#include <cstring>

#include "app/capture/bundle_encoder.h"
#include "app/capture/quality_gate.h"
#include "app/capture/vision/frame_analyzer.h"
#include "drivers/camera/picture_file.h"
#include "tests/fakes/fake_file_system.h"

namespace idkiosk {
namespace {

// Ends the program with a finding where something does not hold that its header promises.
void Require(bool holds) {
  if (!holds) std::abort();
}

// Takes values from the end of the input, so that its beginning stays a picture.
class Tail {
 public:
  explicit Tail(ByteSpan bytes) : bytes_(bytes) {}

  uint8_t Byte() {
    if (bytes_.empty()) return 0;
    const uint8_t last = bytes_.back();
    bytes_ = bytes_.first(bytes_.size() - 1);
    return last;
  }
  int Short() {
    const int high = Byte();
    return high << 8 | Byte();
  }
  // -1..2
  float Share() { return static_cast<float>(Byte()) / 85.0F - 1; }

  [[nodiscard]] ByteSpan rest() const { return bytes_; }

 private:
  ByteSpan bytes_;
};

// Finds what it is told to, also far outside of the picture.
class ToldDetector final : public FaceDetector {
 public:
  void Tell(Tail& tail) {
    count_ = tail.Byte() % 4;
    for (size_t i = 0; i < count_; ++i) {
      Face& face = told_[i];
      face.box = {tail.Share(), tail.Share(), (tail.Share() + 1) / 2, (tail.Share() + 1) / 2};
      for (Point& point : face.landmarks) point = {tail.Share(), tail.Share()};
      face.score = (tail.Share() + 1) / 3;
      face.has_landmarks = tail.Byte() % 2 == 0;
    }
  }

  Status Find(const PictureView& bgr, FaceList& faces) override {
    Require(!bgr.empty());
    faces.Clear();
    const auto width = static_cast<float>(bgr.width), height = static_cast<float>(bgr.height);
    for (size_t i = 0; i < count_; ++i) {
      Face face = told_[i];
      face.box = {face.box.x * width, face.box.y * height, face.box.width * width + 1,
                  face.box.height * height + 1};
      for (Point& point : face.landmarks) point = {point.x * width, point.y * height};
      faces.Add(face);
    }
    return {};
  }
  [[nodiscard]] bool finds_landmarks() const override { return true; }
  [[nodiscard]] int preferred_side() const override { return 160; }
  [[nodiscard]] std::string_view name() const override { return "told"; }

 private:
  std::array<Face, 3> told_;
  size_t count_ = 0;
};

// A picture where the input begins as one, else raw pixels that may be of any size and stride.
Frame FrameOf(ByteSpan bytes) {
  Tail tail(bytes);
  Frame frame;
  if (bytes.size() >= 2 && bytes[0] == 0xff && bytes[1] == 0xd8) {
    frame.data = bytes;
    return frame;
  }
  constexpr std::array kFormats = {PixelFormat::kYuyv, PixelFormat::kNv12, PixelFormat::kGrey,
                                   PixelFormat::kBgr, PixelFormat::kJpeg};
  frame.format = kFormats[tail.Byte() % kFormats.size()];
  frame.width = tail.Short() - 16;
  frame.height = tail.Short() - 16;
  frame.stride = tail.Short() - 16;
  frame.data = tail.rest();
  return frame;
}

// Everything that is kept from one frame to the next, as the product keeps it.
struct Eyes {
  CaptureSettings settings;
  ToldDetector detector;
  FrameAnalyzer analyzer{settings, detector};
  BundleEncoder encoder{settings, analyzer.decoder()};
  QualityGate gate{settings};
  FakeFileSystem files;
};

void LookAt(Eyes& eyes, const Frame& frame) {
  auto seen = eyes.analyzer.Analyze(frame);
  if (!seen) {
    Require(seen.error().code == ErrorCode::kCorrupt || seen.error().code == ErrorCode::kInvalid);
    Require(!seen.error().message.empty());
    return;
  }
  Require(seen->width > 0 && seen->height > 0);
  (void)eyes.analyzer.MeasureDetail(frame, Detail::kFace, *seen);
  (void)eyes.gate.Judge(*seen, Purpose::kSelfie);
  if (!seen->face) return;
  const KeptFrame kept{frame, HeadCut(seen->face->face.box, seen->width, seen->height)};
  const auto picture = eyes.encoder.EncodePicture(kept, 320, 20'000);
  if (!picture) return;
  Require(picture->jpeg.size() <= 20'000);
  Frame again;
  again.data = picture->jpeg.view();
  Require(eyes.analyzer.AnalyzeThoroughly(again).has_value());
}

}  // namespace
}  // namespace idkiosk

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace idkiosk;
  static Eyes eyes;
  const ByteSpan bytes(data, size);
  Tail tail(bytes);
  eyes.detector.Tell(tail);
  LookAt(eyes, FrameOf(bytes));
  // The same bytes as a file, which may be a PNG.
  eyes.files.Put("/picture", Bytes(bytes.begin(), bytes.end()));
  if (const auto file = ReadPictureFile(eyes.files, "/picture")) LookAt(eyes, *file);
  return 0;
}
