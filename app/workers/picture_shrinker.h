#ifndef IDKIOSK_APP_WORKERS_PICTURE_SHRINKER_H_
#define IDKIOSK_APP_WORKERS_PICTURE_SHRINKER_H_

#include <atomic>
#include <string>

#include "app/queue/delivery_worker.h"
#include "app/settings/settings.h"
#include "platform/api/file_system.h"

namespace idkiosk {

// The rungs of a ladder of picture sizes: what the service took after a 413 is remembered in a
// file, and later captures begin there. Remember may run while another thread asks.
class PictureShrinker final : public BundleShrinker {
 public:
  static constexpr int kLastRung = 2;

  // `files` must outlive this. Reads the remembered rung; a file that makes no sense counts as 0.
  PictureShrinker(const CaptureSettings& settings, FileSystem& files, std::string path);

  // Returns the limits of later captures: each rung has sides of three quarters and half the bytes.
  [[nodiscard]] CaptureSettings RememberedSettings() const { return AtRung(remembered_); }

  [[nodiscard]] Result<FacePictures> Shrink(const FacePictures& pictures, int rung) override;
  void Remember(int rung) override;

 private:
  [[nodiscard]] CaptureSettings AtRung(int rung) const;

  const CaptureSettings settings_;
  FileSystem& files_;
  const std::string path_;
  std::atomic<int> remembered_ = 0;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_WORKERS_PICTURE_SHRINKER_H_
