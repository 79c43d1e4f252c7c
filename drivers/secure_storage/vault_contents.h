#ifndef IDKIOSK_DRIVERS_SECURE_STORAGE_VAULT_CONTENTS_H_
#define IDKIOSK_DRIVERS_SECURE_STORAGE_VAULT_CONTENTS_H_

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "platform/api/entropy.h"
#include "platform/base/bytes.h"
#include "platform/base/error.h"
#include "platform/base/secret_bytes.h"

namespace idkiosk {

// The contents of a vault: the storage root and the named secrets, as the plain bytes of FORMAT.md.
// Those bytes are the only copy; everything else points into them.
class VaultContents {
 public:
  static constexpr size_t kRootSize = 32;
  static constexpr size_t kMaxNameSize = 64;
  static constexpr size_t kMaxValueSize = 64 * 1024;
  static constexpr size_t kMaxSize = 1024 * 1024;

  // A new storage root and no secrets.
  [[nodiscard]] static VaultContents Fresh(Entropy& entropy);
  // Errors: kCorrupt.
  [[nodiscard]] static Result<VaultContents> Decode(SecretBytes bytes);

  // Everything it returns by view is valid as long as this object lives.
  [[nodiscard]] const SecretBytes& bytes() const { return bytes_; }
  [[nodiscard]] ByteSpan root() const { return bytes_.view().first(kRootSize); }
  [[nodiscard]] std::optional<ByteSpan> Find(std::string_view name) const;
  [[nodiscard]] std::vector<std::string> names() const;

  // The same with the secret `name` set to `value`. Errors: kInvalid (a name that is not 1 to 64 of
  // a-z, 0-9, '.', '_' and '-', or a value of more than 64 KiB), kExhausted (more than 1 MiB in
  // all).
  [[nodiscard]] Result<VaultContents> With(std::string_view name, const SecretBytes& value) const;
  // The same without it.
  [[nodiscard]] VaultContents Without(std::string_view name) const;

 private:
  struct Entry {
    std::string_view name;
    ByteSpan value;
  };

  explicit VaultContents(SecretBytes bytes) : bytes_(std::move(bytes)) {}

  // Nothing if the bytes are not what Encode makes.
  [[nodiscard]] std::optional<std::vector<Entry>> Parse() const;
  [[nodiscard]] std::vector<Entry> Entries() const { return Parse().value(); }
  [[nodiscard]] static SecretBytes Encode(ByteSpan root, const std::vector<Entry>& entries);

  SecretBytes bytes_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_DRIVERS_SECURE_STORAGE_VAULT_CONTENTS_H_
