#include <gmock/gmock.h>

#include "drivers/secure_storage/mbedtls_signature_check.h"
#include "tests/app/api/api_bench.h"
#include "tests/app/headquarters/order_signer.h"

// Commands of headquarters, through the server.
namespace idkiosk {
namespace {

using testing::HasSubstr;

class ApiFleetTest : public ApiBench {
 protected:
  ApiFleetTest() {
    kiosk_.headquarters = {.tenant = "bank", .kiosk = "k1", .groups = {}, .keys = {alice_.line()}};
    headquarters_.emplace(
        Headquarters::Dependencies{.settings = kiosk_,
                                   .config_path = "/kiosk.jsonc",
                                   .queue = *queue,
                                   .vault = storage,
                                   .audit = audit_,
                                   .files = files,
                                   .clock = clock,
                                   .crypto = crypto,
                                   .signatures = check_,
                                   .complaints = [] { return std::vector<std::string>(); },
                                   .wake = [] {},
                                   .start_anew = [] {},
                                   .start_erased = [] {}});
    EXPECT_TRUE(headquarters_->Begin());
    with_headquarters_ = &*headquarters_;
  }
  // A body of a POST.
  std::string Hold(const OrderSigner& signer) {
    return SignedBy(
        fmt::format(R"({{"format":"idkiosk-command/1","tenant":"bank","kiosk":"k1","revision":{},)"
                    R"("issued":"{}","expires":"{}","action":"hold_sending"}})",
                    ++revision_, FormatRfc3339(clock.WallNow()),
                    FormatRfc3339(clock.WallNow() + std::chrono::hours(1))),
        {&signer});
  }

  OrderSigner alice_{"alice"};
  MbedtlsSignatureCheck check_;
  std::optional<Headquarters> headquarters_;
  int revision_ = 0;
};

TEST_F(ApiFleetTest, ASignedCommandIsCarriedOutAndAnyOtherIsRefusedWithAReply) {
  Serve();
  const std::string done = Post("/v1/fleet/commands", Hold(alice_));
  EXPECT_EQ(StatusOf(done), 200);
  EXPECT_EQ(TextAt(done, "/state"), "done");
  EXPECT_EQ(TextAt(done, "/signed_by"), "alice");
  EXPECT_THAT(Get("/v1/holds"), HasSubstr("all:headquarters"));

  const std::string refused = Post("/v1/fleet/commands", Hold(OrderSigner("alice")));
  EXPECT_EQ(StatusOf(refused), 200);
  EXPECT_EQ(TextAt(refused, "/state"), "refused");
  EXPECT_THAT(TextAt(refused, "/reason"), HasSubstr("not that of alice"));
  EXPECT_EQ(TextAt(Post("/v1/fleet/commands", "{}"), "/state"), "refused");
  // An HTTP request without a body is one of no command.
  EXPECT_EQ(TextAt(Post("/v1/fleet/commands"), "/state"), "refused");

  const std::string known = Get("/v1/fleet/commands");
  EXPECT_EQ(TextAt(known, "/commands/0/state"), "done");
  EXPECT_FALSE(JsonOf(known).root().At("/commands/1").exists());
}

TEST_F(ApiFleetTest, AFloodIsTurnedAwayBeforeAnythingIsLookedAt) {
  Serve();
  int busy = 0;
  for (int i = 0; i < 60; ++i) {
    busy += StatusOf(Post("/v1/fleet/commands", "{}")) == 503 ? 1 : 0;
  }
  EXPECT_EQ(busy, 60 - Refusals::kLooks);
  EXPECT_EQ(StatusOf(Get("/v1/metrics")), 200);
}

TEST_F(ApiFleetTest, ABodyThatIsTooLongIsNotRead) {
  Serve();
  EXPECT_THAT(
      TextAt(Post("/v1/fleet/commands", std::string(SignedCommand::kLargest + 1, 'x')), "/reason"),
      HasSubstr("are the most"));
  EXPECT_EQ(StatusOf(Post("/v1/fleet/commands", std::string((64 << 10) + 1, 'x'))), 413);
}

TEST_F(ApiFleetTest, AKioskWithoutThatPartSaysSo) {
  with_headquarters_ = nullptr;
  Serve();
  EXPECT_EQ(ProblemIn(Get("/v1/fleet/commands")), "unavailable");
}

}  // namespace
}  // namespace idkiosk
