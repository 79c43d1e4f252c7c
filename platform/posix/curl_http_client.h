#ifndef IDKIOSK_PLATFORM_POSIX_CURL_HTTP_CLIENT_H_
#define IDKIOSK_PLATFORM_POSIX_CURL_HTTP_CLIENT_H_

#include <memory>
#include <string>
#include <vector>

#include "platform/api/http_client.h"

namespace idkiosk {

// HttpClient on libcurl and mbedTLS: HTTP/1.1, TLS 1.2 and 1.3, peer and host always verified.
//
// libcurl resends a request by itself when a connection that was used before closes without an
// answer (Curl_retry_request in lib/transfer.c), up to five times in one transfer. Its pre-request
// callback runs before each of them; the second one ends the exchange here.
class CurlHttpClient final : public HttpClient {
 public:
  struct Options {
    std::string ca_file;            // PEM; empty: Debian's bundle of certificates
    std::vector<std::string> pins;  // "sha256//BASE64" of a public key; one of them must fit
    std::string proxy;              // empty: none, whatever the environment says
    bool allow_plain_http = false;
  };

  // Errors: kNotFound (the file of certificates), kInternal (libcurl does not start, or its TLS
  // backend is not mbedTLS).
  [[nodiscard]] static Result<std::unique_ptr<CurlHttpClient>> Create(Options options);

  ~CurlHttpClient() override;

  [[nodiscard]] HttpExchange Send(const HttpRequest& request, BeforeSend before_send) override;
  void Cancel() override;

  // "libcurl 8.14.1, mbedTLS 3.6.6"
  [[nodiscard]] static std::string Version();

 private:
  struct Handles;
  class Exchange;

  CurlHttpClient(Options options, std::unique_ptr<Handles> handles);

  const Options options_;
  const std::unique_ptr<Handles> handles_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_PLATFORM_POSIX_CURL_HTTP_CLIENT_H_
