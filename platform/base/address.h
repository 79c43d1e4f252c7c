#ifndef IDKIOSK_PLATFORM_BASE_ADDRESS_H_
#define IDKIOSK_PLATFORM_BASE_ADDRESS_H_

#include <string>
#include <string_view>

namespace idkiosk {

// An address to be shown, in which nothing is left that may let somebody in:
// "http://[removed]@proxy:3128" of "http://name:word@proxy:3128", and "rtsp://camera/[removed]" of
// "rtsp://camera/user=name&password=word" as of "rtsp://camera/?token=word". A camera that is a
// pipeline shows its first element alone: "opencv:rtspsrc ! ...". One that is neither that nor a
// number, a file or an address may be an address that was mistyped: "opencv:[removed]". What is no
// address stays as it is.
[[nodiscard]] std::string WithoutCredentials(std::string_view address);

// An address to be shown whose path may let somebody in, too, as receivers of webhooks have it:
// "https://hooks.example/..." of "https://hooks.example/T000/B000/word", and
// "https://[removed]/..." where somebody's name and password stand before the host. What is no
// address, and not empty, is "[removed]".
[[nodiscard]] std::string WithoutPath(std::string_view address);

}  // namespace idkiosk

#endif  // IDKIOSK_PLATFORM_BASE_ADDRESS_H_
