// kill -9 at random moments of accepting and delivering.
#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <map>
#include <random>
#include <set>
#include <thread>

#include "tests/integration/kiosk_fixture.h"

namespace idkiosk {
namespace {

using std::chrono::duration_cast;
using std::chrono::microseconds;
using Timer = std::chrono::steady_clock;

constexpr int kKills = 300;

class KillTest : public KioskFixture {
 protected:
  void SetUp() override {
    ASSERT_NO_FATAL_FAILURE(StartSandbox());
    // No caps and no breaker: hundreds of made-up people are not verified here.
    ASSERT_NO_FATAL_FAILURE(Provision(R"("billing": { "breaker_after": 0 },)"));
  }

  static unsigned Seed() {
    const char* given = std::getenv("IDKIOSK_SEED");
    return given == nullptr ? std::random_device()() : static_cast<unsigned>(std::atoi(given));
  }

  static std::string MadeUpNin(int number) { return std::to_string(70'000'000'000 + number); }

  // The reference that `verify` names once the call is accepted, or nothing.
  static std::string AcceptedReference(const std::string& words) {
    const std::string mark = "Kept and sealed: reference ";
    const size_t at = words.find(mark);
    if (at == std::string::npos) return "";
    std::string reference = words.substr(at + mark.size(), 7);
    std::erase(reference, ' ');
    return reference;
  }

  // One in three with pictures, the others without: those start and end sooner, so that more of the
  // kills fall into accepting and delivering.
  std::vector<std::string> CommandFor(int person) {
    if (person % 3 == 0) return VerifyCommand({"--pictures", pictures(), "--wait", "5"});
    return KioskCommand({"check", "--id-number", "-", "--wait", "5"});
  }

  microseconds TimeOf(int person) {
    const Timer::time_point start = Timer::now();
    const Finished finished = RunProgram(CommandFor(person), MadeUpNin(person) + "\n");
    EXPECT_NE(finished.out, "") << finished.err;
    return duration_cast<microseconds>(Timer::now() - start);
  }

  // The reference of the call that was told accepted before the kill, or nothing.
  std::string RunAndKill(int person, microseconds after) {
    Process process(CommandFor(person), MadeUpNin(person) + "\n");
    std::this_thread::sleep_for(after);
    process.Signal(SIGKILL);
    return AcceptedReference(process.Wait().err);
  }

  std::map<std::string, std::string> StatesOfAllCalls() {
    std::map<std::string, std::string> states;
    const JsonDocument list = Parse(Kiosk({"--json", "queue", "list", "--all"}).out);
    for (const JsonView call : list.root().children()) {
      states[std::string(*call["reference"].AsString())] = *call["state"].AsString();
    }
    return states;
  }

  struct Attempts {
    int approved = 0;
    int answered = 0;
    std::map<std::string, int> of_call;
  };
  Attempts AttemptsInTheLedger() {
    Attempts attempts;
    const JsonDocument ledger = Parse(Kiosk({"--json", "ledger", "list"}).out);
    for (const JsonView row : ledger.root().children()) {
      const auto stage = *row["stage"].AsString();
      if (stage == "not_sent") continue;
      ++attempts.approved;
      attempts.answered += stage == "answered" ? 1 : 0;
      ++attempts.of_call[std::string(*row["reference"].AsString())];
    }
    return attempts;
  }

  // Of each person, by the sandbox's own name for them.
  std::map<std::string, int> PostsAtTheServer() {
    std::map<std::string, int> posts;
    const JsonDocument requests = Parse(Sandbox({"requests", "--json", "--limit", "100000"}).out);
    for (const JsonView row : requests.root()["rows"].children()) {
      const auto endpoint = *row["endpoint"].AsString();
      if (endpoint == "verify" || endpoint == "check")
        ++posts[std::string(*row["subject"].AsString())];
    }
    return posts;
  }
};

TEST_F(KillTest, LosesNoAcceptedCallAndSendsNothingThatWasNotApproved) {
  const unsigned seed = Seed();
  std::mt19937 random(seed);
  std::printf("IDKIOSK_SEED=%u\n", seed);
  ASSERT_NE(pictures(), "");
  // How long one takes when nobody kills it: two of three kills fall into the second half of that.
  const long with_pictures = TimeOf(0).count();
  const long without = TimeOf(1).count();

  std::set<std::string> accepted;
  for (int person = 2; person < kKills + 2; ++person) {
    const long whole = person % 3 == 0 ? with_pictures : without;
    const long from = person % 9 < 3 ? 0 : whole / 2;
    const microseconds after(std::uniform_int_distribution<long>(from, whole)(random));
    accepted.insert(RunAndKill(person, after));
  }
  accepted.erase("");
  // What is left is finished, so that every call ends somewhere.
  const int code = Kiosk({"queue", "deliver", "--wait", "60"}).exit_code;
  EXPECT_TRUE(code == 0 || code == 5) << code;

  const auto states = StatesOfAllCalls();
  for (const std::string& reference : accepted) {
    EXPECT_TRUE(states.contains(reference)) << reference << " was accepted, and is lost";
  }
  for (const auto& [reference, state] : states) {
    EXPECT_TRUE(state == "done" || state == "unknown") << reference << " is " << state;
  }
  const Attempts attempts = AttemptsInTheLedger();
  for (const auto& [reference, count] : attempts.of_call) EXPECT_EQ(count, 1) << reference;
  int posts = 0;
  for (const auto& [person, count] : PostsAtTheServer()) {
    EXPECT_EQ(count, 1) << "a POST that nobody approved";
    posts += count;
  }
  // An attempt that was approved just before the kill may never have left.
  EXPECT_LE(posts, attempts.approved);
  EXPECT_GE(posts, attempts.answered);
  std::printf(
      "%d kills: %zu calls told accepted, %zu kept; %d attempts approved, %d answered, %d POSTs\n",
      kKills, accepted.size(), states.size(), attempts.approved, attempts.answered, posts);
  EXPECT_GT(accepted.size(), kKills / 20U) << "too few kills fell behind the acceptance";
}

}  // namespace
}  // namespace idkiosk
