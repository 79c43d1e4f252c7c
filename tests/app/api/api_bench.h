#ifndef IDKIOSK_TESTS_APP_API_API_BENCH_H_
#define IDKIOSK_TESTS_APP_API_API_BENCH_H_

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/types.h>

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "app/api/api_route.h"
#include "app/api/api_server.h"
#include "app/api/openapi_text.h"
#include "app/service/request_reasons.h"
#include "platform/posix/loop_task_runner.h"
#include "platform/posix/system_clock.h"
#include "tests/app/api/schema_check.h"
#include "tests/app/queue/queue_fixture.h"
#include "tests/app/ui/raw_client.h"
#include "tests/fakes/fake_audit_log.h"
#include "tests/fakes/fake_entropy.h"
#include "tests/fakes/scratch_folder.h"

namespace idkiosk {

inline constexpr uid_t kNobody = 65534;  // whom every machine knows by name
inline constexpr std::string_view kNin = "00000000001";

// The real server on a real socket file, over the real queue on a disk in memory, with a storage
// thread. Every answer is held against the document.
class ApiBench : public QueueBench, public testing::Test {
 protected:
  ApiBench() {
    kiosk_.state_folder = "/state";
    kiosk_.environment = Environment::kSandbox;
    options.consents = &consents_;
    Open();
    RequestReasons reasons(files, clock, "/state/request-reasons.json");
    EXPECT_TRUE(reasons.Replace({{"ACCOUNT_OPENING", "Opening an account"}}));
    StartStorage();
  }
  ~ApiBench() override {
    server_.reset();
    EndStorage();
  }

  void Serve(ApiServer::Options with = {}) {
    backend_.emplace(ApiBackend::Dependencies{
        .settings = kiosk_,
        .profile = profile,
        .config_path = "/kiosk.jsonc",
        .queue = *queue,
        .vault = storage,
        .audit = audit_,
        .consents = consents_,
        .consent_texts = texts_,
        .files = files,
        .clock = clock,
        .entropy = entropy_,
        .storage_runner = *storage_runner_,
        .wake = [this] { ++woken_; },
        .online = [this] { return online_.load(); },
        .metrics = [] { return std::string("idkiosk_up 1\n"); },
        .audit_entries = [this](uint64_t number, size_t) -> Result<std::vector<AuditEntry>> {
          std::vector<AuditEntry> entries;
          for (const AuditEntry& each : audit_.put_down) {
            if (each.number > number) entries.push_back(each);
          }
          return entries;
        },
        .headquarters = with_headquarters_,
        .gate = [this](ApiBackend::GivenPictures pictures) { return Gate(std::move(pictures)); },
        .begin_visit = [this](auto order) { begin_visit_(std::move(order)); },
        .at_screen = &at_screen_});
    for (const AuditEntry& entry : audit_.put_down) backend_->owners().Learn(entry);
    with.socket = socket();
    auto started = ApiServer::Start(with, *backend_, heartbeat_);
    ASSERT_TRUE(started) << started.error().message;
    server_ = std::move(*started);
  }
  // The process ends without a word, and another begins with what is on its disk.
  void Reboot() {
    server_.reset();
    EndStorage();
    Restart();
    StartStorage();
    Serve();
  }

  [[nodiscard]] std::string socket() const { return folder_ / "api.sock"; }

  // The whole answer to these bytes on a new connection.
  std::string Send(std::string_view bytes) const {
    RawClient program(socket());
    program.Send(bytes);
    return program.ReadAll();
  }
  // The answer to a request; the test fails where the document does not foresee it.
  std::string Ask(std::string_view method, const std::string& target, const std::string& body = "",
                  const std::string& more = "") const {
    std::string text = fmt::format("{} {} HTTP/1.1\r\nHost: local\r\nConnection: close\r\n{}",
                                   method, target, more);
    if (method == "POST") text += fmt::format("Content-Length: {}\r\n", body.size());
    if (!body.empty()) text += "Content-Type: application/json\r\n";
    std::string answer = Send(text + "\r\n" + body);
    if (const auto found = FindRoute(method, target)) {
      EXPECT_EQ(MisfitOfAnswer(answer, method, found->route->path, document_.root()), "")
          << target << "\n"
          << answer;
    } else {
      EXPECT_EQ(Misfit(JsonOf(answer).root(), document_.root().At("/components/schemas/Problem"),
                       document_.root()),
                "");
    }
    return answer;
  }
  std::string Get(const std::string& target) const { return Ask("GET", target); }
  std::string Post(const std::string& target, const std::string& body = "",
                   const std::string& more = "") const {
    return Ask("POST", target, body, more);
  }

