#ifndef IDKIOSK_APP_JOURNAL_JOURNAL_H_
#define IDKIOSK_APP_JOURNAL_JOURNAL_H_

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/journal/journal_format.h"
#include "platform/api/file_system.h"

namespace idkiosk {

enum class JournalState {
  kGenuine,
  kAltered,      // a record was changed, moved or taken out
  kCut,          // the newest records are gone
  kRolledBack,   // all of it is an older copy
  kUnmarked,     // what is remembered elsewhere is gone: nobody can say that it is not older
  kUnwitnessed,  // the file that says how far it had come is gone, or proves nothing
  kVaultOlder,   // all of it is there, and what is remembered of it elsewhere is an older copy
};

struct JournalVerdict {
  JournalState state = JournalState::kGenuine;
  // Altered: the first record that is not proven. Vault older: the newest that it had been told of.
  // Else: the newest that is there.
  uint64_t number = 0;
  bool operator==(const JournalVerdict&) const = default;
};

// "genuine", "altered at 12", "cut after 12", "rolled back to 12", "without its mark in the vault,
// at 12", "without its witness among the copies, at 12", "newer than the vault, which is an older
// copy: it knew of 12".
[[nodiscard]] std::string Describe(const JournalVerdict& verdict);

// What was found when a journal was read to its end.
struct JournalReading {
  JournalPosition newest;           // the last proven record
  uint64_t proven = 0;              // how many records were handed out
  std::optional<uint64_t> altered;  // the first record that is not proven, with others behind it
  uint64_t altered_last = 0;        // the last such record, if there is any
  std::optional<uint64_t> unlike;   // a known place that holds another record than it should
  bool shortened = false;           // the last file is shorter than it was made
  bool unproven_tail = false;       // bytes behind the last record: a torn write, or altered
};

// `database`: the newest record that the journal's user knows of; `anchor`: the newest that
// is remembered elsewhere. Both were on the disk once.
[[nodiscard]] JournalVerdict Judge(const JournalReading& reading, const JournalPosition& database,
                                   const JournalPosition& anchor);

// Records that are only ever added, each proven by a MAC over itself and the MAC of the one before.
// README.md describes the files. One thread; one process at a time may append, others may read.
//
// Errors of every function: FileSystem's.
class Journal {
 public:
  static constexpr uint32_t kUsualFileSize = 1 << 20;
  // More than any of its files has.
  static constexpr size_t kMostRead = 16 << 20;

  struct Options {
    std::string folder;
    std::string label;  // tells one journal from another that has the same key
    uint32_t file_size = kUsualFileSize;
  };

  // All must outlive this. Touches no file.
  Journal(Options options, const Crypto& crypto, const SecretBytes& key, FileSystem& files);

  using Each = std::function<void(const JournalRecord& record)>;
  // Hands every proven record of the file that holds number `from`, and of those behind it, to
  // `each`, the oldest first. Damage ends nothing: what is proven behind it is handed out too.
  // `known`: places to hold against what is read. Errors also: kFailedPrecondition (written by a
  // newer idkiosk).
  [[nodiscard]] Result<JournalReading> Read(uint64_t from, std::span<const JournalPosition> known,
                                            const Each& each);

  // Hands every proven record of the one file that holds number `from` to `each`. Returns the first
  // number of the file behind it; 0: there is none. Errors also: kFailedPrecondition, as Read.
  [[nodiscard]] Result<uint64_t> ReadFile(uint64_t from, const Each& each);

  // Makes it ready to append behind what Read has just found, all of which survives a power cut
  // from then on. A torn tail is wiped: nobody was told that it is there. `keep_tail`: bytes that
  // are not proven stay where they are, in a file that is left behind, for a person to look at.
  [[nodiscard]] Status Resume(const JournalReading& reading, bool keep_tail);

  struct Addition {
    ByteSpan body;
    ByteSpan attachment;
    // This many more bytes can be added later without asking the disk for room.
    size_t room_after = 0;
  };
  // Adds a record and syncs. Once this returns it survives a power cut; after an error nothing was
  // added. Errors also: kFailedPrecondition (Resume was not called), kInvalid (too large).
  [[nodiscard]] Result<JournalPosition> Append(const Addition& addition);
  [[nodiscard]] const JournalPosition& newest() const { return newest_; }
  // FixedFile's, of the file that is appended to; without one there is nothing to be lost.
  [[nodiscard]] Status CheckInPlace() const { return file_ ? file_->CheckInPlace() : Status(); }

  // Rewrites the files that are full without their attachments, and without what they have not
  // filled. Nothing of the records is lost. The caller must not need the attachments any more.
  [[nodiscard]] Status DropOldAttachments();
  [[nodiscard]] bool has_old_attachments() const { return !full_.empty(); }

 private:
  class Reader;
  [[nodiscard]] std::string PathOf(uint64_t first) const;
  // First numbers of the files, sorted.
  [[nodiscard]] Result<std::vector<uint64_t>> Files();
  // Errors: also of a newer idkiosk's.
  [[nodiscard]] Result<Bytes> LoadFile(uint64_t first);
  [[nodiscard]] Status BeginFile();
  [[nodiscard]] Status BeginFileOf(uint64_t first);
  [[nodiscard]] Status WipeFailedWrite();
  [[nodiscard]] Status DropAttachmentsOf(uint64_t first);

  const Options options_;
  const JournalFormat format_;
  FileSystem& files_;
  std::unique_ptr<FixedFile> file_;  // the one that is appended to
  uint64_t first_in_file_ = 0;
  size_t size_of_file_ = 0;
  size_t end_ = 0;           // of the last record in it
  size_t failed_write_ = 0;  // so many bytes behind the end are to be wiped
  bool must_begin_ = false;  // the next record goes into a new file: one may lie at its place
  JournalPosition newest_;
  std::vector<uint64_t> full_;  // files that still have their attachments, but for the last
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_JOURNAL_JOURNAL_H_
