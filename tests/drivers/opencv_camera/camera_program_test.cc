// The program idkiosk-camera as it is built, started as idkiosk starts it, and as systemd does.
#include "drivers/camera/camera_program.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <opencv2/videoio.hpp>
#include <sstream>

#include "drivers/camera/remote_camera.h"
#include "platform/posix/system_clock.h"
#include "tests/fakes/loopback_listener.h"
#include "tests/fakes/process_tree.h"
#include "tests/fakes/scratch_folder.h"

namespace idkiosk {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr int kWidth = 320, kHeight = 240, kFrames = 12;
constexpr const char* kCanary = "k8J2-of-the-environment";

std::string Programs() { return std::getenv("IDKIOSK_BIN"); }

std::string ReadAll(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// What is written in the memory of a process, and may be.
std::string MemoryOf(pid_t process) {
  std::string all;
  const FileDescriptor memory(
      open(fmt::format("/proc/{}/mem", process).c_str(), O_RDONLY | O_CLOEXEC));
  std::stringstream maps(ReadAll(fmt::format("/proc/{}/maps", process)));
  for (std::string line; std::getline(maps, line);) {
    unsigned long from = 0, to = 0;
    char mode[8] = {};
    if (std::sscanf(line.c_str(), "%lx-%lx %7s", &from, &to, mode) != 3) continue;
    if (mode[0] != 'r' || mode[1] != 'w' || to - from > (64UL << 20)) continue;
    std::string part(to - from, '\0');
    const ssize_t count = pread(memory.get(), part.data(), part.size(), static_cast<off_t>(from));
    if (count > 0) all.append(part, 0, static_cast<size_t>(count));
  }
  return all;
}

class CameraProgramTest : public testing::Test {
 protected:
  static void SetUpTestSuite() { setenv("IDKIOSK_TEST_CANARY", kCanary, 1); }

  // A film of grey frames, each ten brighter than the last, at 20 frames a second.
  void Film() {
    cv::VideoWriter writer(path_, cv::CAP_OPENCV_MJPEG, cv::VideoWriter::fourcc('M', 'J', 'P', 'G'),
                           20, {kWidth, kHeight});
    ASSERT_TRUE(writer.isOpened());
    for (int i = 0; i < kFrames; ++i) {
      writer.write(cv::Mat(kHeight, kWidth, CV_8UC3, cv::Scalar::all(50 + 10 * i)));
    }
  }
  RemoteCamera Make(const std::string& name, Duration patience = RemoteCamera::kPatience) {
    return {name, [this] { return program_.Connect(); }, clock_, patience};
  }
  // The process that is started, and those that take pictures.
  [[nodiscard]] pid_t Supervisor() const {
    const auto children = ChildrenOf(getpid());
    EXPECT_EQ(children.size(), 1);
    return children.empty() ? -1 : children[0];
  }
  [[nodiscard]] pid_t Worker() const {
    const auto workers = ChildrenOf(Supervisor());
    EXPECT_EQ(workers.size(), 1);
    return workers.empty() ? -1 : workers[0];
  }

  SystemClock clock_;
  const ScratchFolder folder_;
  const std::string path_ = folder_ / "film.avi";
  CameraProgram program_{Programs(), folder_ / "no.sock"};
};

TEST_F(CameraProgramTest, PlaysAFilmToItsEnd) {
  Film();
  RemoteCamera camera = Make(path_);
  const auto info = camera.Open({});
  ASSERT_TRUE(info) << info.error().message;
  EXPECT_EQ(info->source, "opencv:" + path_);
  EXPECT_THAT(info->name, testing::MatchesRegex("OpenCV [A-Z_]+"));
  EXPECT_EQ(info->width, kWidth);
  EXPECT_FALSE(info->live);
  MonotonicTime first{};
  for (int i = 0; i < kFrames; ++i) {
    const auto frame = camera.NextFrame(clock_.Now());
    ASSERT_TRUE(frame) << i << ": " << frame.error().message;
    EXPECT_EQ(frame->format, PixelFormat::kBgr);
    EXPECT_EQ(frame->data.size(), size_t{3} * kWidth * kHeight);
    EXPECT_NEAR(frame->data[1000], 50 + 10 * i, 3);
    EXPECT_NEAR(frame->data[frame->data.size() - 1], 50 + 10 * i, 3);
    if (i == 0) first = frame->captured_at;
    EXPECT_EQ(frame->captured_at - first, i * milliseconds(50));
  }
  const auto end = camera.NextFrame(clock_.Now());
  ASSERT_FALSE(end);
  EXPECT_EQ(end.error().code, ErrorCode::kNotFound);
  EXPECT_THAT(end.error().message, HasSubstr("has no more frames"));
}

TEST_F(CameraProgramTest, NamesWhatItCannotOpen) {
  const auto missing = Make("/no/such/film.avi").Open({});
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::kNotFound);
  EXPECT_THAT(missing.error().message, HasSubstr("no video file at /no/such/film.avi"));

  std::ofstream(path_) << "no film";
  const auto text = Make(path_).Open({});
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().code, ErrorCode::kInvalid);
  EXPECT_THAT(text.error().message, HasSubstr("not a video that it can read"));
}

