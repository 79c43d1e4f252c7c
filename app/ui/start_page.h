#ifndef IDKIOSK_APP_UI_START_PAGE_H_
#define IDKIOSK_APP_UI_START_PAGE_H_

#include <string>
#include <string_view>

#include "platform/api/file_system.h"
#include "platform/base/error.h"

namespace idkiosk {

// Returns the page that posts `token` to the server at this port as soon as it is opened. It holds
// a secret: whoever has it wipes it.
[[nodiscard]] std::string StartPageText(int port, std::string_view token);

// Returns the page that stands there while nothing is served: it opens itself anew every two
// seconds, until it is the other one.
[[nodiscard]] std::string WaitingPageText();

// Whether the file may be written, replaced and removed as a start page: there is none, or one that
// this program or an earlier one wrote. Removes what a write that was cut off left beside it.
// Errors: kInvalid (something else is there, or a link, or beside it); FileSystem::Read's.
[[nodiscard]] Status CheckStartPagePlace(FileSystem& files, const std::string& page);

// Whether the file is no other one in the state folder than its start.html. Errors: kInvalid.
[[nodiscard]] Status KeepOutOfStateFolder(const std::string& page, const std::string& state_folder);

// Returns one sentence for whoever set this kiosk up, where that user cannot read the file, by the
// modes of it and of the folders above; empty where the user can.
[[nodiscard]] std::string WhyUnreadable(const std::string& page, const std::string& user);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_UI_START_PAGE_H_
