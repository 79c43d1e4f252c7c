#include "tests/faults/kinds/tpm.h"

#include <fmt/format.h>

#include <functional>

#include "tests/faults/fault_kiosk.h"
#include "tests/integration/software_tpm.h"

namespace idkiosk::faults {
namespace {

constexpr int kConfiguration = 3;
constexpr uint32_t kLockedOut = 0x921;  // TPM_RC_LOCKOUT
constexpr uint32_t kFailure = 0x101;    // TPM_RC_FAILURE

// A kiosk whose vault's key is in a real swtpm, behind a wire that can be cut.
class TpmKiosk {
 public:
  explicit TpmKiosk(Tally& tally) : kiosk(tally) {}

  [[nodiscard]] bool Begin() {
    FaultKiosk::Settings settings;
    settings.more = fmt::format(R"("tpm": {{ "device": "{}" }},)", wire.device());
    if (!kiosk.Begin(settings)) return false;
    const Finished moved = kiosk.Do({"vault", "protect", "--tpm"});
    if (moved.exit_code == 0) return true;
    kiosk.tally().Break("the key is not in the TPM: " + moved.err);
    return false;
  }

  SoftwareTpm tpm;
  TpmProxy wire{tpm};
  FaultKiosk kiosk;
};

// Without the key nothing leaves, and whoever reads the message knows what to do.
void ExpectClosed(TpmKiosk& at, std::string_view state) {
  Tally& tally = at.kiosk.tally();
  tally.Inject();
  const int billed = at.kiosk.BilledRows();
  const Finished told = at.kiosk.Do({"--json", "vault", "status"});
  const std::string found = FaultKiosk::Text(FaultKiosk::Parse(told.out), "/state");
  tally.Check(found == state, Invariant::kBack,
              fmt::format("a TPM that is {} is said to be {}", state, found));
  tally.Check(!FaultKiosk::Text(FaultKiosk::Parse(told.out), "/mend").empty(), Invariant::kBack,
              fmt::format("nobody is told what to do about a TPM that is {}", state));
  for (const Finished& each : {at.kiosk.Do({"queue", "deliver"}), at.kiosk.Ask()}) {
    tally.Check(each.exit_code == kConfiguration, Invariant::kBack,
                fmt::format("a TPM that is {} ends with {}: {}", state, each.exit_code, each.err));
  }
  tally.Check(at.kiosk.BilledRows() == billed, Invariant::kPaid,
              fmt::format("something was sent although the TPM is {}", state));
}

// What ends by itself, or by undoing it: calls wait meanwhile, and each goes out once afterwards.
void TroubleForAWhile(Tally& tally) {
  struct Trouble {
    std::string_view state;
    std::function<void(TpmKiosk&)> begin, end;
  };
  const auto let_unseal = [](TpmKiosk& at) { at.wire.RefuseUnseal(0); };
  const Trouble troubles[] = {
      {"absent", [](TpmKiosk& at) { at.tpm.PowerOff(); }, [](TpmKiosk& at) { at.tpm.Start(); }},
      {"changed", [](TpmKiosk& at) { at.tpm.Extend(7); },
       [](TpmKiosk& at) { at.tpm.CyclePower(); }},
      {"locked out", [](TpmKiosk& at) { at.wire.RefuseUnseal(kLockedOut); }, let_unseal},
      {"failed", [](TpmKiosk& at) { at.wire.RefuseUnseal(kFailure); }, let_unseal},
  };
  TpmKiosk at(tally);
  if (!at.Begin()) return;
  for (int i = 0; i < tally.Rounds(1, 20); ++i) {
    for (const Trouble& each : troubles) {
      at.kiosk.LetWait(1);
      each.begin(at);
      ExpectClosed(at, each.state);
      each.end(at);
    }
  }
  at.kiosk.Judge();
}

// A command that does not arrive, or whose answer is lost, at each place of a delivery; in half of
// them the TPM loses its power as well.
void CutTheWire(Tally& tally) {
  TpmKiosk at(tally);
  if (!at.Begin()) return;
  at.kiosk.LetWait(1);
  const size_t before = at.wire.commands();
  (void)at.kiosk.Do({"queue", "deliver", "--wait", "5"});
  const size_t commands = at.wire.commands() - before;
  const auto cuts = static_cast<size_t>(tally.Rounds(8, 400));
  for (size_t i = 0; i < cuts; ++i) {
    at.kiosk.LetWait(1);
    const auto cut = tally.Draw(0, 1) == 0 ? TpmProxy::Cut::kCommand : TpmProxy::Cut::kAnswer;
    at.wire.CutAt(1 + i * commands / cuts % commands, cut, [&] {
      if (i % 2 == 1) at.tpm.CyclePower();
    });
    (void)at.kiosk.Do({"queue", "deliver", "--wait", "5"});
    if (at.wire.was_cut()) tally.Inject();
    at.wire.Heal();
    // A board's kernel takes out what the program left in it; swtpm alone has nobody who does.
    at.tpm.CyclePower();
  }
  at.kiosk.Judge();
}

// The key is gone for good: nothing of it opens any more, and a person sets the kiosk up again.
void LoseTheKey(Tally& tally) {
  struct Loss {
    std::string_view state;
    void (SoftwareTpm::*bring)();
  };
  for (const Loss& each :
       {Loss{"cleared", &SoftwareTpm::Clear}, Loss{"exchanged", &SoftwareTpm::Replace}}) {
    TpmKiosk at(tally);
    if (!at.Begin()) return;
    at.kiosk.LetWait(2);
    (at.tpm.*each.bring)();
    ExpectClosed(at, each.state);
    at.kiosk.LookForSecrets();
    for (const auto& command : {std::vector<std::string>{"vault", "erase", "--yes"},
                                {"vault", "init"},
                                {"provision", "--onboarding", at.kiosk.message()}}) {
      const Finished done = at.kiosk.Do(command);
      tally.Check(done.exit_code == 0, Invariant::kBack,
                  fmt::format("{} {} ends with {} after the TPM was {}: {}", command[0], command[1],
                              done.exit_code, each.state, done.err));
    }
  }
}

}  // namespace

void TroubleTheTpm(Tally& tally) {
  if (!SoftwareTpm::IsInstalled()) return tally.CannotRun("swtpm: run tools/setup");
  TroubleForAWhile(tally);
  CutTheWire(tally);
  LoseTheKey(tally);
}

}  // namespace idkiosk::faults
