#ifndef IDKIOSK_APP_RESULTS_OUTBOX_CURSOR_H_
#define IDKIOSK_APP_RESULTS_OUTBOX_CURSOR_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "platform/api/crypto.h"
#include "platform/api/file_system.h"

namespace idkiosk {

// How far results were handed over to one destination. README.md describes the file.
struct OutboxCursor {
  uint64_t place = 0;   // of the last end that was; 0: none
  std::string id;       // and its message's
  bool gone = false;    // nothing more is wanted there
  std::string trouble;  // why the next one was not handed over; empty: it is not known to fail
  WallTime trouble_since;
  bool operator==(const OutboxCursor&) const = default;
};

// The file of it. One thread writes; others may read.
class OutboxCursorFile {
 public:
  // All must outlive this. `destination`: Destination::name().
  OutboxCursorFile(const std::string& state_folder, std::string_view destination,
                   const Crypto& crypto, const SecretBytes& key, FileSystem& files);

  // Nothing: there is no such file. Errors: FileSystem's; kCorrupt (it does not prove genuine),
  // kFailedPrecondition (written by a newer idkiosk).
  [[nodiscard]] Result<std::optional<OutboxCursor>> Load() const;
  // Once this returns it survives a power cut. Errors: FileSystem's; the one before stays then.
  [[nodiscard]] Status Save(const OutboxCursor& cursor) const;

 private:
  [[nodiscard]] Crypto::Digest MacOf(ByteSpan bytes) const;

  const std::string path_;
  const std::string destination_;
  const Crypto& crypto_;
  const SecretBytes& key_;
  FileSystem& files_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_RESULTS_OUTBOX_CURSOR_H_
