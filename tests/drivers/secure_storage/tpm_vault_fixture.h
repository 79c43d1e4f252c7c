#ifndef IDKIOSK_TESTS_DRIVERS_SECURE_STORAGE_TPM_VAULT_FIXTURE_H_
#define IDKIOSK_TESTS_DRIVERS_SECURE_STORAGE_TPM_VAULT_FIXTURE_H_

#include <memory>
#include <string>

#include "tests/drivers/secure_storage/file_vault_fixture.h"
#include "tests/integration/software_tpm.h"

namespace idkiosk {

// A kiosk's disk in memory, beside a real swtpm. Each call is that of a program started anew.
class TpmVaultTest : public FileVaultTest {
 protected:
  void SetUp() override {
    if (!SoftwareTpm::IsInstalled()) GTEST_SKIP() << "swtpm is not installed: run tools/setup";
    swtpm_ = std::make_unique<SoftwareTpm>();
    proxy_ = std::make_unique<TpmProxy>(*swtpm_);
  }

  FileVault Vault() {
    return FileVault(files_, entropy_, crypto_, kFolder, {.device = proxy_->device()});
  }

  Status Put(std::string_view name, std::string_view value) {
    return Vault().Put(name, SecretBytes::CopyOf(value));
  }

  // The secret, or the error's name and message.
  std::string Get(std::string_view name) {
    auto vault = Vault();
    const auto value = vault.Get(name);
    if (!value) return std::string(Name(value.error().code)) + ": " + value.error().message;
    return std::string(value->text());
  }

  std::string DerivedKeyHere(std::string_view label) {
    auto vault = Vault();
    const auto key = vault.DeriveKey(label);
    return key ? ToHex(key->view()) : key.error().message;
  }

  Status Protect(RootKeyPlace place) { return Vault().Protect(place); }

  // A vault that holds "old" as its API key, its root key in the TPM.
  void MakeTpmVault() {
    ASSERT_TRUE(Vault().Init());
    ASSERT_TRUE(Put("api_key", "old"));
    const Status moved = Protect(RootKeyPlace::kTpm);
    ASSERT_TRUE(moved) << moved.error().message;
  }

  // "tpm: good"
  std::string Report() {
    const SecureStorage::RootKey root = Vault().DescribeRootKey();
    return root.place + ": " + root.state;
  }

  std::unique_ptr<SoftwareTpm> swtpm_;
  std::unique_ptr<TpmProxy> proxy_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_TESTS_DRIVERS_SECURE_STORAGE_TPM_VAULT_FIXTURE_H_
