#ifndef IDKIOSK_APP_QUEUE_STORAGE_CALL_COPIES_H_
#define IDKIOSK_APP_QUEUE_STORAGE_CALL_COPIES_H_

#include <map>
#include <set>
#include <string>
#include <vector>

#include "app/queue/storage/call_store.h"
#include "app/queue/storage/ledger_entry.h"
#include "platform/api/file_system.h"

namespace idkiosk {

// A call as it was accepted: its row, and what is sealed of it, by field.
struct SealedCall {
  CallRow row;
  std::map<SealedField, std::vector<Bytes>> fields;
};

// The second copy of each call that has not ended: a file of its own, beside the queue's file.
// COPIES.md describes it. Nothing in it is more readable than it is there. Any process may write
// and erase. Errors of every function: FileSystem's.
class CallCopies {
 public:
  // All must outlive this. Touches no file.
  CallCopies(std::string folder, const Crypto& crypto, const SecretBytes& mac_key,
             FileSystem& files)
      : folder_(std::move(folder)), crypto_(crypto), mac_key_(mac_key), files_(files) {}

  // Once this returns the copy survives a power cut.
  [[nodiscard]] Status Write(const SealedCall& call);
  // What is sealed of it is proven by opening it. Errors also: kCorrupt (it does not prove to be a
  // copy of this call), kNotFound.
  [[nodiscard]] Result<SealedCall> Read(const CallReference& reference) const;
  struct Found {
    std::set<CallReference> calls;
    std::vector<std::string> strays;  // left by an interrupted Write or Withdraw
  };
  [[nodiscard]] Result<Found> List();
  [[nodiscard]] bool Has(const CallReference& reference);
  // Requires that nobody writes meanwhile.
  void EraseStrays(const Found& found);
  // Overwrites and removes it, where it is there.
  [[nodiscard]] Status Erase(const CallReference& reference);
  // The same for a call that was refused after all: when the power fails meanwhile, no half of it
  // is taken for the copy of an accepted one.
  [[nodiscard]] Status Withdraw(const CallReference& reference);

 private:
  [[nodiscard]] std::string PathOf(const CallReference& reference) const;

  const std::string folder_;
  const Crypto& crypto_;
  const SecretBytes& mac_key_;
  FileSystem& files_;
};

// What people decide while another process delivers, which alone may add to the ledger: a file for
// each decision, until that process has taken it over. COPIES.md describes it.
class DecisionNotes {
 public:
  // All must outlive this. Touches no file.
  DecisionNotes(std::string folder, const Crypto& crypto, const SecretBytes& mac_key,
                FileSystem& files)
      : folder_(std::move(folder)), crypto_(crypto), mac_key_(mac_key), files_(files) {}

  // Once this returns it survives a power cut. `name`: of letters and digits.
  [[nodiscard]] Status Write(const std::string& name, const LedgerEntry& entry);
  struct Note {
    std::string name;
    LedgerEntry entry;
  };
  // Those that prove genuine; what does not is removed. Errors also: one of them cannot be read now.
  [[nodiscard]] Result<std::vector<Note>> List();
  [[nodiscard]] Status Erase(const std::string& name);

 private:
  // Errors: kCorrupt.
  [[nodiscard]] Result<LedgerEntry> Parse(ByteSpan file) const;

  const std::string folder_;
  const Crypto& crypto_;
  const SecretBytes& mac_key_;
  FileSystem& files_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_QUEUE_STORAGE_CALL_COPIES_H_
