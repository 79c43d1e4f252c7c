#ifndef IDKIOSK_PLATFORM_BASE_FILE_DESCRIPTOR_H_
#define IDKIOSK_PLATFORM_BASE_FILE_DESCRIPTOR_H_

#include <unistd.h>

#include <utility>

namespace idkiosk {

// An open file, closed when it goes.
class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int number) : number_(number) {}
  ~FileDescriptor() { Reset(); }
  FileDescriptor(FileDescriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }

  [[nodiscard]] int get() const { return number_; }
  [[nodiscard]] bool valid() const { return number_ >= 0; }
  void Reset() {
    if (valid()) (void)close(std::exchange(number_, -1));
  }

 private:
  int number_ = -1;
};

}  // namespace idkiosk

#endif  // IDKIOSK_PLATFORM_BASE_FILE_DESCRIPTOR_H_
