#ifndef IDKIOSK_TOOLS_SANDBOX_CONTROL_RESOURCES_H_
#define IDKIOSK_TOOLS_SANDBOX_CONTROL_RESOURCES_H_

#include <string>
#include <string_view>

#include "platform/base/json.h"
#include "tools/sandbox/http/http.h"
#include "tools/sandbox/service/faults.h"
#include "tools/sandbox/store/accounts.h"
#include "tools/sandbox/store/ledger.h"
#include "tools/sandbox/store/people.h"

namespace idkiosk::sandbox {

// The JSON that control API, dashboard and commands share.
[[nodiscard]] std::string FaultsJson(const Faults& faults);
[[nodiscard]] std::string PeopleJson(People& people);
[[nodiscard]] std::string AccountsJson(Accounts& accounts);

// 200 with `json`, whatever it is; no envelope.
[[nodiscard]] HttpAnswer JsonAnswer(int status, std::string json);
// `json`, or the refusal that its error calls for.
[[nodiscard]] HttpAnswer JsonAnswer(Result<std::string> json);
// The status that an error of a request to the sandbox itself calls for.
[[nodiscard]] HttpAnswer RefusalFor(const Error& error);

// From since, endpoint, nin, phone and limit of a query. Errors: kInvalid.
[[nodiscard]] Result<LedgerQuery> ParseLedgerQuery(const HttpRequest& request);

// From a JSON object with nin, name, phone, born, gender, face_matches.
[[nodiscard]] Person ParsePerson(JsonView json);

[[nodiscard]] std::string TextOf(JsonView value);

}  // namespace idkiosk::sandbox

#endif  // IDKIOSK_TOOLS_SANDBOX_CONTROL_RESOURCES_H_
