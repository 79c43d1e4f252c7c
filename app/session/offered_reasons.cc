#include "app/session/offered_reasons.h"

#include <algorithm>

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

CallRules RulesOf(const Settings& settings, const std::vector<RequestReason>& known) {
  CallRules rules{
      .environment = settings.environment, .test_nin = settings.service.test_nin, .reasons = {}};
  for (const RequestReason& each : known) rules.reasons.push_back(each.code);
  return rules;
}

}  // namespace idkiosk
