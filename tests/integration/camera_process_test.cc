// The process that decodes cameras named opencv:, beside a kiosk that has keys: what it knows, and
// what becomes of whoever stands before the camera when it dies.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <filesystem>
#include <iterator>
#include <random>
#include <sstream>
#include <thread>

#include "app/capture/image/jpeg_encoder.h"
#include "platform/base/bytes.h"
#include "tests/fakes/loopback_listener.h"
#include "tests/fakes/process_tree.h"
#include "tests/integration/kiosk_fixture.h"

namespace idkiosk {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

// All that a process can write, and its environment, arguments and open files.
std::string KnownTo(pid_t process) {
  const std::string proc = fmt::format("/proc/{}", process);
  std::string all = ReadFile(proc + "/environ") + ReadFile(proc + "/cmdline");
  for (const auto& each : fs::directory_iterator(proc + "/fd")) {
    all += fs::read_symlink(each.path()).string() + "\n";
  }
  const FileDescriptor memory(open((proc + "/mem").c_str(), O_RDONLY | O_CLOEXEC));
  std::stringstream maps(ReadFile(proc + "/maps"));
  for (std::string line; std::getline(maps, line);) {
    unsigned long from = 0;
    unsigned long to = 0;
    char mode[8] = {};
    if (std::sscanf(line.c_str(), "%lx-%lx %7s", &from, &to, mode) != 3 || mode[1] != 'w') continue;
    std::string part(to - from, '\0');
    const ssize_t count = pread(memory.get(), part.data(), part.size(), static_cast<off_t>(from));
    if (count > 0) all.append(part, 0, static_cast<size_t>(count));
  }
  return all;
}

// A camera of the network: noise over HTTP, to one who looks at a time. No picture comes twice.
class NetworkCamera {
 public:
  NetworkCamera() : thread_([this] { Serve(); }) {}
  ~NetworkCamera() {
    over_ = true;
    listener_.Stop();
  }
  NetworkCamera(const NetworkCamera&) = delete;
  NetworkCamera& operator=(const NetworkCamera&) = delete;

  [[nodiscard]] std::string source() const {
    return fmt::format("opencv:http://clerk:s3cret@127.0.0.1:{}/live", listener_.port());
  }
  // How often somebody began to look.
  [[nodiscard]] int viewers() const { return viewers_; }

 private:
  void Serve() {
    while (!over_) {
      const FileDescriptor viewer = listener_.Accept();
      if (!viewer.valid()) continue;
      ++viewers_;
      std::array<char, 4096> request{};
      (void)recv(viewer.get(), request.data(), request.size(), 0);
      Say(viewer, "HTTP/1.0 200 OK\r\nContent-Type: multipart/x-mixed-replace;boundary=f\r\n\r\n");
      while (!over_) {
        const std::string picture = Noise();
        const std::string head = fmt::format(
            "--f\r\nContent-Type: image/jpeg\r\nContent-Length: {}\r\n\r\n", picture.size());
        if (!Say(viewer, head + picture + "\r\n")) break;
      }
    }
  }
  // In squares, as a compressed picture keeps them.
  std::string Noise() {
    constexpr int kSquare = 16;
    Picture picture;
    picture.Resize(320, 240);
    for (int y = 0; y < picture.height(); ++y) {
      for (int x = 0; x < picture.stride(); ++x) {
        const bool begins = y % kSquare == 0 && x % (3 * kSquare) < 3;
        picture.row(y)[x] = begins             ? static_cast<uint8_t>(random_())
                            : y % kSquare == 0 ? picture.row(y)[x - 3]
                                               : picture.row(y - 1)[x];
      }
    }
    const auto jpeg = JpegEncoder().Encode(picture.view(), 90);
    return jpeg ? std::string(AsText(jpeg->view())) : "";
  }
  static bool Say(const FileDescriptor& viewer, const std::string& text) {
    for (size_t done = 0; done < text.size();) {
      const ssize_t sent = send(viewer.get(), text.data() + done, text.size() - done, MSG_NOSIGNAL);
      if (sent <= 0) return false;
      done += static_cast<size_t>(sent);
    }
    return true;
  }

  std::minstd_rand random_;
  const LoopbackListener listener_;
  std::atomic<bool> over_ = false;
  std::atomic<int> viewers_ = 0;
  std::jthread thread_;
};

class CameraProcessTest : public KioskFixture {
 protected:
  // tools/attack adds them up.
  void TearDown() override { RecordProperty("attacks", attacks_); }

