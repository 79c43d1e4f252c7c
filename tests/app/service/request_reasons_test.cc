#include "app/service/request_reasons.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/fakes/fake_clock.h"
#include "tests/fakes/fake_file_system.h"

namespace idkiosk {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kPath = "/state/reasons.json";

class RequestReasonsTest : public testing::Test {
 protected:
  RequestReasonsTest() { EXPECT_TRUE(files_.CreateFolder("/state")); }

  FakeClock clock_;
  FakeFileSystem files_;
};

TEST_F(RequestReasonsTest, KeptListServesAfterARestartWithItsAge) {
  RequestReasons first(files_, clock_, kPath);
  EXPECT_EQ(first.age(), std::nullopt);
  ASSERT_TRUE(first.Replace({{"KYC", "Know your customer"}, {"LOAN", "A \"loan\""}}));
  clock_.Advance(std::chrono::hours(3));

  RequestReasons second(files_, clock_, kPath);
  ASSERT_TRUE(second.Load());
  EXPECT_THAT(second.codes(), ElementsAre("KYC", "LOAN"));
  EXPECT_EQ(second.list()[1].label, "A \"loan\"");
  EXPECT_EQ(second.age(), std::chrono::hours(3));
  clock_.JumpWall(-std::chrono::hours(30));
  EXPECT_EQ(second.age(), std::nullopt);
}

TEST_F(RequestReasonsTest, NothingKeptIsNotFound) {
  RequestReasons reasons(files_, clock_, kPath);
  EXPECT_EQ(reasons.Load().error().code, ErrorCode::kNotFound);
}

TEST_F(RequestReasonsTest, DamageIsSaidWithItsMend) {
  RequestReasons reasons(files_, clock_, kPath);
  ASSERT_TRUE(reasons.Replace({{"KYC", "Know your customer"}}));
  const Bytes whole = files_.Content(kPath);
  for (size_t size = 0; size < whole.size(); ++size) {
    files_.Put(kPath, ByteSpan(whole).first(size));
    const Status loaded = RequestReasons(files_, clock_, kPath).Load();
    ASSERT_FALSE(loaded) << size;
    EXPECT_EQ(loaded.error().code, ErrorCode::kCorrupt);
    EXPECT_THAT(loaded.error().message, HasSubstr("reasons --refresh"));
  }
  std::string other(AsText(whole));
  other.replace(other.find(":1"), 2, ":2");
  files_.Put(kPath, AsBytes(other));
  EXPECT_FALSE(RequestReasons(files_, clock_, kPath).Load());
}

TEST_F(RequestReasonsTest, AFullDiskStillLeavesTheListForNow) {
  files_.set_capacity(10);
  RequestReasons reasons(files_, clock_, kPath);
  EXPECT_EQ(reasons.Replace({{"KYC", "Know your customer"}}).error().code, ErrorCode::kExhausted);
  EXPECT_THAT(reasons.codes(), ElementsAre("KYC"));
}

}  // namespace
}  // namespace idkiosk
