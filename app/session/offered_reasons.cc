#include "app/session/offered_reasons.h"

#include <algorithm>

#include "platform/base/text/printable.h"

namespace idkiosk {

std::vector<RequestReason> OfferedReasons(const Settings& settings,
                                          const std::vector<RequestReason>& known) {
  const std::vector<std::string>& allowed = settings.ui.reasons;
  std::vector<RequestReason> here;
  for (const RequestReason& each : known) {
    if (allowed.empty() || std::ranges::find(allowed, each.code) != allowed.end()) {
      here.push_back(each);
    }
  }
  return here;
}

Status CheckOffered(const Settings& settings, const std::vector<RequestReason>& known) {
  for (const std::string& code : settings.ui.reasons) {
    if (std::ranges::find(known, code, &RequestReason::code) != known.end()) continue;
    std::string codes;
    for (const RequestReason& each : known) codes += (codes.empty() ? "" : ", ") + each.code;
    return Fail(ErrorCode::kInvalid,
                "ui.reasons names {}, which the service does not know, so nobody can choose it: it "
                "knows {}",
                Printable(code), Printable(codes));
  }
  return {};
}

CallRules RulesOf(const Settings& settings, const std::vector<RequestReason>& known) {
  CallRules rules{
      .environment = settings.environment, .test_nin = settings.service.test_nin, .reasons = {}};
  for (const RequestReason& each : known) rules.reasons.push_back(each.code);
  return rules;
}

}  // namespace idkiosk
