#ifndef IDKIOSK_TESTS_FAULTS_FAULT_KIOSK_H_
#define IDKIOSK_TESTS_FAULTS_FAULT_KIOSK_H_

#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tests/faults/answer_proxy.h"
#include "tests/faults/byte_proxy.h"
#include "tests/faults/tally.h"
#include "tests/integration/kiosk_fixture.h"

namespace idkiosk::faults {

// A kiosk of one row: people come to it one after the other, faults befall it, and in the end
// Judge() holds what the service has billed against what the kiosk says. Between it and the service
// lies a ByteProxy.
class FaultKiosk : public KioskFixture {
 public:
  // Members of the kiosk's settings, as JSON: R"("breaker_after": 3)".
  struct Settings {
    std::string billing = R"("breaker_after": 0)";
    std::string queue = R"("backoff_first": "100 ms", "backoff_last": "1 s")";
    std::string service = {};        // of the group `service`, with a comma behind each
    std::string more = {};           // whole groups, the same
    std::string host = "127.0.0.1";  // by which name the service is called
    bool plain = false;  // without TLS, so that answers() can change what the service answers
  };

  // `tally` must outlive this.
  explicit FaultKiosk(Tally& tally) : tally_(tally) {}

  // Starts the service, and provisions the kiosk. False, and the row is broken, where that fails.
  [[nodiscard]] bool Begin(const Settings& settings);
  [[nodiscard]] bool Begin() { return Begin(Settings()); }

  [[nodiscard]] ByteProxy& network() { return *network_; }
  // Of a kiosk that was begun with `plain`.
  [[nodiscard]] AnswerProxy& answers() { return *answers_; }
  // Nobody listens at the service's address until the network is back. Returns its port.
  int TakeNetworkAway();
  void BringNetworkBack();

  // Nobody was asked about twice, so whoever is billed twice was sent twice.
  [[nodiscard]] std::string NextNin();
  // `check` of that number, which it reads from its standard input.
  [[nodiscard]] std::vector<std::string> CheckCommand(const std::string& wait = "0") const;
  // Asks about the next person, and tries to send it once.
  Finished Ask();
  // The same of `count` people while nothing reaches the service: all of them wait.
  void LetWait(int count);
  // idkiosk with these arguments; what it says is looked at in the end.
  Finished Do(const std::vector<std::string>& arguments, const std::string& input = "");
  // Takes note of what a program said: the reference of a call that it accepted.
  Finished Note(Finished finished);

  // `fault add` at the service, for example {"--kind", "cut", "--count", "0"}.
  void Misbehave(std::vector<std::string> arguments);
  void Behave();

  // A person had that many calls sent again that may have been billed.
  void AllowResends(int count) { resends_ += count; }
  // Somebody damaged the ledger, who was told so: its sums may lack what cannot be proven any more.
  void LedgerIsDamaged() { ledger_is_damaged_ = true; }
  // Of the calls accepted so far these alone can be named by anybody.
  void KeepAccepted(std::set<std::string> known) { accepted_ = std::move(known); }
  // The calls that were accepted so far.
  [[nodiscard]] const std::set<std::string>& accepted() const { return accepted_; }
  [[nodiscard]] Tally& tally() { return tally_; }
  // What has ended by now may be forgotten by what comes next: its row and the ledger may go.
  void LetEndedGo();
  // Every call's state, by its reference.
  std::map<std::string, std::string> States();

  // All faults are gone: starts the kiosk plainly, and counts what is not as it must be.
  void Judge();
  // The plain start of Judge happens that many seconds later by the clock.
  void Pass(int64_t seconds) { passed_ += seconds; }
  // Of it, whether an accepted call is lost (I2), after this fault.
  void FindLost(const std::string& fault);
  // The same of numbers, names, pictures and secrets alone (I3); often, after each fault.
  void LookForSecrets();
  // The same in these bytes alone.
  void LookInto(const std::string& bytes, const std::string& where);
  // What must be done where Judge finds that the kiosk waits for a person; nothing by default.
  std::vector<std::vector<std::string>> mends;

  // The onboarding message that provisioning was made with: it outlives it here.
  [[nodiscard]] std::string message() const { return folder_ / "message.json"; }

  using KioskFixture::BilledRows;
  using KioskFixture::bin_;
  using KioskFixture::config;
  using KioskFixture::folder_;
  using KioskFixture::kAsLongAsItTakes;
  using KioskFixture::Kiosk;
  using KioskFixture::KioskCommand;
  using KioskFixture::Parse;
  using KioskFixture::pictures;
  using KioskFixture::sandbox_port_;
  using KioskFixture::secrets_;
  using KioskFixture::StartSandbox;
  using KioskFixture::state;
  using KioskFixture::StopSandbox;
  using KioskFixture::Text;
  using KioskFixture::VerifyCommand;

 private:
  struct Approvals {
    int billed = 0;        // attempts that the kiosk knows to be billed
    int maybe_billed = 0;  // and that may be
    std::set<std::string> references;
  };

  void TestBody() override {}
  bool StartServiceAndNetwork(const Settings& settings);
  Finished ComeBack();
  Approvals ReadLedger();
  void CompareBills(const Approvals& approvals);
  void FindAccepted(const Approvals& approvals, const Finished& last, const std::string& fault);
  void CheckNames(const Finished& last);
  void Measure();

  Tally& tally_;
  std::unique_ptr<AnswerProxy> answers_;
  std::unique_ptr<ByteProxy> network_;
  int64_t passed_ = 0;
  int port_ = 0;  // of the network
  int people_ = 0;
  int resends_ = 0;
  bool ledger_is_damaged_ = false;
  std::set<std::string> accepted_;
  std::string said_;
};

}  // namespace idkiosk::faults

#endif  // IDKIOSK_TESTS_FAULTS_FAULT_KIOSK_H_
