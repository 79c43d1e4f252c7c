#include "app/capture/capture_record.h"

#include <cmath>

namespace idkiosk {
namespace {

int64_t Milliseconds(Duration duration) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(duration).count();
}

double Rounded(double value) { return std::round(value * 1000) / 1000; }

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
  const auto write = [&](std::string_view name, double CaptureSettings::* setting) {
    if (setting != nullptr) json.Field(name, settings.*setting);
  };
  for (const MeasureTraits& each : kMeasures) {
    write(each.least.name, each.least.setting);
    write(each.most.name, each.most.setting);
  }
  write("other_face_area", &CaptureSettings::other_face_area);
  std::string_view last;  // two challenges may have one setting
  for (const PromptTraits& each : kChallenges) {
    if (each.asked.name != last) write(each.asked.name, each.asked.setting);
    last = each.asked.name;
  }
  json.Field("hold_ms", Milliseconds(settings.hold));
  json.Field("spacing_ms", Milliseconds(settings.spacing));
  json.Field("selfie_window_ms", Milliseconds(settings.selfie_window));
  json.Field("lost_after_ms", Milliseconds(settings.lost_after));
  json.EndObject();
}

void WriteLight(JsonWriter& json, const LightRecord& light) {
  json.Key("light").BeginObject().Field("finding", Name(light.finding));
  if (light.instead) json.Field("instead", Name(*light.instead));
  if (!light.asked.empty()) {
    const LightTiming timing = TimingOf(light.pace);
    json.Field("each_ms", Milliseconds(timing.each)).Field("fade_ms", Milliseconds(timing.fade));
    json.Key("asked").BeginArray();
    for (std::string_view each : light.asked) json.Value(each);
    json.EndArray().Key("seen").BeginArray();
    for (const Tint& each : light.seen) {
      json.BeginObject().Field("red", Rounded(each.red)).Field("blue", Rounded(each.blue));
      json.EndObject();
    }
    json.EndArray();
    json.Field("against", light.against_behind ? "what is behind" : "the mean");
    json.Field("correlation", Rounded(light.correlation));
    json.Field("strength", Rounded(light.strength));
    json.Field("behind", Rounded(light.behind)).Field("noise", Rounded(light.noise));
    json.Field("lag_ms", Milliseconds(light.lag)).Field("frames", light.frames);
  }
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
  for (const MeasureTraits& each : kMeasures) {
    if (each.of_face && !seen.face) continue;
    if (const double value = each.read(seen); !std::isnan(value)) {
      json.Field(each.name, Rounded(value));
    }
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
  WriteLight(json, record.light);
  WriteThresholds(json, record.settings);
  json.Key("pictures").BeginArray();
  for (const PictureRecord& picture : record.pictures) WritePicture(json, picture);
  json.EndArray().EndObject();
  return json.Take() + "\n";
}

}  // namespace idkiosk
