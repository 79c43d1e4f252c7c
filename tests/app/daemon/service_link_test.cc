#include "app/daemon/service_link.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <future>

#include "tests/app/queue/queue_fixture.h"
#include "tests/app/session/page_controller_fixture.h"

namespace idkiosk {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::string_view kReasons =
    R"({"data":[{"code":"TENANCY","label":"A flat"},{"code":"LOAN","label":"A loan"}]})";

// The link's thread is played by the test, as far as the loop says how far that goes at once.
class ServiceLinkTest : public testing::Test {
 protected:
  // What the link's thread does next, and what the page hears of it. Returns when it goes on.
  MonotonicTime Step() {
    const MonotonicTime next = link_.loop().StepOnce();
    page_.runner.RunUntilIdle();
    return next;
  }
  [[nodiscard]] std::vector<std::string> ReasonsOnThePage() {
    page_.Do("start", R"("language": "en")");
    page_.Do("agree");
    page_.Do("number", R"("digits": "12345678901")");
    page_.Do("next");
    std::vector<std::string> codes;
    EXPECT_EQ(page_.screen(), Screen::kReason);
    if (!page_.view().reasons) return codes;
    for (const RequestReason& each : page_.view().reasons->list) codes.push_back(each.code);
    return codes;
  }
  [[nodiscard]] RequestReasons OnTheDisk() {
    return {bench_.files, bench_.clock, "/state/request-reasons.json"};
  }

  OpenBench bench_;
  PageControllerFixture page_;
  const Settings settings_ = [] {
    Settings settings;
    settings.state_folder = "/state";
    return settings;
  }();
  Metrics metrics_;
  ServiceLink link_{{.worker = *bench_.worker,
                     .client = bench_.client,
                     .files = bench_.files,
                     .clock = bench_.clock,
                     .control = page_.runner,
                     .settings = settings_,
                     .metrics = metrics_,
                     .give_up = [] {}}};
};

TEST_F(ServiceLinkTest, KeptReasonsServeUntilTheServiceWasAsked) {
  ASSERT_TRUE(OnTheDisk().Replace({{"KEPT", "From yesterday"}, {"TOO", "The same"}}));
  link_.Tell(page_.pages);
  EXPECT_THAT(ReasonsOnThePage(), ElementsAre("KEPT", "TOO"));
}

TEST_F(ServiceLinkTest, AsksForReasonsAndKeepsThem) {
  bench_.Serve(200, kReasons);
  link_.Tell(page_.pages);
  (void)Step();
  EXPECT_TRUE(page_.view().online);
  EXPECT_THAT(ReasonsOnThePage(), ElementsAre("TENANCY", "LOAN"));
  RequestReasons kept = OnTheDisk();
  ASSERT_TRUE(kept.Load());
  EXPECT_THAT(kept.codes(), ElementsAre("TENANCY", "LOAN"));
  const size_t asked = bench_.http.seen().size();
  bench_.clock.Advance(9min);
  (void)Step();
  EXPECT_EQ(bench_.http.seen().size(), asked);
  bench_.clock.Advance(1min);
  (void)Step();
  EXPECT_GT(bench_.http.seen().size(), asked);
}

TEST_F(ServiceLinkTest, AsksSoonAgainWhetherTheServiceIsBackInReach) {
  link_.Tell(page_.pages);
  (void)Step();
  EXPECT_FALSE(page_.view().online);
  EXPECT_EQ(Step(), bench_.clock.Now() + 30s);
  bench_.Serve(200, kReasons);
  bench_.clock.Advance(30s);
  (void)Step();
  EXPECT_TRUE(page_.view().online);
}

TEST_F(ServiceLinkTest, AServiceThatRefusesIsInReachAllTheSame) {
  bench_.Serve(403, "{}");
  link_.Tell(page_.pages);
  (void)Step();
  EXPECT_TRUE(page_.view().online);
}

class HandheldLinkTest : public ServiceLinkTest {
 protected:
  PageControllerFixture handheld_{Mode::kHandheld};
  ServiceLink of_handheld_{{.worker = *bench_.worker,
                            .client = bench_.client,
                            .files = bench_.files,
                            .clock = bench_.clock,
                            .control = handheld_.runner,
                            .settings = settings_,
                            .metrics = metrics_,
                            .give_up = [] {}}};
};

TEST_F(HandheldLinkTest, ThePageHearsOfEveryAttemptAndTheMetricsCountIt) {
  bench_.Serve(200);
  (void)bench_.Accept(LookupCall(1));
  of_handheld_.Tell(handheld_.pages);
  const int counted = handheld_.queue.counted;
  (void)of_handheld_.loop().StepOnce();
  handheld_.runner.RunUntilIdle();
  EXPECT_GT(handheld_.queue.counted, counted) << "the bar above the screens counts anew";
  EXPECT_THAT(metrics_.Text({}, 0, 0),
              HasSubstr("idkiosk_attempts_total{result=\"verified\"} 1\n"));
  EXPECT_TRUE(handheld_.view().online);
}

TEST_F(HandheldLinkTest, AnAttemptThatReachesNobodyTellsThatTheServiceIsAway) {
  // The list of reasons, which is asked for after it, says that the service is back.
  bench_.ServeLogins([](const FakeHttpClient::Seen& seen) {
    FakeHttpClient::Reply reply;
    reply.body = kReasons;
    if (seen.method == "POST") reply.how = FakeHttpClient::Reply::How::kRefuse;
    return reply;
  });
  (void)bench_.Accept(LookupCall(1));
  of_handheld_.Tell(handheld_.pages);
  (void)of_handheld_.loop().StepOnce();
  handheld_.runner.RunUntilIdle();
  EXPECT_THAT(metrics_.Text({}, 0, 0), HasSubstr("result=\"unreachable\"} 1\n"));
  EXPECT_TRUE(
      std::ranges::any_of(handheld_.shown, [](const UiSnapshot& each) { return !each.online; }));
  EXPECT_TRUE(handheld_.view().online);
}

TEST_F(ServiceLinkTest, DoesTheErrandUnderWayBeforeItEnds) {
  link_.Tell(page_.pages);
  bool done = false;
  std::promise<void> begun;
  EXPECT_TRUE(link_.loop().Do([&] {
    begun.set_value();
    done = true;
  }));
  link_.loop().Start();
  begun.get_future().wait();
  link_.End();
  EXPECT_TRUE(done);
}

}  // namespace
}  // namespace idkiosk
