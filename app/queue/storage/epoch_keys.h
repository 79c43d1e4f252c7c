#ifndef IDKIOSK_APP_QUEUE_STORAGE_EPOCH_KEYS_H_
#define IDKIOSK_APP_QUEUE_STORAGE_EPOCH_KEYS_H_

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "platform/api/entropy.h"
#include "platform/api/secure_storage.h"

namespace idkiosk {

// The keys that wrap the keys of calls, one for each stretch of time. An epoch's key is random and
// stands in the vault alone. Once nothing of the epoch's calls is kept it is removed from the
// vault, and what remains of them on the disk (freed pages, an old log) cannot be opened.
class EpochKeys {
 public:
  // The epoch of calls from before there were others; its key is derived from the vault's root.
  static constexpr uint32_t kDerived = 1;

  // Both must outlive this.
  EpochKeys(SecureStorage& storage, Entropy& entropy, SecretBytes derived);

  // Reads what the vault has. Errors of this and the others: SecureStorage's.
  [[nodiscard]] Status Load();

  // Returns the epoch whose key wraps the calls that are accepted now.
  [[nodiscard]] uint32_t newest() const { return keys_.rbegin()->first; }
  // Those whose key the vault has, the oldest first.
  [[nodiscard]] std::vector<uint32_t> All() const;
  // Null: forgotten, or of another vault.
  [[nodiscard]] const SecretBytes* Find(uint32_t epoch) const;
  // The look at the ledger that it began behind (AttemptLedger::Look); 0: none, or its key is not
  // there. The number of an epoch may come twice where parts were put back; that of a look does
  // not.
  [[nodiscard]] uint64_t LookOf(uint32_t epoch) const;

  // A new epoch, as soon as the vault has its key; behind all of `used`, which an older vault that
  // was put back does not hold.
  [[nodiscard]] Status Begin(uint64_t look, const std::set<uint32_t>& used = {});
  // Removes the keys of epochs that are not in `used`, but for the newest and the derived one.
  // `just_turned`: the one before it stays, too, for another process may have yet to keep a call
  // that it has sealed by it.
  [[nodiscard]] Status Forget(const std::set<uint32_t>& used, bool just_turned);

 private:
  SecureStorage& storage_;
  Entropy& entropy_;
  struct Key {
    SecretBytes key;
    uint64_t look = 0;
  };
  std::map<uint32_t, Key> keys_;
};

// The other keys of the queue, derived from the vault's root.
struct QueueKeys {
  SecretBytes epoch;     // of EpochKeys::kDerived
  SecretBytes rows;      // proves rows genuine
  SecretBytes question;  // tells a request by its key; told what calls of an earlier idkiosk asked
  SecretBytes journal;   // proves the ledger's records
  SecretBytes copies;    // proves the copies of calls
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_QUEUE_STORAGE_EPOCH_KEYS_H_
