#ifndef IDKIOSK_TESTS_APP_QUEUE_QUEUE_FIXTURE_H_
#define IDKIOSK_TESTS_APP_QUEUE_QUEUE_FIXTURE_H_

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/queue/delivery_worker.h"
#include "app/queue/storage/sqlite_database.h"
#include "drivers/secure_storage/mbedtls_crypto.h"
#include "tests/app/service/service_fixture.h"
#include "tests/fakes/fake_entropy.h"
#include "tests/fakes/fake_file_system.h"
#include "tests/fakes/fake_sqlite_disk.h"

namespace idkiosk {

// Cuts the selfie in half as often as the rung asks.
class FakeShrinker final : public BundleShrinker {
 public:
  [[nodiscard]] Result<FacePictures> Shrink(const FacePictures& pictures, int rung) override;
  void Remember(int rung) override { remembered = rung; }

  std::vector<int> rungs;  // that were asked for
  std::optional<int> remembered;
  std::optional<Error> error;
};

// The queue's file and its log, on the disk of a bench whose settings name no other folder.
inline constexpr const char* kQueueFile = "/state/queue.db";
inline constexpr const char* kQueueLog = "/state/queue.db-wal";

// A lookup by NIN: small, and its number tells it from others.
[[nodiscard]] VerificationCall LookupCall(int number);

// How often a call has been sent, as a person who looks at it sees.
[[nodiscard]] int AttemptsOf(DurableQueue& queue, const CallReference& reference);

struct QueueBench;

// The second copies of calls in the files of a disk, by call: the bytes of each slot.
struct CopySlot {
  std::string path;
  size_t at = 0;
  size_t size = 0;
};
[[nodiscard]] std::map<CallReference, CopySlot> CopySlots(
    const std::map<std::string, Bytes>& files);
// Part of the copy is not what it was; the call is still named there.
void DamageCopy(Bytes& file, const CallReference& reference);

// What lies on the disks and in the vault of a kiosk at one moment, its process still running.
struct DiskImage {
  std::map<std::string, std::string> database;  // the queue's file and its log
  std::map<std::string, Bytes> files;
  FakeSecureStorage vault;

  [[nodiscard]] static DiskImage Of(const QueueBench& bench);
  // Puts it on the disks of `bench`, whose queue is closed, in place of what is there.
  void PutOn(QueueBench& bench) const;

  // The copy of a call as it is here: taken out, and put where it was.
  [[nodiscard]] Bytes TakeCopy(const CallReference& reference);
  void PutCopy(const CopySlot& slot, const Bytes& copy);
};

// Runs SQL on a closed queue's file behind the queue's back. `vfs`: of a disk in memory; empty: a
// file of this machine's.
void Meddle(const std::string& path, const std::string& vfs, const std::string& sql);

// A queue on a disk in memory, with a service behind a network of the test's own.
struct QueueBench : ServiceBench {
  explicit QueueBench(uint64_t seed = 1, ServiceProfile with = SandboxProfile(),
                      Environment environment = Environment::kSandbox,
                      std::string_view base_url = kTestBaseUrl);

  // Opens the queue and makes its worker; the test fails if it does not open.
  void Open(DurableQueue::Role role = DurableQueue::Role::kDeliver);
  [[nodiscard]] Result<std::unique_ptr<DurableQueue>> TryOpen(
      DurableQueue::Role role = DurableQueue::Role::kDeliver);
  void Close();
  // The process ends here, and another begins.
  void Restart();

  // Accepts a call, also one that was asked before; the test fails if it is refused.
  CallReference Accept(const VerificationCall& call, bool person_waits = false);
  // One step of the worker; the test fails if the queue does.
  DeliveryWorker::Step Step();
  // One run of the worker, until there is nothing to do for now.
  void StepUntilIdle();
  // Works for `time`, as a runner with timers would.
  void RunFor(Duration time);
  [[nodiscard]] CallSummary Show(const CallReference& reference);
  // The queue's file becomes again what it was, and nothing else; the next process opens it.
  void PutFileBack(const DiskImage& before, DurableQueue::Role role = DurableQueue::Role::kDeliver);
  // The second copies of calls.
  void RemoveCopies();
  // The second copies of calls are damaged, each of them.
  void DamageCopies();
  // "pending", "held", ...
  [[nodiscard]] std::string StateOf(const CallReference& reference);
  [[nodiscard]] std::vector<LedgerRow> Ledger();
  [[nodiscard]] LedgerSum Total();
  // The closed queue's file becomes one of an older idkiosk, of schema `version` 1 to 5, with
  // `ledger` as its table of attempts, which versions 4 and 5 have not.
  void MakeOld(int version, const std::vector<LedgerRow>& ledger);

  // Every verification is answered with this; logins are granted.
  void Serve(int status, std::string_view body);
  // With a verified answer, or a refusal without a word.
  void Serve(int status) { Serve(status, status < 300 ? std::string_view(kVerifiedAnswer) : "{}"); }
  // Billed requests that reached the server.
  [[nodiscard]] int posts() const { return http.CountSeen("NIN"); }

  FakeEntropy entropy;
  MbedtlsCrypto crypto;
  FakeFileSystem files;
  FakeSqliteDisk disk;
  DurableQueue::Options options;
  FakeShrinker shrinker;
  std::unique_ptr<DurableQueue> queue;
  std::unique_ptr<DeliveryWorker> worker;
};

// One whose queue is open.
struct OpenBench : QueueBench {
  OpenBench() { Open(); }
};

// For a test of calls that have waited, and a service that answers each.
class WaitingCalls {
 protected:
  WaitingCalls();

  // In the file and among the copies, as what has waited is.
  CallReference AcceptAndWait(int number);
  void Deliver();

  QueueBench bench_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_TESTS_APP_QUEUE_QUEUE_FIXTURE_H_
