#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <set>

#include "tests/app/queue/queue_fixture.h"
#include "tests/fakes/seeded_rounds.h"

// The queue's file, the ledger, the copies of calls, the witness and the vault, each as it was at a
// moment of its own, with damage on top and faults while that is mended, over and over. Counted at
// the server: nothing is sent that nobody approved, and no call is gone without a word.

namespace idkiosk {
namespace {

using How = FakeHttpClient::Reply::How;

constexpr std::string_view kLedgerFiles = "/state/ledger/";
constexpr std::string_view kSlotFiles = "/state/copies/slots";
constexpr std::string_view kWitnessFile = "/state/copies/ledger.witness";

// One call, by what really happened.
struct Truth {
  int number = 0;
  int left = 1;  // how often it may be sent yet
  int posts = 0;
  bool known = true;      // some part knows it still
  bool ended = false;     // by a person
  bool answered = false;  // the last time that it reached the server
  int never_left = 0;     // an attempt that began and of which nothing left; 0: none
};

class MixedParts {
 public:
  MixedParts(uint64_t seed, bool with_faults, int max_billed_attempts)
      : random_(seed), faults_(with_faults), bench_(seed) {
    bench_.options.billing.max_billed_attempts = max_billed_attempts;
    bench_.options.billing.breaker_after = 0;
    bench_.options.queue.max_age = std::chrono::hours(24 * 365);
    bench_.options.queue.retention = std::chrono::hours(24 * 365);
    bench_.Open();
    bench_.ServeLogins([this](const auto& seen) { return RandomReply(seen); });
    Keep();
  }

  void Run(int mixes) {
    for (int mix = 0; mix < mixes && !testing::Test::HasFailure(); ++mix) {
      SCOPED_TRACE(testing::Message() << "mix " << mix);
      for (int events = 1 + Pick(6); events > 0; --events) {
        TakeStep();
        if (Pick(2) == 0) Keep();
      }
      Mix();
      GoOn();
      CompareAll();
    }
    if (testing::Test::HasFailure()) ADD_FAILURE() << story_;
  }

 private:
  int Pick(int below) { return static_cast<int>(random_() % static_cast<uint64_t>(below)); }
  bool OneIn(int count) { return Pick(count) == 0; }
  void Tell(std::string_view what) { story_ += fmt::format("{}\n", what); }

  void Keep() { kept_.push_back(DiskImage::Of(bench_)); }

  [[nodiscard]] static bool AsksAbout(const FakeHttpClient::Seen& seen, const Truth& call) {
    const std::string number = fmt::format("{:011}", call.number);
    return seen.url.contains(number) || seen.body.contains(number);
  }

  FakeHttpClient::Reply RandomReply(const FakeHttpClient::Seen& seen) {
    Count();
    FakeHttpClient::Reply reply = RandomReply();
    for (auto& [reference, call] : truth_) {
      if (!AsksAbout(seen, call) || reply.how != How::kAnswer) continue;
      call.answered = reply.status == 200 || reply.status == 400;
      if (call.answered && !may_fail_)
        call.left = std::min(call.left, 1);  // this one, which is counted later
    }
    return reply;
  }

  FakeHttpClient::Reply RandomReply() {
    FakeHttpClient::Reply reply;
    switch (reliable_ ? 9 : Pick(10)) {
      case 0:
        reply.how = How::kRefuse;
        break;
      case 1:
        reply.how = How::kDrop;
        break;
      case 2:
        reply.status = 400;
        reply.body = kErrorAnswer;
        break;
      case 3:
        reply.status = 404;
        reply.body = kErrorAnswer;
        break;
      case 4:
      case 5:
        reply.status = 500;
        break;
      default:
        reply.body = kVerifiedAnswer;
    }
    return reply;
  }

