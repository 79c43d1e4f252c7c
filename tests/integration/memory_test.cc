// What root finds in the memory of a kiosk that nobody stands before any more.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <functional>
#include <sstream>

#include "app/capture/image/jpeg_decoder.h"
#include "platform/base/bytes.h"
#include "tests/integration/page_fixture.h"

namespace idkiosk {
namespace {

// Not the test NIN: that one is no secret, and stands in the configuration.
constexpr const char* kNinOfApi = "70234567892";
// How every JPEG of ours begins.
constexpr std::string_view kJpegHeader("\xff\xd8\xff\xe0\x00\x10JFIF", 10);

// A stretch of a process's memory that it can write.
struct Stretch {
  std::string name;  // as /proc/PID/maps names it: "[heap]", "[stack]", a file; "" for others
  uintptr_t from = 0;
  std::string bytes;
};

std::vector<Stretch> MemoryOf(pid_t process) {
  std::vector<Stretch> all;
  const int memory = open(fmt::format("/proc/{}/mem", process).c_str(), O_RDONLY);
  EXPECT_GE(memory, 0);
  std::stringstream maps(ReadFile(fmt::format("/proc/{}/maps", process)));
  for (std::string line; std::getline(maps, line);) {
    unsigned long from = 0;
    unsigned long to = 0;
    char mode[8] = {};
    int end = 0;
    if (std::sscanf(line.c_str(), "%lx-%lx %7s %*s %*s %*s %n", &from, &to, mode, &end) != 3) {
      continue;
    }
    if (mode[0] != 'r' || mode[1] != 'w') continue;
    Stretch each{line.substr(std::min(line.size(), static_cast<size_t>(end))), from, {}};
    each.bytes.resize(to - from);
    const ssize_t count = pread(memory, each.bytes.data(), to - from, static_cast<off_t>(from));
    if (count <= 0) continue;  // given back since the list was read, as a thread's stack is
    each.bytes.resize(static_cast<size_t>(count));
    all.push_back(std::move(each));
  }
  close(memory);
  return all;
}

// The colour of somebody's skin: at least so many pixels in a row that are all of it are a row of a
// face, however much it was made smaller.
class Skin {
 public:
  explicit Skin(const uint8_t* bgr)
      : values_{static_cast<float>(bgr[0]), static_cast<float>(bgr[1]),
                static_cast<float>(bgr[2])} {}

  // Returns the rows of a face in `memory`, as text: as bytes, interleaved or grey; and each
  // channel as numbers of a network's input, up to 255 or up to 1.
  [[nodiscard]] std::string FindIn(const std::string& memory) const {
    const auto* const bytes = reinterpret_cast<const uint8_t*>(memory.data());
    std::string found;
    for (size_t phase = 0; phase < 3; ++phase) {
      found += Rows("BGR", memory.size() < phase ? 0 : (memory.size() - phase) / 3, [&](size_t i) {
        const uint8_t* const at = bytes + phase + 3 * i;
        return Is(0, at[0]) && Is(1, at[1]) && Is(2, at[2]) ? at[1] : -1.0F;
      });
    }
    found += Rows(
        "grey", memory.size(), [&](size_t i) { return IsLuma(bytes[i]) ? bytes[i] : -1.0F; },
        kGreyRow);
    for (const float most : {1.0F, 255.0F}) {
      for (size_t channel = 0; channel < values_.size(); ++channel) {
        found += Rows(fmt::format("channel {} up to {}", channel, most),
                      memory.size() / sizeof(float), [&](size_t i) {
                        float value = 0;
                        std::memcpy(&value, bytes + sizeof value * i, sizeof value);
                        return Is(channel, value * 255 / most) ? value : -1.0F;
                      });
      }
    }
    return found;
  }

 private:
  static constexpr float kFar = 14;
  static constexpr size_t kRow = 24;      // pixels
  static constexpr size_t kGreyRow = 40;  // shorter ones stand in memory by chance

  [[nodiscard]] bool Is(size_t channel, float value) const {
    return std::abs(value - values_.at(channel)) <= kFar;
  }
  [[nodiscard]] bool IsLuma(float value) const {
    const float luma = 0.114F * values_[0] + 0.587F * values_[1] + 0.299F * values_[2];
    return std::abs(value - luma) <= kFar;
  }
  // `pixel` returns a pixel's value where it is the skin's, else -1. A row of equal ones is none:
  // no camera sees that.
  template <typename Pixel>
  static std::string Rows(std::string_view kind, size_t pixels, const Pixel& pixel,
                          size_t shortest = kRow) {
    size_t rows = 0;
    size_t first = 0;
    size_t length = 0;
    float begin = 0;
    bool varies = false;
    for (size_t i = 0; i < pixels; ++i) {
      const float value = pixel(i);
      if (value < 0) {
        length = 0;
        continue;
      }
      if (length++ == 0) {
        begin = value;
        varies = false;
      }
      varies = varies || value != begin;
      if (length >= shortest && varies) {
        if (rows++ == 0) first = i;
        length = 0;
      }
    }
    return rows == 0 ? "" : fmt::format(" {} rows of {} from pixel {};", rows, kind, first);
  }

  std::array<float, 3> values_;
};

class MemoryTest : public PageFixture {
 protected:
  void SetUp() override {
    if (geteuid() != 0) GTEST_SKIP() << "only root reads a kiosk's memory: run this test as root";
    ASSERT_NO_FATAL_FAILURE(StartSandbox());
    ASSERT_NO_FATAL_FAILURE(
        Provision(fmt::format(R"("api": {{ "socket": "{}" }},)", folder_ / "api.sock")));
    ASSERT_NO_FATAL_FAILURE(Run());
    connection_ = std::make_unique<RawClient>(port_);
  }

