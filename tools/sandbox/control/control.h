#ifndef IDKIOSK_TOOLS_SANDBOX_CONTROL_CONTROL_H_
#define IDKIOSK_TOOLS_SANDBOX_CONTROL_CONTROL_H_

#include <string>

#include "platform/base/json.h"
#include "tools/sandbox/http/http.h"
#include "tools/sandbox/service/clock.h"
#include "tools/sandbox/service/faults.h"
#include "tools/sandbox/service/onboarding.h"
#include "tools/sandbox/service/settings.h"
#include "tools/sandbox/service/tokens.h"
#include "tools/sandbox/store/accounts.h"
#include "tools/sandbox/store/ledger.h"
#include "tools/sandbox/store/people.h"

namespace idkiosk::sandbox {

// The sandbox's own API under /sandbox/, for tests and for whoever runs it; README.md lists it. It
// is no part of the service. Every request carries the admin token of the state folder as bearer
// token. Any thread.
class Control {
 public:
  // Each must outlive it.
  struct Dependencies {
    SandboxClock& clock;
    CurrentSettings& settings;
    Accounts& accounts;
    People& people;
    Ledger& ledger;
    Tokens& tokens;
    Faults& faults;
    const Onboarding& onboarding;
    std::string admin_token;
  };
  explicit Control(Dependencies deps) : deps_(std::move(deps)) {}

  [[nodiscard]] HttpAnswer Handle(const HttpRequest& request);

 private:
  struct Route;
  static const Route kRoutes[];

  // Each is one route; `body` is the request's JSON, an empty object where it has none.
  [[nodiscard]] HttpAnswer ReadLedger(const HttpRequest& request, JsonView body);
  [[nodiscard]] HttpAnswer ReadRequests(const HttpRequest& request, JsonView body);
  [[nodiscard]] HttpAnswer ReadFaults(const HttpRequest& request, JsonView body);
  [[nodiscard]] HttpAnswer AddFault(const HttpRequest& request, JsonView body);
  [[nodiscard]] HttpAnswer ClearFaults(const HttpRequest& request, JsonView body);
  [[nodiscard]] HttpAnswer Onboard(const HttpRequest& request, JsonView body);
  [[nodiscard]] HttpAnswer ReadAccounts(const HttpRequest& request, JsonView body);
  [[nodiscard]] HttpAnswer SetLevel(const HttpRequest& request, JsonView body);
  [[nodiscard]] HttpAnswer ReadPeople(const HttpRequest& request, JsonView body);
  [[nodiscard]] HttpAnswer AddPerson(const HttpRequest& request, JsonView body);
  [[nodiscard]] HttpAnswer RemovePerson(const HttpRequest& request, JsonView body);
  [[nodiscard]] HttpAnswer SetFace(const HttpRequest& request, JsonView body);
  [[nodiscard]] HttpAnswer ReadSettings(const HttpRequest& request, JsonView body);
  [[nodiscard]] HttpAnswer ChangeSettings(const HttpRequest& request, JsonView body);
  [[nodiscard]] HttpAnswer AdvanceClock(const HttpRequest& request, JsonView body);
  [[nodiscard]] HttpAnswer ForgetTokens(const HttpRequest& request, JsonView body);

  Dependencies deps_;
};

}  // namespace idkiosk::sandbox

#endif  // IDKIOSK_TOOLS_SANDBOX_CONTROL_CONTROL_H_