  // What has reached the server since the last time.
  void Count() {
    const auto& seen = bench_.http.seen();
    for (; counted_ < seen.size(); ++counted_) {
      for (auto& [reference, call] : truth_) {
        if (!AsksAbout(seen[counted_], call)) continue;
        Tell(fmt::format("  POST of {}", reference));
        EXPECT_GT(call.left, 0) << reference << " was sent without approval";
        --call.left;
        call.never_left = 0;
        ++call.posts;
      }
    }
  }

  void TakeStep() {
    switch (Pick(13)) {
      case 0:
      case 1:
        return Accept();
      case 2:
        return Deliver();
      case 3:
      case 4:
        Tell("deliver all");
        bench_.StepUntilIdle();
        return Count();
      case 5:
        return Ask("retry", [this](const CallReference& reference, Truth& call) {
          const Status asked = bench_.queue->Retry(reference, AttemptsOf(*bench_.queue, reference));
          if (asked) call.left = std::max(call.left, 1);
          return asked;
        });
      case 6:
        return Ask("give up", [this](const CallReference& reference, Truth& call) {
          const Status asked = bench_.queue->GiveUp(reference);
          if (asked) End(call);
          return asked;
        });
      case 7:
        return Ask("cancel", [this](const CallReference& reference, Truth& call) {
          const Status asked = bench_.queue->Cancel(reference);
          EXPECT_FALSE(asked && call.posts > 0) << reference << " was sent, and is cancelled";
          if (asked) End(call);
          return asked;
        });
      case 8:
        return KillWhileSending();
      case 9:
        return Ask("settle", [this](const CallReference& reference, Truth& call) {
          if (call.never_left == 0) return Status();
          const Status asked =
              bench_.queue->Settle(reference, call.never_left, Settlement::kNotReceived);
          // The operator's word is true, and the approval is still good.
          if (asked) ++call.left;
          return asked;
        });
      case 10:
        Tell("restart");
        return Reopen();
      case 11:
        return Ask("erase", [this](const CallReference& reference, Truth& call) -> Status {
          const auto asked = bench_.queue->ErasePerson(reference);
          if (!asked) return std::unexpected(asked.error());
          End(call);
          return {};
        });
      default:
        Tell("wait");
        bench_.RunFor(std::chrono::minutes(Pick(30)));
        EXPECT_TRUE(bench_.queue->Expire());
        return Count();
    }
  }

  static void End(Truth& call) {
    call.left = 0;
    call.ended = true;
  }

  void Accept() {
    const int number = ++last_number_;
    const auto taken = bench_.queue->Accept(LookupCall(number), {.operator_id = "op"});
    if (!taken) return Tell("not accepted");
    truth_[*taken] = {.number = number, .left = bench_.options.billing.max_billed_attempts};
    Tell(fmt::format("accept {}", *taken));
    if (OneIn(2)) {
      EXPECT_TRUE(bench_.queue->Expire());
    }
  }

  void Deliver() {
    Tell("deliver one");
    (void)bench_.Step();
    Count();
  }

  void Ask(const char* what, const std::function<Status(const CallReference&, Truth&)>& ask) {
    if (truth_.empty()) return;
    auto chosen = std::next(truth_.begin(), Pick(static_cast<int>(truth_.size())));
    const Status asked = ask(chosen->first, chosen->second);
    Tell(fmt::format("{} {}: {}", what, chosen->first, asked ? "done" : asked.error().message));
  }

  void KillWhileSending() {
    const auto claim = bench_.queue->Claim();
    if (!claim) return Tell(fmt::format("claim: {}", claim.error().message));
    const auto* claimed = std::get_if<DurableQueue::Claimed>(&*claim);
    if (claimed == nullptr) return;
    const CallReference reference = claimed->reference;
    const int attempt = claimed->attempt;
    if (!bench_.queue->BeginAttempt(reference)) return;
    Truth& call = truth_.at(reference);
    EXPECT_GT(call.left, 0) << reference << " was approved anew";
    --call.left;
    call.never_left = attempt;
    Tell(fmt::format("kill as {} begins", reference));
    if (OneIn(2)) Keep();
    Reopen();
  }

