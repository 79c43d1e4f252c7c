// What the program makes of a camera's process that has been taken over.
#include "drivers/camera/remote_camera.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/socket.h>

#include <atomic>
#include <filesystem>
#include <functional>
#include <limits>
#include <random>
#include <thread>

#include "drivers/camera/packet_socket.h"
#include "platform/posix/system_clock.h"
#include "tests/fakes/seeded_rounds.h"

namespace idkiosk {
namespace {

using std::chrono::milliseconds;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kLive = "rtsp://clerk:s3cret@camera/live";
constexpr const char* kFilm = "/film.avi";
constexpr int kWidth = 64, kHeight = 48;
constexpr size_t kPicture = size_t{3} * kWidth * kHeight;
// Longer than CTest lets any test last.
constexpr Duration kForEver = std::chrono::hours(1);

// The other end of a RemoteCamera, in a thread that does what the test says.
class Host {
 public:
  explicit Host(FileDescriptor connection) : connection_(std::move(connection)) {}

  // Waits for the first question, and has its memory. False where nobody asks any more.
  bool Hear() {
    if (AwaitPacket(connection_.get(), RoomIn(asked), memory_) != Arrival::kWhole) return false;
    pictures = static_cast<uint8_t*>(
        mmap(nullptr, kMaxPictureBytes, PROT_READ | PROT_WRITE, MAP_SHARED, memory_.get(), 0));
    return pictures != MAP_FAILED;
  }
  template <typename Message>
  bool Say(const Message& message) {
    return SendPacket(connection_.get(), PacketOf(message));
  }
  bool SayBytes(const Bytes& bytes) { return SendPacket(connection_.get(), bytes); }
  // Waits for a frame to be asked for. 0 where nobody asks any more.
  uint64_t Frame() {
    FrameQuestion question;
    FileDescriptor none;
    const Arrival arrival = AwaitPacket(connection_.get(), RoomIn(question), none);
    return arrival == Arrival::kWhole ? question.number : 0;
  }
  static FrameAnswer Good(uint64_t number) {
    return {.number = number,
            .width = kWidth,
            .height = kHeight,
            .channels = 3,
            .captured_at = SystemClock().Now().time_since_epoch().count(),
            .sequence = number};
  }
  static CameraAnswer Opened() {
    CameraAnswer answer{.width = kWidth, .height = kHeight, .frames_per_second = 25};
    std::string_view("FFMPEG").copy(answer.reader.data(), answer.reader.size());
    return answer;
  }
  // Opens as a good one does, and waits for the first frame to be asked for.
  uint64_t Open() { return Hear() && Say(Opened()) ? Frame() : 0; }
  // Waits until the program has closed it.
  void AwaitTheEnd() {
    char byte = 0;
    while (recv(connection_.get(), &byte, 1, 0) > 0) {
    }
  }
  void Leave() { connection_.Reset(); }
  [[nodiscard]] int socket() const { return connection_.get(); }
  [[nodiscard]] int memory() const { return memory_.get(); }

  ~Host() {
    if (pictures != nullptr && pictures != MAP_FAILED) munmap(pictures, kMaxPictureBytes);
  }
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;

  CameraQuestion asked;
  uint8_t* pictures = nullptr;

 private:
  FileDescriptor connection_;
  FileDescriptor memory_;
};

class RemoteCameraTest : public testing::Test {
 protected:
  using Play = std::function<void(Host&)>;

