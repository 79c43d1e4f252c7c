#ifndef IDKIOSK_APP_QUEUE_STORAGE_LEDGER_WITNESS_H_
#define IDKIOSK_APP_QUEUE_STORAGE_LEDGER_WITNESS_H_

#include <memory>
#include <optional>
#include <string>

#include "app/journal/journal.h"
#include "platform/api/crypto.h"
#include "platform/api/file_system.h"

namespace idkiosk {

// Says how far the ledger had come, in a file that lies among the copies of calls (COPIES.md):
// where the ledger, the queue's file and the vault's mark are put back from an earlier moment, it
// is what still knows better. Set with each record, and not waited for: what a power cut takes of
// it makes it say less, and never more. One thread. Errors of every function: FileSystem's.
class LedgerWitness {
 public:
  // All must outlive this. Touches no file.
  LedgerWitness(std::string path, const Crypto& crypto, const SecretBytes& key, FileSystem& files)
      : path_(std::move(path)), crypto_(crypto), key_(key), files_(files) {}

  // The newest place that it was told. Nothing: it is not there, or proves nothing.
  [[nodiscard]] Result<std::optional<JournalPosition>> Read();
  // After Read. Makes the file anew where it is not there, proves nothing, or cannot be written,
  // and then it survives a power cut; a folder in its place is moved aside.
  [[nodiscard]] Status Set(const JournalPosition& newest);
  // Once this returns, what was set survives a power cut.
  [[nodiscard]] Status Sync();

 private:
  struct Said {
    uint64_t turn = 0;  // counts what was set; of the two places of the file the higher one counts
    JournalPosition newest;
  };
  [[nodiscard]] Status Open();
  // With `slot` in both places.
  [[nodiscard]] Status MakeAnew(ByteSpan slot);
  [[nodiscard]] std::optional<Said> Parse(ByteSpan slot) const;
  [[nodiscard]] Crypto::Digest MacOf(ByteSpan said) const;

  const std::string path_;
  const Crypto& crypto_;
  const SecretBytes& key_;
  FileSystem& files_;
  uint64_t turn_ = 0;
  std::unique_ptr<FixedFile> file_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_QUEUE_STORAGE_LEDGER_WITNESS_H_
