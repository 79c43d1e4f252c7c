#ifndef IDKIOSK_TESTS_FAULTS_POWER_WORLD_H_
#define IDKIOSK_TESTS_FAULTS_POWER_WORLD_H_

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "app/queue/delivery_worker.h"
#include "app/service/service_client.h"
#include "drivers/secure_storage/file_vault.h"
#include "drivers/secure_storage/mbedtls_crypto.h"
#include "tests/app/queue/queue_fixture.h"
#include "tests/fakes/fake_clock.h"
#include "tests/fakes/fake_entropy.h"
#include "tests/fakes/fake_file_system.h"
#include "tests/fakes/fake_http_client.h"
#include "tests/fakes/fake_sqlite_disk.h"
#include "tests/faults/tally.h"

namespace idkiosk::faults {

// One kiosk on disks in memory that hang on one supply: the queue's file, ledger, copies, notes,
// the vault with its key and its mark, and every name lose power together. Its service counts what
// it bills, and bills every request that comes to it.
class PowerWorld {
 public:
  // The disks whose syncs can lie.
  enum class Store : uint8_t { kNone, kDatabase, kLedger, kCopies, kMark, kVault, kAll };
  static constexpr int kParts = 5;  // of a life

  // `seed`: random numbers, and what arrives of the unsynced, follow from it.
  explicit PowerWorld(uint64_t seed);

  // The power fails in the middle of that step, counted from now.
  void FailPowerAt(size_t step) { power_->FailAtStep(step); }
  // From this part of the life on.
  void Lie(Store store, int part);

  // Days of a kiosk: people come, calls are sent, secrets are stored, the program starts anew. Ends
  // when they are over or the power has failed.
  void Live();
  [[nodiscard]] size_t steps() const { return power_->steps(); }
  [[nodiscard]] bool power_failed() const { return power_->failed(); }
  // How many sectors the write has that the power cut short.
  [[nodiscard]] size_t cut_sectors() const { return disk_.cut_sectors() + files_.cut_sectors(); }

  // The power is back, and with it what `fate` leaves of the unsynced.
  void PowerComesBack(Unsynced fate, size_t sectors = 0);
  // A plain start, which delivers everything that can still be delivered; and what must hold where
  // no sync has lied.
  void Judge(Tally& tally, const std::string& what);
  // The same where syncs of `store` have lied: what any record that is left contradicts is said,
  // and nothing is sent before a person has looked; what was sent before is sent again only where
  // nothing that is left knows of it.
  void JudgeLies(Tally& tally, const std::string& what, Store store);

 private:
  // What the disks say by themselves, before the queue has looked at them.
  struct Left {
    uint64_t mark = 0;    // the newest record that the vault knows
    uint64_t ledger = 0;  // and the newest that is there
    std::string bytes;    // of the ledger
  };

  [[nodiscard]] bool Alive() const { return queue_ != nullptr && !power_->failed(); }
  [[nodiscard]] Status Open();
  void Close();
  void BeginPart(int part);
  void Accept(int person, bool with_pictures = false);
  void Deliver(int count);
  void AskAgain();
  void CancelOne();
  void StoreSecret();
  // Until nothing is left that can be sent without a person.
  void DeliverRest();
  [[nodiscard]] FakeHttpClient::Reply Serve(const FakeHttpClient::Seen& seen);

  [[nodiscard]] Left LookAtDisks();
  [[nodiscard]] std::map<CallReference, int> Approved();
  [[nodiscard]] int Billed() const;
  void FindBilledTwice(Tally& tally, const std::string& what);
  void FindLost(Tally& tally, const std::string& what, const std::set<CallReference>& asked);
  void FindStuck(Tally& tally, const std::string& what);
  void CheckVault(Tally& tally, const std::string& what);

  const std::shared_ptr<FakePower> power_ = std::make_shared<FakePower>();
  FakeClock clock_;
  FakeHttpClient http_{clock_};
  FakeEntropy entropy_;
  MbedtlsCrypto crypto_;
  FakeFileSystem files_;
  FakeSqliteDisk disk_;
  FileVault vault_;
  const ServiceProfile& profile_;
  const ServiceSettings settings_;
  TokenKeeper tokens_;
  ServiceClient client_;
  FakeShrinker shrinker_;
  std::unique_ptr<DurableQueue> queue_;
  std::unique_ptr<DeliveryWorker> worker_;

  Store lying_ = Store::kNone;
  int lies_from_ = kParts;
  int logins_ = 0;
  int billed_ = 0;
  std::map<std::string, int> bills_;               // by person
  std::map<std::string, int> asked_again_;         // by a person, by person
  std::map<CallReference, std::string> accepted_;  // of whom
  std::set<CallReference> cancelled_;
  bool secret_is_stored_ = false;
};

}  // namespace idkiosk::faults

#endif  // IDKIOSK_TESTS_FAULTS_POWER_WORLD_H_
