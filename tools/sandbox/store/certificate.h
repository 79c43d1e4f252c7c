#ifndef IDKIOSK_TOOLS_SANDBOX_STORE_CERTIFICATE_H_
#define IDKIOSK_TOOLS_SANDBOX_STORE_CERTIFICATE_H_

#include <string>
#include <vector>

#include "platform/base/error.h"
#include "tools/sandbox/store/state_folder.h"

namespace idkiosk::sandbox {

struct CertificateFiles {
  std::string ca;           // PEM, for clients
  std::string certificate;  // PEM
  std::string key;          // PEM, mode 0600
};

// A certificate authority of this state folder alone, and a certificate of the server signed by it,
// for localhost, 127.0.0.1, ::1 and `more_names` (DNS names or IP addresses). EC P-256. Made once
// and kept; the server's is made again when it ends within a month or lacks a name.
[[nodiscard]] Result<CertificateFiles> EnsureCertificates(
    const StateFolder& folder, const std::vector<std::string>& more_names);

}  // namespace idkiosk::sandbox

#endif  // IDKIOSK_TOOLS_SANDBOX_STORE_CERTIFICATE_H_
