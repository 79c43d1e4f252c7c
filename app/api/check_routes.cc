#include <algorithm>
#include <ranges>

#include "app/api/api_routes.h"
#include "app/api/check_json.h"
#include "app/service/answer_codec.h"
#include "platform/base/text/digits.h"

// Operations about checks that are there.
namespace idkiosk {
namespace {

constexpr int kUsualPage = 50;
constexpr int kLongestPage = 200;

std::unexpected<Problem> BadParameter(std::string engineer) {
  return std::unexpected(Problem{ProblemKind::kBadRequest,
                                 "The other program asked for a list that makes no sense.",
                                 std::move(engineer)});
}

template <typename Number>
std::optional<Number> NumberOf(const std::string& text, Number from, Number to) {
  const auto number = ParseNumber<Number>(text);
  return number && *number >= from && *number <= to ? number : std::nullopt;
}

// A page's mark is the last check on it, which its reader knows: a number would count the checks of
// others, too. On the storage thread.
std::expected<int64_t, Problem> PlaceBehind(ApiBackend& backend, const ApiPeer& peer,
                                            const std::string& mark) {
  constexpr std::string_view kWrong = "page must be the `next` of the page before";
  if (ParseReference(mark) != mark || !backend.owners().MaySee(peer, mark)) {
    return BadParameter(std::string(kWrong));
  }
  const auto place = backend.deps().queue.PlaceOf(mark);
  if (place) return *place;
  if (place.error().code == ErrorCode::kNotFound) return BadParameter(std::string(kWrong));
  return std::unexpected(ProblemOf(place.error(), "The queue cannot be read."));
}

struct AskedPage {
  DurableQueue::CallFilter filter{.state = {}, .since = {}, .before = {}, .limit = kUsualPage};
  bool held = false;  // only those that are
};

std::expected<AskedPage, Problem> ReadAskedPage(ApiBackend& backend, const ApiRequest& request) {
  AskedPage asked;
  DurableQueue::CallFilter& filter = asked.filter;
  for (const auto& [name, value] : request.query) {
    if (name == "state") {
      asked.held = value == kHeldWord;
      filter.state = asked.held ? CallState::kPending : CallStateOf(value);
      if (!filter.state) {
        return BadParameter(fmt::format(
            "state must be {} or one of {}", kHeldWord,
            fmt::join(kCallStates | std::views::transform(&CallStateTraits::name), ", ")));
      }
    } else if (name == "since") {
      filter.since = ParseRfc3339(value);
      if (!filter.since) return BadParameter(std::string(kSinceIsWrong));
    } else if (name == "limit") {
      const auto limit = NumberOf<int>(value, 1, kLongestPage);
      if (!limit) return BadParameter(fmt::format("limit must be from 1 to {}", kLongestPage));
      filter.limit = *limit;
    } else {
      const auto place = backend.Ask([&] { return PlaceBehind(backend, request.peer, value); });
      if (!place) return std::unexpected(place.error());
      filter.before = *place;
    }
  }
  return asked;
}

// On the storage thread.
std::expected<CallSummary, Problem> Find(ApiBackend& backend, const ApiRequest& request) {
  const std::string& reference = request.names.front();
  if (ParseReference(reference) != reference) {
    return std::unexpected(Problem{ProblemKind::kNotFound, "There is no check with that reference.",
                                   fmt::format("a reference has {} letters and digits of {}",
                                               kReferenceSize, kReferenceAlphabet)});
  }
  // Of somebody else's check it is not even said that there is one, nor does it take longer.
  const bool may_see = backend.owners().MaySee(request.peer, reference);
  auto call = may_see ? backend.deps().queue.Show(reference)
                      : Result<CallSummary>(Fail(ErrorCode::kNotFound, "it is somebody else's"));
  if (call) return std::move(*call);
  if (call.error().code == ErrorCode::kNotFound) {
    return std::unexpected(Problem{
        ProblemKind::kNotFound, "There is no check with that reference.",
        fmt::format("there is no check {} that uid {} may see", reference, request.peer.user)});
  }
  return std::unexpected(
      ProblemOf(call.error(),
                "That check cannot be shown now. Do not ask anew: it may be kept all the same."));
}

// The check as it stands now. On the storage thread.
ApiAnswer Shown(ApiBackend& backend, const ApiRequest& request) {
  const auto call = Find(backend, request);
  if (!call) return std::unexpected(call.error());
  const auto attempts = backend.deps().queue.Attempts(call->reference);
  if (!attempts) return std::unexpected(ProblemOf(attempts.error(), "The ledger cannot be read."));
  return ApiReply{.body = CheckJson(*call, *attempts, backend.deps().profile.currency)};
}

// Does what somebody decided about a check, in the name of the program that asks.
template <typename Act>
ApiAnswer Decide(ApiBackend& backend, const ApiRequest& request, AuditEvent event, Act act) {
  const auto call = Find(backend, request);
  if (!call) return std::unexpected(call.error());
  const Status done = backend.deps().audit.Do(event, NameOf(request.peer), call->reference,
                                              [&] { return act(call->reference); });
  if (!done) {
    return std::unexpected(ProblemOf(
        done.error(), fmt::format("That cannot be done with the check {} now.", call->reference)));
  }
  backend.TellChange(call->reference);
  return Shown(backend, request);
}

// Whether the body holds nothing, or an object without members.
bool IsEmptyBody(const std::string& body) {
  const auto document = JsonDocument::Parse(body.empty() ? "{}" : body);
  return document && document->root().IsObject() && document->root().children().empty();
}

std::optional<Problem> RequireEmptyBody(const ApiRequest& request) {
  if (IsEmptyBody(request.body)) return std::nullopt;
  return BadRequest("the body must be empty, or {}");
}

// What somebody who wants a check sent again has seen of it.
struct Confirmed {
  std::string price;
  std::optional<int64_t> attempts;
  bool anew = false;  // at the address in force, for which it was not made
};

std::expected<Confirmed, Problem> ReadConfirmed(const std::string& body) {
  const auto document = JsonDocument::Parse(body.empty() ? "{}" : body);
  bool good = document && document->root().IsObject() && !document->root().RepeatedName();
  Confirmed confirmed;
  for (const JsonView each : good ? document->root().children() : std::vector<JsonView>()) {
    if (each.key() == "confirm_price" && each.AsString()) {
      confirmed.price = *each.AsString();
    } else if (each.key() == "attempts" && each.AsInteger()) {
      confirmed.attempts = each.AsInteger();
    } else if (each.key() == "at_present_address" && each.AsBool()) {
      confirmed.anew = *each.AsBool();
    } else {
      good = false;
    }
  }
  if (good) return confirmed;
  return std::unexpected(BadRequest(
      "the body must be an object of confirm_price, a text like \"50.00 NGN\", and attempts, the "
      "number that the check has; for one that was made for another address also "
      "\"at_present_address\": true"));
}

// One yes pays for one attempt: where it comes twice, the check has one attempt more by then.
std::optional<Problem> CheckConfirmed(const Confirmed& confirmed, const CallSummary& call,
                                      const std::string& currency) {
  const std::string price = FormatPrice(call.resend_price, currency);
  if (confirmed.price != price) {
    return Problem{ProblemKind::kPriceDiffers,
                   fmt::format("Sending the check {} again may cost {}. Confirm that first.",
                               call.reference, price),
                   fmt::format("confirm_price must be \"{}\"", price),
                   {{"price", price}, {"reference", call.reference}}};
  }
  if (confirmed.attempts == call.attempts) return std::nullopt;
  return Problem{ProblemKind::kAttemptsDiffer,
                 fmt::format("Times the check {} has been sent: {}. Look at it first.",
                             call.reference, call.attempts),
                 fmt::format("attempts must be {}", call.attempts),
                 {{"reference", call.reference}}};
}

}  // namespace

ApiAnswer ListChecks(ApiBackend& backend, const ApiRequest& request) {
  const auto asked = ReadAskedPage(backend, request);
  if (!asked) return std::unexpected(asked.error());
  std::vector<CallSummary> shown;
  const auto limit = static_cast<size_t>(asked->filter.limit);
  // Other people's checks are not even counted: neither by a page that is short, nor by `next`.
  DurableQueue::CallFilter rest = asked->filter;
  do {
    const auto page = backend.Ask([&] { return backend.deps().queue.Page(rest); });
    if (!page) return std::unexpected(ProblemOf(page.error(), "The queue cannot be read."));
    for (const CallSummary& each : page->calls) {
      if (asked->held && !each.hold) continue;
      if (backend.owners().MaySee(request.peer, each.reference)) shown.push_back(each);
    }
    rest.before = page->next;
    rest.limit = kLongestPage;
  } while (rest.before && shown.size() <= limit);
  JsonWriter json;
  json.BeginObject().Key("checks").BeginArray();
  for (const CallSummary& each : shown | std::views::take(asked->filter.limit)) {
    WriteCheck(json, each);
  }
  json.EndArray();
  // One more than is shown tells whether there is another page.
  if (shown.size() > limit) json.Field("next", shown[limit - 1].reference);
  return ApiReply{.body = json.EndObject().Take()};
}

ApiAnswer GetCheck(ApiBackend& backend, const ApiRequest& request) {
  return backend.Ask([&] { return Shown(backend, request); });
}

ApiAnswer GetVisit(ApiBackend& backend, const ApiRequest& request) {
  return backend.Ask([&]() -> ApiAnswer {
    const auto call = Find(backend, request);
    if (call) return ApiReply{.body = VisitJson(*call)};
    const std::string& reference = request.names.front();
    const auto visit = backend.visits().Find(reference);
    if (!visit || !backend.owners().MaySee(request.peer, reference)) {
      return std::unexpected(call.error());
    }
    return ApiReply{.body = VisitJson(*visit)};
  });
}

ApiAnswer GetAnswer(ApiBackend& backend, const ApiRequest& request) {
  return backend.Ask([&]() -> ApiAnswer {
    const auto call = Find(backend, request);
    if (!call) return std::unexpected(call.error());
    const auto& deps = backend.deps();
    if (!call->has_answer) {
      return std::unexpected(
          Problem{ProblemKind::kNotFound,
                  fmt::format("No answer to the check {} is kept.", call->reference),
                  call->state == CallState::kDone
                      ? "there was none, or it was erased: its time was up, or somebody asked"
                      : "none has come"});
    }
    const auto answer =
        deps.audit.Do(AuditEvent::kAnswerOpened, NameOf(request.peer), call->reference,
                      [&] { return deps.queue.Answer(call->reference); });
    if (!answer) {
      return std::unexpected(ProblemOf(
          answer.error(), fmt::format("No answer to the check {} is kept.", call->reference)));
    }
    JsonWriter json;
    json.BeginObject().Field("reference", call->reference);
    if (call->verdict != Verdict::kNone) json.Field("verdict", Name(call->verdict));
    if (ParseAnswer(answer->view())) {
      json.Key("answer").Raw(answer->text());
    } else {
      json.Field("unreadable_base64", ToBase64(answer->view()));
    }
    return ApiReply{.body = json.EndObject().Take()};
  });
}

// Sending a check again lifts what holds its kind, for everybody's checks: that is a supervisor's.
std::optional<Problem> RequireNoHold(ApiBackend& backend, const ApiRequest& request,
                                     Endpoint endpoint) {
  if (request.peer.sees_all) return std::nullopt;
  const auto stats = backend.deps().queue.Stats();
  if (!stats) return ProblemOf(stats.error(), "The queue cannot be read.");
  for (const Hold& each : stats->holds) {
    if (!IsLiftedByRetry(each, endpoint)) continue;
    return Problem{ProblemKind::kHeld,
                   "Checks of this kind are held: a supervisor must look at that first.",
                   fmt::format("{}: {}", HoldId(each), MendOf(each))};
  }
  return std::nullopt;
}

ApiAnswer ResendCheck(ApiBackend& backend, const ApiRequest& request) {
  const auto confirmed = ReadConfirmed(request.body);
  if (!confirmed) return std::unexpected(confirmed.error());
  return backend.Ask([&]() -> ApiAnswer {
    const auto call = Find(backend, request);
    if (!call) return std::unexpected(call.error());
    const auto& deps = backend.deps();
    if (!call->has_payload) {
      return std::unexpected(ProblemOf(
          Error{ErrorCode::kFailedPrecondition,
                fmt::format("{} is {}, and its question is erased: it cannot be sent again",
                            call->reference, StateWord(*call))},
          fmt::format("That cannot be done with the check {} now.", call->reference)));
    }
    if (auto differs = CheckConfirmed(*confirmed, *call, deps.profile.currency)) {
      return std::unexpected(std::move(*differs));
    }
    if (auto held = RequireNoHold(backend, request, call->endpoint)) {
      return std::unexpected(std::move(*held));
    }
    auto answer =
        Decide(backend, request, AuditEvent::kCallSentAgain, [&](const CallReference& each) {
          return confirmed->anew ? deps.queue.AskAnew(each, call->attempts, NameOf(request.peer))
                                 : deps.queue.Retry(each, call->attempts);
        });
    if (answer) deps.wake();
    return answer;
  });
}

ApiAnswer GiveUpCheck(ApiBackend& backend, const ApiRequest& request) {
  if (auto bad = RequireEmptyBody(request)) return std::unexpected(std::move(*bad));
  return backend.Ask([&] {
    return Decide(backend, request, AuditEvent::kCallGivenUp,
                  [&](const CallReference& each) { return backend.deps().queue.GiveUp(each); });
  });
}

ApiAnswer CancelCheck(ApiBackend& backend, const ApiRequest& request) {
  if (auto bad = RequireEmptyBody(request)) return std::unexpected(std::move(*bad));
  return backend.Ask([&] {
    return Decide(backend, request, AuditEvent::kCallCancelled,
                  [&](const CallReference& each) { return backend.deps().queue.Cancel(each); });
  });
}

}  // namespace idkiosk
