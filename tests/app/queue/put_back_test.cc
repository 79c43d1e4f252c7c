#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "platform/posix/posix_file_system.h"
#include "tests/app/queue/queue_fixture.h"
#include "tests/fakes/scratch_folder.h"

// An older copy of the queue's file is written over the one that is open, as cp does it: what was
// answered since is in the ledger alone. Counted at the server.

namespace idkiosk {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class PutBackTest : public testing::Test {
 protected:
  PutBackTest() {
    options_.folder = folder_ / "state";
    options_.queue.reserve_bytes = 4096;
    options_.role = DurableQueue::Role::kDeliver;
    bench_.Serve(200);
    Start();
  }

  void Start() {
    worker_.reset();
    queue_.reset();
    auto opened = DurableQueue::Open(options_, bench_.profile, bench_.clock, bench_.crypto,
                                     bench_.entropy, bench_.storage, files_);
    ASSERT_TRUE(opened) << opened.error().message;
    queue_ = std::move(*opened);
    worker_ =
        std::make_unique<DeliveryWorker>(*queue_, bench_.client, bench_.shrinker, bench_.clock);
  }
  // What the local API does with a request.
  Result<CallReference> Ask(int number) {
    const std::string key = fmt::format("key-{}", number);
    const DurableQueue::ClientRequest request{key, "the body"};
    const auto known = queue_->FindRequest(request);
    if (!known) return std::unexpected(known.error());
    if (*known) return **known;
    DurableQueue::AcceptOptions asked;
    asked.confirmed = true;
    asked.request = request;
    auto taken = queue_->Accept(LookupCall(number), asked);
    if (!taken) return std::unexpected(Error(taken.error()));
    return std::move(*taken);
  }
  CallReference AskAndDeliver(int number) {
    const auto asked = Ask(number);
    EXPECT_TRUE(asked) << asked.error().message;
    EXPECT_TRUE(worker_->DeliverNext());
    return asked.value_or("");
  }
  // There is nothing to send: the copies of what has ended go.
  void Rest() {
    const auto step = worker_->DeliverNext();
    EXPECT_TRUE(step && !step->reference);
  }
  [[nodiscard]] std::string StateOf(const CallReference& reference) {
    const auto call = queue_->Show(reference);
    return call ? std::string(StateWord(*call)) : call.error().message;
  }
  void Keep() {
    fs::create_directories(older());
    for (const char* each : kParts) fs::copy(file(each), older() + "/queue.db" + each);
  }
  // As cp writes: the files stay the same ones.
  void PutBack() {
    for (const char* each : kParts) {
      std::ifstream from(older() + "/queue.db" + each, std::ios::binary);
      std::ofstream(file(each), std::ios::binary) << from.rdbuf();
    }
  }
  [[nodiscard]] std::string file(const char* part) const {
    return options_.folder + "/queue.db" + part;
  }
  [[nodiscard]] std::string older() const { return folder_ / "older"; }

  static constexpr const char* kParts[] = {"", "-wal", "-shm"};

  ScratchFolder folder_;
  PosixFileSystem files_;
  QueueBench bench_;
  DurableQueue::Options options_;
  std::unique_ptr<DurableQueue> queue_;
  std::unique_ptr<DeliveryWorker> worker_;
};

TEST_F(PutBackTest, OverTheOpenFileNothingIsAcceptedOrSent) {
  AskAndDeliver(1);
  ASSERT_TRUE(Ask(2));
  Keep();
  const CallReference answered = AskAndDeliver(3);
  const int posts = bench_.posts();
  PutBack();
  for (const int number : {2, 3, 4}) {
    const auto refused = Ask(number);
    ASSERT_FALSE(refused) << number;
    EXPECT_EQ(refused.error().code, ErrorCode::kUnavailable);
    EXPECT_THAT(refused.error().message, HasSubstr("older copy"));
  }
  EXPECT_FALSE(queue_->Accept(LookupCall(5), {}));
  EXPECT_FALSE(queue_->CheckRoom());
  (void)worker_->DeliverNext();
  EXPECT_EQ(bench_.posts(), posts);
  EXPECT_THAT(StateOf(answered), HasSubstr("older copy")) << "and not that it is not there";
}

TEST_F(PutBackTest, TheStartAfterItFindsEachRequestThatWasAnswered) {
  AskAndDeliver(1);
  Keep();
  const CallReference second = AskAndDeliver(2);
  const CallReference third = AskAndDeliver(3);
  Rest();
  const int posts = bench_.posts();
  PutBack();
  EXPECT_FALSE(Ask(4));
  (void)worker_->DeliverNext();
  Start();
  EXPECT_EQ(StateOf(second), "done");
  EXPECT_EQ(StateOf(third), "done");
  EXPECT_EQ(Ask(2).value_or(""), second);
  EXPECT_EQ(Ask(3).value_or(""), third);
  (void)worker_->DeliverNext();
  EXPECT_EQ(bench_.posts(), posts);
  // And everything goes on.
  AskAndDeliver(4);
  EXPECT_EQ(bench_.posts(), posts + 1);
}

// What was accepted since has its copy.
TEST_F(PutBackTest, TheStartAfterItFindsWhatWaits) {
  AskAndDeliver(1);
  Keep();
  const auto waits = Ask(2);
  ASSERT_TRUE(waits);
  const int posts = bench_.posts();
  PutBack();
  EXPECT_FALSE(Ask(2));
  Start();
  EXPECT_EQ(Ask(2).value_or(""), *waits);
  ASSERT_TRUE(worker_->DeliverNext());
  (void)worker_->DeliverNext();
  EXPECT_EQ(bench_.posts(), posts + 1);
  EXPECT_EQ(StateOf(*waits), "done");
}

// Another process may write to it, too, and that makes it no other file.
TEST_F(PutBackTest, WhatAnotherProcessAcceptsIsNoOlderCopy) {
  AskAndDeliver(1);
  DurableQueue::Options other = options_;
  other.role = DurableQueue::Role::kOperate;
  const auto opened = DurableQueue::Open(other, bench_.profile, bench_.clock, bench_.crypto,
                                         bench_.entropy, bench_.storage, files_);
  ASSERT_TRUE(opened) << opened.error().message;
  ASSERT_TRUE((*opened)->Accept(LookupCall(2), {}));
  AskAndDeliver(3);
}

}  // namespace
}  // namespace idkiosk
