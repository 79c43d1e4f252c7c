#ifndef IDKIOSK_APP_SESSION_VISIT_NUMBER_AT_SCREEN_H_
#define IDKIOSK_APP_SESSION_VISIT_NUMBER_AT_SCREEN_H_

#include <string_view>

#include "platform/base/mutex.h"
#include "platform/base/secret_bytes.h"

namespace idkiosk {

// The NIN of the person who is at the screen now, as far as it is known: before anything of them
// is in the queue. Any thread.
class NumberAtScreen {
 public:
  // Digits; fewer than a NIN has while they are typed, none when nobody is there.
  void Set(std::string_view digits) {
    const MutexLock lock(mutex_);
    if (digits_.text() != digits) digits_ = SecretBytes::CopyOf(digits);
  }
  // Returns whether it is this one, which must not be empty.
  [[nodiscard]] bool Is(std::string_view nin) const {
    const MutexLock lock(mutex_);
    return !nin.empty() && digits_.text() == nin;
  }

 private:
  mutable Mutex mutex_;
  SecretBytes digits_ GUARDED_BY(mutex_);
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_SESSION_VISIT_NUMBER_AT_SCREEN_H_