  // The process that takes the pictures of a program that looks through a camera.
  static pid_t WorkerOf(const Process& program) {
    while (!program.ended()) {
      for (const pid_t supervisor : ChildrenOf(program.id())) {
        const auto workers = ChildrenOf(supervisor);
        if (workers.size() == 1) return workers[0];
      }
    }
    ADD_FAILURE() << program.err();
    return -1;
  }

  // Waits for another frame in the folder; false: the program ended.
  static bool AwaitFrame(const Process& recording, const std::string& folder) {
    const auto count = [&] {
      std::error_code none_yet;
      const fs::directory_iterator files(folder, none_yet);
      return std::distance(begin(files), end(files));
    };
    const auto before = count();
    while (!recording.ended()) {
      if (count() > before) return true;
      std::this_thread::yield();
    }
    return false;
  }

  int attacks_ = 0;
};

TEST_F(CameraProcessTest, HasNothingOfTheKiosk) {
  if (geteuid() != 0) GTEST_SKIP() << "only root reads a process's memory: run this test as root";
  ASSERT_NO_FATAL_FAILURE(StartSandbox());
  ASSERT_NO_FATAL_FAILURE(Provision());
  const NetworkCamera camera;
  Process verifying(VerifyCommand({"--camera", camera.source()}), std::string(kTypedNin) + "\n");
  while (camera.viewers() == 0 && !verifying.ended()) std::this_thread::yield();
  const pid_t worker = WorkerOf(verifying);
  const pid_t supervisor = ChildrenOf(verifying.id()).at(0);
  verifying.Signal(SIGSTOP);
  ASSERT_NE(KnownTo(verifying.id()).find(kTypedNin), std::string::npos);
  std::vector<std::pair<std::string, std::string>> canaries = {
      {"number", kTypedNin}, {"vault's key", ReadFile(state() + "/vault/vault.key")}};
  for (const auto& [name, value] : secrets_) canaries.emplace_back(name, value);
  ASSERT_GE(canaries.size(), 4U);
  for (const pid_t process : {supervisor, worker}) {
    const std::string known = KnownTo(process);
    EXPECT_GT(known.size(), 1U << 20);
    for (const auto& [name, value] : canaries) {
      ++attacks_;
      ASSERT_GE(value.size(), 6U) << name;
      EXPECT_EQ(known.find(value), std::string::npos) << name << " in " << process;
    }
    ++attacks_;
    EXPECT_THAT(known.find(state()), std::string::npos) << "the state folder in " << process;
  }
  // It is the one that has the password; nobody else reads it there.
  const std::string known = KnownTo(worker);
  EXPECT_NE(known.find("s3cret"), std::string::npos);
  for (const pid_t process : {supervisor, worker, verifying.id()}) {
    for (const char* file : {"cmdline", "environ", "comm"}) {
      ++attacks_;
      EXPECT_THAT(ReadFile(fmt::format("/proc/{}/{}", process, file)), Not(HasSubstr("s3cret")));
    }
  }
  verifying.Signal(SIGKILL);
  AwaitEndOf(worker);
  AwaitEndOf(supervisor);
  EXPECT_THAT(verifying.Wait().err, Not(HasSubstr("s3cret")));
}

TEST_F(CameraProcessTest, IsMissedByWhoeverStandsBeforeItAndComesBack) {
  const std::string profile = fs::current_path().string() + "/config/profiles/sandbox.jsonc";
  WriteFile(config(), fmt::format(R"({{"state_folder": "state", "service": {{"profile": "{}"}},
                                       "capture": {{"timeout": "30 min"}}}})",
                                  profile));
  const NetworkCamera camera;
  const std::string frames = folder_ / "frames";
  Process recording(
      KioskCommand({"record", "--camera", camera.source(), "--seconds", "3600", "--out", frames}));
  for (const int signal : {SIGKILL, SIGSTOP}) {
    // Of a camera that does not open in the first place nobody is left who could miss it.
    ASSERT_TRUE(AwaitFrame(recording, frames)) << recording.err();
    const pid_t worker = WorkerOf(recording);
    ASSERT_EQ(kill(worker, signal), 0);
    ASSERT_TRUE(recording.AwaitErr(signal == SIGKILL ? "process of the camera" : "is silent"))
        << recording.err();
    AwaitEndOf(worker);
  }
  ASSERT_TRUE(AwaitFrame(recording, frames)) << recording.err();
  recording.Signal(SIGINT);
  const Finished done = recording.Wait();
  EXPECT_THAT(done.err, Not(HasSubstr("s3cret")));
}

}  // namespace
}  // namespace idkiosk
