#ifndef IDKIOSK_APP_WORKERS_PREVIEW_SLOT_H_
#define IDKIOSK_APP_WORKERS_PREVIEW_SLOT_H_

#include <chrono>
#include <memory>
#include <optional>

#include "platform/base/mutex.h"
#include "platform/base/secret_bytes.h"

namespace idkiosk {

// The camera's newest picture on its way to the page. Holds one: a slow reader misses some, and
// delays nobody. Any thread.
class PreviewSlot {
 public:
  struct Picture {
    std::shared_ptr<const SecretBytes> jpeg;
    uint64_t number = 0;  // counts up
  };

  // Somebody watches for as long as this lives.
  class Watch {
   public:
    explicit Watch(PreviewSlot& slot) : slot_(slot) { slot_.Count(1); }
    ~Watch() { slot_.Count(-1); }
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;

    // The newest picture after number `seen`, waiting for it until `longest` at most. Nothing if
    // none came; `open()` says whether one still may.
    [[nodiscard]] std::optional<Picture> Next(uint64_t seen, std::chrono::milliseconds longest);

   private:
    PreviewSlot& slot_;
  };

  // The camera's side. Nobody gets a picture from before Open or after Close.
  void Open();
  void Close();
  void Put(SecretBytes jpeg);
  // False: Put is not worth the copy.
  [[nodiscard]] bool watched() const;

  [[nodiscard]] bool open() const;

 private:
  void Count(int watchers);

  mutable Mutex mutex_;
  ConditionVariable changed_;
  Picture newest_ GUARDED_BY(mutex_);
  bool open_ GUARDED_BY(mutex_) = false;
  int watchers_ GUARDED_BY(mutex_) = 0;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_WORKERS_PREVIEW_SLOT_H_
