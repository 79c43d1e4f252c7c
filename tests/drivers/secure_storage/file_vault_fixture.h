#ifndef IDKIOSK_TESTS_DRIVERS_SECURE_STORAGE_FILE_VAULT_FIXTURE_H_
#define IDKIOSK_TESTS_DRIVERS_SECURE_STORAGE_FILE_VAULT_FIXTURE_H_

#include <gtest/gtest.h>

#include <string>

#include "drivers/secure_storage/file_vault.h"
#include "drivers/secure_storage/mbedtls_crypto.h"
#include "platform/base/log.h"
#include "tests/fakes/fake_entropy.h"
#include "tests/fakes/fake_file_system.h"

namespace idkiosk {

// A kiosk's disk, on which each call is that of a program started anew.
class FileVaultTest : public testing::Test {
 protected:
  inline static const std::string kFolder = "/state";
  inline static const std::string kKey = "/state/vault.key";
  inline static const std::string kNextKey = "/state/vault.key.next";
  inline static const std::string kSlotA = "/state/vault.a";
  inline static const std::string kSlotB = "/state/vault.b";

  // The warnings about damage are as many as the damages.
  static void SetUpTestSuite() { (void)StartLogging(LogLevel::kError, ""); }

  FileVault Vault() { return FileVault(files_, entropy_, crypto_, kFolder); }

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

  ErrorCode GetFails(std::string_view name = "api_key") {
    auto vault = Vault();
    const auto value = vault.Get(name);
    EXPECT_FALSE(value) << "opened";
    return value ? ErrorCode::kInternal : value.error().code;
  }

  std::string DerivedKey(std::string_view label) {
    auto vault = Vault();
    const auto key = vault.DeriveKey(label);
    return key ? ToHex(key->view()) : key.error().message;
  }

  // A vault that holds "old" as its API key.
  void MakeVault() {
    ASSERT_TRUE(Vault().Init());
    ASSERT_TRUE(Put("api_key", "old"));
  }

  void Flip(const std::string& path, size_t byte) {
    Bytes bytes = files_.Content(path);
    bytes.at(byte) ^= 0x10;
    files_.Put(path, bytes);
  }

  void Cut(const std::string& path, size_t size) {
    Bytes bytes = files_.Content(path);
    bytes.resize(size);
    files_.Put(path, bytes);
  }

  FakeFileSystem files_;
  FakeEntropy entropy_;
  MbedtlsCrypto crypto_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_TESTS_DRIVERS_SECURE_STORAGE_FILE_VAULT_FIXTURE_H_
