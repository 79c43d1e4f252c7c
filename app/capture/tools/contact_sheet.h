#ifndef IDKIOSK_APP_CAPTURE_TOOLS_CONTACT_SHEET_H_
#define IDKIOSK_APP_CAPTURE_TOOLS_CONTACT_SHEET_H_

#include <optional>
#include <string>
#include <vector>

#include "app/capture/capture_runner.h"
#include "app/capture/image/frame_decoder.h"
#include "app/capture/image/picture.h"
#include "platform/base/secret_bytes.h"

namespace idkiosk {

// Draws a capture on one picture, for engineers: frames with the face's box and landmarks, and
// beside each what was measured, asked for and said. It shows somebody's face. The observer of one
// capture, on its thread.
//
// Shown are the frames in which something changed (the prompt, the guidance, the number of
// pictures) and one now and then. Of a long capture, frames in which nothing changed are left out.
class ContactSheet final : public CaptureObserver {
 public:
  static constexpr size_t kMostTiles = 60;

  void OnProgress(const CaptureProgress& progress) override;

  [[nodiscard]] size_t tiles() const { return tiles_.size(); }

  // Errors: kFailedPrecondition (no frame was seen), kInternal.
  [[nodiscard]] Result<SecretBytes> Encode();

 private:
  struct Tile {
    Picture picture;
    bool change = false;  // something changed in it
  };

  [[nodiscard]] bool IsChange(const CaptureProgress& progress);
  void MakeRoom();

  FrameDecoder decoder_;
  std::vector<Tile> tiles_;
  std::optional<MonotonicTime> first_;
  std::optional<MonotonicTime> last_;  // when the last tile was taken
  std::string shown_;                  // what the last frame was about
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_CAPTURE_TOOLS_CONTACT_SHEET_H_
