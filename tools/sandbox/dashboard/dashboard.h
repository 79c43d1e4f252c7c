#ifndef IDKIOSK_TOOLS_SANDBOX_DASHBOARD_DASHBOARD_H_
#define IDKIOSK_TOOLS_SANDBOX_DASHBOARD_DASHBOARD_H_

#include <expected>
#include <string>
#include <vector>

#include "platform/base/json.h"
#include "tools/sandbox/http/http.h"
#include "tools/sandbox/service/clock.h"
#include "tools/sandbox/service/faults.h"
#include "tools/sandbox/service/memberships.h"
#include "tools/sandbox/service/tokens.h"
#include "tools/sandbox/store/accounts.h"
#include "tools/sandbox/store/ledger.h"
#include "tools/sandbox/store/people.h"

namespace idkiosk::sandbox {

// The customers' dashboard in the browser: API keys, user ID, access level, billing ledger, request
// log; for trainers also the fault switches and the people. Pages are files of this program, their
// data is JSON under /dashboard/api/. Any thread.
//
// A session is a cookie that scripts cannot read and other sites cannot send; every change also
// needs the session's CSRF token in a header. Hosts that the sandbox was not told of are refused,
// so that no other name that is made to point here can read anything.
class Dashboard {
 public:
  // Each must outlive it.
  struct Dependencies {
    const SandboxClock& clock;
    Accounts& accounts;
    People& people;
    Ledger& ledger;
    Faults& faults;
    Memberships& memberships;
    Tokens& access_tokens;           // of the API; a changed password ends them
    std::string base_url;            // told to the customer
    std::vector<std::string> hosts;  // without port
  };
  explicit Dashboard(Dependencies deps);

  // Whether a path is the dashboard's.
  [[nodiscard]] static bool Serves(std::string_view path);
  [[nodiscard]] HttpAnswer Handle(const HttpRequest& request);

 private:
  struct Route;
  static const Route kRoutes[];

  // One request with a session.
  struct Visit {
    const HttpRequest& request;
    JsonView body;
    const Account& account;
  };

  [[nodiscard]] HttpAnswer HandleApi(const HttpRequest& request);
  [[nodiscard]] std::expected<Account, HttpAnswer> Visitor(const HttpRequest& request);
  [[nodiscard]] HttpAnswer LogIn(const HttpRequest& request);
  [[nodiscard]] std::string SessionJson(const Account& account, std::string_view session) const;
  [[nodiscard]] std::string SetCookie(std::string_view value, std::string_view more) const;
  [[nodiscard]] bool IsOurHost(const HttpRequest& request) const;

  [[nodiscard]] HttpAnswer ReadSession(const Visit& visit);
  [[nodiscard]] HttpAnswer LogOut(const Visit& visit);
  [[nodiscard]] HttpAnswer ReadKeys(const Visit& visit);
  [[nodiscard]] HttpAnswer MadeKeyAnswer(const Visit& visit, const Result<MadeKey>& made);
  [[nodiscard]] HttpAnswer CreateKey(const Visit& visit);
  [[nodiscard]] HttpAnswer RegenerateKey(const Visit& visit);
  [[nodiscard]] HttpAnswer RevokeKey(const Visit& visit);
  [[nodiscard]] HttpAnswer ReadLedger(const Visit& visit);
  [[nodiscard]] HttpAnswer ReadRequests(const Visit& visit);
  [[nodiscard]] HttpAnswer ChangePassword(const Visit& visit);
  [[nodiscard]] HttpAnswer ReadFaults(const Visit& visit);
  [[nodiscard]] HttpAnswer AddFault(const Visit& visit);
  [[nodiscard]] HttpAnswer RemoveFaults(const Visit& visit);
  [[nodiscard]] HttpAnswer ReadPeople(const Visit& visit);
  [[nodiscard]] HttpAnswer AddPerson(const Visit& visit);
  [[nodiscard]] HttpAnswer RemovePerson(const Visit& visit);
  [[nodiscard]] HttpAnswer SetFace(const Visit& visit);
  [[nodiscard]] HttpAnswer ReadPortrait(const Visit& visit);

  Dependencies deps_;
  const std::string cookie_name_;
  const KeyedDigest csrf_;  // of a session: its CSRF token
  Tokens sessions_;
};

}  // namespace idkiosk::sandbox

#endif  // IDKIOSK_TOOLS_SANDBOX_DASHBOARD_DASHBOARD_H_
