#include "tests/app/service/contract/sandbox_fixture.h"

#include <utility>

#include "tests/app/service/service_fixture.h"
#include "tests/fakes/text_body.h"

namespace idkiosk {

SandboxFixture::SandboxFixture(const std::vector<std::string>& sandbox_options)
    : sandbox_(sandbox_options) {
  settings_.base_url = sandbox_.base_url();
  settings_.test_nin = kTestNin;
  options_.folder = scratch_.path();
  options_.role = DurableQueue::Role::kDeliver;
  options_.base_url = sandbox_.base_url();
  options_.queue.reserve_bytes = 4096;
  options_.billing.duplicate_window = Duration::zero();  // one person, again and again
  http_ = MakeClient();
  Onboard();
  Use(SandboxProfile());
}

SandboxFixture::~SandboxFixture() {
  worker_.reset();
  queue_.reset();
}

std::unique_ptr<CurlHttpClient> SandboxFixture::MakeClient() const {
  CurlHttpClient::Options options;
  options.ca_file = sandbox_.ca_file();
  auto client = CurlHttpClient::Create(std::move(options));
  EXPECT_TRUE(client) << client.error().message;
  return std::move(*client);
}

void SandboxFixture::Use(ServiceProfile profile) {
  worker_.reset();
  queue_.reset();
  profile_ = std::move(profile);
  tokens_ = std::make_unique<TokenKeeper>(profile_, settings_, Environment::kSandbox, *http_,
                                          storage_, clock_);
  client_ = std::make_unique<ServiceClient>(profile_, settings_, Environment::kSandbox, *http_,
                                            storage_, *tokens_, clock_);
  OpenQueue();
}

void SandboxFixture::OpenQueue() {
  worker_.reset();
  queue_.reset();
  auto opened = DurableQueue::Open(options_, profile_, clock_, crypto_, entropy_, storage_, files_);
  ASSERT_TRUE(opened) << opened.error().message;
  queue_ = std::move(*opened);
  worker_ = std::make_unique<DeliveryWorker>(*queue_, *client_, shrinker_, clock_);
}

JsonDocument SandboxFixture::Admin(const std::string& method, const std::string& path,
                                   const std::string& json) {
  HttpRequest request;
  request.method = method;
  request.url = SecretBytes::CopyOf(sandbox_.base_url() + path);
  request.headers.push_back(
      {"Authorization", SecretBytes::CopyOf("Bearer " + sandbox_.admin_token())});
  TextBody body(json);
  if (!json.empty()) request.body = &body;
  // Connections of its own, so that it warms none for the product.
  const HttpExchange exchange = MakeClient()->Send(request, {});
  EXPECT_EQ(exchange.stage, SendStage::kAnswered) << path;
  EXPECT_LT(exchange.answer.status, 300) << path << ": " << exchange.answer.body.text();
  auto document = JsonDocument::Parse(exchange.answer.body.text());
  EXPECT_TRUE(document) << exchange.answer.body.text();
  return document ? std::move(*document) : JsonDocument();
}

void SandboxFixture::Onboard(const std::string& json) {
  const JsonDocument message = Admin("POST", "/sandbox/onboard", json);
  const std::pair<std::string_view, const char*> secrets[] = {
      {kApiKeySecret, "/api_key"},
      {kUserIdSecret, "/user_id"},
      {kLoginSecret, "/login/email"},
      {kPasswordSecret, "/login/password"},
  };
  for (const auto& [name, pointer] : secrets) {
    storage_.Set(name, message.root().At(pointer).AsString().value_or(""));
  }
}

void SandboxFixture::PassServerTime(int64_t seconds) {
  Admin("POST", "/sandbox/clock", fmt::format(R"({{"advance_seconds":{}}})", seconds));
}

int64_t SandboxFixture::Billed() {
  return Admin("GET", "/sandbox/ledger?limit=0").root().At("/sum/count").AsInteger().value_or(-1);
}

int64_t SandboxFixture::Requests(std::string_view endpoint) {
  const std::string path = fmt::format("/sandbox/requests?limit=0&endpoint={}", endpoint);
  return Admin("GET", path).root().At("/count/received").AsInteger().value_or(-1);
}

ServiceClient::Delivery SandboxFixture::Deliver(const VerificationCall& call) {
  return client_->Deliver(call, [] { return Status(); });
}

CallSummary SandboxFixture::DeliverQueued(const VerificationCall& call, bool confirmed) {
  const auto reference =
      queue_->Accept(call, {.person_waits = true, .operator_id = "", .confirmed = confirmed});
  EXPECT_TRUE(reference) << reference.error().message;
  if (!reference) return {};
  const auto wait = [this](MonotonicTime time) {
    clock_.Advance(time - clock_.Now());
    return true;
  };
  const auto ended =
      worker_->DeliverUntil(*reference, clock_.Now() + std::chrono::minutes(30), wait);
  EXPECT_TRUE(ended) << ended.error().message;
  return ended.value_or(CallSummary());
}

AnswerParts SandboxFixture::PartsOf(Endpoint endpoint, const SecretBytes& answer) const {
  auto parts = ReadAnswer(profile_.at(endpoint), answer.view());
  EXPECT_TRUE(parts) << parts.error().message;
  return parts ? std::move(*parts) : AnswerParts();
}

VerificationCall SandboxFixture::Call(Endpoint endpoint, std::string_view number) {
  VerificationCall call;
  const EndpointTraits traits = TraitsOf(endpoint);
  if (traits.TakesPictures()) call = FacialCall(number);
  call.endpoint = endpoint;
  call.reason = "LOAN_APPLICATION";
  (traits.Takes(Placeholder::kNin)     ? call.nin
   : traits.Takes(Placeholder::kPhone) ? call.phone
                                       : call.id_number) = SecretBytes::CopyOf(number);
  return call;
}

Result<FacePictures> EighthShrinker::Shrink(const FacePictures& pictures, int) {
  FacePictures smaller;
  smaller.selfie = DrawJpeg(pictures.selfie.size() / 8, 'x');
  for (size_t i = 0; i < pictures.liveness.size(); ++i) {
    smaller.liveness[i] = DrawJpeg(pictures.liveness[i].size() / 8, 'x');
  }
  return smaller;
}

}  // namespace idkiosk