TEST_F(CameraProgramTest, SaysNoPasswordOfACameraThatItCannotOpen) {
  // Nothing listens on port 1; and there is no such element, or no GStreamer at all.
  for (const char* name :
       {"rtsp://user:s3cret@127.0.0.1:1/live", "rtsp://127.0.0.1:1/user=user&password=s3cret",
        "nosuchsrc location=rtsp://user:s3cret@127.0.0.1:1/ user-pw=s3cret ! appsink"}) {
    testing::internal::CaptureStderr();
    const auto camera = Make(name).Open({});
    EXPECT_THAT(testing::internal::GetCapturedStderr(), Not(HasSubstr("s3cret")));
    ASSERT_FALSE(camera) << name;
    EXPECT_EQ(camera.error().code, ErrorCode::kUnavailable);
    EXPECT_THAT(camera.error().message, HasSubstr("OpenCV cannot open"));
    EXPECT_THAT(camera.error().message, Not(HasSubstr("s3cret")));
  }
}

// A camera that takes the connection and says nothing: who waits for it decides how long.
TEST_F(CameraProgramTest, GivesASilentCameraUp) {
  const LoopbackListener silent;
  RemoteCamera camera = Make(fmt::format("rtsp://clerk:s3cret@127.0.0.1:{}/live", silent.port()),
                             std::chrono::seconds(2));
  const auto opened = camera.Open({});
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, ErrorCode::kUnavailable);
  EXPECT_THAT(opened.error().message, HasSubstr("OpenCV cannot open rtsp://[removed]@127.0.0.1"));
  EXPECT_THAT(opened.error().message, HasSubstr("did not answer within 2.0 s"));
}

TEST_F(CameraProgramTest, KnowsNothingOfWhoeverStartedIt) {
  Film();
  // Only in memory, and in a file that is open.
  std::string secret = "canary-";
  secret += std::to_string(getpid()) + "-of-the-heap";
  std::ofstream(folder_ / "vault.key") << secret;
  const FileDescriptor key(open((folder_ / "vault.key").c_str(), O_RDONLY));  // kept over an exec
  RemoteCamera camera = Make(path_);
  ASSERT_TRUE(camera.Open({}));
  ASSERT_TRUE(camera.NextFrame(clock_.Now()));
  for (const pid_t process : {Supervisor(), Worker()}) {
    const std::string proc = fmt::format("/proc/{}", process);
    EXPECT_EQ(ReadAll(proc + "/cmdline"), std::string("idkiosk-camera\0", 15));
    if (geteuid() != 0) continue;  // nobody else looks into it
    EXPECT_THAT(ReadAll(proc + "/environ"), Not(HasSubstr(kCanary)));
    std::vector<std::string> files;
    for (const auto& each : fs::directory_iterator(proc + "/fd")) {
      files.push_back(fs::read_symlink(each.path()));
    }
    EXPECT_THAT(files, Not(testing::Contains(HasSubstr("vault.key"))));
    const std::string memory = MemoryOf(process);
    EXPECT_GT(memory.size(), 1U << 20);
    EXPECT_THAT(memory.find(secret), std::string::npos);
    EXPECT_THAT(memory.find(kCanary), std::string::npos);
  }
  if (geteuid() != 0) return;
  EXPECT_NE(MemoryOf(getpid()).find(secret), std::string::npos);
}

TEST_F(CameraProgramTest, BeginsAnewForTheNextCamera) {
  if (geteuid() != 0) GTEST_SKIP() << "only root reads where a program's code is: run it as root";
  Film();
  ASSERT_TRUE(program_.Start());
  const pid_t supervisor = Supervisor();
  std::vector<std::string> places;
  for (int i = 0; i < 6; ++i) {
    RemoteCamera camera = Make(path_);
    ASSERT_TRUE(camera.Open({}));
    EXPECT_EQ(Supervisor(), supervisor);
    const std::string maps = ReadAll(fmt::format("/proc/{}/maps", Worker()));
    places.push_back(maps.substr(0, maps.find('-')));
    const pid_t worker = Worker();
    camera.Close();
    AwaitEndOf(worker);
  }
  std::ranges::sort(places);
  EXPECT_EQ(std::ranges::adjacent_find(places), places.end());
}

TEST_F(CameraProgramTest, OpensAgainAfterItsProcessWasKilled) {
  Film();
  RemoteCamera camera = Make(path_);
  for (int i = 0; i < 5; ++i) {
    ASSERT_TRUE(camera.Open({}));
    ASSERT_TRUE(camera.NextFrame(clock_.Now()));
    // The one that takes pictures, or the one that started it.
    const pid_t worker = Worker();
    ASSERT_EQ(kill(i % 2 == 0 ? worker : Supervisor(), SIGKILL), 0);
    AwaitEndOf(worker);
    const auto frame = camera.NextFrame(clock_.Now());
    ASSERT_FALSE(frame);
    EXPECT_EQ(frame.error().code, ErrorCode::kUnavailable);
    EXPECT_THAT(frame.error().message, HasSubstr("has ended"));
  }
  EXPECT_TRUE(camera.Open({}));
}

