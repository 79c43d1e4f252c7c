#include "platform/base/secret_bytes.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace idkiosk {
namespace {

size_t RoundUpToPages(size_t size) {
  static const size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  return (size + page - 1) / page * page;
}

}  // namespace

SecretBytes::SecretBytes(size_t size) : size_(size), mapped_(RoundUpToPages(size)) {
  if (size == 0) return;
  void* memory = mmap(nullptr, mapped_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) std::abort();
  // Each of the three may be refused by a limit or an old kernel; `idkiosk doctor` reports the
  // limit.
  (void)mlock(memory, mapped_);
  (void)madvise(memory, mapped_, MADV_DONTDUMP);
  (void)madvise(memory, mapped_, MADV_WIPEONFORK);
  data_ = static_cast<uint8_t*>(memory);
}

SecretBytes::~SecretBytes() { Release(); }

SecretBytes::SecretBytes(SecretBytes&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)),
      mapped_(std::exchange(other.mapped_, 0)) {}

SecretBytes& SecretBytes::operator=(SecretBytes&& other) noexcept {
  if (this != &other) {
    Release();
    data_ = std::exchange(other.data_, nullptr);
    size_ = std::exchange(other.size_, 0);
    mapped_ = std::exchange(other.mapped_, 0);
  }
  return *this;
}

void SecretBytes::Release() {
  if (data_ == nullptr) return;
  explicit_bzero(data_, mapped_);
  (void)munmap(data_, mapped_);
  data_ = nullptr;
}

SecretBytes SecretBytes::CopyOf(ByteSpan bytes) {
  SecretBytes copy(bytes.size());
  std::ranges::copy(bytes, copy.data_);
  return copy;
}

SecretBytes SecretBytes::CopyOf(std::string_view text) { return CopyOf(AsBytes(text)); }

SecretBytes SecretBytes::Take(std::string& text) {
  SecretBytes secret = CopyOf(text);
  Wipe(text);
  return secret;
}

SecretBytes SecretBytes::Clone() const { return CopyOf(view()); }

void SecretBytes::Truncate(size_t size) {
  if (size >= size_) return;
  explicit_bzero(data_ + size, size_ - size);
  size_ = size;
}

bool SecretBytes::Equals(ByteSpan other) const {
  if (other.size() != size_) return false;
  unsigned difference = 0;
  for (size_t i = 0; i < size_; ++i) difference |= static_cast<unsigned>(data_[i] ^ other[i]);
  return difference == 0;
}

void Wipe(MutableByteSpan bytes) {
  if (!bytes.empty()) explicit_bzero(bytes.data(), bytes.size());
}

void Wipe(std::string& text) {
  text.resize(text.capacity());
  explicit_bzero(text.data(), text.size());
  text.clear();
}

[[gnu::noinline]] void WipeUnusedStack() {
  char below[128 * 1024];
  explicit_bzero(below, sizeof(below));
}

}  // namespace idkiosk
