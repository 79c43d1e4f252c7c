#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <map>
#include <random>
#include <set>

#include "tests/app/queue/queue_fixture.h"
#include "tests/fakes/seeded_rounds.h"

// One wrong bit in the queue's file: what comes out is what went in, or is said to be damaged, and
// nothing is sent that was sent before.

namespace idkiosk {
namespace {

using namespace std::chrono_literals;

// What is seen of a queue at one time.
struct View {
  std::optional<Error> error;  // it says that it cannot tell, and the rest is empty
  std::map<CallReference, CallSummary> calls;
  std::map<CallReference, std::string> answers;  // that can be opened
  std::vector<LedgerRow> ledger;
  LedgerSum total;
  QueueStats stats;
};

// What is seen of a queue over two starts of the program.
struct Life {
  std::optional<Error> refused;  // it did not start
  std::optional<Error> stopped;  // it could not deliver
  View at_start;
  View at_end;
  std::map<std::string, int> sent;  // by the number that was asked about
};

View Look(DurableQueue& queue) {
  View view;
  const auto calls = queue.List(/*only_open=*/false);
  const auto ledger = queue.Ledger(std::nullopt);
  const auto total = queue.Sum(LedgerBy::kTotal, std::nullopt);
  const auto stats = queue.Stats();
  if (!calls) view.error = calls.error();
  if (!ledger) view.error = ledger.error();
  if (!total) view.error = total.error();
  if (!stats) view.error = stats.error();
  if (view.error) return view;
  for (const CallSummary& each : *calls) {
    view.calls[each.reference] = each;
    if (const auto answer = queue.Answer(each.reference)) {
      view.answers[each.reference] = std::string(answer->text());
    }
  }
  view.ledger = *ledger;
  view.total = total->front();
  view.stats = *stats;
  return view;
}

std::string Words(const CallSummary& call) {
  return fmt::format("{} {} {} {} {} {} {} {} {}", StateWord(call), Name(call.endpoint),
                     call.operator_id, Name(call.verdict), call.attempts, call.billed_attempts,
                     call.http_status, call.last_outcome ? Name(*call.last_outcome) : "",
                     call.engineer);
}

// But for its reason: a damaged call's last one is never told.
std::string Words(const LedgerRow& row) {
  return fmt::format("{} {} {} {} {} {} {} {}", row.reference, row.number, Name(row.endpoint),
                     row.operator_id, Name(row.stage), row.http_status, Name(row.billed),
                     row.price);
}

std::string Words(const QueueStats& stats) {
  return fmt::format("{}", fmt::join(stats.calls, " "));
}

// What `bad` says and `good` does not, without being told to be damaged.
class Comparison {
 public:
  // `stopped`: what waited in `bad` need not have been sent.
  Comparison(const View& good, const View& bad, bool stopped)
      : good_(good), bad_(bad), stopped_(stopped || HeldForTheLedger(bad)) {
    if (bad.error) {
      if (bad.error->code != ErrorCode::kCorrupt) {
        Say(fmt::format("{}{}",
                        bad.error->code == ErrorCode::kInternal ? "says no such column: " : "",
                        bad.error->message));
      }
      return;
    }
    CompareCalls();
    CompareLedger();
    CompareCounts();
  }

  [[nodiscard]] const std::vector<std::string>& differences() const { return differences_; }

 private:
  // It is said that what the file remembers of the ledger is not there.
  static bool HeldForTheLedger(const View& view) {
    return std::ranges::any_of(view.stats.holds,
                               [](const Hold& hold) { return hold.reason == HoldReason::kLedger; });
  }

  void Say(std::string difference) { differences_.push_back(std::move(difference)); }

  void CompareCalls() {
    // A damaged call may also have lost its name.
    int64_t nameless = 0;
    for (const auto& [reference, call] : bad_.calls) {
      if (call.state == CallState::kDamaged) ++damaged_;
      if (good_.calls.contains(reference)) continue;
      ++nameless;
      if (call.state != CallState::kDamaged) Say(fmt::format("a new call: {}", Words(call)));
    }
    for (const auto& [reference, call] : good_.calls) {
      const auto found = bad_.calls.find(reference);
      if (found == bad_.calls.end()) {
        if (--nameless < 0) Say(fmt::format("lost: {}", Words(call)));
        unsent_.insert(reference);
      } else if (found->second.state == CallState::kDamaged) {
        unsent_.insert(reference);
      } else {
        CompareCall(call, found->second);
      }
    }
  }

