#ifndef IDKIOSK_APP_QUEUE_STORAGE_CALL_COPIES_H_
#define IDKIOSK_APP_QUEUE_STORAGE_CALL_COPIES_H_

#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "app/queue/storage/call_store.h"
#include "app/queue/storage/slot_files.h"

namespace idkiosk {

// What is sealed of a call, by field.
using SealedPayloadFields = std::map<SealedField, std::vector<Bytes>>;

// A call as it was accepted.
struct SealedCall {
  CallRow row;
  SealedPayloadFields fields;
};

// The second copy of each call that has not ended, while it is fresh the only one: in a slot of a
// file beside the queue's file, or in a file of its own where an earlier idkiosk made it. COPIES.md
// describes both. Nothing in it is more readable than it is there. Any process may erase; who
// writes holds the queue's file meanwhile. Errors of every function: FileSystem's.
class CallCopies {
 public:
  // All must outlive this. Touches no file.
  CallCopies(const std::string& folder, const Crypto& crypto, const SecretBytes& mac_key,
             FileSystem& files)
      : folder_(folder),
        crypto_(crypto),
        mac_key_(mac_key),
        files_(files),
        slots_(folder, files, [this](ByteSpan copy) { return ProvenName(copy); }) {}

  // Once this returns the copy survives a power cut.
  [[nodiscard]] Status Write(const SealedCall& call);
  // What is sealed of it is proven by opening it. Errors also: kCorrupt (it does not prove to be a
  // copy of this call), kNotFound.
  [[nodiscard]] Result<SealedCall> Read(const CallReference& reference);
  // Whether another Read may succeed.
  [[nodiscard]] static bool MayBeWhole(const Error& error) {
    return error.code != ErrorCode::kNotFound && error.code != ErrorCode::kCorrupt &&
           error.code != ErrorCode::kInvalid;
  }
  struct Found {
    std::set<CallReference> calls;
    std::vector<std::string> strays;  // left by an interrupted write of an earlier idkiosk
  };
  [[nodiscard]] Result<Found> List();
  // As of the last List, and what was done here since.
  [[nodiscard]] bool Has(const CallReference& reference);
  // Whether the copy of this call, if it has none as of the last List, was erased, and not lost by
  // damage: it goes only once the call has ended.
  [[nodiscard]] bool WasErased(const SealedCall& call) const;
  // The same where nobody knows its size any more, and so as if it were of the usual one: a copy in
  // a file of its own that is lost looks erased, too.
  [[nodiscard]] bool WasErased(Endpoint endpoint) const;
  // Notes beside the copy that this attempt of its call was approved; lost with a power cut,
  // perhaps. Who finds a higher number than the ledger knows has an older ledger.
  [[nodiscard]] Status NoteAttempt(const CallReference& reference, int number) {
    return slots_.Note(reference, number);
  }
  // The number, as of the last List, of the newest that was noted, at most 15; 0: none.
  [[nodiscard]] int NotedAttempt(const CallReference& reference) const {
    return slots_.NoteOf(reference);
  }
  // Whether an earlier idkiosk made it.
  [[nodiscard]] bool IsOwnFile(const CallReference& reference);
  // Erases what is no copy, or was erased by half, and gives back what room is not needed. Requires
  // that nobody writes meanwhile.
  void Tidy(const Found& found);
  // Overwrites them, where they are there.
  [[nodiscard]] Status Erase(std::span<const CallReference> references);
  // The same for a call that was refused after all: when the power fails meanwhile, no half of it
  // is taken for the copy of an accepted one.
  [[nodiscard]] Status Withdraw(const CallReference& reference);

 private:
  [[nodiscard]] std::string PathOf(const CallReference& reference) const;
  [[nodiscard]] Bytes Serialize(const SealedCall& call) const;
  // Errors: kCorrupt.
  [[nodiscard]] Result<SealedCall> Prove(ByteSpan copy) const;
  [[nodiscard]] std::string ProvenName(ByteSpan copy) const;

  const std::string folder_;
  const Crypto& crypto_;
  const SecretBytes& mac_key_;
  FileSystem& files_;
  SlotFiles slots_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_QUEUE_STORAGE_CALL_COPIES_H_
