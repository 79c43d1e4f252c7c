#ifndef IDKIOSK_TESTS_APP_DAEMON_DAEMON_FIXTURE_H_
#define IDKIOSK_TESTS_APP_DAEMON_DAEMON_FIXTURE_H_

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/session/staff/pin_tries.h"
#include "app/settings/credentials.h"
#include "app/ui/browser_login.h"
#include "drivers/secure_storage/file_vault.h"
#include "platform/posix/loop_task_runner.h"
#include "tests/app/assembly/components_fixture.h"
#include "tests/app/ui/raw_client.h"

namespace idkiosk {

// The parts of a daemon, with a vault on the disk and loops that the test can stop.
struct DaemonFixture : ComponentsFixture {
  static constexpr std::string_view kPin = "580394";

  DaemonFixture() {
    drivers.open_vault = [this](const Settings& settings) {
      auto vault = OpenVault(settings.state_folder);
      FileVault* const same = vault.get();
      return ChosenVault{std::move(vault), same};
    };
    drivers.make_task_loop = [this] {
      auto loop = std::make_unique<LoopTaskRunner>(clock);
      loops.push_back(loop.get());
      return loop;
    };
  }

  [[nodiscard]] std::unique_ptr<FileVault> OpenVault(const std::string& state_folder) {
    return std::make_unique<FileVault>(files, entropy, crypto, state_folder + "/vault");
  }

  // Makes the vault, with every credential and the operator's PIN.
  void MakeVault() {
    constexpr uint32_t kSoonDone = 2;
    const std::string state = folder / "state";
    ASSERT_TRUE(files.CreateFolder(state));
    const auto vault = OpenVault(state);
    ASSERT_TRUE(vault->Init());
    for (const auto name : {kApiKeySecret, kUserIdSecret, kLoginSecret, kPasswordSecret}) {
      ASSERT_TRUE(vault->Put(name, SecretBytes::CopyOf(std::string_view("of a test"))));
    }
    ASSERT_TRUE(vault->Put(PinSecret(Staff::kOperator),
                           MakePinRecord(SecretBytes::CopyOf(kPin), kSoonDone, crypto, entropy)));
    PinTries tries({*vault, files, crypto}, Staff::kOperator, state);
    ASSERT_TRUE(tries.Read(std::array{std::string("operator")}));
    ASSERT_TRUE(tries.Write({}));
  }

  [[nodiscard]] StartPage start_page() {
    return StartPage(AsText(files.Read(folder / "start.html", 4096).value_or(Bytes())));
  }

  BrowserLogin login{entropy, files, folder / "start.html"};
  std::vector<TaskLoop*> loops;  // in the order they were made
};

}  // namespace idkiosk

#endif  // IDKIOSK_TESTS_APP_DAEMON_DAEMON_FIXTURE_H_
