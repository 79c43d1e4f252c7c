#ifndef IDKIOSK_TESTS_APP_SESSION_STAFF_STAFF_FIXTURE_H_
#define IDKIOSK_TESTS_APP_SESSION_STAFF_STAFF_FIXTURE_H_

#include <string_view>

#include "app/session/staff/pin_lock.h"
#include "app/session/staff/staff_directory.h"
#include "drivers/secure_storage/mbedtls_crypto.h"
#include "tests/fakes/fake_audit_log.h"
#include "tests/fakes/fake_clock.h"
#include "tests/fakes/fake_entropy.h"
#include "tests/fakes/fake_file_system.h"
#include "tests/fakes/fake_secure_storage.h"
#include "tests/fakes/fake_task_runner.h"

namespace idkiosk {

inline constexpr std::string_view kPin = "580394";
inline constexpr std::string_view kWrongPin = "580395";

// Doors with their PIN, and what stands behind them.
struct StaffFixture {
  // `of_test` must outlive this.
  explicit StaffFixture(FakeClock& of_test, std::string_view tries = "") : clock(of_test) {
    (void)files.CreateFolder("/state");
    for (const Staff each : {Staff::kClerk, Staff::kOperator}) {
      SetPin(each, kPin);
      ForgetTries(each);
    }
    if (!tries.empty()) files.Put(PinTries::Path("/state", Staff::kClerk), AsBytes(tries));
  }

  // Of the one person of a kind, who has no name.
  void SetPin(Staff staff, std::string_view pin) { SetPinOf(std::string(Name(staff)), staff, pin); }
  void SetPinOf(const std::string& name, Staff staff, std::string_view pin) {
    constexpr uint32_t kSoonDone = 2;
    (void)PutMember(storage, {name, staff,
                              MakePinRecord(SecretBytes::CopyOf(pin), kSoonDone, crypto, entropy)});
  }
  void RemovePin(Staff staff) { (void)storage.Remove(PinSecret(staff)); }

  void ForgetTries(Staff staff) {
    PinTries counted({storage, files, crypto}, staff, "/state");
    (void)counted.Read(NamesOf(*ReadStaff(storage), staff));
    (void)counted.Write({});
  }

  [[nodiscard]] PinLock::Dependencies deps() {
    return {storage, files, crypto, clock, audit, storage_runner, control};
  }
  [[nodiscard]] StaffDirectory::Dependencies directory_deps() {
    return {storage, clock, storage_runner, control};
  }
  // The storage thread judges, and the control thread hears of it.
  void Settle() {
    storage_runner.RunUntilIdle();
    control.RunUntilIdle();
  }

  FakeClock& clock;
  FakeTaskRunner storage_runner{clock};
  FakeTaskRunner control{clock};
  FakeFileSystem files;
  FakeSecureStorage storage;
  FakeAuditLog audit;
  FakeEntropy entropy;
  MbedtlsCrypto crypto;
};

}  // namespace idkiosk

#endif  // IDKIOSK_TESTS_APP_SESSION_STAFF_STAFF_FIXTURE_H_
