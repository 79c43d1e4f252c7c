// Delivering a facial verification to the sandbox, against a bare libcurl loop that sends the same
// bytes to it: claim, decrypt, approve, sync, send, classify, record and sync are what is added.
#include <curl/curl.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>

#include "app/queue/delivery_worker.h"
#include "platform/posix/curl_http_client.h"
#include "tools/benchmarks/bench_queue.h"
#include "tools/benchmarks/benchmark.h"
#include "tools/benchmarks/sandbox_program.h"

namespace idkiosk {
namespace {

constexpr int kDeliveries = 150;
constexpr int kWarmUp = 5;
// A backlog is delivered in runs: these many calls of it, against as many requests.
constexpr int kBacklog = 10;
constexpr int kBacklogRuns = 40;

class NoShrinker final : public BundleShrinker {
 public:
  [[nodiscard]] Result<FacePictures> Shrink(const FacePictures&, int) override {
    return Fail(ErrorCode::kExhausted, "nothing is made smaller here");
  }
  void Remember(int) override {}
};

// The least that sends a body over a verified TLS connection.
class BareCurl {
 public:
  BareCurl(const SandboxProgram& sandbox, const BuiltRequest& built, const SecretBytes& api_key,
           const SecretBytes& user_id, const SecretBytes& token)
      : easy_(curl_easy_init()), body_(built.body->size(), '\0') {
    if (built.body->Read(body_) != body_.size()) GiveUp("the body is not whole");
    for (const std::string& line :
         {fmt::format("X-API-KEY: {}", api_key.text()),
          fmt::format("X-USER-ID: {}", user_id.text()),
          fmt::format("Authorization: Bearer {}", token.text()),
          std::string("Content-Type: application/json"), std::string("Expect:")}) {
      headers_ = curl_slist_append(headers_, line.c_str());
    }
    const std::string url(built.request.url.text());
    curl_easy_setopt(easy_, CURLOPT_URL, url.c_str());
    curl_easy_setopt(easy_, CURLOPT_CAINFO, sandbox.ca_file().c_str());
    // The system's hundreds of certificates would be read for each new connection.
    curl_easy_setopt(easy_, CURLOPT_CAPATH, nullptr);
    curl_easy_setopt(easy_, CURLOPT_HTTPHEADER, headers_);
    curl_easy_setopt(easy_, CURLOPT_POSTFIELDS, body_.data());
    curl_easy_setopt(easy_, CURLOPT_POSTFIELDSIZE, static_cast<long>(body_.size()));
    curl_easy_setopt(easy_, CURLOPT_UPLOAD_BUFFERSIZE, 128L * 1024);
    curl_easy_setopt(easy_, CURLOPT_WRITEFUNCTION, &Ignore);
  }
  ~BareCurl() {
    curl_easy_cleanup(easy_);
    curl_slist_free_all(headers_);
  }
  BareCurl(const BareCurl&) = delete;
  BareCurl& operator=(const BareCurl&) = delete;

  void Send(bool fresh_connection) {
    curl_easy_setopt(easy_, CURLOPT_FRESH_CONNECT, fresh_connection ? 1L : 0L);
    long status = 0;
    if (curl_easy_perform(easy_) != CURLE_OK) GiveUp("bare libcurl failed");
    curl_easy_getinfo(easy_, CURLINFO_RESPONSE_CODE, &status);
    if (status != 200) GiveUp(fmt::format("bare libcurl got status {}", status));
  }

 private:
  static size_t Ignore(char*, size_t, size_t size, void*) { return size; }

  CURL* const easy_;
  std::string body_;
  curl_slist* headers_ = nullptr;
};

// A file that grows by one page and is on the disk after each: what approving an attempt and what
// recording its answer cannot do without.
class SyncedFile {
 public:
  explicit SyncedFile(const std::string& path)
      : file_(open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600)) {}
  ~SyncedFile() { close(file_); }
  SyncedFile(const SyncedFile&) = delete;
  SyncedFile& operator=(const SyncedFile&) = delete;

  void WritePage() {
    if (write(file_, page_.data(), page_.size()) < 0 || fsync(file_) != 0) GiveUp("cannot write");
  }

 private:
  const int file_;
  const std::array<char, 4096> page_{};
};

// The product, provisioned at the sandbox.
class Product {
 public:
  explicit Product(SandboxProgram& sandbox) : bench_("delivery") {
    settings_.base_url = sandbox.base_url();
    CurlHttpClient::Options options;
    options.ca_file = sandbox.ca_file();
    auto http = CurlHttpClient::Create(std::move(options));
    if (!http) GiveUp(http.error().message);
    http_ = std::move(*http);
    const JsonDocument message = sandbox.Onboard();
    const std::pair<std::string_view, const char*> secrets[] = {
        {kApiKeySecret, "/api_key"},
        {kUserIdSecret, "/user_id"},
        {kLoginSecret, "/login/email"},
        {kPasswordSecret, "/login/password"},
    };
    for (const auto& [name, pointer] : secrets) {
      const auto value = message.root().At(pointer).AsString().value_or("");
      if (Status put = bench_.vault().Put(name, SecretBytes::CopyOf(value)); !put) {
        GiveUp(put.error().message);
      }
    }
    tokens_ = std::make_unique<TokenKeeper>(bench_.profile(), settings_, Environment::kSandbox,
                                            *http_, bench_.vault(), bench_.clock());
    client_ = std::make_unique<ServiceClient>(bench_.profile(), settings_, Environment::kSandbox,
                                              *http_, bench_.vault(), *tokens_, bench_.clock());
    worker_ = std::make_unique<DeliveryWorker>(bench_.queue(), *client_, shrinker_, bench_.clock());
    call_ = bench_.MakeCall();
    for (int i = 0; i < 3 * kBacklog * (kBacklogRuns + kWarmUp); ++i) {
      if (auto accepted = bench_.queue().Accept(call_, {}); !accepted) {
        GiveUp(accepted.error().message);
      }
    }
  }

