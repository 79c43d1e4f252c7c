#ifndef IDKIOSK_APP_QUEUE_STORAGE_DECISION_NOTES_H_
#define IDKIOSK_APP_QUEUE_STORAGE_DECISION_NOTES_H_

#include <string>
#include <vector>

#include "app/queue/storage/ledger_entry.h"
#include "platform/api/crypto.h"
#include "platform/api/file_system.h"

namespace idkiosk {

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
  // Those that prove genuine; what does not is removed. Errors also: one of them cannot be read
  // now.
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

#endif  // IDKIOSK_APP_QUEUE_STORAGE_DECISION_NOTES_H_