  // A camera whose process does `play`.
  RemoteCamera Camera(const std::string& name, Play play,
                      Duration patience = RemoteCamera::kPatience) {
    return {name,
            [this, play = std::move(play)]() -> Result<FileDescriptor> {
              auto [ours, theirs] = MakeSocketPair();
              hosts_.emplace_back(
                  [play, end = std::make_shared<FileDescriptor>(std::move(theirs))]() mutable {
                    Host host(std::move(*end));
                    play(host);
                    host.AwaitTheEnd();
                  });
              return std::move(ours);
            },
            clock_, patience};
  }
  Result<Frame> FirstOf(RemoteCamera& camera) {
    const auto opened = camera.Open({});
    if (!opened) return std::unexpected(opened.error());
    return camera.NextFrame(clock_.Now() + kForEver);
  }
  // tools/attack adds them up.
  void TearDown() override { RecordProperty("attacks", attacks_); }
  // It is closed, and says so without a word of what the process said.
  void ExpectStopped(const std::string& what, const Play& play, const char* name = kLive) {
    ++attacks_;
    RemoteCamera camera = Camera(name, play);
    const auto frame = FirstOf(camera);
    ASSERT_FALSE(frame) << what;
    EXPECT_EQ(frame.error().code, ErrorCode::kUnavailable) << what << frame.error().message;
    EXPECT_THAT(frame.error().message, HasSubstr("process of the camera")) << what;
    EXPECT_THAT(frame.error().message, Not(HasSubstr("s3cret"))) << what;
    EXPECT_EQ(camera.NextFrame(clock_.Now()).error().code, ErrorCode::kFailedPrecondition) << what;
  }

  SystemClock clock_;
  std::vector<std::jthread> hosts_;
  int attacks_ = 0;
};

TEST_F(RemoteCameraTest, GivesThePicturesThatTheProcessTook) {
  RemoteCamera camera = Camera(kLive, [](Host& host) {
    if (!host.Hear()) return;
    EXPECT_EQ(std::string(host.asked.name.data(), host.asked.name_size), kLive);
    EXPECT_EQ(host.asked.width, 1280);
    host.Say(Host::Opened());
    while (const uint64_t number = host.Frame()) {
      std::fill_n(host.pictures, kPicture, static_cast<uint8_t>(number));
      host.Say(Host::Good(number));
    }
  });
  const auto info = camera.Open({});
  ASSERT_TRUE(info) << info.error().message;
  EXPECT_EQ(info->name, "OpenCV FFMPEG");
  EXPECT_EQ(info->source, "opencv:rtsp://[removed]@camera/live");
  EXPECT_EQ(info->width, kWidth);
  EXPECT_EQ(info->frames_per_second, 25);
  EXPECT_TRUE(info->live);
  std::vector<Frame> held;
  for (int i = 1; i <= 5; ++i) {
    const MonotonicTime asked = clock_.Now();
    const auto frame = camera.NextFrame(asked + kForEver);
    ASSERT_TRUE(frame) << frame.error().message;
    EXPECT_EQ(frame->format, PixelFormat::kBgr);
    EXPECT_EQ(frame->data.size(), kPicture);
    EXPECT_GE(frame->captured_at, asked);
    EXPECT_LE(frame->captured_at, clock_.Now());
    held.push_back(*frame);
  }
  camera.Close();
  // As they were, whatever came later, or was closed.
  for (int i = 0; i < 5; ++i) {
    EXPECT_THAT(held[static_cast<size_t>(i)].data, testing::Each(i + 1));
  }
}

TEST_F(RemoteCameraTest, ReadsMemoryAgainThatNobodyHolds) {
  RemoteCamera camera = Camera(kLive, [](Host& host) {
    host.Hear();
    host.Say(Host::Opened());
    while (const uint64_t number = host.Frame()) host.Say(Host::Good(number));
  });
  ASSERT_TRUE(camera.Open({}));
  const uint8_t* const first = camera.NextFrame(clock_.Now() + kForEver)->data.data();
  EXPECT_EQ(camera.NextFrame(clock_.Now() + kForEver)->data.data(), first);
}

TEST_F(RemoteCameraTest, SaysWhatWentWrongInItsOwnWords) {
  struct Case {
    const char* name;
    uint32_t trouble;
    ErrorCode code;
    const char* says;
  };
  for (const Case& each : {
           Case{kFilm, TroubleOf(ErrorCode::kNotFound), ErrorCode::kNotFound, "no video file at"},
           {kFilm, TroubleOf(ErrorCode::kForbidden), ErrorCode::kForbidden, "may not read"},
           {kFilm, TroubleOf(ErrorCode::kInvalid), ErrorCode::kInvalid, "not a video"},
           {kLive, TroubleOf(ErrorCode::kUnavailable), ErrorCode::kUnavailable, "cannot open"},
           // No code of its own.
           {kLive, TroubleOf(ErrorCode::kInternal), ErrorCode::kUnavailable, "cannot open"},
           {kLive, TroubleOf(ErrorCode::kUnauthenticated), ErrorCode::kUnavailable, "cannot open"},
           {kLive, 4711, ErrorCode::kUnavailable, "cannot open"},
           {kLive, ~0U, ErrorCode::kUnavailable, "cannot open"},
       }) {
    RemoteCamera camera = Camera(each.name, [&](Host& host) {
      host.Hear();
      host.Say(CameraAnswer{.trouble = each.trouble});
    });
    const auto opened = camera.Open({});
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().code, each.code) << each.trouble;
    EXPECT_THAT(opened.error().message, HasSubstr(each.says));
    EXPECT_THAT(opened.error().message, Not(HasSubstr("s3cret")));
  }
  for (const auto& [code, as_film] :
       {std::pair(ErrorCode::kCorrupt, ErrorCode::kCorrupt),
        std::pair(ErrorCode::kInvalid, ErrorCode::kInvalid),
        std::pair(ErrorCode::kNotFound, ErrorCode::kNotFound),
        std::pair(ErrorCode::kUnavailable, ErrorCode::kUnavailable)}) {
    for (const char* name : {kFilm, kLive}) {
      RemoteCamera camera = Camera(name, [trouble = TroubleOf(code)](Host& host) {
        const uint64_t number = host.Open();
        host.Say(FrameAnswer{.trouble = trouble, .number = number});
      });
      const auto frame = FirstOf(camera);
      ASSERT_FALSE(frame);
      // A camera has no end.
      const bool ends = name == kLive && code == ErrorCode::kNotFound;
      EXPECT_EQ(frame.error().code, ends ? ErrorCode::kUnavailable : as_film);
    }
  }
}

TEST_F(RemoteCameraTest, AsksAgainForAFrameThatCameWhenNobodyWaited) {
  std::atomic<bool> late = false;
  RemoteCamera camera = Camera(kLive, [&](Host& host) {
    const uint64_t first = host.Open();
    while (!late) std::this_thread::yield();
    host.Say(Host::Good(first));
    late = false;
    const uint64_t second = host.Frame();
    FrameAnswer answer = Host::Good(second);
    answer.width = kWidth / 2;
    host.Say(answer);
  });
  ASSERT_TRUE(camera.Open({}));
  EXPECT_EQ(camera.NextFrame(clock_.Now()).error().code, ErrorCode::kTimeout);
  late = true;
  while (late) std::this_thread::yield();
  const auto frame = camera.NextFrame(clock_.Now() + kForEver);
  ASSERT_TRUE(frame) << frame.error().message;
  EXPECT_EQ(frame->width, kWidth / 2);
}

TEST_F(RemoteCameraTest, WaitsNoLongerThanItWasAskedTo) {
  attacks_ += 3;
  RemoteCamera opening = Camera(kLive, [](Host& host) { host.Hear(); }, milliseconds(20));
  const auto opened = opening.Open({});
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, ErrorCode::kUnavailable);
  EXPECT_THAT(opened.error().message, HasSubstr("did not answer within 20 ms"));