  [[nodiscard]] BareCurl MakeFloor(const SandboxProgram& sandbox) {
    auto token = tokens_->Token();
    if (!token) GiveUp(token.error().engineer);
    const auto built =
        BuildRequest(bench_.profile().at(Endpoint::kVerify), settings_, ValuesOf(call_));
    if (!built) GiveUp(built.error().message);
    return BareCurl(sandbox, *built, *bench_.vault().Get(kApiKeySecret),
                    *bench_.vault().Get(kUserIdSecret), *token);
  }

  void DeliverBacklog() {
    int told = 0;
    // Asked twice a call: before the next one is approved, and where none was.
    int asked = 0;
    const auto step = worker_->DeliverRun({[&asked] { return ++asked < kBacklog; },
                                           [&told](const DeliveryWorker::Step& each) {
                                             if (each.outcome->kind != OutcomeKind::kVerified)
                                               GiveUp(each.outcome->engineer);
                                             ++told;
                                           }});
    if (!step) GiveUp(step.error().message);
    if (told != kBacklog) GiveUp(fmt::format("{} calls were delivered", told));
  }

  void SendOnly() {
    const auto delivery = client_->Deliver(call_, [] { return Status(); });
    if (delivery.outcome.kind != OutcomeKind::kVerified) GiveUp(delivery.outcome.engineer);
  }

 private:
  BenchQueue bench_;
  ServiceSettings settings_;
  NoShrinker shrinker_;
  std::unique_ptr<CurlHttpClient> http_;
  std::unique_ptr<TokenKeeper> tokens_;
  std::unique_ptr<ServiceClient> client_;
  std::unique_ptr<DeliveryWorker> worker_;
  VerificationCall call_;
};

}  // namespace

void MeasureDelivery(std::vector<Figure>& figures) {
  SandboxProgram sandbox(ProgramFolder() + "/../bench-state/sandbox");
  Product product(sandbox);
  BareCurl bare = product.MakeFloor(sandbox);
  const Work reuse = [&] { bare.Send(false); };

  const auto repeat = [](const Work& work) {
    return [work] {
      for (int i = 0; i < kBacklog; ++i) work();
    };
  };
  const Work deliver = [&] { product.DeliverBacklog(); };
  const Paired drained = MeasureInTurn(deliver, repeat(reuse), kBacklogRuns, kWarmUp);
  Figure drain = ToFigure("deliver ten calls, connection kept", drained, 1.25,
                          "bare libcurl, same bytes, connection kept");
  drain.goal = "at most 1.25 times the floor: 0.8 of its calls a second";
  figures.push_back(drain);

  SyncedFile synced(ProgramFolder() + "/../bench-state/pages");
  const Paired durable = MeasureInTurn(deliver, repeat([&] {
                                         synced.WritePage();
                                         bare.Send(false);
                                       }),
                                       kBacklogRuns, kWarmUp);
  figures.push_back(ToFigure("the same, against what must be on the disk", durable, 1.25,
                             "for each: a page synced, bare libcurl"));

  const MbedtlsCrypto crypto;
  const SecretBytes key(32);
  const Bytes sealed = crypto.Seal(key, {}, {}, Bytes(5 * BenchQueue::kPictureSize));
  const Paired opened = MeasureInTurn(deliver, repeat([&] {
                                        if (!crypto.Open(key, {}, {}, sealed)) GiveUp("not opened");
                                        synced.WritePage();
                                        bare.Send(false);
                                      }),
                                      kBacklogRuns, kWarmUp);
  figures.push_back(
      ToFigure("the same, its cipher in the floor", opened, 1.7,
               "for each: its pictures opened with AES-GCM by mbedTLS, a page synced, "
               "bare libcurl"));

  const Paired sent = MeasureInTurn([&] { product.SendOnly(); }, reuse, kDeliveries, kWarmUp);
  Figure latency = ToFigure("of that: request, answer, verdict", sent, 1.05, drain.note);
  latency.goal = "at most 5 % or 2 ms above the floor";
  latency.met = *latency.met || Median(sent.work) - Median(sent.floor) <= 2000;
  figures.push_back(latency);

  const Paired connected = MeasureInTurn([&] { bare.Send(true); }, reuse, kDeliveries, kWarmUp);
  Figure fresh = ToFigure("bare libcurl, a new connection each", connected, 1, drain.note);
  fresh.goal = "what a new connection for each billed call costs";
  fresh.met.reset();
  figures.push_back(fresh);
}

}  // namespace idkiosk
