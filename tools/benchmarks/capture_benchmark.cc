// Analysing one frame, and encoding the five pictures.
#include <fmt/format.h>
#include <jpeglib.h>

#include <opencv2/core.hpp>
#include <opencv2/dnn.hpp>
#include <opencv2/imgproc.hpp>
#include <opencv2/objdetect.hpp>
#include <optional>

#include "app/capture/bundle_encoder.h"
#include "app/capture/vision/face_detector.h"
#include "app/capture/vision/frame_analyzer.h"
#include "drivers/camera/camera_source.h"
#include "drivers/camera/linux_video_kernel.h"
#include "drivers/secure_storage/mbedtls_crypto.h"
#include "platform/posix/posix_file_system.h"
#include "platform/posix/system_clock.h"
#include "tools/benchmarks/benchmark.h"

namespace idkiosk {
namespace {

// libjpeg-turbo as it is, nothing kept but the decompressor.
class BareJpeg {
 public:
  BareJpeg() {
    info_.err = jpeg_std_error(&errors_);
    jpeg_create_decompress(&info_);
  }
  ~BareJpeg() { jpeg_destroy_decompress(&info_); }
  BareJpeg(const BareJpeg&) = delete;
  BareJpeg& operator=(const BareJpeg&) = delete;

  void Decode(ByteSpan jpeg, unsigned scale, cv::Mat& out) {
    jpeg_mem_src(&info_, jpeg.data(), jpeg.size());
    jpeg_read_header(&info_, TRUE);
    info_.scale_num = 1;
    info_.scale_denom = scale;
    info_.out_color_space = JCS_EXT_BGR;
    jpeg_start_decompress(&info_);
    out.create(static_cast<int>(info_.output_height), static_cast<int>(info_.output_width),
               CV_8UC3);
    while (info_.output_scanline < info_.output_height) {
      JSAMPROW row = out.ptr(static_cast<int>(info_.output_scanline));
      jpeg_read_scanlines(&info_, &row, 1);
    }
    jpeg_finish_decompress(&info_);
  }

 private:
  jpeg_decompress_struct info_{};
  jpeg_error_mgr errors_{};
};

void BareEncode(const cv::Mat& picture, int quality) {
  jpeg_compress_struct info{};
  jpeg_error_mgr errors{};
  info.err = jpeg_std_error(&errors);
  jpeg_create_compress(&info);
  unsigned char* out = nullptr;
  unsigned long size = 0;
  jpeg_mem_dest(&info, &out, &size);
  info.image_width = static_cast<JDIMENSION>(picture.cols);
  info.image_height = static_cast<JDIMENSION>(picture.rows);
  info.input_components = 3;
  info.in_color_space = JCS_EXT_BGR;
  jpeg_set_defaults(&info);
  jpeg_set_quality(&info, quality, TRUE);
  info.optimize_coding = TRUE;
  jpeg_start_compress(&info, TRUE);
  while (info.next_scanline < info.image_height) {
    JSAMPROW row = const_cast<JSAMPROW>(picture.ptr(static_cast<int>(info.next_scanline)));
    jpeg_write_scanlines(&info, &row, 1);
  }
  jpeg_finish_compress(&info);
  jpeg_destroy_compress(&info);
  std::free(out);
}

// What every measurement here looks at: one MJPEG frame of the drawn sitter, 1280 x 720.
class Scene {
 public:
  Scene() {
    auto choice = MakeCamera("synthetic", {}, video_, program_, clock_, files_);
    if (!choice) GiveUp(choice.error().message);
    if (auto opened = choice->camera->Open({}); !opened) GiveUp(opened.error().message);
    auto taken = choice->camera->NextFrame(clock_.Now() + std::chrono::seconds(2));
    if (!taken) GiveUp(taken.error().message);
    frame = *taken;
    model_path = ProgramFolder() + "/models/face_detection_yunet_2023mar.onnx";
    settings.detector = "yunet";
    const std::string places[] = {model_path};
    auto chosen = ChooseDetector(settings, places, files_, crypto_);
    if (!chosen) GiveUp(chosen.error().message);
    detector = std::move(chosen->detector);
    mesh = std::move(chosen->mesh);
  }

  CaptureSettings settings;
  Frame frame;
  std::string model_path;
  std::unique_ptr<FaceDetector> detector;
  std::unique_ptr<FaceMesh> mesh;  // nothing where its model is not there