  // A body that asks for a verification with so many pictures.
  static std::string WithPictures(int count, std::string_view nin = "00000000001") {
    std::string list;
    for (int i = 0; i < count; ++i) {
      const SecretBytes jpeg = DrawJpeg(600, static_cast<char>('a' + i));
      list += fmt::format("{}\"{}\"", i == 0 ? "" : ",", ToBase64(jpeg.view()));
    }
    return fmt::format(
        R"({{"endpoint":"verify","nin":"{}","reason":"ACCOUNT_OPENING","pictures":[{}]}})", nin,
        list);
  }

  static JsonDocument JsonOf(std::string_view answer) {
    auto document = JsonDocument::Parse(BodyOf(answer));
    EXPECT_TRUE(document) << answer;
    return document ? std::move(*document) : JsonDocument();
  }
  static std::string TextAt(std::string_view answer, std::string_view pointer) {
    return std::string(JsonOf(answer).root().At(pointer).AsString().value_or("(no text)"));
  }
  // The last word of a problem's type.
  static std::string ProblemIn(std::string_view answer) {
    const std::string type = TextAt(answer, "/type");
    return type.substr(type.rfind(':') + 1);
  }

  // What is asked of the queue in the test, beside the server.
  template <typename Question>
  auto OnStorage(Question question) {
    return backend_->Ask(std::move(question));
  }

  Result<FacePictures> Gate(ApiBackend::GivenPictures pictures) {
    if (const char* const why = gate_refuses_) {
      return Fail(ErrorCode::kRejected, "liveness-2: {}", why);
    }
    FacePictures gated;
    gated.selfie = std::move(pictures[0]);
    for (size_t i = 0; i < gated.liveness.size(); ++i)
      gated.liveness[i] = std::move(pictures[i + 1]);
    gated.means = PictureMeans::kElsewhere;
    return gated;
  }

  void StartStorage() {
    storage_runner_ = std::make_unique<LoopTaskRunner>(real_clock_);
    storage_thread_ = std::jthread([this] { storage_runner_->Run(); });
  }
  void EndStorage() {
    if (!storage_thread_.joinable()) return;
    storage_runner_->Post([this] { storage_runner_->Stop(); });
    storage_thread_.join();
    backend_.reset();
  }

  Settings kiosk_;
  Headquarters* with_headquarters_ = nullptr;
  FakeAuditLog audit_;
  ConsentLog consents_{"/state", clock, crypto, storage, files};
  ConsentTexts texts_ = std::move(*ConsentTexts::Load(kiosk_, files));  // idkiosk's own
  SystemClock real_clock_;
  Heartbeat heartbeat_{real_clock_};
  ScratchFolder folder_;
  std::atomic<int> woken_ = 0;
  std::atomic<bool> online_ = true;
  // The screen, on the server's threads; until a test says otherwise it takes everybody at once.
  std::function<void(std::shared_ptr<const VisitOrder>)> begin_visit_ = [this](auto order) {
    backend_->visits().Begun(order->reference, {});
  };
  NumberAtScreen at_screen_;
  std::atomic<const char*> gate_refuses_ = nullptr;  // why; read by the server's threads
  const JsonDocument document_ = std::move(*JsonDocument::Parse(OpenApiText()));
  std::unique_ptr<LoopTaskRunner> storage_runner_;
  std::jthread storage_thread_;
  FakeEntropy entropy_;  // goes on over a Reboot, as the kernel's does
  std::optional<ApiBackend> backend_;
  std::unique_ptr<ApiServer> server_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_TESTS_APP_API_API_BENCH_H_
