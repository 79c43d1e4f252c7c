#include "tests/faults/victims.h"

#include <sys/stat.h>

namespace idkiosk::faults {
namespace {

// One that is in this state, or nothing.
std::string ReferenceIn(FaultKiosk& kiosk, std::string_view wanted) {
  for (const auto& [reference, state] : kiosk.States()) {
    if (state == wanted) return reference;
  }
  return "none";
}

void LoseAnAnswer(FaultKiosk& kiosk) {
  kiosk.Misbehave({"--endpoint", "check", "--kind", "drop-after-body"});
  (void)kiosk.Ask();
  kiosk.Behave();
}

Invocation Check(FaultKiosk& kiosk) { return {kiosk.CheckCommand(), kiosk.NextNin() + "\n"}; }

Invocation Verify(FaultKiosk& kiosk) {
  return {kiosk.VerifyCommand({"--pictures", kiosk.pictures(), "--wait", "0"}),
          kiosk.NextNin() + "\n"};
}

Invocation Deliver(FaultKiosk& kiosk) {
  kiosk.LetWait(1);
  return {kiosk.KioskCommand({"queue", "deliver", "--wait", "0"}), ""};
}

Invocation Cancel(FaultKiosk& kiosk) {
  kiosk.LetWait(1);
  return {kiosk.KioskCommand({"queue", "cancel", ReferenceIn(kiosk, "pending")}), ""};
}

Invocation Retry(FaultKiosk& kiosk) {
  LoseAnAnswer(kiosk);
  kiosk.AllowResends(1);
  return {kiosk.KioskCommand({"queue", "retry", ReferenceIn(kiosk, "unknown"), "--yes"}), ""};
}

Invocation GiveUp(FaultKiosk& kiosk) {
  LoseAnAnswer(kiosk);
  return {kiosk.KioskCommand({"queue", "give-up", ReferenceIn(kiosk, "unknown"), "--yes"}), ""};
}

Invocation Provision(FaultKiosk& kiosk) {
  return {kiosk.KioskCommand({"provision", "--onboarding", kiosk.message()}), ""};
}

Invocation Rotate(FaultKiosk& kiosk) { return {kiosk.KioskCommand({"vault", "rotate"}), ""}; }

Invocation SetSecret(FaultKiosk& kiosk) {
  const std::string file = kiosk.folder_ / "password";
  WriteFile(file, kiosk.secrets_.at("password"));
  chmod(file.c_str(), 0600);
  return {kiosk.KioskCommand({"vault", "set", "password", "--file", file}), ""};
}

constexpr Victim kCallVictims[] = {
    {"check", &Check},       {"verify", &Verify},       {"queue deliver", &Deliver},
    {"queue retry", &Retry}, {"queue cancel", &Cancel}, {"queue give-up", &GiveUp},
};
constexpr Victim kVaultVictims[] = {
    {"provision", &Provision},
    {"vault rotate", &Rotate},
    {"vault set", &SetSecret},
};

}  // namespace

std::span<const Victim> CallVictims() { return kCallVictims; }

std::span<const Victim> VaultVictims() { return kVaultVictims; }

std::vector<Victim> AllVictims() {
  std::vector<Victim> all(std::begin(kCallVictims), std::end(kCallVictims));
  all.insert(all.end(), std::begin(kVaultVictims), std::end(kVaultVictims));
  return all;
}

}  // namespace idkiosk::faults
