#ifndef IDKIOSK_APP_SESSION_VISIT_PICTURE_TAKER_H_
#define IDKIOSK_APP_SESSION_VISIT_PICTURE_TAKER_H_

#include "app/capture/capture_bundle.h"
#include "app/capture/capture_sequence.h"
#include "app/capture/challenges.h"
#include "app/capture/measures.h"
#include "app/session/model/ui_snapshot.h"
#include "platform/base/error.h"

namespace idkiosk {

// The progress of a capture, as far as a visit needs it.
struct CaptureStep {
  Prompt prompt = Prompt::kSelfie;
  Guidance guidance = Guidance::kNone;
  int pictures = 0;
  double held = 0;
  std::optional<Restart> restarted = std::nullopt;
  bool face_seen = false;
  ScreenColour light = {};  // the colour that the screen goes to, and how slowly
  Duration fade = {};
};

// Opens the camera, takes the five pictures and closes it. Everything on the control thread.
class PictureTaker {
 public:
  class Listener {
   public:
    virtual ~Listener() = default;
    // The newest of what was seen; steps in between may be left out.
    virtual void OnStep(const CaptureStep& step) = 0;
    virtual void OnTrouble(CameraTrouble trouble) = 0;
    // The end of a run that nobody stopped. Errors: CaptureRunner's, and the camera's.
    virtual void OnPictures(Result<CaptureBundle> pictures) = 0;
  };

  virtual ~PictureTaker() = default;

  // Opens the camera now, and asks for pictures once `asks_after` is over: until then it only shows
  // what it sees. Colours of the screen change at that pace. One run at a time: a run under way is
  // stopped first. `listener` must outlive the run.
  virtual void Start(Listener& listener, Duration asks_after, LightPace pace) = 0;
  // The runs from now on do not ask for these challenges, a bit each (BitOf).
  virtual void LeaveOut(uint32_t challenges) = 0;
  // The listener hears nothing more of the run under way, if there is one.
  virtual void Stop() = 0;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_SESSION_VISIT_PICTURE_TAKER_H_
