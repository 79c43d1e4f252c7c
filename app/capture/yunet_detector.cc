#include "app/capture/yunet_detector.h"

#include <algorithm>
#include <opencv2/dnn.hpp>

#include "app/capture/mat.h"
#include "app/capture/yunet_outputs.h"

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

struct YunetDetector::Network {
  cv::dnn::Net net;
  std::vector<std::string> output_names;
  std::vector<cv::Mat> outputs;
  cv::Mat blob;
  std::vector<Face> candidates;
};

YunetDetector::YunetDetector(std::unique_ptr<Network> network) : network_(std::move(network)) {}
YunetDetector::~YunetDetector() = default;

Result<std::unique_ptr<YunetDetector>> YunetDetector::Load(ByteSpan model) {
  auto network = std::make_unique<Network>();
  for (int stride : kStrides) {
    for (const char* output : kOutputs) {
      network->output_names.push_back(fmt::format("{}_{}", output, stride));
    }
  }
  try {
    // A kiosk has other things to do on its other cores, and a picture this small gains nothing.
    cv::setNumThreads(1);
    network->net =
        cv::dnn::readNetFromONNX(reinterpret_cast<const char*>(model.data()), model.size());
    auto names = network->net.getUnconnectedOutLayersNames();
    auto expected = network->output_names;
    std::ranges::sort(names);
    std::ranges::sort(expected);
    if (names != expected) return Fail(ErrorCode::kCorrupt, "the face model is not YuNet 2023mar");
  } catch (const cv::Exception& exception) {
    return Fail(ErrorCode::kCorrupt, "the face model cannot be read: {}", exception.err);
  }
  return std::unique_ptr<YunetDetector>(new YunetDetector(std::move(network)));
}

Status YunetDetector::Detect(const PictureView& bgr, FaceList& faces) {
  faces.Clear();
  if (bgr.empty() || bgr.width > kMaxSide || bgr.height > kMaxSide) {
    return Fail(ErrorCode::kInvalid, "no faces are sought in {} x {} pixels", bgr.width,
                bgr.height);
  }
  Network& network = *network_;
  const int width = PadToMultiple(bgr.width), height = PadToMultiple(bgr.height);
  return WithOpenCv("finding faces", [&]() -> Status {
    const int shape[] = {1, 3, height, width};
    network.blob.create(4, shape, CV_32F);
    FillBlob(bgr, network.blob);
    network.net.setInput(network.blob);
    network.net.forward(network.outputs, network.output_names);
    network.candidates.clear();
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
      ReadYunetLevel(level, kMinScore, network.candidates);
    }
    SuppressOverlaps(network.candidates, kMaxOverlap);
    for (const Face& face : network.candidates) faces.Add(face);
    return {};
  });
}

}  // namespace idkiosk