TEST_F(CameraProgramTest, LeavesAProcessThatIsStoppedAndOpensAgain) {
  Film();
  RemoteCamera camera = Make(path_, std::chrono::seconds(2));
  ASSERT_TRUE(camera.Open({}));
  const pid_t stopped = Worker();
  ASSERT_EQ(kill(stopped, SIGSTOP), 0);
  const auto frame = camera.NextFrame(clock_.Now());
  ASSERT_FALSE(frame);
  EXPECT_EQ(frame.error().code, ErrorCode::kTimeout);
  camera.Close();
  AwaitEndOf(stopped);
  RemoteCamera again = Make(path_);
  EXPECT_TRUE(again.Open({}));
  EXPECT_TRUE(again.NextFrame(clock_.Now()));
}

// Whatever it was doing: a process of the test's own is killed while a camera is open.
TEST_F(CameraProgramTest, IsGoneWithWhoeverStartedIt) {
  Film();
  for (const bool stopped : {false, true}) {
    const pid_t user = fork();
    if (user == 0) {
      (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
      CameraProgram program(Programs(), folder_ / "no.sock");
      RemoteCamera camera(path_, [&program] { return program.Connect(); }, clock_);
      const bool open = camera.Open({}).has_value();
      raise(open ? SIGSTOP : SIGKILL);
      _exit(1);
    }
    int status = 0;
    ASSERT_EQ(waitpid(user, &status, WUNTRACED), user);
    ASSERT_TRUE(WIFSTOPPED(status));
    const auto supervisors = ChildrenOf(user);
    ASSERT_EQ(supervisors.size(), 1);
    const auto workers = ChildrenOf(supervisors[0]);
    ASSERT_EQ(workers.size(), 1);
    if (stopped) kill(workers[0], SIGSTOP);
    kill(user, SIGKILL);
    waitpid(user, &status, 0);
    AwaitEndOf(workers[0]);
    AwaitEndOf(supervisors[0]);
  }
}

TEST_F(CameraProgramTest, SaysWhereItWasLookedFor) {
  CameraProgram nowhere("/nowhere", folder_ / "no.sock");
  const Status started = nowhere.Start();
  if (!started) {  // else it is installed on this machine
    EXPECT_EQ(started.error().code, ErrorCode::kNotFound);
    EXPECT_THAT(started.error().message,
                HasSubstr("neither at /nowhere/idkiosk-camera nor at /usr/bin/idkiosk-camera"));
  }
  std::ofstream(folder_ / "idkiosk-camera") << "no program";
  const Status refused = CameraProgram(folder_.path(), folder_ / "no.sock").Start();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kUnavailable);
  EXPECT_THAT(refused.error().message, HasSubstr("cannot be started"));
}

// There it would be of the user that has the keys.
TEST_F(CameraProgramTest, IsNotStartedByAServiceOfTheSystem) {
  setenv("NOTIFY_SOCKET", "/run/systemd/notify", 1);
  const Status started = program_.Start();
  unsetenv("NOTIFY_SOCKET");
  ASSERT_FALSE(started);
  EXPECT_THAT(started.error().message, HasSubstr("systemctl enable --now idkiosk-camera.socket"));
  EXPECT_THAT(ChildrenOf(getpid()), IsEmpty());
}

// As systemd does: a socket file that listens, handed over as file 3.
TEST_F(CameraProgramTest, TakesConnectionsOfASocketFile) {
  Film();
  const std::string path = folder_ / "camera.sock";
  FileDescriptor listening(socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.copy(static_cast<char*>(address.sun_path), sizeof address.sun_path - 1);
  ASSERT_EQ(bind(listening.get(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  CameraProgram board("/nowhere", path);
  EXPECT_TRUE(board.Start());
  // Nobody listens yet.
  EXPECT_THAT(board.Connect().error().message, HasSubstr("cannot reach the camera's process"));
  ASSERT_EQ(listen(listening.get(), 8), 0);
  const std::string program = Programs() + "/idkiosk-camera";
  const pid_t service = fork();
  if (service == 0) {
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    (void)dup2(listening.get(), 3);
    (void)fcntl(3, F_SETFD, 0);
    execl(program.c_str(), "idkiosk-camera", nullptr);
    _exit(127);
  }
  for (int i = 0; i < 3; ++i) {
    RemoteCamera camera(path_, [&board] { return board.Connect(); }, clock_);
    const auto info = camera.Open({});
    ASSERT_TRUE(info) << info.error().message;
    EXPECT_TRUE(camera.NextFrame(clock_.Now()));
  }
  kill(service, SIGKILL);
  waitpid(service, nullptr, 0);
}

}  // namespace
}  // namespace idkiosk
