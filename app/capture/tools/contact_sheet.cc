#include "app/capture/tools/contact_sheet.h"

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>

#include "app/capture/image/jpeg_encoder.h"
#include "app/capture/image/mat.h"

namespace idkiosk {
namespace {

constexpr Duration kNowAndThen = std::chrono::milliseconds(400);

// Pixels.
constexpr int kFrameSide = 320, kFrameHeight = 180;
constexpr int kLine = 13, kLines = 5;
constexpr int kTileHeight = kFrameHeight + kLine * kLines + 4;
constexpr int kColumns = 5, kGap = 4;
constexpr int kQuality = 88;

const cv::Scalar kWhite(255, 255, 255), kGrey(170, 170, 170), kGreen(90, 220, 90),
    kYellow(60, 210, 250), kBlack(0, 0, 0);

void Write(cv::Mat& on, int line, const std::string& text, const cv::Scalar& colour) {
  cv::putText(on, text, {4, kFrameHeight + kLine * (line + 1)}, cv::FONT_HERSHEY_SIMPLEX, 0.36,
              colour, 1, cv::LINE_AA);
}

std::string Degrees(std::string_view name, const std::optional<double>& angle) {
  // Without a negative zero.
  return angle ? fmt::format("{} {:+.0f}  ", name, std::round(*angle) + 0.0)
               : fmt::format("{} -  ", name);
}

void DrawFace(cv::Mat& on, const Face& face, float scale) {
  const auto at = [scale](const Point& point) {
    return cv::Point(static_cast<int>(point.x / scale), static_cast<int>(point.y / scale));
  };
  const Point end{face.box.x + face.box.width, face.box.y + face.box.height};
  cv::rectangle(on, at({face.box.x, face.box.y}), at(end), kGreen, 1, cv::LINE_AA);
  if (!face.has_landmarks) return;
  for (const Point& point : face.landmarks) {
    cv::circle(on, at(point), 2, kYellow, cv::FILLED, cv::LINE_AA);
  }
}

void WriteMeasures(cv::Mat& on, const FrameObservation& seen) {
  if (!seen.face) {
    Write(on, 2, fmt::format("frame luma {:.0f}  contrast {:.0f}", seen.luma, seen.contrast),
          kGrey);
    return;
  }
  const FaceObservation& face = *seen.face;
  Write(on, 2,
        Degrees("yaw", face.pose.yaw) + Degrees("pitch", face.pose.pitch) +
            Degrees("roll", face.pose.roll),
        kWhite);
  Write(on, 3,
        fmt::format("luma {:.0f} ({:.0f}..{:.0f}) behind {:.0f} white {:.0f} %", face.light.mean,
                    face.light.low, face.light.high, face.light.surround, 100 * face.light.clipped),
        kGrey);
  std::string rest = fmt::format("area {:.3f}  score {:.2f}", face.area, face.face.score);
  if (face.sharpness) rest += fmt::format("  sharp {:.0f}", *face.sharpness);
  if (face.smile) rest += fmt::format("  smile {:.2f}", *face.smile);
  if (seen.other_faces > 0) rest += fmt::format("  +{} faces", seen.other_faces);
  Write(on, 4, rest, kGrey);
}

}  // namespace

bool ContactSheet::IsChange(const CaptureProgress& progress) {
  std::string about =
      fmt::format("{} {} {}", Name(progress.prompt), Name(progress.guidance), progress.pictures);
  if (about == shown_ && !progress.restarted) return false;
  shown_ = std::move(about);
  return true;
}

// Every second one of those that may go goes.
void ContactSheet::MakeRoom() {
  bool goes = false;
  const auto surplus = [&](const Tile& tile) { return !tile.change && (goes = !goes); };
  if (std::erase_if(tiles_, surplus) > 0) return;
  tiles_.erase(tiles_.begin() + static_cast<ptrdiff_t>(tiles_.size() / 2));
}

void ContactSheet::OnProgress(const CaptureProgress& progress) {
  const FrameObservation& seen = progress.seen;
  const bool change = IsChange(progress);
  if (!change && last_ && seen.captured_at - *last_ < kNowAndThen) return;
  if (!first_) first_ = seen.captured_at;
  last_ = seen.captured_at;

  // A sheet that lacks a frame is better than a capture that ends for it.
  Picture frame;
  const int side = std::min(
      kFrameSide, std::max(1, kFrameHeight * std::max(seen.width, 1) / std::max(seen.height, 1)));
  const int longest = seen.height > seen.width ? kFrameHeight : side;
  if (!decoder_.DecodeSmall(progress.frame, longest, frame)) return;
  Tile tile;
  tile.change = change;
  tile.picture.Resize(kFrameSide, kTileHeight);
  const Status drawn = WithOpenCv("drawing a contact sheet", [&]() -> Status {
    cv::Mat on = AsMat(tile.picture);
    on.setTo(kBlack);
    AsMat(frame).copyTo(on(cv::Rect(0, 0, frame.width(), frame.height())));
    const float scale = static_cast<float>(seen.width) / static_cast<float>(frame.width());
    if (seen.face) DrawFace(on, seen.face->face, scale);
    const double time = std::chrono::duration<double>(seen.captured_at - *first_).count();
    Write(on, 0,
          fmt::format("{:.2f} s  #{}  {} of 5{}", time, seen.sequence, progress.pictures,
                      progress.restarted ? "  STARTS OVER" : ""),
          progress.restarted ? kYellow : kWhite);
    Write(on, 1, fmt::format("{}: {}", Name(progress.prompt), Name(progress.guidance)),
          progress.guidance == Guidance::kNone ? kGreen : kYellow);
    WriteMeasures(on, seen);
    return {};
  });
  if (!drawn) return;
  if (tiles_.size() == kMostTiles) MakeRoom();
  tiles_.push_back(std::move(tile));
}

Result<SecretBytes> ContactSheet::Encode() {
  if (tiles_.empty()) return Fail(ErrorCode::kFailedPrecondition, "no frame was seen");
  const int count = static_cast<int>(tiles_.size());
  const int columns = std::min(count, kColumns), rows = (count + columns - 1) / columns;
  Picture sheet;
  sheet.Resize(columns * (kFrameSide + kGap) - kGap, rows * (kTileHeight + kGap) - kGap);
  const Status drawn = WithOpenCv("drawing a contact sheet", [&]() -> Status {
    cv::Mat on = AsMat(sheet);
    on.setTo(cv::Scalar(60, 60, 60));
    for (int i = 0; i < count; ++i) {
      const cv::Rect place(i % columns * (kFrameSide + kGap), i / columns * (kTileHeight + kGap),
                           kFrameSide, kTileHeight);
      AsMat(tiles_[static_cast<size_t>(i)].picture).copyTo(on(place));
    }
    return {};
  });
  if (!drawn) return std::unexpected(drawn.error());
  return JpegEncoder().Encode(sheet.view(), kQuality);
}

}  // namespace idkiosk
