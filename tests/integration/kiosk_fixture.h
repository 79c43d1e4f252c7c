#ifndef IDKIOSK_TESTS_INTEGRATION_KIOSK_FIXTURE_H_
#define IDKIOSK_TESTS_INTEGRATION_KIOSK_FIXTURE_H_

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "platform/base/json.h"
#include "tests/fakes/scratch_folder.h"
#include "tests/integration/process.h"

namespace idkiosk {

// Of nobody, and in no source but this: where it is found, somebody kept what was typed.
inline constexpr const char* kTypedNin = "70234567891";

// The real programs against each other: idkiosk with a state folder of its own, provisioned at a
// sandbox that serves HTTPS on a free loopback port. The environment variable IDKIOSK_BIN names
// the folder of the programs; CTest sets it.
class KioskFixture : public testing::Test {
 protected:
  KioskFixture();

  void StartSandbox();
  void StopSandbox();
  // Configuration, vault and credentials; `more` is merged into the local configuration's text.
  void Provision(const std::string& more = "");

  // A value for --wait that no test is long enough for: a command that is to end well waits until
  // it does, and CTest's limit ends what never would.
  static constexpr const char* kAsLongAsItTakes = "3600";

  // idkiosk --config ... with these arguments.
  Finished Kiosk(std::vector<std::string> arguments, const std::string& input = "");
  [[nodiscard]] std::vector<std::string> KioskCommand(std::vector<std::string> arguments) const;
  Finished Sandbox(std::vector<std::string> arguments);

  // `verify` of a NIN with the five pictures that were taken once for all tests.
  Finished Verify(const std::string& nin, std::vector<std::string> more = {});
  [[nodiscard]] std::vector<std::string> VerifyCommand(std::vector<std::string> more = {}) const;
  [[nodiscard]] const std::string& pictures();

  // The sandbox's billed rows, and the POSTs of one NIN that reached it.
  int BilledRows();
  int Posts(const std::string& nin);

  [[nodiscard]] std::string state() const { return folder_ / "state"; }
  [[nodiscard]] std::string config() const { return folder_ / "kiosk.jsonc"; }

  static JsonDocument Parse(const std::string& text);
  // The result that a command printed, by JSON pointer.
  static std::string Text(const JsonDocument& document, const std::string& pointer);

  void TellAddress(const std::string& onboarding) const;
  [[nodiscard]] std::string ProfileFolder() const;

  const std::string bin_;
  ScratchFolder folder_;
  std::unique_ptr<Process> sandbox_;
  int sandbox_port_ = 0;
  std::vector<std::string> sandbox_options_;  // more of them for `serve`
  std::string service_settings_;              // of the group `service`, with a comma behind each
  std::string environment_ = "sandbox";       // or "production", which has no test NIN
  // Where something lies between the kiosk and the sandbox: the address that the kiosk is told,
  // "127.0.0.1:4711".
  std::string told_address_;
  // Where the onboarding message is kept beyond Provision; empty: nowhere.
  std::string kept_message_;
  std::string test_nin_;
  std::map<std::string, std::string> secrets_;  // what provisioning put into the vault
};

}  // namespace idkiosk

#endif  // IDKIOSK_TESTS_INTEGRATION_KIOSK_FIXTURE_H_