  for (const char* name : {kLive, kFilm}) {
    RemoteCamera camera = Camera(name, [](Host& host) { host.Open(); }, milliseconds(20));
    // The same patience bounds the opening, which a busy machine may take longer for.
    auto is_open = camera.Open({});
    while (!is_open && is_open.error().message.contains("did not answer within")) {
      is_open = camera.Open({});
    }
    ASSERT_TRUE(is_open) << is_open.error().message;
    EXPECT_EQ(camera.NextFrame(clock_.Now()).error().code, ErrorCode::kTimeout);
  }
}

TEST_F(RemoteCameraTest, IsStoppedWhereItsNumbersMakeNoSense) {
  constexpr auto kMost = std::numeric_limits<int32_t>::max();
  constexpr auto kLeast = std::numeric_limits<int32_t>::min();
  const auto with = [](const std::function<void(FrameAnswer&)>& change) {
    return [change](Host& host) {
      FrameAnswer answer = Host::Good(host.Open());
      change(answer);
      host.Say(answer);
    };
  };
  for (const int32_t size : {0, -1, kMost, kLeast, 1 << 16, 40000}) {
    ExpectStopped(fmt::format("{} wide", size), with([size](FrameAnswer& answer) {
                    answer.width = size;
                    answer.height = size == 40000 ? 40000 : kHeight;
                  }));
    ExpectStopped(fmt::format("{} high", size), with([size](FrameAnswer& answer) {
                    answer.height = size;
                    answer.width = size == 40000 ? 40000 : kWidth;
                  }));
  }
  // Just larger than the memory, and so that the product is small again in 32 bits.
  ExpectStopped("beyond the memory", with([](FrameAnswer& answer) {
                  answer.width = 65535;
                  answer.height = 171;
                }));
  ExpectStopped("a product that overflows", with([](FrameAnswer& answer) {
                  answer.width = 65535;
                  answer.height = 65535;
                }));
  for (const int32_t channels : {0, 2, 4, -1, -3, kMost, kLeast}) {
    ExpectStopped(fmt::format("{} channels", channels),
                  with([channels](FrameAnswer& answer) { answer.channels = channels; }));
  }
  for (const uint64_t sequence : {uint64_t{0}, ~uint64_t{0}, uint64_t{1} << 40}) {
    ExpectStopped(fmt::format("sequence {}", sequence),
                  with([sequence](FrameAnswer& answer) { answer.sequence = sequence; }));
  }
  for (const uint64_t number : {uint64_t{0}, uint64_t{2}, ~uint64_t{0}}) {
    ExpectStopped(fmt::format("answer {}", number),
                  with([number](FrameAnswer& answer) { answer.number = number; }));
  }
  ExpectStopped("another protocol", with([](FrameAnswer& answer) { answer.protocol += 1; }));
}

