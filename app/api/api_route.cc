#include "app/api/api_route.h"

#include <algorithm>
#include <optional>

#include "app/api/api_routes.h"

namespace idkiosk {
namespace {

// Five pictures of a good camera, as base64.
constexpr size_t kPicturesBody = 8 << 20;

// Whatever a broker hands over: what is too long is refused by who puts that down.
constexpr size_t kCommandBody = 64 << 10;

// Of two rows that fit, the first counts.
constexpr ApiRoute kRoutes[] = {
    {"GET", "/v1/openapi.json", "getDocument", {}, 0, false, &GetDocument},
    {"GET", "/v1/health", "getHealth", {}, 0, false, &GetHealth, true},
    {"GET", "/v1/metrics", "getMetrics", {}, 0, false, &GetMetrics, true},
    {"GET", "/v1/settings", "getSettings", {}, 0, false, &GetSettings, true},
    {"GET", "/v1/reasons", "getReasons", {}, 0, false, &GetReasons},
    {"GET", "/v1/checks", "listChecks", "state since limit page", 0, false, &ListChecks},
    {"POST", "/v1/checks", "acceptCheck", {}, kPicturesBody, true, &AcceptCheck},
    {"POST", "/v1/checks:look", "lookAtCheck", {}, kSmallBody, false, &LookAtCheck},
    {"GET", "/v1/checks/{reference}", "getCheck", {}, 0, false, &GetCheck},
    {"GET", "/v1/checks/{reference}/answer", "getAnswer", {}, 0, true, &GetAnswer},
    {"POST", "/v1/checks/{reference}:resend", "resendCheck", {}, kSmallBody, false, &ResendCheck},
    {"POST", "/v1/checks/{reference}:give-up", "giveUpCheck", {}, kSmallBody, false, &GiveUpCheck},
    {"POST", "/v1/checks/{reference}:cancel", "cancelCheck", {}, kSmallBody, false, &CancelCheck},
    {"POST", "/v1/checks/{reference}:settle", "settleCheck", {}, kSmallBody, false, &SettleCheck},
    {"GET", "/v1/visits/{reference}", "getVisit", {}, 0, false, &GetVisit},
    {"GET", "/v1/queue", "getQueue", {}, 0, false, &GetQueue},
    {"POST", "/v1/queue:deliver", "deliverNow", {}, kSmallBody, false, &DeliverNow},
    {"GET", "/v1/events", "getEvents", {}, 0, false, &GetEvents},
    {"GET", "/v1/holds", "listHolds", {}, 0, false, &GetHolds},
    {"POST", "/v1/holds/{id}:lift", "liftHold", {}, kSmallBody, false, &LiftHold},
    {"GET", "/v1/attempts", "listAttempts", "since", 0, true, &ListAttempts},
    {"GET", "/v1/decisions", "listDecisions", "since", 0, false, &ListDecisions},
    {"GET", "/v1/consents", "listConsents", "since", 0, true, &ListConsents},
    {"POST", "/v1/people:erase", "erasePerson", {}, kSmallBody, false, &EraseByNumber},
    {"DELETE", "/v1/people/{reference}", "erasePersonOfCheck", {}, 0, false, &EraseByCheck},
    {"GET", "/v1/ledger", "getLedger", "month format", 0, true, &GetLedger},
    {"GET", "/v1/journals/ledger", "getLedgerJournal", "after", 0, false, &GetLedgerJournal, true},
    {"GET", "/v1/journals/audit", "getAuditJournal", "after", 0, false, &GetAuditJournal, true},
    {"GET", "/v1/fleet/commands", "getFleetCommands", {}, 0, false, &GetFleetCommands, true},
    {"POST",
     "/v1/fleet/commands",
     "takeFleetCommand",
     {},
     kCommandBody,
     false,
     &TakeFleetCommand,
     true},
};

// A reference or the name of a hold.
bool IsName(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == ':';
  });
}

std::string_view TakeSegment(std::string_view& path) {
  const std::string_view segment = path.substr(0, path.find('/'));
  path.remove_prefix(std::min(path.size(), segment.size() + 1));
  return segment;
}

// Compares one segment: a word, or "{name}" with what must stand behind it.
bool Fits(std::string_view pattern, std::string_view segment, std::vector<std::string>& names) {
  if (!pattern.starts_with('{')) return pattern == segment;
  const std::string_view behind = pattern.substr(pattern.find('}') + 1);
  if (!segment.ends_with(behind)) return false;
  segment.remove_suffix(behind.size());
  if (!IsName(segment) || (behind.empty() && segment.contains(':'))) return false;
  names.emplace_back(segment);
  return true;
}

std::optional<std::vector<std::string>> Match(std::string_view pattern, std::string_view path) {
  if (std::ranges::count(pattern, '/') != std::ranges::count(path, '/')) return std::nullopt;
  std::vector<std::string> names;
  while (!pattern.empty() || !path.empty()) {
    if (!Fits(TakeSegment(pattern), TakeSegment(path), names)) return std::nullopt;
  }
  return names;
}

// With its colons as they are: whoever fills in {id} may write them as %3A.
std::string PathOf(std::string_view target) {
  std::string path(target.substr(0, target.find('?')));
  for (const std::string_view escaped : {"%3A", "%3a"}) {
    for (size_t at = 0; (at = path.find(escaped, at)) != std::string::npos;) {
      path.replace(at, escaped.size(), ":");
    }
  }
  return path;
}

}  // namespace

std::span<const ApiRoute> AllRoutes() { return kRoutes; }

std::expected<FoundRoute, Problem> FindRoute(std::string_view method, std::string_view target) {
  const std::string path = PathOf(target);
  std::string others;
  for (const ApiRoute& each : kRoutes) {
    auto names = Match(each.path, path);
    if (!names) continue;
    if (each.method == method) return FoundRoute{&each, std::move(*names)};
    others += fmt::format("{}{}", others.empty() ? "" : ", ", each.method);
  }
  if (others.empty()) {
    return std::unexpected(Problem{ProblemKind::kUnknownPath,
                                   "The other program asked for something that is not there.",
                                   "there is no such operation; /v1/openapi.json lists them"});
  }
  return std::unexpected(Problem{ProblemKind::kWrongMethod,
                                 "The other program asked in a wrong way.",
                                 fmt::format("this operation takes {}", others),
                                 {},
                                 {{"Allow", others}}});
}

}  // namespace idkiosk
