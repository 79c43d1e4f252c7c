#include "app/capture/vision/yunet_detector.h"

#include <algorithm>
#include <opencv2/dnn.hpp>
#include <utility>

#include "app/capture/image/mat.h"
#include "app/capture/vision/yunet_outputs.h"

namespace idkiosk {
namespace {

// Below this, what it finds on pictures without people outnumbers the faces that it adds.
constexpr float kMinScore = 0.6F;
constexpr float kMaxOverlap = 0.3F;
// The network halves its picture five times.
constexpr int kMultiple = 32;
// Pictures larger than this are not what anybody detects on; the network's memory grows with them.
constexpr int kMaxSide = 2048;

constexpr std::array<int, 3> kStrides = {8, 16, 32};
constexpr std::array<const char*, 4> kOutputs = {"cls", "obj", "bbox", "kps"};
constexpr std::array<int, 4> kChannels = {1, 1, 4, 10};

int PadToMultiple(int size) { return (size + kMultiple - 1) / kMultiple * kMultiple; }

// Planes of B, G and R as the network wants them, black where the picture is padded.
void FillBlob(const PictureView& bgr, cv::Mat& blob) {
  const int width = blob.size[3], height = blob.size[2];
  const int shown = std::min(width, bgr.width);
  for (int channel = 0; channel < 3; ++channel) {
    float* to = blob.ptr<float>(0, channel);
    for (int row = 0; row < height; ++row, to += width) {
      const int filled = row < bgr.height ? shown : 0;
      const uint8_t* from = bgr.row(std::min(row, bgr.height - 1)) + channel;
      for (int column = 0; column < filled; ++column) to[column] = from[3 * column];
      std::fill(to + filled, to + width, 0.0F);
    }
  }
}

}  // namespace

// What OpenCV sets up anew for each other size of the input.
struct YunetDetector::Network {
  cv::dnn::Net net;
  cv::Mat blob;
  std::vector<cv::Mat> outputs;

  [[nodiscard]] bool Takes(int width, int height) const {
    return !blob.empty() && blob.size[3] == width && blob.size[2] == height;
  }
};

YunetDetector::YunetDetector() {
  for (int stride : kStrides) {
    for (const char* output : kOutputs) {
      output_names_.push_back(fmt::format("{}_{}", output, stride));
    }
  }
}
YunetDetector::~YunetDetector() = default;

Result<std::unique_ptr<YunetDetector>> YunetDetector::Load(ByteSpan model) {
  std::unique_ptr<YunetDetector> detector(new YunetDetector);
  try {
    // A kiosk has other things to do on its other cores, and a picture this small gains nothing.
    cv::setNumThreads(1);
    for (auto& network : detector->networks_) {
      network = std::make_unique<Network>();
      network->net =
          cv::dnn::readNetFromONNX(reinterpret_cast<const char*>(model.data()), model.size());
    }
    auto names = detector->networks_.front()->net.getUnconnectedOutLayersNames();
    auto expected = detector->output_names_;
    std::ranges::sort(names);
    std::ranges::sort(expected);
    if (names != expected) return Fail(ErrorCode::kCorrupt, "the face model is not YuNet 2023mar");
  } catch (const cv::Exception& exception) {
    return Fail(ErrorCode::kCorrupt, "the face model cannot be read: {}", exception.err);
  }
  return detector;
}

YunetDetector::Network& YunetDetector::NetworkFor(int width, int height) {
  auto& [last, other] = networks_;
  if (!last->Takes(width, height)) std::swap(last, other);
  return *last;
}

Status YunetDetector::Find(const PictureView& bgr, FaceList& faces) {
  faces.Clear();
  if (bgr.empty() || bgr.width > kMaxSide || bgr.height > kMaxSide) {
    return Fail(ErrorCode::kInvalid, "a picture of {} x {} pixels is not searched for faces",
                bgr.width, bgr.height);
  }
  const int width = PadToMultiple(bgr.width), height = PadToMultiple(bgr.height);
  Network& network = NetworkFor(width, height);
  return WithOpenCv("finding faces", [&]() -> Status {
    const int shape[] = {1, 3, height, width};
    network.blob.create(4, shape, CV_32F);
    FillBlob(bgr, network.blob);
    network.net.setInput(network.blob);
    network.net.forward(network.outputs, output_names_);
    candidates_.clear();
    for (size_t i = 0; i < kStrides.size(); ++i) {
      const int stride = kStrides[i];
      YunetLevel level{stride, width / stride, height / stride, {}, {}, {}, {}};
      const auto cells = static_cast<size_t>(level.columns * level.rows);
      std::span<const float>* const parts[] = {&level.cls, &level.obj, &level.bbox, &level.kps};
      for (size_t part = 0; part < kOutputs.size(); ++part) {
        const cv::Mat& output = network.outputs[i * kOutputs.size() + part];
        const size_t values = cells * static_cast<size_t>(kChannels[part]);
        if (output.total() != values || output.type() != CV_32F || !output.isContinuous()) {
          return Fail(ErrorCode::kInternal, "the face model's outputs have another shape");
        }
        *parts[part] = {output.ptr<float>(), values};
      }
      ReadYunetLevel(level, kMinScore, candidates_);
    }
    SuppressOverlaps(candidates_, kMaxOverlap);
    for (const Face& face : candidates_) faces.Add(face);
    return {};
  });
}

}  // namespace idkiosk