TEST_F(RemoteCameraTest, IsStoppedWhereItSaysWhatItWasNotAsked) {
  for (const size_t size : {size_t{1}, sizeof(FrameAnswer) - 1, sizeof(FrameAnswer) + 1,
                            sizeof(CameraAnswer), size_t{60'000}}) {
    ExpectStopped(fmt::format("{} bytes", size), [size](Host& host) {
      host.Open();
      host.SayBytes(Bytes(size, 0x41));
    });
    if (size == sizeof(CameraAnswer)) continue;
    ExpectStopped(fmt::format("{} bytes first", size), [size](Host& host) {
      host.Hear();
      host.SayBytes(Bytes(size, 0x41));
    });
  }
  ExpectStopped("another version", [](Host& host) {
    host.Hear();
    CameraAnswer answer = Host::Opened();
    answer.protocol += 1;
    host.Say(answer);
  });
  ExpectStopped("nothing, and goes", [](Host& host) { host.Leave(); });
  ExpectStopped("nothing to the question, and goes", [](Host& host) {
    host.Hear();
    host.Leave();
  });
  ExpectStopped("nothing to the first frame, and goes", [](Host& host) {
    host.Open();
    host.Leave();
  });
}

TEST_F(RemoteCameraTest, IsStoppedWhereItGivesAFrameBeforeItIsAskedForOne) {
  ++attacks_;
  std::atomic<bool> said = false;
  RemoteCamera camera = Camera(kLive, [&](Host& host) {
    host.Hear();
    host.Say(Host::Opened());
    host.Say(Host::Good(1));
    said = true;
  });
  ASSERT_TRUE(camera.Open({}));
  while (!said) std::this_thread::yield();
  const auto frame = camera.NextFrame(clock_.Now() + kForEver);
  ASSERT_FALSE(frame);
  EXPECT_THAT(frame.error().message, HasSubstr("what it was not asked"));
}

TEST_F(RemoteCameraTest, TakesOneAnswerAQuestionFromAFlood) {
  ++attacks_;
  std::atomic<int> said = 0;
  RemoteCamera camera = Camera(kLive, [&](Host& host) {
    const uint64_t number = host.Open();
    for (int i = 0; i < 10'000; ++i) {
      if (host.Say(Host::Good(number))) ++said;
    }
  });
  ASSERT_TRUE(camera.Open({}));
  EXPECT_TRUE(camera.NextFrame(clock_.Now() + kForEver));
  // The second answer to the first question.
  const auto second = camera.NextFrame(clock_.Now() + kForEver);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, ErrorCode::kUnavailable);
  hosts_.clear();
  // The kernel keeps no more of them than have room in the socket.
  EXPECT_LT(said, 10'000);
}

size_t OpenFiles() {
  size_t count = 0;
  for ([[maybe_unused]] const auto& each : std::filesystem::directory_iterator("/proc/self/fd")) {
    ++count;
  }
  return count;
}

TEST_F(RemoteCameraTest, KeepsNoFileThatComesWithAnAnswer) {
  const auto files = FileDescriptor(open("/dev/null", O_RDONLY | O_CLOEXEC));
  RemoteCamera camera = Camera(kLive, [&](Host& host) {
    host.Hear();
    (void)SendPacket(host.socket(), PacketOf(Host::Opened()), files.get());
    while (const uint64_t number = host.Frame()) {
      (void)SendPacket(host.socket(), PacketOf(Host::Good(number)), files.get());
    }
  });
  ASSERT_TRUE(camera.Open({}));
  const size_t before = OpenFiles();
  for (int i = 0; i < 2000; ++i, ++attacks_) {
    const auto frame = camera.NextFrame(clock_.Now() + kForEver);
    EXPECT_TRUE(frame) << frame.error().message;
    if (!frame) break;
  }
  EXPECT_EQ(OpenFiles(), before);
}

// Another process makes the memory smaller, or longer, or has taken its pages away.
TEST_F(RemoteCameraTest, ReadsMemoryThatNobodyTakesAway) {
  attacks_ += 4;
  std::atomic<int> refused = 0;
  RemoteCamera camera = Camera(kLive, [&](Host& host) {
    const uint64_t number = host.Open();
    for (const size_t size : {size_t{0}, size_t{4096}, 2 * kMaxPictureBytes}) {
      if (ftruncate(host.memory(), static_cast<off_t>(size)) != 0) ++refused;
    }
    if (fcntl(host.memory(), F_ADD_SEALS, F_SEAL_WRITE) != 0) ++refused;
    (void)fallocate(host.memory(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0,
                    static_cast<off_t>(kMaxPictureBytes));
    host.Say(Host::Good(number));
  });
  const auto frame = FirstOf(camera);
  ASSERT_TRUE(frame) << frame.error().message;
  EXPECT_THAT(frame->data, testing::Each(0));
  EXPECT_EQ(refused, 4);
}

// What was judged is what is used: nothing is fetched a second time.
TEST_F(RemoteCameraTest, GivesAPictureThatDoesNotChangeAnyMore) {
  RemoteCamera camera = Camera(kLive, [](Host& host) {
    host.Hear();
    host.Say(Host::Opened());
    std::jthread painter([&](const std::stop_token& stop) {
      for (uint8_t i = 0; !stop.stop_requested(); ++i) std::fill_n(host.pictures, kPicture, i);
    });
    while (const uint64_t number = host.Frame()) host.Say(Host::Good(number));
  });
  ASSERT_TRUE(camera.Open({}));
  for (int i = 0; i < Rounds(300); ++i, ++attacks_) {
    const auto frame = camera.NextFrame(clock_.Now() + kForEver);
    ASSERT_TRUE(frame);
    const Bytes then(frame->data.begin(), frame->data.end());
    for (int again = 0; again < 20; ++again) {
      ASSERT_TRUE(std::ranges::equal(then, frame->data));
    }
  }
}

TEST_F(RemoteCameraTest, KeepsToItsOwnClock) {
  attacks_ += 6;
  constexpr int64_t kTimes[] = {0, -1, std::numeric_limits<int64_t>::max(),
                                std::numeric_limits<int64_t>::min()};
  RemoteCamera camera = Camera(kLive, [&](Host& host) {
    host.Hear();
    host.Say(Host::Opened());
    for (const int64_t time : kTimes) {
      FrameAnswer answer = Host::Good(host.Frame());
      answer.captured_at = time;
      host.Say(answer);
    }
  });
  ASSERT_TRUE(camera.Open({}));
  for (const int64_t time : kTimes) {
    const MonotonicTime asked = clock_.Now();
    const auto frame = camera.NextFrame(asked + kForEver);
    ASSERT_TRUE(frame);
    EXPECT_GE(frame->captured_at, asked) << time;
    EXPECT_LE(frame->captured_at, clock_.Now()) << time;
  }
  // The rates of a film, from which its times are reckoned.
  for (const double rate : {0.0, -1.0, 1e-300, 1e300, std::numeric_limits<double>::quiet_NaN(),
                            std::numeric_limits<double>::infinity()}) {
    RemoteCamera film = Camera(kFilm, [rate](Host& host) {
      host.Hear();
      CameraAnswer answer = Host::Opened();
      answer.frames_per_second = rate;
      answer.width = -7;
      answer.height = 1 << 30;
      answer.reader.fill('\x1b');
      host.Say(answer);
      FrameAnswer frame = Host::Good(host.Frame());
      frame.sequence = uint64_t{1} << 34;
      host.Say(frame);
    });
    const auto info = film.Open({});
    ASSERT_TRUE(info);
    EXPECT_EQ(info->name, "OpenCV ");
    EXPECT_EQ(info->width, 0);
    EXPECT_EQ(info->height, 0);
    EXPECT_FALSE(info->live);
    EXPECT_GE(info->frames_per_second, 0);
    EXPECT_LT(info->frames_per_second, 1000);
    const auto frame = film.NextFrame(clock_.Now());
    ASSERT_TRUE(frame) << frame.error().message;
    EXPECT_LT(frame->captured_at, clock_.Now() + std::chrono::days(400));
  }
}

// Whatever its bytes are: an end, and the program's memory is its own.
TEST_F(RemoteCameraTest, LivesThroughAnythingThatIsAnswered) {
  const auto seed = Seed();
  for (int round = 0; round < Rounds(400); ++round, ++attacks_) {
    RemoteCamera camera = Camera(round % 2 == 0 ? kLive : kFilm, [=](Host& host) {
      std::mt19937_64 random(seed + static_cast<uint64_t>(round));
      if (!host.Hear()) return;
      // Some of the bits of a good answer.
      const auto spoil = [&](MutableByteSpan bytes) {
        for (size_t i = random() % 4; i > 0; --i) {
          bytes[random() % bytes.size()] ^= static_cast<uint8_t>(1U << random() % 8);
        }
      };
      CameraAnswer opened = Host::Opened();
      spoil(RoomIn(opened));
      host.Say(opened);
      while (const uint64_t number = host.Frame()) {
        FrameAnswer answer = Host::Good(number);
        spoil(RoomIn(answer));
        switch (random() % 8) {
          case 0:
            host.SayBytes(Bytes(1 + random() % 200, static_cast<uint8_t>(random())));
            break;
          case 1:
            return host.Leave();
          case 2:
            host.Say(answer);
            [[fallthrough]];
          default:
            host.Say(answer);
        }
      }
    });
    Result<CameraInfo> opened = camera.Open({});
    for (int i = 0; opened && i < 20; ++i) {
      const auto frame = camera.NextFrame(clock_.Now() + kForEver);
      if (!frame && frame.error().code == ErrorCode::kFailedPrecondition) break;
      if (!frame) continue;
      ASSERT_EQ(frame->data.size(),
                static_cast<size_t>(frame->stride) * static_cast<size_t>(frame->height));
      ASSERT_LE(frame->data.size(), kMaxPictureBytes);
    }
    camera.Close();
    hosts_.clear();
  }
}

TEST_F(RemoteCameraTest, PassesOnWhyThereIsNoProcess) {
  RemoteCamera camera(
      kLive,
      []() -> Result<FileDescriptor> { return Fail(ErrorCode::kNotFound, "it is not installed"); },
      clock_);
  EXPECT_EQ(camera.Open({}).error().message, "it is not installed");
  EXPECT_EQ(camera.NextFrame(clock_.Now()).error().code, ErrorCode::kFailedPrecondition);
}

}  // namespace
}  // namespace idkiosk
