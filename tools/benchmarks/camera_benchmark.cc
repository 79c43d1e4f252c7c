// What a camera costs whose pictures another process decodes, beside one that decodes them itself.
#include <ctime>
#include <filesystem>
#include <opencv2/core.hpp>
#include <opencv2/videoio.hpp>

#include "drivers/camera/camera_program.h"
#include "drivers/camera/remote_camera.h"
#include "platform/base/digest.h"
#include "platform/posix/system_clock.h"
#include "tests/fakes/process_tree.h"
#include "tools/benchmarks/benchmark.h"

namespace idkiosk {
namespace {

constexpr int kWidth = 1280, kHeight = 720;
constexpr int kFrames = 150;
constexpr int kOpenings = 7;

// Seconds of processor time.
double ProcessorTime(clockid_t clock) {
  timespec time{};
  if (clock_gettime(clock, &time) != 0) GiveUp("no processor time of a process");
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}
double ProcessorTimeOf(pid_t process) {
  clockid_t clock{};
  if (clock_getcpuclockid(process, &clock) != 0) GiveUp("the camera's process has ended");
  return ProcessorTime(clock);
}

// A gradient that moves, with the noise of a sensor.
void MakeFilm(const std::string& path) {
  cv::VideoWriter film(path, cv::CAP_OPENCV_MJPEG, cv::VideoWriter::fourcc('M', 'J', 'P', 'G'), 30,
                       {kWidth, kHeight});
  if (!film.isOpened()) GiveUp("no film can be written to " + path);
  cv::RNG random(7);
  cv::Mat noise(kHeight, kWidth, CV_8UC3);
  for (int i = 0; i < kFrames; ++i) {
    random.fill(noise, cv::RNG::UNIFORM, 0, 24);
    cv::Mat picture(kHeight, kWidth, CV_8UC3);
    for (int y = 0; y < kHeight; ++y) {
      for (int x = 0; x < kWidth; ++x) {
        picture.at<cv::Vec3b>(y, x) = {static_cast<uint8_t>((x + 4 * i) / 6 % 220),
                                       static_cast<uint8_t>((y + i) / 4),
                                       static_cast<uint8_t>((x + y) / 9)};
      }
    }
    picture += noise;
    film.write(picture);
  }
}

// Microseconds of both processes for a frame, without the start of the program.
double ByAnotherProcess(const std::string& film, CameraProgram& program, SystemClock& clock) {
  RemoteCamera camera(film, [&program] { return program.Connect(); }, clock);
  if (auto opened = camera.Open({}); !opened) GiveUp(opened.error().message);
  const pid_t decoder = ChildrenOf(ChildrenOf(getpid()).at(0)).at(0);
  const auto now = [decoder] {
    return ProcessorTime(CLOCK_PROCESS_CPUTIME_ID) + ProcessorTimeOf(decoder);
  };
  const double start = now();
  uint64_t digest = 0;
  for (int i = 0; i < kFrames; ++i) {
    const auto frame = camera.NextFrame(clock.Now());
    if (!frame) GiveUp(frame.error().message);
    digest ^= DigestOf(frame->data);
  }
  if (digest == 0) GiveUp("the film is empty");
  return (now() - start) * 1e6 / kFrames;
}

double ByItself(const std::string& film) {
  cv::VideoCapture video(film);
  const double start = ProcessorTime(CLOCK_PROCESS_CPUTIME_ID);
  uint64_t digest = 0;
  cv::Mat picture;
  for (int i = 0; i < kFrames; ++i) {
    if (!video.read(picture)) GiveUp("the film ends too early");
    // Which the frame keeps while the next is decoded.
    const Bytes kept(picture.data, picture.data + picture.total() * picture.elemSize());
    digest ^= DigestOf(kept);
  }
  if (digest == 0) GiveUp("the film is empty");
  return (ProcessorTime(CLOCK_PROCESS_CPUTIME_ID) - start) * 1e6 / kFrames;
}

}  // namespace

void MeasureCamera(std::vector<Figure>& figures) {
  const std::string folder = ProgramFolder() + "/../bench-camera";
  std::filesystem::create_directories(folder);
  const std::string film = folder + "/film.avi";
  MakeFilm(film);
  SystemClock clock;
  CameraProgram program(ProgramFolder(), folder + "/no.sock");
  Paired pairs;
  for (int i = 0; i < kOpenings; ++i) {
    pairs.work.push_back(ByAnotherProcess(film, program, clock));
    pairs.floor.push_back(ByItself(film));
  }
  figures.push_back(ToFigure("processor time of a frame of opencv:", pairs, 1.05,
                             "OpenCV reads the same film, and each picture is copied once, in one "
                             "process"));
}

}  // namespace idkiosk
