#ifndef IDKIOSK_TESTS_APP_QUEUE_DOUBTED_CALLS_H_
#define IDKIOSK_TESTS_APP_QUEUE_DOUBTED_CALLS_H_

#include <gmock/gmock.h>
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
  // All becomes what it was.
  void Mix(const DiskImage& mixed) {
    bench_.Close();
    mixed.PutOn(bench_);
    bench_.tokens.Forget();
    bench_.Open();
  }
  bool Opens() {
    auto opened = bench_.TryOpen();
    if (!opened) return false;
    bench_.queue = std::move(*opened);
    bench_.worker = std::make_unique<DeliveryWorker>(*bench_.queue, bench_.client, bench_.shrinker,
                                                     bench_.clock);
    return true;
  }
  // An empty queue, each of whose commits is synced.
  DiskImage Empty() {
    bench_.Accept(LookupCall(1));
    bench_.StepUntilIdle();
    EXPECT_TRUE(bench_.queue->Expire());
    return DiskImage::Of(bench_);
  }
  // What a power cut leaves of a call that was answered: ledger and copy, and no row.
  DiskImage AnsweredWithoutARow(const DiskImage& empty, const CallReference& call) {
    const DiskImage waits = DiskImage::Of(bench_);
    EXPECT_TRUE(bench_.worker->DeliverNext(call));
    EXPECT_EQ(bench_.StateOf(call), "done");
    DiskImage left = DiskImage::Of(bench_);
    left.database = empty.database;
    Take(left, waits, kSlots);
    return left;
  }
  void ExpectAnswered(const CallReference& call) {
    EXPECT_EQ(bench_.StateOf(call), "done");
    const auto answer = bench_.queue->Answer(call);
    EXPECT_TRUE(answer) << answer.error().message;
  }
  static void Take(DiskImage& to, const DiskImage& from, std::string_view path) {
    const auto is_there = [=](const auto& each) { return each.first.starts_with(path); };
    std::erase_if(to.files, is_there);
    std::ranges::copy_if(from.files, std::inserter(to.files, to.files.end()), is_there);
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
  // Whoever adds up the ledger sees that it may have cost without an attempt there.
  void ExpectNamedAmongDecisions(const CallReference& call) {
    const auto decisions = bench_.queue->Decisions(std::nullopt);
    ASSERT_TRUE(decisions);
    const auto doubt = std::ranges::find(*decisions, "", &LedgerDecision::by);
    ASSERT_NE(doubt, decisions->end());
    EXPECT_THAT(doubt->what, testing::HasSubstr(call));
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
