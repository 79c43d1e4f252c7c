#ifndef IDKIOSK_DRIVERS_SECURE_STORAGE_MARK_FILE_H_
#define IDKIOSK_DRIVERS_SECURE_STORAGE_MARK_FILE_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "platform/api/crypto.h"
#include "platform/api/file_system.h"
#include "platform/api/secure_storage.h"

namespace idkiosk {

// How a mark is renewed: by a number, which the vault holds, and on which the mark's key depends.
struct MarkSession {
  uint64_t number = 0;
  // Puts a higher number into the vault.
  std::function<Status(uint64_t number)> remember;
};

// The mark in two slots of a file that keeps its size (FORMAT.md). The one that was synced last is
// left alone, so that it survives whatever becomes of the other.
class MarkFile final : public SecureMark {
 public:
  // Reads what is there. `files` and `crypto` must outlive this. Errors: FileSystem's, but for a
  // file that is missing or damaged, whose mark is empty.
  [[nodiscard]] static Result<std::unique_ptr<SecureMark>> Open(FileSystem& files,
                                                                const Crypto& crypto,
                                                                SecretBytes key, std::string path,
                                                                MarkSession session);

  [[nodiscard]] const Bytes& value() const override { return value_; }
  [[nodiscard]] bool is_lost() const override { return session_.number > 0 && value_.empty(); }
  [[nodiscard]] Status CheckInPlace() override { return file_ ? file_->CheckInPlace() : Status(); }
  [[nodiscard]] Status Set(ByteSpan value) override;
  [[nodiscard]] Status Sync() override;
  [[nodiscard]] Status Renew() override;

 private:
  MarkFile(FileSystem& files, const Crypto& crypto, SecretBytes key, std::string path,
           MarkSession session);

  [[nodiscard]] SecretBytes KeyOf(uint64_t session) const;
  // Of the session that the vault holds, or of the next, which a power failure kept from it.
  void Take(ByteSpan slot);
  [[nodiscard]] Bytes Slot(uint64_t number, ByteSpan value) const;
  // Makes the file anew, with this slot alone.
  [[nodiscard]] Status Make(ByteSpan slot);
  // What an earlier program set is synced by then.
  [[nodiscard]] Status OpenToWrite();

  FileSystem& files_;
  const Crypto& crypto_;
  const SecretBytes root_;
  const std::string path_;
  MarkSession session_;
  SecretBytes key_;  // of what is written
  std::unique_ptr<FixedFile> file_;
  bool is_whole_ = false;  // the file has its size
  uint64_t number_ = 0;    // counts the writes
  size_t synced_ = 0;      // the slot that was synced last
  size_t newest_ = 0;      // the slot that was written last
  Bytes value_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_DRIVERS_SECURE_STORAGE_MARK_FILE_H_
