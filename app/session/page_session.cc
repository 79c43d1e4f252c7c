#include "app/session/page_session.h"

#include <algorithm>
#include <array>

#include "app/settings/languages.h"
#include "platform/base/bytes.h"

namespace idkiosk {

std::string NewSessionId(Entropy& entropy) {
  std::array<uint8_t, 16> id;
  entropy.Fill(id);
  return ToHex(id);
}

Status ChooseLanguage(UiSnapshot& view, JsonView arguments) {
  const auto language = arguments["language"].AsString().value_or("");
  if (std::ranges::find(PageLanguages(), language) == PageLanguages().end()) {
    return Fail(ErrorCode::kInvalid, "language must be one of {}",
                fmt::join(PageLanguages(), ", "));
  }
  view.language = language;
  return {};
}

Status ChooseSound(UiSnapshot& view, JsonView arguments) {
  const auto on = arguments["on"].AsBool();
  if (!on) return Fail(ErrorCode::kInvalid, "on must be true or false");
  view.sound = *on;
  return {};
}

}  // namespace idkiosk
