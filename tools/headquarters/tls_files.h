#ifndef IDKIOSK_TOOLS_HEADQUARTERS_TLS_FILES_H_
#define IDKIOSK_TOOLS_HEADQUARTERS_TLS_FILES_H_

#include "tools/headquarters/subscriber.h"

struct mosquitto;

namespace idkiosk::headquarters {

// Of every connection to the broker: at least once, and how long it is silent.
inline constexpr int kQos = 1;
inline constexpr int kKeepAlive = 30;  // seconds

// Whether the files that are named for TLS can be used, before libmosquitto opens them: it would
// wait for a pipe, and never says which file it was. Without an authority there is no TLS, which is
// for a broker on this machine alone. Errors: kInvalid, FileSystem's; each names option and file.
[[nodiscard]] Status CheckTlsFiles(const Subscriber::Options& where);

// Lets a connection, which is not made yet, use them, with suites of forward secrecy alone.
// Nothing happens where no authority is named. Errors: kInvalid.
[[nodiscard]] Status UseTlsFiles(mosquitto* handle, const Subscriber::Options& where);

}  // namespace idkiosk::headquarters

#endif  // IDKIOSK_TOOLS_HEADQUARTERS_TLS_FILES_H_