  void CompareCall(const CallSummary& good, const CallSummary& bad) {
    const bool erased =
        (good.has_answer && !bad.has_answer) || (good.has_payload && !bad.has_payload);
    if (stopped_ && bad.state == CallState::kPending && bad.attempts == 0) {
      unsent_.insert(good.reference);
    } else if (bad.state == CallState::kExpired || (Words(good) == Words(bad) && erased)) {
      Say(fmt::format("aged early: {}, now {}", Words(good), Words(bad)));
      unsent_.insert(good.reference);
    } else if (IsBack(good, bad)) {
      return;
    } else if (good.state == CallState::kUnknown && bad.state == CallState::kPending) {
      Say(fmt::format("unknown shown as pending: {}", Words(bad)));
    } else if (bad.state == CallState::kPending && bad.last_outcome == OutcomeKind::kNotApproved) {
      Say(fmt::format("never approved again: {}", Words(bad)));
      unsent_.insert(good.reference);
    } else if (Words(good) != Words(bad)) {
      Say(fmt::format("changed: {}, now {}", Words(good), Words(bad)));
    }
    const auto answer = bad_.answers.find(good.reference);
    if (answer == bad_.answers.end()) return;
    const auto right = good_.answers.find(good.reference);
    if (right == good_.answers.end() || right->second != answer->second) {
      Say(fmt::format("another answer: {}", Words(bad)));
    }
  }

  // From its copy, which does not know how its attempt ended; or from the ledger, without its
  // answer. It says so.
  static bool IsBack(const CallSummary& good, const CallSummary& bad) {
    const bool may_be_back = good.state == CallState::kUnknown || HasEnded(good.state);
    return may_be_back && good.state == bad.state && good.verdict == bad.verdict &&
           good.billed_attempts == bad.billed_attempts && bad.engineer.contains("queue's file");
  }

  void CompareLedger() {
    std::map<std::string, int> rows;
    int64_t false_rows = 0;
    for (const LedgerRow& each : bad_.ledger) {
      if (each.genuine) {
        ++rows[Words(each)];
      } else {
        ++false_rows;
      }
    }
    int64_t missing = 0;
    for (const LedgerRow& each : good_.ledger) {
      if (--rows[Words(each)] < 0 && !unsent_.contains(each.reference)) ++missing;
    }
    for (const auto& [row, count] : rows) {
      if (count > 0) Say(fmt::format("a new row: {}", row));
    }
    if (missing > false_rows) Say(fmt::format("{} rows are lost", missing));
    CompareSums();
  }

  void CompareSums() {
    const auto words = [](const LedgerSum& sum) {
      return fmt::format("{} {} {}", sum.attempts, sum.price_yes, sum.price_maybe);
    };
    if (!unsent_.empty() || words(good_.total) == words(bad_.total)) return;
    Say(fmt::format("another sum: {} for {}", words(bad_.total), words(good_.total)));
  }

  // Where a call is damaged, it is counted as what it was until somebody wants to use it.
  void CompareCounts() {
    if (damaged_ > 0 || bad_.stats.In(CallState::kDamaged) > 0 || !unsent_.empty()) return;
    if (Words(good_.stats) == Words(bad_.stats)) return;
    Say(fmt::format("counted wrongly: {} for {}", Words(bad_.stats), Words(good_.stats)));
  }

  const View& good_;
  const View& bad_;
  const bool stopped_;
  int64_t damaged_ = 0;
  std::set<CallReference> unsent_;  // damaged, or did not get so far
  std::vector<std::string> differences_;
};

// Where the pages of a database hold something, and not the room between.
std::vector<size_t> UsedBytes(const std::string& file) {
  constexpr size_t kPage = 4096;
  constexpr size_t kHeader = 12;
  std::vector<size_t> used;
  for (size_t page = 0; page < file.size(); page += kPage) {
    const size_t head = page == 0 ? 100 : page;
    const auto number = [&](size_t at) {
      return size_t{static_cast<uint8_t>(file[at])} * 256 + static_cast<uint8_t>(file[at + 1]);
    };
    const size_t cells_end = head + kHeader + 2 * number(head + 3);
    const size_t content = page + number(head + 5);
    for (size_t at = page; at < page + kPage; ++at) {
      if (at < cells_end || at >= content) used.push_back(at);
    }
  }
  return used;
}

class FlippedBitTest : public testing::Test {
 protected:
  // One call in each state that a call can rest in, and one that was on its way.
  void SetUp() override {
    QueueBench bench;
    bench.options.billing.breaker_after = 0;
    bench.Open();
    bench.Serve(200);
    bench.Accept(LookupCall(1));
    bench.StepUntilIdle();
    bench.Serve(400, "{}");
    bench.Accept(LookupCall(2));
    bench.StepUntilIdle();
    bench.Serve(500, "");
    bench.Accept(LookupCall(3));
    bench.StepUntilIdle();
    const CallReference sending = bench.Accept(LookupCall(4));
    ASSERT_TRUE(bench.queue->Claim(sending));
    ASSERT_TRUE(bench.queue->BeginAttempt(sending));
    ASSERT_TRUE(bench.queue->Cancel(bench.Accept(LookupCall(5))));
    bench.Accept(LookupCall(6));
    bench.Accept(FacialCall(fmt::format("{:011}", kCalls)));
    bench.Close();
    file_ = *bench.disk.Content(kQueueFile);
    image_ = DiskImage::Of(bench);
  }