  void Reopen() {
    bench_.Close();
    bench_.tokens.Forget();
    TryToOpen();
  }

  // Faults while it begins are over at the next start.
  void TryToOpen() {
    if (faults_ && OneIn(3)) {
      const int step = 1 + Pick(40);
      Tell(fmt::format("fault at step {}", step));
      if (OneIn(2)) {
        bench_.files.FailStep(static_cast<size_t>(step),
                              OneIn(2) ? ErrorCode::kExhausted : ErrorCode::kUnavailable);
      } else {
        bench_.disk.FailStep(static_cast<size_t>(step));
      }
      may_fail_ = true;
      if (auto opened = bench_.TryOpen()) {
        bench_.queue = std::move(*opened);
        bench_.worker = std::make_unique<DeliveryWorker>(*bench_.queue, bench_.client,
                                                         bench_.shrinker, bench_.clock);
        (void)bench_.worker->DeliverNext();
        if (bench_.queue->IsHeldForLedger()) {
          Tell(bench_.queue->AcceptLedger() ? "accepted" : "not accepted");
        }
        (void)bench_.worker->DeliverNext();
        Count();
      } else {
        Tell(fmt::format("does not open: {}", opened.error().message));
      }
      may_fail_ = false;
      bench_.files.FailNoStep();
      bench_.disk.FailStep(0);
      bench_.Close();
      bench_.tokens.Forget();
    }
    bench_.Open();
    ASSERT_TRUE(bench_.queue) << story_;
  }

  [[nodiscard]] static bool IsNamed(const DiskImage& image, const CallReference& reference) {
    const auto in_database = [&](const auto& each) { return each.second.contains(reference); };
    const auto in_ledger = [&](const auto& each) {
      return each.first.starts_with(kLedgerFiles) && AsText(each.second).contains(reference);
    };
    return std::ranges::any_of(image.database, in_database) ||
           std::ranges::any_of(image.files, in_ledger);
  }

  // One of the vault and the witness is that of now, or since a person has looked: of what is old
  // as a whole nothing tells.
  void Mix() {
    Keep();
    const size_t now = kept_.size() - 1;
    const auto any = [&] {
      return OneIn(2) ? now : static_cast<size_t>(Pick(static_cast<int>(kept_.size())));
    };
    size_t from[] = {any(), any(), any(), any(), any()};
    if (!bench_.queue->IsHeldForLedger()) is_older_ = {false, false};
    const size_t kept = is_older_[0] ? 1 : (is_older_[1] ? 0 : static_cast<size_t>(Pick(2)));
    from[3 + kept] = now;
    is_older_[1 - kept] = is_older_[1 - kept] || from[4 - kept] != now;
    bench_.Close();
    DiskImage mixed = kept_[now];
    mixed.database = kept_[from[0]].database;
    const std::pair<std::string_view, size_t> parts[] = {
        {kLedgerFiles, from[1]}, {kSlotFiles, from[2]}, {kWitnessFile, from[3]}};
    for (const auto& [path, moment] : parts) {
      const auto is_of_it = [path = path](const auto& each) {
        return each.first.starts_with(path);
      };
      std::erase_if(mixed.files, is_of_it);
      std::ranges::copy_if(kept_[moment].files, std::inserter(mixed.files, mixed.files.end()),
                           is_of_it);
    }
    mixed.vault = kept_[from[4]].vault;
    if (OneIn(6)) HarmLedger(mixed);
    std::set<CallReference> copied;
    for (const auto& [reference, slot] : CopySlots(mixed.files)) {
      if (!OneIn(8)) {
        copied.insert(reference);
        continue;
      }
      Tell(fmt::format("damage the copy of {}", reference));
      DamageCopy(mixed.files[slot.path], reference);
    }
    for (auto& [reference, call] : truth_) {
      call.known = call.known && (copied.contains(reference) || IsNamed(mixed, reference));
    }
    mixed.PutOn(bench_);
    Tell(fmt::format("mix: now {}, file {}, ledger {}, copies {}, witness {}, vault {}", now,
                     from[0], from[1], from[2], from[3], from[4]));
    for (const auto& [reference, call] : truth_) {
      if (!OneIn(5) || mixed.database.empty()) continue;
      Tell(fmt::format("damage the row of {}", reference));
      Meddle(kQueueFile, bench_.disk.name(),
             fmt::format("UPDATE call SET {} WHERE reference='{}'",
                         OneIn(2) ? "mac=randomblob(32)" : "state='damaged'", reference));
    }
    bench_.tokens.Forget();
    TryToOpen();
  }

