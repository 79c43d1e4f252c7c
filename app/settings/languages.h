#ifndef IDKIOSK_APP_SETTINGS_LANGUAGES_H_
#define IDKIOSK_APP_SETTINGS_LANGUAGES_H_

#include <string_view>
#include <vector>

namespace idkiosk {

// Returns the codes of the languages that the page knows, spoken or not: "en", "ha", ... They are
// those of app/ui/web/words/languages.json, in its order.
[[nodiscard]] const std::vector<std::string_view>& PageLanguages();

}  // namespace idkiosk

#endif  // IDKIOSK_APP_SETTINGS_LANGUAGES_H_
