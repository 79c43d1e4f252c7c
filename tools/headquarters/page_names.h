#ifndef IDKIOSK_TOOLS_HEADQUARTERS_PAGE_NAMES_H_
#define IDKIOSK_TOOLS_HEADQUARTERS_PAGE_NAMES_H_

#include <string>
#include <string_view>
#include <vector>

#include "platform/base/error.h"

// By which names browsers may ask for the page of the fleet.
namespace idkiosk::headquarters {

// Whether a request's header Host ("localhost:8480") names the page: 127.0.0.1 or localhost with
// its port (80 may be left out), or one of `names` with any port or none.
[[nodiscard]] bool IsNameOfPage(std::string_view host, int port,
                                const std::vector<std::string>& names);

// Errors: kInvalid, naming the first that is no name of a host: letters, digits, hyphens and dots.
[[nodiscard]] Status CheckNames(const std::vector<std::string>& names);

}  // namespace idkiosk::headquarters

#endif  // IDKIOSK_TOOLS_HEADQUARTERS_PAGE_NAMES_H_
