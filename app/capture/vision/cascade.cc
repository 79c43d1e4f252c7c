#include "app/capture/vision/cascade.h"

namespace idkiosk {
namespace {

constexpr double kScaleStep = 1.1;

}  // namespace

Result<Cascade> Cascade::Load(const std::string& folder, std::string_view name, FileSystem& files) {
  const std::string path = fmt::format("{}/haarcascade_{}.xml", folder, name);
  const auto exists = files.Exists(path);
  if (!exists) return std::unexpected(exists.error());
  if (!*exists) {
    return Fail(ErrorCode::kNotFound, "no face cascade at {}: install Debian's opencv-data", path);
  }
  // OpenCV would read for ever from a pipe in its place.
  if (const auto file = files.ReadPart(path, 0, 1); !file) return std::unexpected(file.error());
  Cascade cascade;
  bool loaded = false;
  try {
    loaded = cascade.classifier_.load(path);
  } catch (const cv::Exception&) {
    // Told below.
  }
  if (!loaded) return Fail(ErrorCode::kCorrupt, "{} is not a cascade that OpenCV can read", path);
  return cascade;
}

const std::vector<Cascade::Found>& Cascade::Search(const cv::Mat& grey, cv::Size smallest,
                                                   cv::Size largest, int neighbours,
                                                   Measure measure) {
  found_.clear();
  if (measure == Measure::kVotes) {
    classifier_.detectMultiScale(grey, places_, counts_, kScaleStep, neighbours, 0, smallest,
                                 largest);
    for (size_t i = 0; i < places_.size(); ++i) found_.push_back({places_[i], counts_[i], 0});
    return found_;
  }
  // In this call the counts are of stages passed, and all were.
  classifier_.detectMultiScale(grey, places_, counts_, margins_, kScaleStep, neighbours, 0,
                               smallest, largest, true);
  for (size_t i = 0; i < places_.size(); ++i) found_.push_back({places_[i], 0, margins_[i]});
  return found_;
}

}  // namespace idkiosk
