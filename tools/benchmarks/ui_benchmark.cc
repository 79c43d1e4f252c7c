// The page: from a camera's frame to the browser, what that costs, and how soon the page is there.
#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <thread>

#include "app/capture/image/jpeg_encoder.h"
#include "app/ui/loopback_server.h"
#include "app/workers/preview_feed.h"
#include "platform/posix/posix_file_system.h"
#include "platform/posix/system_clock.h"
#include "platform/posix/system_entropy.h"
#include "tools/benchmarks/benchmark.h"
#include "tools/benchmarks/browser_script.h"
#include "tools/benchmarks/sandbox_program.h"

namespace idkiosk {
namespace {

using Steady = std::chrono::steady_clock;

constexpr int kFrames = 300;  // ten seconds
constexpr auto kBetweenFrames = std::chrono::microseconds(33'333);
constexpr int kTurns = 60, kFramesOfTurn = 7;  // of light and dark frames
constexpr int kStarts = 15;

double SecondsOf(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

double MillisecondsSince(Steady::time_point start) {
  return std::chrono::duration<double, std::milli>(Steady::now() - start).count();
}

// A browser's end of one request.
class PageReader {
 public:
  PageReader(int port, const std::string& request) : socket_(socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 ||
        write(socket_, request.data(), request.size()) < 0) {
      GiveUp("the page's server does not answer");
    }
  }
  ~PageReader() { close(socket_); }
  PageReader(const PageReader&) = delete;
  PageReader& operator=(const PageReader&) = delete;

  // Everything up to and with `end`; empty if the answer ends before.
  std::string TakeUntil(std::string_view end) {
    char part[65536];
    size_t found = 0;
    while ((found = text_.find(end)) == std::string::npos) {
      const ssize_t count = read(socket_, part, sizeof part);
      if (count <= 0) return {};
      text_.append(part, static_cast<size_t>(count));
    }
    found += end.size();
    std::string taken = text_.substr(0, found);
    text_.erase(0, found);
    return taken;
  }

 private:
  const int socket_;
  std::string text_;
};

// As a phone's picture of a room: hard to compress, 60 kB or so. Its darkest pixel is `least`.
SecretBytes CameraPicture(int least) {
  constexpr int kWidth = 1280;
  constexpr int kHeight = 720;
  Picture picture;
  picture.Resize(kWidth, kHeight);
  uint32_t noise = 7;
  for (int y = 0; y < kHeight; ++y) {
    for (int x = 0; x < 3 * kWidth; ++x) {
      noise = noise * 1664525 + 1013904223;
      picture.row(y)[x] =
          static_cast<uint8_t>(least + (x + y) / 60 + static_cast<int>(noise >> 28));
    }
  }
  JpegEncoder encoder;
  auto jpeg = encoder.Encode(picture.view(), 80);
  if (!jpeg) GiveUp(jpeg.error().message);
  return std::move(*jpeg);
}

class NoDesk final : public PageBackend {
 public:
  Status PageOpened() override { return {}; }
  CommandReply Command(JsonDocument) override { return {}; }
  Result<SecretBytes> Picture(std::string_view, size_t) override {
    return Fail(ErrorCode::kNotFound, "none");
  }
  Result<SecretBytes> AnswerPhoto(std::string_view) override {
    return Fail(ErrorCode::kNotFound, "none");
  }
  std::string Metrics() override { return ""; }
};

std::string Ask(int port, const std::string& path, const std::string& cookie) {
  return fmt::format("GET {} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n{}\r\n", path, port,
                     cookie.empty() ? "" : "Cookie: " + cookie + "\r\n");
}

// What a browser has that opened the start page at this address, as a browser posts its form.
struct Visitor {
  int port;
  std::string cookie;  // "idkiosk=..."
};
Visitor ComeIn(const std::string& start_address) {
  const auto html =
      PosixFileSystem().Read(start_address.substr(std::string("file://").size()), 4096);
  if (!html) GiveUp(html.error().message);
  const auto behind = [text = AsText(*html)](std::string_view mark) {
    const size_t at = text.find(mark);
    if (at == std::string_view::npos) GiveUp("the start page is not as it should be");
    return text.substr(at + mark.size());
  };
  const int port = std::atoi(behind("action=\"http://127.0.0.1:").data());
  const std::string form = fmt::format("token={}", behind("name=\"token\" value=\"").substr(0, 32));
  PageReader start(port,
                   fmt::format("POST /start HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nOrigin: null\r\n"
                               "Content-Type: application/x-www-form-urlencoded\r\n"
                               "Content-Length: {}\r\n\r\n{}",
                               port, form.size(), form));
  const std::string head = start.TakeUntil("\r\n\r\n");
  const size_t begin = head.find("idkiosk=");
  if (begin == std::string::npos) GiveUp("the start page gives no cookie: " + head);
  return {port, head.substr(begin, head.find(';', begin) - begin)};
}

// The page's server, with nobody behind it but a camera.
struct PreviewServer {
  PreviewServer() {
    auto started =
        LoopbackServer::Start({}, {desk, login, snapshots, preview, pulse, EmbeddedPage()});
    if (!started) GiveUp(started.error().message);
    server = std::move(*started);
    preview.Open();
  }

  SystemClock clock;
  SystemEntropy entropy;
  PosixFileSystem files;
  const std::string start_page = fmt::format("/tmp/idkiosk-bench-{}.html", getpid());
  BrowserLogin login{entropy, files, start_page};
  NoDesk desk;
  SnapshotBoard snapshots;
  PreviewSlot preview;
  Heartbeat pulse{clock};
  PreviewFeed feed{preview, clock};
  std::unique_ptr<LoopbackServer> server;
};

Frame FrameOf(const SecretBytes& jpeg) {
  Frame frame;
  frame.format = PixelFormat::kJpeg;
  frame.data = jpeg.view();
  return frame;
}

void MeasurePreview(std::vector<Figure>& figures) {
  PreviewServer page;
  PreviewSlot& preview = page.preview;
  const auto [port, cookie] = ComeIn(page.login.address());
  const SecretBytes jpeg = CameraPicture(0);
  const Frame frame = FrameOf(jpeg);

  std::vector<double> latencies;
  double reading = 0;
  std::vector<Steady::time_point> shown;
  shown.reserve(kFrames);
  std::atomic<int> frames_shown = 0;
  std::thread browser([&] {
    PageReader reader(port, Ask(port, "/preview", cookie));
    reader.TakeUntil("multipart/x-mixed-replace");
    // A frame that comes before the one before was taken takes its place.
    while (!reader.TakeUntil(AsText(jpeg.view().last(64))).empty()) {
      latencies.push_back(MillisecondsSince(shown[static_cast<size_t>(frames_shown - 1)]));
    }
    reading = SecondsOf(CLOCK_THREAD_CPUTIME_ID);
  });
  while (!preview.watched()) std::this_thread::yield();
  const double before = SecondsOf(CLOCK_PROCESS_CPUTIME_ID);
  const auto start = Steady::now();
  for (int i = 0; i < kFrames; ++i) {
    std::this_thread::sleep_until(start + i * kBetweenFrames);
    shown.push_back(Steady::now());
    ++frames_shown;
    page.feed.Show(frame);
  }
  std::this_thread::sleep_for(kBetweenFrames);
  preview.Close();
  browser.join();
  if (latencies.size() < kFrames / 2) GiveUp("most frames did not reach the browser");
  const double lasted = MillisecondsSince(start) / 1000;
  const double spent = SecondsOf(CLOCK_PROCESS_CPUTIME_ID) - before - reading;
  figures.push_back(
      ToFigure("a camera's frame until the browser has it", Median(latencies), "ms", 80));
  figures.back().p99 = Percentile(latencies, 99);
  figures.push_back(
      ToFigure(fmt::format("preview of {} frames/s of {} kB, of a core", 30, jpeg.size() / 1000),
               100 * spent / lasted, "%", 5));
}

double MillisecondsSince1970() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration<double, std::milli>(now).count();
}

void MeasurePaint(std::vector<Figure>& figures) {
  PreviewServer page;
  const SecretBytes jpegs[] = {CameraPicture(0), CameraPicture(130)};
  std::vector<double> turned;
  std::jthread camera([&](const std::stop_token& stop) {
    const auto start = Steady::now();
    for (int i = 0; !stop.stop_requested(); ++i) {
      std::this_thread::sleep_until(start + i * kBetweenFrames);
      if (i % kFramesOfTurn == 0) turned.push_back(MillisecondsSince1970());
      page.feed.Show(FrameOf(jpegs[i / kFramesOfTurn % 2]));
    }
  });
  const auto output =
      RunBrowserScript(fmt::format("paint_bench.mjs '{}' {}", page.login.address(), kTurns));
  camera.request_stop();
  camera.join();
  if (!output) return;
  std::vector<double> latencies;
  for (double seen : NumbersOf(*output, "seen")) {
    const auto next = std::ranges::upper_bound(turned, seen);
    if (next != turned.begin()) latencies.push_back(seen - *std::prev(next));
  }
  Figure figure =
      ToFigure("a camera's frame until Chromium has painted it", Median(latencies), "ms", 80);
  figure.p99 = Percentile(latencies, 99);
  figures.push_back(figure);
}

// Runs a program to its end.
void RunToEnd(std::vector<std::string> arguments) {
  std::vector<char*> argv;
  for (std::string& each : arguments) argv.push_back(each.data());
  argv.push_back(nullptr);
  pid_t child = 0;
  int status = 0;
  if (posix_spawn(&child, argv[0], nullptr, nullptr, argv.data(), environ) != 0 ||
      waitpid(child, &status, 0) != child || status != 0) {
    GiveUp("this failed: " + fmt::format("{}", fmt::join(arguments, " ")));
  }
}

// From the spawn to the first byte of the page.
double StartPage(const std::vector<std::string>& arguments) {
  int ends[2];
  if (pipe(ends) != 0) GiveUp("no pipe");
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addclose(&actions, ends[0]);
  std::vector<char*> argv;
  for (const std::string& each : arguments) argv.push_back(const_cast<char*>(each.c_str()));
  argv.push_back(nullptr);
  const auto start = Steady::now();
  pid_t child = 0;
  if (posix_spawn(&child, argv[0], &actions, nullptr, argv.data(), environ) != 0) {
    GiveUp("cannot start " + arguments[0]);
  }
  close(ends[1]);
  std::string address;
  for (char c = 0; read(ends[0], &c, 1) == 1 && c != '\n';) address.push_back(c);
  if (!address.starts_with("file://")) GiveUp("the kiosk did not start");
  const auto [port, cookie] = ComeIn(address);
  PageReader(port, Ask(port, "/", cookie)).TakeUntil("\r\n\r\n");
  const double milliseconds = MillisecondsSince(start);
  kill(child, SIGTERM);
  waitpid(child, nullptr, 0);
  close(ends[0]);
  posix_spawn_file_actions_destroy(&actions);
  return milliseconds;
}

void MeasureStart(std::vector<Figure>& figures) {
  const std::string folder = ProgramFolder() + "/../bench-page";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  const std::string config = folder + "/kiosk.jsonc";
  std::ofstream(config) << fmt::format(
      R"({{ "state_folder": "state", "log": {{ "level": "error" }},
            "service": {{ "profile": "{}/config/profiles/sandbox.jsonc" }} }})",
      std::filesystem::current_path().string());
  const std::string program = ProgramFolder() + "/idkiosk";
  SandboxProgram sandbox(folder + "/sandbox");
  const std::string message = folder + "/onboarding.json";
  std::ofstream(message) << sandbox.Onboard().root().Print();
  std::filesystem::permissions(message, std::filesystem::perms::owner_read);
  RunToEnd({program, "--config", config, "--quiet", "vault", "init"});
  RunToEnd({program, "--config", config, "--quiet", "provision", "--onboarding", message});
  std::vector<double> times;
  for (int i = 0; i < kStarts; ++i) {
    times.push_back(StartPage({program, "--config", config, "run", "--camera", "synthetic"}));
  }
  std::filesystem::remove_all(folder);
  figures.push_back(
      ToFigure("start of the process until the page is there", Median(times), "ms", 300));
  figures.back().p99 = Percentile(times, 99);
}

}  // namespace

void MeasureUi(std::vector<Figure>& figures) {
  MeasurePreview(figures);
  MeasurePaint(figures);
  MeasureStart(figures);
  MeasureTouch(figures);
}

}  // namespace idkiosk
