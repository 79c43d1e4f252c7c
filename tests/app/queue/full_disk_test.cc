#include <gtest/gtest.h>

#include <algorithm>

#include "tests/app/queue/queue_fixture.h"

// Nothing is approved without room for its answer, which is paid for.

namespace idkiosk {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;

constexpr const char* kReserve = "/state/queue.reserve";

class FullDiskTest : public testing::Test {
 protected:
  // A call waits; then the disk is full, and the reserve was needed.
  FullDiskTest() {
    bench_.Open();
    call_ = bench_.Accept(LookupCall(1));
    bench_.Close();
    EXPECT_TRUE(bench_.files.Remove(kReserve));
    bench_.Serve(200);
  }

  QueueBench bench_;
  CallReference call_;
};

TEST_F(FullDiskTest, NothingIsSentUntilAnAnswerHasAPlace) {
  bench_.files.set_capacity(1024);
  bench_.Open();
  bench_.RunFor(minutes(5));
  EXPECT_EQ(bench_.posts(), 0);
  EXPECT_EQ(bench_.Show(call_).hold->reason, HoldReason::kNoRoom);
  EXPECT_FALSE(bench_.queue->BeginAttempt(call_)) << "whoever claimed it before is stopped here";
  bench_.files.set_capacity(1 << 24);
  bench_.RunFor(seconds(30));
  EXPECT_EQ(bench_.StateOf(call_), "done");
  EXPECT_TRUE(bench_.files.Exists(kReserve).value_or(false));
}

TEST_F(FullDiskTest, HalfAReserveIsEnoughForWhatWaitsAndNotForMore) {
  constexpr uint64_t kDisk = 1 << 30;
  bench_.files.set_capacity(kDisk);
  const uint64_t used = kDisk - *bench_.files.FreeSpace("/state");
  bench_.files.set_capacity(used + 256 * 1024);
  bench_.Open();
  EXPECT_EQ(bench_.files.Read(kReserve, 1 << 20)->size(), 2048U);
  EXPECT_EQ(bench_.queue->CheckRoom().error().code, ErrorCode::kExhausted);
  bench_.RunFor(seconds(30));
  EXPECT_EQ(bench_.StateOf(call_), "done");
}

TEST_F(FullDiskTest, TheLogStaysSmallerThanTheReserve) {
  bench_.options.queue.reserve_bytes = 1 << 20;
  bench_.Open();
  size_t largest = 0;
  for (int i = 0; i < 40; ++i) {
    VerificationCall call = FacialCall(fmt::format("{:011}", i));
    call.pictures.selfie = DrawJpeg(60'000, 's');
    bench_.Accept(call);
    bench_.StepUntilIdle();
    largest = std::max(largest, bench_.disk.Content("/state/queue.db-wal")->size());
  }
  EXPECT_EQ(bench_.posts(), 41);
  EXPECT_LT(largest, 1U << 20);
}

}  // namespace
}  // namespace idkiosk