  [[nodiscard]] Picture Selfie() const {
    const std::string answer = Ask("GET /pictures/0?s=" + session_);
    EXPECT_EQ(StatusOf(answer), 200);
    return Decoded(BodyOf(answer));
  }
  static Picture Decoded(std::string_view jpeg) {
    JpegDecoder decoder(10'000'000);
    const auto header = decoder.ReadHeader(AsBytes(jpeg));
    Picture picture;
    EXPECT_TRUE(header && decoder.Decode(AsBytes(jpeg), 8, {0, 0, header->width, header->height},
                                         JpegDecoder::Effort::kQuick, picture));
    return picture;
  }
  static const uint8_t* CheekOf(const Picture& selfie) {
    return selfie.row(selfie.height() / 2) + ptrdiff_t{3} * (selfie.width() * 2 / 5);
  }
  static std::string PixelsOf(const Picture& picture) {
    const auto* const first = reinterpret_cast<const char*>(picture.row(0));
    return {first, static_cast<size_t>(picture.stride()) * static_cast<size_t>(picture.height())};
  }

  // Returns what the local API answers; the path comes last.
  [[nodiscard]] std::string Curl(std::vector<std::string> arguments) const {
    arguments.back() = "http://localhost" + arguments.back();
    arguments.insert(arguments.begin(),
                     {"curl", "--silent", "--unix-socket", folder_ / "api.sock"});
    return RunProgram(arguments).out;
  }

  // Returns where in the kiosk's memory any of it stands; empty where nothing does.
  [[nodiscard]] std::string Find(const std::vector<std::string>& texts, const Skin& skin) const {
    std::string found;
    for (const Stretch& each : MemoryOf(service_->id())) {
      std::string here = skin.FindIn(each.bytes);
      for (const std::string& text : texts) {
        const size_t at = each.bytes.find(text);
        if (at != std::string::npos) {
          here += fmt::format(" '{}' at +{:#x};", text == kJpegHeader ? "a JPEG" : text, at);
        }
      }
      if (!here.empty()) {
        found += fmt::format("in {:#x} bytes of '{}' at {:#x}:{}\n", each.bytes.size(), each.name,
                             each.from, here);
      }
    }
    return found;
  }

  // Threads that have answered wipe what they used a moment later: looks again at each sign of life
  // of the page's stream, once a second.
  void ExpectNothingLeft(const std::vector<std::string>& texts, const Skin& skin) const {
    constexpr int kMostLooks = 40;
    SnapshotStream stream = Snapshots();
    std::string found = Find(texts, skin);
    for (int look = 1; !found.empty() && look < kMostLooks && stream.AwaitSign(); ++look) {
      found = Find(texts, skin);
    }
    EXPECT_EQ(found, "");
    // Each text, and the face.
    RecordProperty("attacks", static_cast<int>(texts.size()) + 1);
  }
};

// A stretch may have been given back between the list of them and the reading.
TEST(SkinTest, IsNowhereInMemoryThatIsGone) {
  constexpr std::array<uint8_t, 3> kBgr = {120, 130, 140};
  for (size_t size = 0; size < 4; ++size) {
    EXPECT_EQ(Skin(kBgr.data()).FindIn(std::string(size, '\x80')), "") << size;
  }
}

TEST_F(MemoryTest, NothingOfAVisitIsLeftOnceItIsOver) {
  // A short text that was moved away has lost its first sign alone.
  const std::vector<std::string> texts = {kTypedNin + 1, std::string(kJpegHeader)};
  std::optional<Skin> skin;
  AskAbout(kTypedNin, Visit::kFirst, [&] {
    const Picture selfie = Selfie();
    ASSERT_GT(selfie.width(), 0);
    skin.emplace(CheekOf(selfie));
    EXPECT_THAT(skin->FindIn(PixelsOf(selfie)), testing::HasSubstr("BGR"));
    const std::string found = Find(texts, *skin);
    EXPECT_THAT(found, testing::HasSubstr(kTypedNin + 1));
    EXPECT_THAT(found, testing::HasSubstr("a JPEG"));
  });
  ASSERT_TRUE(skin);
  AwaitScreen("answer");
  EXPECT_EQ(Do("finish"), 204);
  AwaitScreen("welcome");
  ExpectNothingLeft(texts, *skin);
}

TEST_F(MemoryTest, NothingOfARequestOfTheApiIsLeftOnceItIsAnswered) {
  const std::string jpeg = ReadFile(pictures() + "/selfie.jpg");
  std::string list;
  for (const char* name : {"selfie", "liveness-1", "liveness-2", "liveness-3", "liveness-4"}) {
    list += fmt::format(R"({}"{}")", list.empty() ? "" : ",",
                        ToBase64(AsBytes(ReadFile(fmt::format("{}/{}.jpg", pictures(), name)))));
  }
  const std::string body = fmt::format(
      R"({{"endpoint":"verify","nin":"{}","reason":"ACCOUNT_OPENING","pictures":[{}]}})", kNinOfApi,
      list);
  WriteFile(folder_ / "body.json", body);
  const std::string taken = Curl({"--header", "Content-Type: application/json", "--data-binary",
                                  "@" + (folder_ / "body.json"), "/v1/checks"});
  const std::string reference = Text(Parse(taken), "/reference");
  ASSERT_NE(reference, "") << taken;
  for (std::string state = "pending"; state == "pending" || state == "sending";) {
    state = Text(Parse(Curl({"/v1/checks/" + reference})), "/state");
  }
  EXPECT_EQ(Posts(kNinOfApi), 1);
  const Skin skin(CheekOf(Decoded(jpeg)));
  ExpectNothingLeft({kNinOfApi + 1, std::string(kJpegHeader), list.substr(400, 24)}, skin);
}

}  // namespace
}  // namespace idkiosk
