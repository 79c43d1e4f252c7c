#ifndef IDKIOSK_TOOLS_SANDBOX_SERVICE_SERVICE_H_
#define IDKIOSK_TOOLS_SANDBOX_SERVICE_SERVICE_H_

#include <optional>
#include <string_view>

#include "tools/sandbox/http/http.h"
#include "tools/sandbox/service/authentication.h"
#include "tools/sandbox/service/clock.h"
#include "tools/sandbox/service/endpoint.h"
#include "tools/sandbox/service/faults.h"
#include "tools/sandbox/service/memberships.h"
#include "tools/sandbox/service/rate_limit.h"
#include "tools/sandbox/service/settings.h"
#include "tools/sandbox/service/verifications.h"
#include "tools/sandbox/store/ledger.h"

namespace idkiosk::sandbox {

// The identity verification service: what happens to a request, in this order. A fault may be due.
// Answers a request: refuses unknown callers (401), too many requests (429) and callers without
// access (403), and then asks the endpoint itself. The request is logged
// and billed before any of the answer leaves, so that a lost answer is a billed one, as it would be
// with the real service. Any thread.
class Service {
 public:
  // Each must outlive it.
  struct Dependencies {
    const SandboxClock& clock;
    const CurrentSettings& settings;
    Accounts& accounts;
    People& people;
    Ledger& ledger;
    Tokens& tokens;
    Faults& faults;
    const Onboarding& onboarding;
  };
  explicit Service(const Dependencies& deps);

  // A fault that drops the connection before the body is read.
  [[nodiscard]] std::optional<HttpAnswer> BeforeBody(const HttpRequest& request);
  [[nodiscard]] HttpAnswer Handle(const HttpRequest& request);
  // A request that HTTP refuses: logged, never billed.
  [[nodiscard]] HttpAnswer Refuse(const HttpRequest& request, int status);

  [[nodiscard]] Memberships& memberships() { return memberships_; }

 private:
  // A request's way so far.
  struct Progress {
    Reply reply;
    std::optional<Account> caller;
    bool admitted = false;  // known, within the rate, and allowed
  };

  [[nodiscard]] Progress Admit(const EndpointRow& row, const HttpRequest& request,
                               const Form& form);
  [[nodiscard]] Reply CarryOut(Endpoint endpoint, const Call& call);
  [[nodiscard]] std::optional<Charge> ChargeFor(const EndpointRow& row, const Progress& progress,
                                                const std::optional<Fault>& fault) const;

  Dependencies deps_;
  Authentication authentication_;
  Verifications verifications_;
  Memberships memberships_;
  RateLimit rate_;
};

}  // namespace idkiosk::sandbox

#endif  // IDKIOSK_TOOLS_SANDBOX_SERVICE_SERVICE_H_
