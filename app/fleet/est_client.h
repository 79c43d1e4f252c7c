#ifndef IDKIOSK_APP_FLEET_EST_CLIENT_H_
#define IDKIOSK_APP_FLEET_EST_CLIENT_H_

#include <string>

#include "platform/base/bytes.h"
#include "platform/base/error.h"
#include "platform/base/secret_bytes.h"

namespace idkiosk {

// Where certificates are asked for by EST (RFC 7030), and how this kiosk says who it is there.
struct EstRequest {
  std::string url = {};      // "https://est.bank.example:8443/.well-known/est/kiosks"
  std::string ca_file = {};  // who signs that server's certificate
  // NAME:PASSWORD, for the first certificate. Empty: by the certificate that is there, and its key.
  SecretBytes claim;
  std::string certificate = {};
  std::string key = {};
};

// What is wrong with such an address, and the mend; empty: nothing.
[[nodiscard]] std::string CheckEstUrl(const std::string& url);

// Sends a request for a certificate (PKCS #10, DER), and returns the certificates of the answer, in
// PEM: that of the request's own key first, and those that have signed it. Waits for 60 seconds at
// most. Errors: kUnavailable (not reached, or the server asks for patience), kForbidden (it refuses
// the claim or the certificate), kInvalid (the answer holds no certificate of that key), and those
// of the files.
[[nodiscard]] Result<std::string> AskByEst(const EstRequest& request, ByteSpan pkcs10);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_FLEET_EST_CLIENT_H_