  // Two starts of the program. The network is away for a while, and then everybody is verified.
  [[nodiscard]] Life LiveWith(const std::string& file) const {
    Life life;
    QueueBench bench(2);
    bench.options.billing.breaker_after = 0;
    DiskImage damaged = image_;
    damaged.database[kQueueFile] = file;
    damaged.PutOn(bench);
    for (const bool first_start : {true, false}) {
      auto opened = bench.TryOpen();
      if (!opened) {
        life.refused = opened.error();
        return life;
      }
      bench.queue = std::move(*opened);
      if (first_start) life.at_start = Look(*bench.queue);
      const Status delivered = DeliverFor(first_start ? 20min : 180min, bench);
      if (!delivered) life.stopped = delivered.error();
      life.at_end = Look(*bench.queue);
      bench.Close();
      bench.Serve(200);
    }
    for (const auto& seen : bench.http.seen()) {
      if (seen.url.ends_with("/login")) continue;
      for (int number = 1; number <= kCalls; ++number) {
        const std::string nin = fmt::format("{:011}", number);
        if (seen.body.contains(nin)) ++life.sent[nin];
      }
    }
    return life;
  }

  // After an outage what waits leaves spread over up to two hours.
  static Status DeliverFor(std::chrono::minutes time, QueueBench& bench) {
    DeliveryWorker worker(*bench.queue, bench.client, bench.shrinker, bench.clock);
    for (auto left = time; left >= 0min; left -= 20min) {
      const auto step = worker.DeliverRun({[] { return true; }, [](const auto&) {}});
      if (!step) return std::unexpected(step.error());
      bench.clock.Advance(20min);
    }
    return {};
  }

  static std::vector<std::string> Differences(const Life& good, const Life& bad) {
    if (bad.refused) {
      if (bad.refused->code != ErrorCode::kInternal) return {};
      return {"says no such column: " + bad.refused->message};
    }
    std::vector<std::string> all = Comparison(good.at_start, bad.at_start, false).differences();
    if (bad.stopped && bad.stopped->code == ErrorCode::kInternal) {
      all.push_back("says no such column: " + bad.stopped->message);
    }
    const Comparison end(good.at_end, bad.at_end, bad.stopped.has_value());
    all.insert(all.end(), end.differences().begin(), end.differences().end());
    for (const auto& [number, times] : bad.sent) {
      const auto right = good.sent.find(number);
      if (right == good.sent.end() || times > right->second) {
        all.push_back(fmt::format("sent again: {}", number));
      }
    }
    return all;
  }

  static constexpr int kCalls = 7;
  std::string file_;
  DiskImage image_;
};

TEST_F(FlippedBitTest, IsSurvivedAndChangesNothingWithoutAWord) {
  const Life good = LiveWith(file_);
  ASSERT_FALSE(good.refused) << good.refused->message;
  ASSERT_EQ(good.sent, (std::map<std::string, int>{{"00000000006", 1}, {"00000000007", 1}}));
  const std::vector<size_t> used = UsedBytes(file_);
  std::mt19937_64 random(Seed());
  const int rounds = Rounds(400) / SweepStride();
  int opened = 0;
  for (int round = 0; round < rounds; ++round) {
    const size_t at = used[random() % used.size()];
    const auto bit = static_cast<int>(random() % 8);
    SCOPED_TRACE(testing::Message() << "round " << round << ", byte " << at << ", bit " << bit);
    std::string damaged = file_;
    damaged[at] = static_cast<char>(damaged[at] ^ (1 << bit));
    const Life bad = LiveWith(damaged);
    opened += bad.refused ? 0 : 1;
    for (const std::string& difference : Differences(good, bad)) ADD_FAILURE() << difference;
  }
  EXPECT_GT(opened, rounds / 2);
  std::printf("%d of %d files were opened\n", opened, rounds);
}

}  // namespace
}  // namespace idkiosk
