#ifndef IDKIOSK_APP_SESSION_VISIT_SLIP_READER_H_
#define IDKIOSK_APP_SESSION_VISIT_SLIP_READER_H_

#include <functional>
#include <string_view>

#include "platform/base/secret_bytes.h"

namespace idkiosk {

// The NIN in the text of a slip's code: the 11 digits beside the letters "NIN", or else the only 11
// digits that stand alone in it. Errors: kNotFound (there are none), kRejected (there are several).
[[nodiscard]] Result<SecretBytes> NinInSlip(std::string_view text);

// Looks through the camera for a code that holds a NIN. Everything on the control thread.
class SlipReader {
 public:
  using Then = std::move_only_function<void(Result<SecretBytes> nin)>;

  virtual ~SlipReader() = default;

  // Opens the camera, shows its pictures, and closes it before `then` hears what came of it; one
  // look at a time. Errors: kTimeout (no code was seen), kNotFound and kRejected (NinInSlip's, of
  // the codes that were seen), and the camera's.
  virtual void Start(Then then) = 0;
  // `then` of the look under way hears nothing more.
  virtual void Stop() = 0;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_SESSION_VISIT_SLIP_READER_H_
