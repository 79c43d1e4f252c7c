#ifndef IDKIOSK_APP_SERVICE_PROBE_CLIENT_H_
#define IDKIOSK_APP_SERVICE_PROBE_CLIENT_H_

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "app/service/answer_codec.h"
#include "app/service/endpoint_profile.h"
#include "platform/api/http_client.h"

namespace idkiosk {

// Sends requests as they stand, and tells each with its answer, so that somebody can fill in a
// profile: secrets are masked, and of a long text of an answer only its length is told.
class ProbeClient final : public HttpClient {
 public:
  // A secret by its name, which stands where it stood: "[password]".
  struct Secret {
    std::string name;
    SecretBytes value;
  };
  using Tell = std::function<void(const std::string& line)>;

  // `http` must outlive this.
  ProbeClient(HttpClient& http, std::vector<Secret> secrets, Tell tell)
      : http_(http), secrets_(std::move(secrets)), tell_(std::move(tell)) {}

  [[nodiscard]] HttpExchange Send(const HttpRequest& request, BeforeSend before_send) override;
  void Cancel() override { http_.Cancel(); }

 private:
  [[nodiscard]] std::string Masked(std::string_view text) const;
  void TellAnswer(const HttpExchange& exchange) const;
  void TellValues(JsonView value, const std::string& pointer) const;

  HttpClient& http_;
  const std::vector<Secret> secrets_;
  const Tell tell_;
};

// Whether an endpoint may be probed: it is not billed, and changes nothing. Errors: kForbidden,
// with what to use instead.
[[nodiscard]] Status CheckProbe(Endpoint endpoint);

// Returns the profile with which an endpoint is sent although nobody knows yet how to read its
// answer, or has confirmed it.
[[nodiscard]] ServiceProfile ProfileOfProbe(ServiceProfile profile, Endpoint endpoint);

// Returns the keys that must become true before production sends this endpoint, and the login that
// goes before it: "endpoints.login.documented".
[[nodiscard]] std::vector<std::string> StillAssumed(const ServiceProfile& profile,
                                                    Endpoint endpoint);

// Whether the profile's pointer to a reason's label finds texts. Errors: kCorrupt, with the key.
[[nodiscard]] Status CheckLabels(const ServiceProfile& profile,
                                 const std::vector<RequestReason>& reasons);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_SERVICE_PROBE_CLIENT_H_
