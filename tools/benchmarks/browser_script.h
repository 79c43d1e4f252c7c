#ifndef IDKIOSK_TOOLS_BENCHMARKS_BROWSER_SCRIPT_H_
#define IDKIOSK_TOOLS_BENCHMARKS_BROWSER_SCRIPT_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "platform/base/json.h"

namespace idkiosk {

// Runs `tests/web/SCRIPT`, its name and arguments, with node, and reads the JSON that it prints.
// Nothing, and a word on standard error, where there is no node or no Chromium; gives up if it
// fails.
[[nodiscard]] std::optional<JsonDocument> RunBrowserScript(const std::string& script);

// The numbers of a list that a script printed; gives up if there are none.
[[nodiscard]] std::vector<double> NumbersOf(const JsonDocument& document, std::string_view name);

}  // namespace idkiosk

#endif  // IDKIOSK_TOOLS_BENCHMARKS_BROWSER_SCRIPT_H_
