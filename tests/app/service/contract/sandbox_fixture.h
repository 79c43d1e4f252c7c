#ifndef IDKIOSK_TESTS_APP_SERVICE_CONTRACT_SANDBOX_FIXTURE_H_
#define IDKIOSK_TESTS_APP_SERVICE_CONTRACT_SANDBOX_FIXTURE_H_

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "app/queue/delivery_worker.h"
#include "app/queue/durable_queue.h"
#include "app/service/service_client.h"
#include "drivers/secure_storage/mbedtls_crypto.h"
#include "platform/base/json.h"
#include "platform/posix/curl_http_client.h"
#include "platform/posix/posix_file_system.h"
#include "tests/fakes/fake_clock.h"
#include "tests/fakes/fake_entropy.h"
#include "tests/fakes/fake_secure_storage.h"
#include "tests/fakes/scratch_folder.h"
#include "tests/tools/sandbox/contract/sandbox_process.h"

namespace idkiosk {

// Each rung has an eighth of the bytes.
class EighthShrinker final : public BundleShrinker {
 public:
  [[nodiscard]] Result<FacePictures> Shrink(const FacePictures& pictures, int rung) override;
  void Remember(int rung) override { remembered = rung; }
  int remembered = 0;
};

// The product's own client (libcurl on mbedTLS, queue on a real disk) against the sandbox program.
// Only the clock is a fake: what waits, waits no time.
class SandboxFixture : public testing::Test {
 protected:
  explicit SandboxFixture(const std::vector<std::string>& sandbox_options = {});
  ~SandboxFixture() override;

  // Anew with another profile, queue and all.
  void Use(ServiceProfile profile);
  void OpenQueue();

  // The control API; the answer's JSON.
  JsonDocument Admin(const std::string& method, const std::string& path,
                     const std::string& json = "");
  // Another customer's credentials into the vault.
  void Onboard(const std::string& json = "{}");
  void AddFault(const std::string& json) { Admin("POST", "/sandbox/faults", json); }
  void PassServerTime(int64_t seconds);
  // Rows of the sandbox's billing ledger.
  [[nodiscard]] int64_t Billed();
  // Requests that it got for an endpoint of the profile.
  [[nodiscard]] int64_t Requests(std::string_view endpoint);

  // One billed call, straight through the client.
  ServiceClient::Delivery Deliver(const VerificationCall& call);
  // One billed call through the queue, until it is done, held or unknown.
  CallSummary DeliverQueued(const VerificationCall& call, bool confirmed = false);
  [[nodiscard]] AnswerParts PartsOf(Endpoint endpoint, const SecretBytes& answer) const;

  [[nodiscard]] static VerificationCall Call(Endpoint endpoint, std::string_view number);

  static constexpr std::string_view kTestNin = "70123456789";
  static constexpr std::string_view kMatchingNin = "70123456701";   // Amina Sample
  static constexpr std::string_view kDifferingNin = "70123456707";  // another face
  static constexpr std::string_view kUnknownNin = "70123456799";

  sandbox::SandboxProcess sandbox_;
  FakeClock clock_;
  FakeEntropy entropy_;
  FakeSecureStorage storage_;
  MbedtlsCrypto crypto_;
  PosixFileSystem files_;
  std::unique_ptr<CurlHttpClient> http_;
  ServiceSettings settings_;
  ServiceProfile profile_;
  std::unique_ptr<TokenKeeper> tokens_;
  std::unique_ptr<ServiceClient> client_;
  EighthShrinker shrinker_;
  DurableQueue::Options options_;
  std::unique_ptr<DurableQueue> queue_;
  std::unique_ptr<DeliveryWorker> worker_;

 private:
  std::unique_ptr<CurlHttpClient> MakeClient() const;
  ScratchFolder scratch_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_TESTS_APP_SERVICE_CONTRACT_SANDBOX_FIXTURE_H_
