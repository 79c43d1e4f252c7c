#ifndef IDKIOSK_PLATFORM_BASE_SECRET_BYTES_H_
#define IDKIOSK_PLATFORM_BASE_SECRET_BYTES_H_

#include <fmt/format.h>

#include <cstddef>
#include <string_view>

#include "platform/base/bytes.h"

namespace idkiosk {

// Bytes that nobody else may read: a key, a password, a token, a NIN, a face.
//
// The memory is a mapping of its own: locked against swapping where the limits allow it, left out
// of core files, not inherited by a fork, and wiped before it is given back. A SecretBytes can be
// moved but not copied, compared only in constant time, and neither fmt nor spdlog can print it.
class SecretBytes {
 public:
  SecretBytes() = default;
  // `size` zero bytes. Ends the process if the kernel has no memory left.
  explicit SecretBytes(size_t size);
  ~SecretBytes();
  SecretBytes(SecretBytes&& other) noexcept;
  SecretBytes& operator=(SecretBytes&& other) noexcept;
  SecretBytes(const SecretBytes&) = delete;
  SecretBytes& operator=(const SecretBytes&) = delete;

  [[nodiscard]] static SecretBytes CopyOf(ByteSpan bytes);
  [[nodiscard]] static SecretBytes CopyOf(std::string_view text);
  // Copies `text` and then wipes it.
  [[nodiscard]] static SecretBytes Take(std::string& text);

  // An explicit copy, for the rare place that needs one.
  [[nodiscard]] SecretBytes Clone() const;

  // Borrowed, valid until this object is moved from or destroyed. A caller wipes its copies.
  [[nodiscard]] ByteSpan view() const { return {data_, size_}; }
  [[nodiscard]] std::string_view text() const { return AsText(view()); }
  [[nodiscard]] MutableByteSpan mutable_view() { return {data_, size_}; }

  [[nodiscard]] size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }

  // Makes it shorter; what is cut off is wiped.
  void Truncate(size_t size);

  // Takes time that depends on the lengths alone.
  [[nodiscard]] bool Equals(ByteSpan other) const;

 private:
  void Release();

  uint8_t* data_ = nullptr;
  size_t size_ = 0;
  size_t mapped_ = 0;
};

// Overwrites memory in a way that the compiler does not leave out.
void Wipe(MutableByteSpan bytes);
void Wipe(std::string& text);

// Overwrites 128 KiB of this thread's stack below the caller: what functions that have returned
// left there, such as a short text. Called by each thread that had something personal in its hands,
// before it waits for the next.
void WipeUnusedStack();

}  // namespace idkiosk

// Printing a secret does not compile.
template <>
struct fmt::formatter<idkiosk::SecretBytes> {
  formatter() = delete;
};

#endif  // IDKIOSK_PLATFORM_BASE_SECRET_BYTES_H_
