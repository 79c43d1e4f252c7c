// kill -9 at random moments of accepting and delivering.
#include <gmock/gmock.h>

#include <csignal>
#include <cstdlib>
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

  struct Call {
    std::string nin;
    std::string reference;  // empty: it was not told before the kill
  };

  Call VerifyAndKill(const std::string& nin, microseconds after) {
    Process process(VerifyCommand({"--pictures", pictures(), "--wait", "5"}), nin + "\n");
    std::this_thread::sleep_for(after);
    process.Signal(SIGKILL);
    return {nin, AcceptedReference(process.Wait().err)};
  }
};

TEST_F(KillTest, LosesNoAcceptedCallAndSendsNothingThatWasNotApproved) {
  const unsigned seed = Seed();
  std::mt19937 random(seed);
  std::printf("IDKIOSK_SEED=%u\n", seed);

  ASSERT_NE(pictures(), "");
  // How long one takes when nobody kills it: the kills fall anywhere in that time.
  const Timer::time_point start = Timer::now();
  ASSERT_NE(Verify(MadeUpNin(0)).out, "");
  const auto whole = duration_cast<microseconds>(Timer::now() - start).count();

  std::vector<Call> calls;
  for (int i = 1; i <= kKills; ++i) {
    // Two of three in the second half, where it accepts and delivers.
    const long from = i % 3 == 0 ? 0 : whole / 2;
    const microseconds after(std::uniform_int_distribution<long>(from, whole)(random));
    calls.push_back(VerifyAndKill(MadeUpNin(i), after));
  }
  // What is left is finished, so that every call ends somewhere.
  const int code = Kiosk({"queue", "deliver", "--wait", "60"}).exit_code;
  EXPECT_TRUE(code == 0 || code == 5) << code;

  std::map<std::string, std::string> states;
  const JsonDocument list = Parse(Kiosk({"--json", "queue", "list", "--all"}).out);
  for (const JsonView call : list.root().children()) {
    states[std::string(*call["reference"].AsString())] = *call["state"].AsString();
  }
  int accepted = 0;
  for (const Call& call : calls) {
    if (call.reference.empty()) continue;
    ++accepted;
    EXPECT_TRUE(states.contains(call.reference)) << call.reference << " was accepted, and is lost";
  }
  for (const auto& [reference, state] : states) {
    EXPECT_TRUE(state == "done" || state == "unknown") << reference << " is " << state;
  }

  int approved = 0;
  int answered = 0;
  const JsonDocument ledger = Parse(Kiosk({"--json", "ledger", "list"}).out);
  std::map<std::string, int> attempts;
  for (const JsonView row : ledger.root().children()) {
    if (*row["stage"].AsString() == "not_sent") continue;
    ++approved;
    ++attempts[std::string(*row["reference"].AsString())];
    if (*row["stage"].AsString() == "answered") ++answered;
  }
  for (const auto& [reference, count] : attempts) EXPECT_EQ(count, 1) << reference;

  int posts = 0;
  for (int i = 0; i <= kKills; ++i) {
    const int of_this_nin = Posts(MadeUpNin(i));
    EXPECT_LE(of_this_nin, 1) << "a POST that nobody approved, for person " << i;
    posts += of_this_nin;
  }
  // An attempt that was approved just before the kill may never have left.
  EXPECT_LE(posts, approved);
  EXPECT_GE(posts, answered);
  EXPECT_EQ(BilledRows(), posts);
  std::printf(
      "%d kills: %d calls told accepted, %zu kept, %d attempts approved, %d answered, %d POSTs\n",
      kKills, accepted, states.size(), approved, answered, posts);
  EXPECT_GT(accepted, kKills / 20) << "too few kills fell behind the acceptance to prove anything";
}

}  // namespace
}  // namespace idkiosk
