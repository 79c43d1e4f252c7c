#ifndef IDKIOSK_TOOLS_SANDBOX_SERVICE_REASONS_H_
#define IDKIOSK_TOOLS_SANDBOX_SERVICE_REASONS_H_

#include <string>
#include <string_view>

#include "tools/sandbox/service/settings.h"

namespace idkiosk::sandbox {

// The reason codes of the sandbox. The document shows none: these are made up.
[[nodiscard]] bool IsReason(std::string_view code);

// A list of {"code","label"}, or of codes.
[[nodiscard]] std::string ReasonsJson(ReasonForm form);

}  // namespace idkiosk::sandbox

#endif  // IDKIOSK_TOOLS_SANDBOX_SERVICE_REASONS_H_