  // It ends early, or a bit of it is another.
  void HarmLedger(DiskImage& image) {
    for (auto& [path, content] : image.files) {
      if (!path.starts_with(kLedgerFiles) || content.empty()) continue;
      const auto at = static_cast<size_t>(Pick(static_cast<int>(content.size())));
      const bool cuts = OneIn(2);
      Tell(fmt::format("{} the ledger at {} of {}", cuts ? "cut" : "flip", at, content.size()));
      if (cuts) {
        content.resize(at);
      } else {
        content[at] ^= static_cast<uint8_t>(1 << Pick(8));
      }
    }
  }

  void GoOn() {
    if (OneIn(2)) Deliver();
    if (bench_.queue->IsHeldForLedger() && !OneIn(4)) {
      Tell("accept the ledger");
      EXPECT_TRUE(bench_.queue->AcceptLedger());
    }
    if (OneIn(3)) return;
    reliable_ = OneIn(2);
    bench_.RunFor(std::chrono::hours(12));
    reliable_ = false;
    Count();
  }

  // Each call is in the list, or somebody is told that it is lost, or that some are.
  void CompareAll() {
    const auto lost = bench_.queue->Lost();
    ASSERT_TRUE(lost) << lost.error().message;
    const auto losses = bench_.queue->Losses();
    ASSERT_TRUE(losses) << losses.error().message;
    for (auto& [reference, call] : truth_) {
      const auto shown = bench_.queue->Show(reference);
      if (!shown) {
        const bool is_said = !losses->empty() || bench_.queue->IsHeldForLedger();
        EXPECT_TRUE(is_said || call.ended || call.answered || !call.known)
            << reference << " is gone: " << shown.error().message;
        call.known = false;  // somebody was told
        continue;
      }
      Tell(fmt::format("  {}: {} ({})", reference, StateWord(*shown), shown->engineer));
      if (shown->verdict == Verdict::kVerified) {
        EXPECT_GT(call.posts, 0) << reference << " was never sent";
      }
    }
  }

  std::mt19937_64 random_;
  const bool faults_;
  QueueBench bench_;
  std::vector<DiskImage> kept_;
  std::map<CallReference, Truth> truth_;
  std::string story_;
  size_t counted_ = 0;
  int last_number_ = 0;
  bool reliable_ = false;
  bool may_fail_ = false;           // what is answered may not be kept
  std::array<bool, 2> is_older_{};  // the witness, the vault: than what the ledger was held for
};

struct MixedPartsCase {
  const char* name;
  bool with_faults;
  int max_billed_attempts;
};

class MixedPartsTest : public testing::TestWithParam<MixedPartsCase> {};

TEST_P(MixedPartsTest, SendNothingTwiceAndLoseNothingInSilence) {
  for (uint64_t seed = Seed(), left = static_cast<uint64_t>(Rounds(IsSweepShort() ? 10 : 60));
       left > 0; --left, ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    MixedParts(seed, GetParam().with_faults, GetParam().max_billed_attempts).Run(4);
    if (HasFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(Each, MixedPartsTest,
                         testing::Values(MixedPartsCase{"Whole", false, 1},
                                         MixedPartsCase{"WithFaults", true, 1},
                                         MixedPartsCase{"WhereARuleSendsAgain", true, 2}),
                         [](const auto& each) { return std::string(each.param.name); });

}  // namespace
}  // namespace idkiosk
