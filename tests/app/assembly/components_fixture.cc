#include "tests/app/assembly/components_fixture.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <utility>

#include "app/settings/credentials.h"
#include "platform/posix/loop_task_runner.h"
#include "tests/fakes/fake_secure_storage.h"

namespace idkiosk {
namespace {

// A network of its own time: it is asked on another thread than the test's.
class PlayedNetwork final : public HttpClient {
 public:
  PlayedNetwork(FakeHttpClient::Server server, std::function<void()> on_cancel)
      : on_cancel_(std::move(on_cancel)) {
    http_.set_server(std::move(server));
  }
  [[nodiscard]] HttpExchange Send(const HttpRequest& request, BeforeSend before_send) override {
    return http_.Send(request, std::move(before_send));
  }
  void Cancel() override { on_cancel_(); }

 private:
  const std::function<void()> on_cancel_;
  FakeClock clock_;
  FakeHttpClient http_{clock_};
};

class NoCodes final : public CodeScanner {
 public:
  std::vector<SecretBytes> Read(ByteSpan, int, int) override { return {}; }
};

std::unique_ptr<FakeSecureStorage> FilledVault() {
  auto vault = std::make_unique<FakeSecureStorage>();
  for (const auto name : {kApiKeySecret, kUserIdSecret, kLoginSecret, kPasswordSecret}) {
    vault->Set(name, "of a test");
  }
  return vault;
}

}  // namespace

Result<CameraInfo> FakeCamera::Open(const CameraRequest& request) {
  script_.request = request;
  if (script_.error) return std::unexpected(*script_.error);
  return script_.info;
}

Result<Frame> FakeCamera::NextFrame(MonotonicTime) {
  script_.on_frame();
  return Frame::Owning(PixelFormat::kGrey, 64, 64, 64, Bytes(size_t{64} * 64, 90));
}

ComponentsFixture::ComponentsFixture()
    : drivers{
          .clock = clock,
          .entropy = entropy,
          .files = files,
          .crypto = crypto,
          .signatures = signatures,
          .terminal = terminal,
          .watchdog = watchdog,
          .program_folder = folder.path(),
          .check_camera = [](std::string_view source) -> Status {
            if (source == "auto") return {};
            return Fail(ErrorCode::kInvalid, "must be auto");
          },
          .camera_promise = [this](std::string_view) -> Result<CameraPromise> { return promise; },
          .start_camera_program = [](std::string_view) { return Status(); },
          .make_camera = [this](const std::string& source,
                                const CameraSettings&) -> Result<ChosenCamera> {
            sources.push_back(source);
            if (source == "nonsense") return Fail(ErrorCode::kInvalid, "must be auto");
            return ChosenCamera{std::make_unique<FakeCamera>(camera), [](std::string_view) {}};
          },
          .make_printer = [](const std::string&) -> Result<std::unique_ptr<Printer>> {
            return Fail(ErrorCode::kInvalid, "no printer here");
          },
          .make_light = {},
          .make_tamper_switch = nullptr,
          .make_code_scanner = [] { return std::make_unique<NoCodes>(); },
          .read_picture = {},
          .make_http_client =
              [this](const ServiceSettings&) {
                made.emplace_back("network");
                return std::make_unique<PlayedNetwork>(server, on_cancel);
              },
          .open_vault =
              [this](const Settings&) {
                made.emplace_back("vault");
                return ChosenVault{FilledVault()};
              },
          .make_task_loop = [this] { return std::make_unique<LoopTaskRunner>(clock); },
          .can_confine_files = [] { return false; },
          .confine_files = {},
          .library_versions = [] { return std::string("a network 1.2"); },
      } {
  const std::string profile = ReadRepositoryFile("config/profiles/sandbox.jsonc");
  EXPECT_TRUE(
      files.WriteDurably(folder / "sandbox.jsonc", AsBytes(profile), FileAccess::kOwnerOnly));
  Configure();
}

void ComponentsFixture::Configure(std::string_view more, std::string_view service) {
  const std::string text =
      fmt::format(R"({{"state_folder": "state", "service": {{{}}}{}}})", service, more);
  EXPECT_TRUE(files.WriteDurably(options.config, AsBytes(text), FileAccess::kOwnerOnly));
}

}  // namespace idkiosk
