#ifndef IDKIOSK_APP_SETTINGS_SETTINGS_TABLE_H_
#define IDKIOSK_APP_SETTINGS_SETTINGS_TABLE_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "app/settings/settings.h"
#include "platform/base/error.h"
#include "platform/base/json.h"

// The one place that knows which key of a configuration is which member of Settings, and what it
// may be.
namespace idkiosk {

// Both ends are allowed. For a Duration, in seconds.
struct Range {
  double from;
  double to;
};

// The texts that are allowed; of an enumeration, the names in its order.
using Choices = std::vector<std::string_view>;

// Gives the text as it is kept, or what is wrong with it: "must be ...". Is not asked about an
// empty text where the default is one too: it says "none" there.
using TextCheck = Result<std::string> (*)(std::string_view text);

// A file or folder; a relative one is taken from the configuration's folder.
struct Path {};

struct Setting {
  using Member = std::variant<bool& (*)(Settings&), int& (*)(Settings&), int64_t& (*)(Settings&),
                              double& (*)(Settings&), Duration& (*)(Settings&),
                              std::string& (*)(Settings&), std::vector<std::string>& (*)(Settings&),
                              Environment& (*)(Settings&), Mode& (*)(Settings&)>;
  using Rule = std::variant<std::monostate, Range, Choices, TextCheck, Path>;

  std::string_view key;  // "service.base_url"
  Member member;
  Rule rule;
};

// In the order of settings.h.
[[nodiscard]] std::span<const Setting> AllSettings();

// Null for a key that there is not.
[[nodiscard]] const Setting* FindSetting(std::string_view key);

// "camera", which holds "camera.width".
[[nodiscard]] bool IsSection(std::string_view key);

// Takes the value over into `settings`. `folder` is the configuration's. Errors: kInvalid; the
// message goes on from the key: "must be a whole number from 1 to 240". It never repeats a value
// that may be a NIN or a password.
[[nodiscard]] Status ReadSetting(const Setting& setting, JsonView value, const std::string& folder,
                                 Settings& settings);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_SETTINGS_SETTINGS_TABLE_H_