 private:
  SystemClock clock_;
  PosixFileSystem files_;
  LinuxVideoKernel video_;
  CameraProgram program_{ProgramFolder()};
  MbedtlsCrypto crypto_;
};

void AnalyseAFrame(Scene& scene, std::vector<Figure>& figures) {
  cv::setNumThreads(1);
  FrameAnalyzer analyzer(scene.settings, *scene.detector);
  cv::dnn::Net net = cv::dnn::readNetFromONNX(scene.model_path);
  const std::vector<std::string> outputs = net.getUnconnectedOutLayersNames();
  cv::Mat blob = cv::dnn::blobFromImage(cv::Mat(96, 160, CV_8UC3, cv::Scalar(90, 90, 90)));
  BareJpeg jpeg;
  cv::Mat small;
  std::vector<cv::Mat> results;
  const Paired pairs = MeasureInTurn(
      [&] {
        if (const auto seen = analyzer.Analyze(scene.frame); !seen || !seen->face) {
          GiveUp("no face was found in the drawn frame");
        }
      },
      [&] {
        jpeg.Decode(scene.frame.data, 8, small);
        net.setInput(blob);
        net.forward(results, outputs);
      },
      600, 30);
  figures.push_back(ToFigure(
      "analyse one 1280x720 MJPEG frame", pairs, 1.15,
      "libjpeg-turbo decode at 1/8, and YuNet's forward pass at 160x96, with nothing between"));
  const auto spread = [](const std::vector<double>& times) {
    return Percentile(times, 99) / Median(times);
  };
  Figure even = ToFigure("the same, 99th percentile over median", spread(pairs.work), "x", 2);
  even.floor = spread(pairs.floor);
  even.note = "the same of the floor's own times";
  figures.push_back(even);
}

// Empty without the model.
std::optional<Figure> LookAtParts(Scene& scene) {
  if (scene.mesh == nullptr) return std::nullopt;
  FrameAnalyzer analyzer(scene.settings, *scene.detector, nullptr, scene.mesh.get());
  auto seen = analyzer.Analyze(scene.frame);
  if (!seen || !seen->face) GiveUp("no face was found in the drawn frame");
  const size_t folder = scene.model_path.rfind('/') + 1;
  cv::dnn::Net net = cv::dnn::readNetFromONNX(scene.model_path.substr(0, folder) +
                                              std::string(FaceMesh::kFileName));
  const std::vector<std::string> outputs = net.getUnconnectedOutLayersNames();
  const cv::Mat blob = cv::dnn::blobFromImage(
      cv::Mat(FaceMesh::kSide, FaceMesh::kSide, CV_8UC3, cv::Scalar::all(90)));
  std::vector<cv::Mat> results;
  const Paired pairs = MeasureInTurn(
      [&] {
        if (!analyzer.MeasureDetail(scene.frame, Detail::kParts, *seen) || !seen->face->parts) {
          GiveUp("the face's points were not found");
        }
      },
      [&] {
        net.setInput(blob);
        net.forward(results, outputs);
      },
      200, 20);
  return ToFigure("look at the points of the face in it", pairs, 1.8,
                  "FaceMesh's forward pass alone; ours also decodes the face and measures it");
}

// What an integrator writes first: every pixel decoded, halved, and searched with the parameters of
// OpenCV's own sample (samples/cpp/facedetect.cpp).
Figure AgainstTheUsualWay(Scene& scene) {
  FrameAnalyzer analyzer(scene.settings, *scene.detector);
  cv::CascadeClassifier haar(scene.settings.cascades + "/haarcascade_frontalface_alt2.xml");
  if (haar.empty()) GiveUp("no cascade in " + scene.settings.cascades);
  BareJpeg jpeg;
  cv::Mat full;
  cv::Mat half;
  cv::Mat grey;
  std::vector<cv::Rect> faces;
  const Paired pairs = MeasureInTurn(
      [&] {
        jpeg.Decode(scene.frame.data, 1, full);
        cv::resize(full, half, {640, 360}, 0, 0, cv::INTER_AREA);
        cv::cvtColor(half, grey, cv::COLOR_BGR2GRAY);
        cv::equalizeHist(grey, grey);
        haar.detectMultiScale(grey, faces, 1.1, 2, cv::CASCADE_SCALE_IMAGE, {30, 30});
      },
      [&] { (void)analyzer.Analyze(scene.frame); }, 60, 3);
  Figure figure =
      ToFigure("the same, the usual way", pairs, 0, "our own analysis of the same frame");
  figure.goal = "ours is at least 6 times faster";
  figure.met = *figure.ratio >= 6;
  return figure;
}

Figure EncodeABundle(Scene& scene) {
  FrameDecoder decoder;
  BundleEncoder encoder(scene.settings, decoder);
  const KeptFrame kept{scene.frame, HeadCut({480, 180, 320, 400}, 1280, 720)};
  auto once = encoder.Encode(kept, {kept, kept, kept, kept});
  if (!once) GiveUp(once.error().message);
  // The very pixels that were encoded, decoded again.
  BareJpeg jpeg;
  cv::Mat selfie;
  cv::Mat liveness;
  cv::Mat full;
  jpeg.Decode(once->selfie.jpeg.view(), 1, selfie);
  jpeg.Decode(once->liveness[0].jpeg.view(), 1, liveness);
  const Paired pairs = MeasureInTurn([&] { (void)encoder.Encode(kept, {kept, kept, kept, kept}); },
                                     [&] {
                                       for (int i = 0; i < 5; ++i) {
                                         jpeg.Decode(scene.frame.data, 1, full);
                                         BareEncode(i == 0 ? selfie : liveness, 80);
                                       }
                                     },
                                     100, 5);
  return ToFigure(
      "encode a bundle of five pictures", pairs, 1.3,
      "libjpeg-turbo: five full decodes, and one encode each of the same pixels at quality 80");
}

}  // namespace

void MeasureCapture(std::vector<Figure>& figures) {
  Scene scene;
  AnalyseAFrame(scene, figures);
  if (auto points = LookAtParts(scene)) figures.push_back(std::move(*points));
  figures.push_back(AgainstTheUsualWay(scene));
  figures.push_back(EncodeABundle(scene));
}

}  // namespace idkiosk
