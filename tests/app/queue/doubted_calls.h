#ifndef IDKIOSK_TESTS_APP_QUEUE_DOUBTED_CALLS_H_
#define IDKIOSK_TESTS_APP_QUEUE_DOUBTED_CALLS_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <string>
#include <string_view>

#include "tests/app/queue/queue_fixture.h"

namespace idkiosk {

// A queue of which parts are lost, put back from before, or damaged. Posts are counted at the
// server.
class DoubtedCallTest : public WaitingCalls, public testing::Test {
 protected:
  // What lies under one of these becomes what it was, and the rest stays. `damage`: of the file.
  void PutBack(const DiskImage& before, std::initializer_list<std::string_view> paths,
               const std::string& damage = "") {
    bench_.Close();
    DiskImage mixed = DiskImage::Of(bench_);
    for (const std::string_view path : paths) {
      const auto is_there = [=](const auto& each) { return each.first.starts_with(path); };
      std::erase_if(mixed.files, is_there);
      std::ranges::copy_if(before.files, std::inserter(mixed.files, mixed.files.end()), is_there);
      if (path == kQueueFile) mixed.database = before.database;
    }
    mixed.PutOn(bench_);
    if (!damage.empty()) Meddle(kQueueFile, bench_.disk.name(), damage);
    bench_.tokens.Forget();
    bench_.Open();
  }
  // Somebody has looked, and the queue goes on from what is left.
  void LoseLedgerSince(const DiskImage& before) {
    PutBack(before, {kLedger});
    ASSERT_TRUE(bench_.queue->IsHeldForLedger());
    ASSERT_TRUE(bench_.queue->AcceptLedger());
  }
  void DamageRow(const CallReference& reference, const std::string& how = "mac=randomblob(32)") {
    bench_.Close();
    Meddle(kQueueFile, bench_.disk.name(),
           fmt::format("UPDATE call SET {} WHERE reference='{}'", how, reference));
    bench_.Open();
  }
  void ExpectNotSent(const CallReference& call) {
    const int posts = bench_.posts();
    Deliver();
    EXPECT_EQ(bench_.StateOf(call), "unknown");
    EXPECT_EQ(bench_.posts(), posts);
  }
  void ExpectStillInDoubt(const CallReference& call) {
    ASSERT_EQ(bench_.StateOf(call), "unknown");
    ASSERT_TRUE(bench_.queue->Expire());
    for (const char* const damage : {"mac=randomblob(32)", "state='damaged'"}) {
      SCOPED_TRACE(damage);
      DamageRow(call, damage);
      ExpectNotSent(call);
    }
  }

  static constexpr std::string_view kLedger = "/state/ledger/";
  static constexpr std::string_view kSlots = "/state/copies/slots";
};

}  // namespace idkiosk

#endif  // IDKIOSK_TESTS_APP_QUEUE_DOUBTED_CALLS_H_
