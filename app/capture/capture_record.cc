#include "app/capture/capture_record.h"

#include <algorithm>
#include <cmath>
#include <ranges>

namespace idkiosk {
namespace {

int64_t Milliseconds(Duration duration) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(duration).count();
}

double Rounded(double value) { return std::round(value * 1000) / 1000; }

void WriteOptional(JsonWriter& json, std::string_view name, const std::optional<double>& value) {
  if (value) json.Field(name, Rounded(*value));
}

std::optional<double> InterEyeDistance(const FaceObservation& seen) {
  if (!seen.face.has_landmarks) return std::nullopt;
  // Beyond this, one eye hides behind the nose.
  constexpr double kMostYaw = 60;
  const double yaw = std::min(std::abs(seen.pose.yaw.value_or(0)), kMostYaw) * 3.14159265 / 180;
  const Point& right = seen.face.landmarks[kRightEye];
  const Point& left = seen.face.landmarks[kLeftEye];
  return std::hypot(double{left.x} - double{right.x}, double{left.y} - double{right.y}) /
         std::cos(yaw);
}

std::string_view Name(PixelFormat format) {
  switch (format) {
    case PixelFormat::kJpeg:
      return "jpeg";
    case PixelFormat::kYuyv:
      return "yuyv";
    case PixelFormat::kNv12:
      return "nv12";
    case PixelFormat::kGrey:
      return "grey";
    case PixelFormat::kBgr:
      return "bgr";
  }
  return "";
}

void WriteCamera(JsonWriter& json, const CameraInfo& camera) {
  json.Key("camera").BeginObject();
  json.Field("name", camera.name).Field("source", camera.source).Field("live", camera.live);
  json.Field("format", Name(camera.format));
  json.Field("width_px", camera.width).Field("height_px", camera.height);
  json.Field("frames_per_second", camera.frames_per_second);
  json.EndObject();
}

void WriteThresholds(JsonWriter& json, const CaptureSettings& settings) {
  json.Key("thresholds").BeginObject();
  json.Field("min_face_area", settings.min_face_area)
      .Field("max_face_area", settings.max_face_area);
  json.Field("other_face_area", settings.other_face_area);
  json.Field("max_yaw_degrees", settings.max_yaw).Field("max_pitch_degrees", settings.max_pitch);
  json.Field("max_roll_degrees", settings.max_roll);
  json.Field("min_luma", settings.min_luma).Field("max_luma", settings.max_luma);
  json.Field("min_sharpness", settings.min_sharpness);
  std::string_view last;  // two challenges may have one setting
  for (const auto& [name, setting] : kChallenges | std::views::transform(&PromptTraits::asked)) {
    if (setting != nullptr && name != last) json.Field(name, settings.*setting);
    last = name;
  }
  json.Field("hold_ms", Milliseconds(settings.hold));
  json.Field("spacing_ms", Milliseconds(settings.spacing));
  json.Field("selfie_window_ms", Milliseconds(settings.selfie_window));
  json.Field("lost_after_ms", Milliseconds(settings.lost_after));
  json.EndObject();
}

void WritePicture(JsonWriter& json, const PictureRecord& picture) {
  json.BeginObject();
  json.Field("name", picture.name).Field("shows", Name(picture.prompt));
  json.Field("after_ms", Milliseconds(picture.after));
  json.Field("width_px", picture.width).Field("height_px", picture.height);
  json.Field("bytes", static_cast<int64_t>(picture.bytes)).Field("quality", picture.quality);
  json.Key("measured");
  WriteMeasures(json, picture.seen);
  json.EndObject();
}

}  // namespace

void NotePictures(const CaptureBundle& bundle, CaptureRecord& record) {
  for (size_t i = 0; i < record.pictures.size(); ++i) {
    const CapturedPicture& captured = i == 0 ? bundle.selfie : bundle.liveness[i - 1];
    PictureRecord& picture = record.pictures[i];
    picture.width = captured.width;
    picture.height = captured.height;
    picture.quality = captured.quality;
    picture.bytes = captured.jpeg.size();
  }
}

void WriteMeasures(JsonWriter& json, const FrameObservation& seen) {
  json.BeginObject();
  json.Field("frame_width_px", seen.width).Field("frame_height_px", seen.height);
  json.Field("frame_luma", Rounded(seen.luma)).Field("other_faces", seen.other_faces);
  if (seen.face) {
    const FaceObservation& face = *seen.face;
    json.Field("score", Rounded(face.face.score)).Field("face_area", Rounded(face.area));
    WriteOptional(json, "yaw_degrees", face.pose.yaw);
    WriteOptional(json, "pitch_degrees", face.pose.pitch);
    WriteOptional(json, "roll_degrees", face.pose.roll);
    WriteOptional(json, "inter_eye_distance_px", InterEyeDistance(face));
    json.Field("luma", Rounded(face.light.mean));
    json.Field("luma_low", face.light.low).Field("luma_high", face.light.high);
    json.Field("clipped", Rounded(face.light.clipped));
    json.Field("surround_luma", Rounded(face.light.surround));
    json.Field("light_imbalance", Rounded(face.light.imbalance));
    WriteOptional(json, "sharpness", face.sharpness);
    WriteOptional(json, "smile", face.smile);
  }
  json.EndObject();
}

std::string ToJson(const CaptureRecord& record) {
  JsonWriter json(2);
  json.BeginObject();
  json.Field("version", 1);
  json.Field("detector", record.detector);
  if (!record.detector_compromise.empty()) {
    json.Field("detector_compromise", record.detector_compromise);
  }
  WriteCamera(json, record.camera);
  json.Field("challenges", record.camera.live ? "random" : "as shown");
  json.Field("to_first_frame_ms", Milliseconds(record.to_first_frame));
  json.Field("to_selfie_ms", Milliseconds(record.to_selfie));
  json.Field("to_bundle_ms", Milliseconds(record.to_bundle));
  json.Field("own_ms", Milliseconds(record.own));
  json.Field("frames", record.frames).Field("damaged_frames", record.damaged_frames);
  json.Field("restarts", record.restarts);
  WriteThresholds(json, record.settings);
  json.Key("pictures").BeginArray();
  for (const PictureRecord& picture : record.pictures) WritePicture(json, picture);
  json.EndArray().EndObject();
  return json.Take() + "\n";
}

}  // namespace idkiosk
