#ifndef IDKIOSK_APP_JOURNAL_SHARED_JOURNAL_H_
#define IDKIOSK_APP_JOURNAL_SHARED_JOURNAL_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/journal/journal.h"
#include "platform/api/clock.h"
#include "platform/api/secure_storage.h"
#include "platform/base/mutex.h"

namespace idkiosk {

// A journal in the state folder that every idkiosk writes, in turns. Its newest place is kept in
// the vault, so that an older copy, or one that is cut short, is noticed. Each record says, as its
// attachment, the newest number (8 bytes, big endian) that the vault knew of before: so an older
// copy of the vault is noticed too. One from just before the last record is not: a power cut looks
// the same.
//
// One that is damaged goes on: a record says what was found, and stays.
//
// Any thread. Errors of every function: FileSystem's; SecureStorage's (there is no vault yet, or it
// is damaged). Of Append also kUnavailable: another program writes it, for five seconds.
class SharedJournal {
 public:
  // What tells one such journal from another, and its records of damage from the others.
  struct Kind {
    std::string_view name;       // its label, and the folder's name in the state folder
    std::string_view key_label;  // by which its key is derived
    std::string_view anchor;     // where its newest place is kept, among the secrets of the vault
    // Returns what a record says was found damaged; nothing for any other record.
    std::optional<std::string> (*damage_in)(ByteSpan body);
    // Returns the record that says so. Empty: the vault is a new one, and proves nothing of the
    // files before, which are kept beside these.
    Bytes (*damage_record)(WallTime at, std::string_view found);
  };

  // All must outlive this. Touches no file.
  SharedJournal(const Kind& kind, const std::string& state_folder, const Clock& clock,
                const Crypto& crypto, SecureStorage& vault, FileSystem& files);

  // Adds a record. Once this returns it survives a power cut.
  [[nodiscard]] Status Append(ByteSpan body);
  // Hands out every proven record, the oldest first. Returns what all of it is worth. Writes
  // nothing, and waits for nobody.
  [[nodiscard]] Result<JournalVerdict> Read(const Journal::Each& each);
  // Hands out proven records behind that number (0: all) which the vault remembers, so that they
  // survive a power cut: `limit` of them, the oldest first. Waits for nobody.
  [[nodiscard]] Status ReadBehind(uint64_t number, size_t limit, const Journal::Each& each);

 private:
  struct Opened;
  [[nodiscard]] Result<Opened> OpenToWrite() REQUIRES(turn_);
  [[nodiscard]] Result<Opened> Open(uint64_t from, const Journal::Each& each) REQUIRES(turn_);
  [[nodiscard]] Result<std::optional<JournalPosition>> Anchor();
  // `told`: the newest number that the vault once knew of.
  [[nodiscard]] Result<bool> IsVaultOlder(uint64_t told);
  [[nodiscard]] Result<JournalPosition> Add(Opened& opened, ByteSpan body);
  [[nodiscard]] Status SetOldAside();
  // Errors: SecureStorage's, but for a full disk, which is in the log.
  [[nodiscard]] Status Remember(const JournalPosition& newest, Opened& opened);
  // Makes what was read ready for records. Where it is damaged, the first of them says so.
  [[nodiscard]] Status GoOn(Opened& opened);

  const Kind kind_;
  const std::string folder_;
  const Clock& clock_;
  const Crypto& crypto_;
  SecureStorage& vault_;
  FileSystem& files_;
  Mutex turn_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_JOURNAL_SHARED_JOURNAL_H_
