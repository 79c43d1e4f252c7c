#include "app/headquarters/refusals.h"

#include <gmock/gmock.h>

#include "tests/fakes/fake_audit_log.h"
#include "tests/fakes/fake_clock.h"

namespace idkiosk {
namespace {

class RefusalsTest : public testing::Test {
 protected:
  FakeAuditLog audit_;
  FakeClock clock_;
  Refusals refusals_{audit_, clock_};
};

TEST_F(RefusalsTest, EachIsCountedInOneLineOrAnother) {
  constexpr uint64_t kRefused = 5000;
  for (uint64_t i = 0; i < kRefused; ++i) {
    refusals_.Refuse("", "it is none");
    clock_.Advance(std::chrono::milliseconds(50));
  }
  clock_.Advance(Refusals::kLineEvery);
  refusals_.PutDownCounted();
  uint64_t counted = 0;
  for (const AuditEntry& each : audit_.put_down) {
    const bool is_sum = each.what.contains(" more, ");
    counted += is_sum ? std::stoull(each.what) : 1;
  }
  EXPECT_EQ(counted, kRefused);
  // 250 s: those of the beginning, and two each minute.
  EXPECT_LE(audit_.entries.size(), Refusals::kLines + 2 * 6U);
}

TEST_F(RefusalsTest, NothingIsPutDownWhereNothingWasRefused) {
  refusals_.PutDownCounted();
  EXPECT_TRUE(audit_.entries.empty());
}

TEST_F(RefusalsTest, SoManyAreLookedAtAndThenOneEachHalfSecond) {
  int looks = 0;
  for (int i = 0; i < 100; ++i) looks += refusals_.MayLook() ? 1 : 0;
  EXPECT_EQ(looks, Refusals::kLooks);
  clock_.Advance(Refusals::kLookEvery);
  EXPECT_TRUE(refusals_.MayLook());
  EXPECT_FALSE(refusals_.MayLook());
  clock_.Advance(std::chrono::hours(1));
  looks = 0;
  for (int i = 0; i < 100; ++i) looks += refusals_.MayLook() ? 1 : 0;
  EXPECT_EQ(looks, Refusals::kLooks);
}

}  // namespace
}  // namespace idkiosk
