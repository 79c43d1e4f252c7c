#ifndef IDKIOSK_APP_SESSION_PAGE_SESSION_H_
#define IDKIOSK_APP_SESSION_PAGE_SESSION_H_

#include <string>

#include "app/session/model/ui_snapshot.h"
#include "platform/api/entropy.h"
#include "platform/base/json.h"

// Functions that every side of the page shares.
namespace idkiosk {

// 128 random bits: commands of a page that shows another session are refused.
[[nodiscard]] std::string NewSessionId(Entropy& entropy);

// The commands `language` and `sound`. Errors: kInvalid.
[[nodiscard]] Status ChooseLanguage(UiSnapshot& view, JsonView arguments);
[[nodiscard]] Status ChooseSound(UiSnapshot& view, JsonView arguments);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_SESSION_PAGE_SESSION_H_
