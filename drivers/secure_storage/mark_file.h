#ifndef IDKIOSK_DRIVERS_SECURE_STORAGE_MARK_FILE_H_
#define IDKIOSK_DRIVERS_SECURE_STORAGE_MARK_FILE_H_

#include <memory>
#include <string>

#include "platform/api/crypto.h"
#include "platform/api/file_system.h"
#include "platform/api/secure_storage.h"

namespace idkiosk {

// The mark in two slots of a file that keeps its size (FORMAT.md): the older slot is written, so
// that the newer one survives whatever becomes of that.
class MarkFile final : public SecureMark {
 public:
  // Reads what is there. `files` and `crypto` must outlive this. Errors: FileSystem's, but for a
  // file that is missing or damaged, whose mark is empty.
  [[nodiscard]] static Result<std::unique_ptr<SecureMark>> Open(FileSystem& files,
                                                                const Crypto& crypto,
                                                                SecretBytes key, std::string path);

  [[nodiscard]] const Bytes& value() const override { return value_; }
  [[nodiscard]] Status Set(ByteSpan value) override;

 private:
  MarkFile(FileSystem& files, const Crypto& crypto, SecretBytes key, std::string path);

  void Take(ByteSpan slot);
  [[nodiscard]] Bytes Slot(uint64_t number, ByteSpan value) const;
  // Makes the file anew, with this slot alone.
  [[nodiscard]] Status Make(uint64_t number, ByteSpan slot);

  FileSystem& files_;
  const Crypto& crypto_;
  const SecretBytes key_;
  const std::string path_;
  std::unique_ptr<FixedFile> file_;
  bool is_whole_ = false;  // the file has its size
  uint64_t number_ = 0;    // counts the writes
  Bytes value_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_DRIVERS_SECURE_STORAGE_MARK_FILE_H_
