#ifndef IDKIOSK_TESTS_APP_ASSEMBLY_COMPONENTS_FIXTURE_H_
#define IDKIOSK_TESTS_APP_ASSEMBLY_COMPONENTS_FIXTURE_H_

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/assembly/components.h"
#include "drivers/secure_storage/mbedtls_crypto.h"
#include "drivers/secure_storage/mbedtls_signature_check.h"
#include "platform/posix/posix_file_system.h"
#include "platform/posix/system_clock.h"
#include "platform/posix/system_entropy.h"
#include "tests/app/service/service_fixture.h"
#include "tests/fakes/scratch_folder.h"

namespace idkiosk {

// Somebody at the command line, whose answers the test lays down.
class FakeTerminal final : public Terminal {
 public:
  void Print(std::string_view line) override { printed.emplace_back(line); }
  void Say(std::string_view line) override { said.emplace_back(line); }
  void ShowProgress(std::string_view) override {}
  [[nodiscard]] Result<SecretBytes> AskSecret(std::string_view) override {
    return SecretBytes::CopyOf(secret);
  }
  [[nodiscard]] Result<SecretBytes> ReadAll(size_t) override { return SecretBytes::CopyOf(secret); }
  [[nodiscard]] bool interactive() const override { return true; }
  [[nodiscard]] bool Confirm(std::string_view) override { return false; }

  std::vector<std::string> printed;
  std::vector<std::string> said;
  std::string secret;
};

// A service manager that counts what it is told.
class FakeWatchdog final : public Watchdog {
 public:
  void SayReady() override { ++ready; }
  void SayStopping() override { ++stopping; }
  void Feed() override { on_feed(); }
  [[nodiscard]] std::optional<Duration> patience() const override { return patient_for; }

  int ready = 0;
  int stopping = 0;
  std::function<void()> on_feed = [] {};
  std::optional<Duration> patient_for;
};

// Gives one grey frame after the other, as fast as they are asked for.
class FakeCamera final : public Camera {
 public:
  // The test's side of a camera, which may have gone when the test looks. Any thread but the
  // functions, which are set before it opens.
  struct Script {
    CameraInfo info;
    std::optional<Error> error;              // of Open
    std::function<void()> on_frame = [] {};  // before each
    std::function<void()> on_close = [] {};
    CameraRequest request;  // the last
  };
  explicit FakeCamera(Script& script) : script_(script) {}

  [[nodiscard]] Result<CameraInfo> Open(const CameraRequest& request) override;
  [[nodiscard]] Result<Frame> NextFrame(MonotonicTime deadline) override;
  void Close() override { script_.on_close(); }

 private:
  Script& script_;
};

// What the parts of a program are made of: real files in a folder of its own, and devices and a
// network that the test plays. The profile is the sandbox's.
struct ComponentsFixture {
  ComponentsFixture();

  // Writes the configuration: what every kiosk says, without its last brace, and `more` members.
  void Configure(std::string_view more = "", std::string_view service = R"(
      "base_url": "http://127.0.0.1:9", "allow_plain_http": true, "profile": "sandbox.jsonc")");

  ScratchFolder folder;
  SystemClock clock;
  SystemEntropy entropy;
  PosixFileSystem files;
  MbedtlsCrypto crypto;
  MbedtlsSignatureCheck signatures;
  FakeTerminal terminal;
  FakeWatchdog watchdog;
  FakeCamera::Script camera;
  CameraPromise promise;                    // of each source
  std::vector<std::string> sources;         // of the cameras that were made
  FakeHttpClient::Server server;            // empty: the network is away
  std::function<void()> on_cancel = [] {};  // an exchange is given up
  std::vector<std::string> made;            // "vault", "network", in their order
  GlobalOptions options{.config = folder / "kiosk.jsonc", .config_given = true};
  Drivers drivers;
};

}  // namespace idkiosk

#endif  // IDKIOSK_TESTS_APP_ASSEMBLY_COMPONENTS_FIXTURE_H_
