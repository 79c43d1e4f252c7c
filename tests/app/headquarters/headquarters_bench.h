#ifndef IDKIOSK_TESTS_APP_HEADQUARTERS_HEADQUARTERS_BENCH_H_
#define IDKIOSK_TESTS_APP_HEADQUARTERS_HEADQUARTERS_BENCH_H_

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/headquarters/headquarters.h"
#include "drivers/secure_storage/mbedtls_signature_check.h"
#include "tests/app/headquarters/order_signer.h"
#include "tests/app/queue/queue_fixture.h"
#include "tests/fakes/fake_audit_log.h"

namespace idkiosk {

// A kiosk that takes commands of alice and bob, over the real queue on a disk in memory.
class HeadquartersBench : public QueueBench, public testing::Test {
 protected:
  static constexpr const char* kConfig = "/kiosk.jsonc";
  static constexpr const char* kLocal = "/kiosk.local.jsonc";

  HeadquartersBench() {
    kiosk_.state_folder = "/state";
    kiosk_.headquarters = {.tenant = "bank",
                           .kiosk = "k1",
                           .groups = {"branches", "lagos"},
                           .keys = {alice_.line(), bob_.line()}};
    Write(kConfig, R"({"state_folder":"/state",)"
                   R"("service":{"base_url":"https://verify.example","profile":"sandbox.jsonc"}})");
    Write("/sandbox.jsonc", "{}");
    Open();
    Start();
  }

  void Write(const std::string& path, std::string_view text) {
    EXPECT_TRUE(files.WriteDurably(path, AsBytes(text), FileAccess::kOwnerOnly));
  }
  std::string Read(const std::string& path) {
    const auto bytes = files.Read(path, 1 << 20);
    return bytes ? std::string(AsText(*bytes)) : "(none)";
  }

  // The program starts, with what is on its disk.
  void Start(SecureStorage* vault = nullptr) {
    headquarters_.emplace(Headquarters::Dependencies{.settings = kiosk_,
                                                     .config_path = kConfig,
                                                     .queue = *queue,
                                                     .vault = vault == nullptr ? storage : *vault,
                                                     .audit = audit_,
                                                     .files = files,
                                                     .clock = clock,
                                                     .crypto = crypto,
                                                     .signatures = check_,
                                                     .complaints = [this] { return complaints_; },
                                                     .wake = [this] { ++woken_; },
                                                     .start_anew = [this] { ++started_anew_; },
                                                     .erase = [this]() -> Status {
                                                       ++erased_;
                                                       return {};
                                                     },
                                                     .start_erased = [this] { ++started_erased_; },
                                                     .log =
                                                         [this] {
                                                           on_log_();
                                                           return std::vector<std::string>{
                                                               "a line"};
                                                         }});
    begun_ = headquarters_->Begin();
  }
  FleetReply Take(const std::string& text) { return headquarters_->Take(text); }

  // A command's document; each member is JSON text, and an empty one is left out.
  using Members = std::map<std::string, std::string>;
  std::string Document(const Members& more) {
    Members members = {{"format", "\"idkiosk-command/1\""},
                       {"tenant", "\"bank\""},
                       {"kiosk", "\"k1\""},
                       {"revision", std::to_string(revision_)},
                       {"issued", At({})},
                       {"expires", At(std::chrono::hours(1))},
                       {"action", "\"restart\""}};
    for (const auto& [name, json] : more) members[name] = json;
    std::string text;
    for (const auto& [name, json] : members) {
      if (!json.empty()) text += fmt::format("{}\"{}\":{}", text.empty() ? "{" : ",", name, json);
    }
    return text + "}";
  }
  // The same as the next revision.
  std::string Next(const Members& more) {
    ++revision_;
    return Document(more);
  }
  std::string At(std::chrono::seconds later) const {
    return fmt::format("\"{}\"", FormatRfc3339(clock.WallNow() + later));
  }

  [[nodiscard]] int deeds() const {
    return woken_ + started_anew_ + erased_ + started_erased_ +
           static_cast<int>(queue->Stats()->holds.size());
  }
  [[nodiscard]] std::string last_line() const {
    return audit_.entries.empty() ? "" : audit_.entries.back();
  }

  OrderSigner alice_{"alice"};
  OrderSigner bob_{"bob"};
  Settings kiosk_;
  FakeAuditLog audit_;
  MbedtlsSignatureCheck check_;
  std::vector<std::string> complaints_;
  std::function<void()> on_log_ = [] {};
  int woken_ = 0;
  int started_anew_ = 0;
  int erased_ = 0;
  int started_erased_ = 0;
  int64_t revision_ = 100;
  Status begun_;
  std::optional<Headquarters> headquarters_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_TESTS_APP_HEADQUARTERS_HEADQUARTERS_BENCH_H_
