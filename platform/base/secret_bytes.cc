#include "platform/base/secret_bytes.h"

#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace idkiosk {
namespace {

size_t PageSize() {
  static const size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  return page;
}

size_t RoundUpToPages(size_t size) { return (size + PageSize() - 1) / PageSize() * PageSize(); }

uint8_t* Map(size_t size) {
  void* memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) std::abort();
  // Each of the three may be refused by a limit or an old kernel; `idkiosk doctor` reports the
  // limit.
  (void)mlock(memory, size);
  (void)madvise(memory, size, MADV_DONTDUMP);
  (void)madvise(memory, size, MADV_WIPEONFORK);
  return static_cast<uint8_t*>(memory);
}

// Single pages that this thread has wiped and keeps for its next secrets: most are keys, made and
// forgotten many times a call, and mapping and locking a page costs more than what is done with
// the key.
class KeptPages {
 public:
  KeptPages() {
    // A child's memory is not locked.
    static const int forgets = pthread_atfork(nullptr, nullptr, [] { kept_.count_ = 0; });
    (void)forgets;
  }
  ~KeptPages() {
    while (count_ > 0) (void)munmap(pages_[--count_], PageSize());
    is_over_ = true;  // secrets of this thread that outlive this are given back at once
  }
  KeptPages(const KeptPages&) = delete;
  KeptPages& operator=(const KeptPages&) = delete;

  static uint8_t* Take() {
    return is_over_ || kept_.count_ == 0 ? Map(PageSize()) : kept_.pages_[--kept_.count_];
  }
  // Whether it is kept.
  static bool Keep(uint8_t* page) {
    if (is_over_ || kept_.count_ == kept_.pages_.size()) return false;
    kept_.pages_[kept_.count_++] = page;
    return true;
  }

 private:
  std::array<uint8_t*, 32> pages_{};
  size_t count_ = 0;

  static thread_local KeptPages kept_;
  static thread_local bool is_over_;
};
thread_local KeptPages KeptPages::kept_;
thread_local bool KeptPages::is_over_ = false;

}  // namespace

SecretBytes::SecretBytes(size_t size) : size_(size), mapped_(RoundUpToPages(size)) {
  if (size == 0) return;
  data_ = mapped_ == PageSize() ? KeptPages::Take() : Map(mapped_);
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
  if (mapped_ != PageSize() || !KeptPages::Keep(data_)) (void)munmap(data_, mapped_);
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
