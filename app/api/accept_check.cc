#include <algorithm>
#include <ranges>

#include "app/api/api_routes.h"
#include "app/capture/live_camera.h"
#include "app/service/request_reasons.h"
#include "app/settings/operator_name.h"

// POST /v1/checks: another program asks.
namespace idkiosk {
namespace {

// The number that a question is about.
struct NumberMember {
  Placeholder placeholder;
  std::string_view name;
  SecretBytes VerificationCall::* member;
};
constexpr NumberMember kNumbers[] = {
    {Placeholder::kNin, "nin", &VerificationCall::nin},
    {Placeholder::kPhone, "phone", &VerificationCall::phone},
    {Placeholder::kIdNumber, "id_number", &VerificationCall::id_number},
};

// What a body asks for.
struct Asked {
  VerificationCall call;
  std::string case_id;
  std::string operator_id;
  bool ask_again = false;
  std::optional<Consent> consent;
  bool at_camera = false;  // the kiosk takes the pictures
  ApiBackend::GivenPictures pictures;
  PictureMeans means = PictureMeans::kElsewhere;  // of those
};

std::unexpected<Problem> Bad(std::string engineer) {
  return std::unexpected(BadRequest(std::move(engineer)));
}
std::unexpected<Problem> BadPictures(std::string detail, std::string engineer) {
  return std::unexpected(
      Problem{ProblemKind::kPicturesRefused, std::move(detail), std::move(engineer)});
}

// The members of an object that are still to be read.
class Members {
 public:
  explicit Members(JsonView object) : left_(object.children()) {}

  // Takes one out; nothing: it is not there.
  JsonView Take(std::string_view name) {
    asked_.push_back(name);
    const auto found = std::ranges::find(left_, name, &JsonView::key);
    if (found == left_.end()) return {};
    const JsonView member = *found;
    left_.erase(found);
    return member;
  }
  [[nodiscard]] const std::vector<JsonView>& left() const { return left_; }
  // The names of all that were asked for.
  [[nodiscard]] std::string asked() const { return fmt::format("{}", fmt::join(asked_, ", ")); }

 private:
  std::vector<JsonView> left_;
  std::vector<std::string_view> asked_;
};

// Reads a text of at most 64 bytes, where it is there.
std::expected<void, Problem> ReadText(Members& members, std::string_view name, std::string& to) {
  constexpr size_t kLongest = 64;
  const JsonView member = members.Take(name);
  if (!member.exists()) return {};
  const auto text = member.AsString();
  if (!text || text->empty() || text->size() > kLongest) {
    return Bad(fmt::format("{} must be a text of 1 to {} bytes, in quotes", name, kLongest));
  }
  to = *text;
  return {};
}

std::expected<void, Problem> ReadName(Members& members, std::string_view name, std::string& to) {
  const JsonView member = members.Take(name);
  if (!member.exists()) return {};
  const auto text = member.AsString();
  if (!text || text->empty()) {
    return Bad(fmt::format("{} must be a text, in quotes; leave it out where there is none", name));
  }
  if (const Status good = CheckOperatorName(*text); !good) {
    return Bad(fmt::format("{} {}", name, good.error().message));
  }
  to = *text;
  return {};
}

std::expected<void, Problem> ReadNumber(Members& members, VerificationCall& call) {
  for (const NumberMember& each : kNumbers) {
    if (!TraitsOf(call.endpoint).Takes(each.placeholder)) continue;
    const JsonView member = members.Take(each.name);
    const auto text = member.AsString();
    if (!text && member.exists()) {
      return Bad(fmt::format("{} must be a text: write it in quotes", each.name));
    }
    if (!text) return Bad(fmt::format("{} needs {}, a text", Name(call.endpoint), each.name));
    call.*each.member = CleanNumber(*text);
  }
  return {};
}

std::expected<void, Problem> ReadPictures(Members& members, Asked& asked) {
  const JsonView member = members.Take("pictures");
  if (member.AsString() == "camera") {
    if (asked.consent) return Bad("consent is asked at the screen where pictures is \"camera\"");
    asked.at_camera = true;
    return {};
  }
  const std::vector<JsonView> list = member.children();
  if (!member.IsArray() || list.size() != asked.pictures.size()) {
    return BadPictures("Five pictures are needed.",
                       "pictures must be \"camera\", or a list of five JPEGs as base64: the selfie "
                       "first, then liveness-1 to liveness-4");
  }
  for (size_t i = 0; i < list.size(); ++i) {
    auto bytes = FromBase64(list[i].AsString().value_or("?"));
    if (!bytes) {
      return BadPictures(
          "A picture cannot be read.",
          fmt::format("pictures[{}] is no base64 of a JPEG; it takes no line breaks, "
                      "and nothing like \"data:\" in front",
                      i));
    }
    asked.pictures[i] = SecretBytes::CopyOf(*bytes);
    Wipe(*bytes);
  }
  // Nobody's word makes them live; that they show no person is believed.
  if (const JsonView means = members.Take("pictures_are"); means.exists()) {
    asked.means = PictureMeans::kDrawn;
    if (means.AsString() != Name(asked.means)) {
      return Bad(R"(pictures_are must be "drawn"; leave it out where they show a person)");
    }
  }
  return {};
}

// What a caller gets wrong may be anything, a number too: only what looks like a name is repeated.
std::string MemberName(std::string_view key) {
  constexpr size_t kLongest = 32;
  const bool is_name = key.size() <= kLongest && std::ranges::all_of(key, [](char c) {
                         return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
                       });
  return is_name ? fmt::format("a member '{}'", key) : "a member";
}

// Of who has asked the person elsewhere.
std::expected<void, Problem> ReadConsent(Members& members, Asked& asked) {
  const JsonView member = members.Take("consent");
  if (!member.exists()) return {};
  Members parts(member);
  Consent consent;
  auto read = ReadName(parts, "version", consent.version);
  if (read) read = ReadName(parts, "language", consent.language);
  if (!read) return read;
  if (!member.IsObject() || consent.version.empty() || consent.language.empty() ||
      !parts.left().empty()) {
    return Bad(
        "consent must be an object of the version and the language of the text that was shown, and "
        "of nothing else; leave it out where nobody was asked");
  }
  asked.consent = std::move(consent);
  return {};
}

// `look`: nobody has taken the pictures yet.
std::expected<Asked, Problem> ReadBody(const std::string& body, bool look = false) {
  const auto document = JsonDocument::Parse(body);
  if (!document) return Bad("the body: " + document.error().message);
  if (!document->root().IsObject()) return Bad("the body must be a JSON object");
  if (const auto twice = document->root().RepeatedName()) {
    return Bad(fmt::format("the body has {} twice: leave one of them out", MemberName(*twice)));
  }
  Members members(document->root());
  Asked asked;
  const std::string endpoint(members.Take("endpoint").AsString().value_or(""));
  const auto known = EndpointOf(endpoint);
  if (!known || TaskOf(*known).empty()) {
    auto asked_here =
        kEndpoints | std::views::filter([](Endpoint each) { return !TaskOf(each).empty(); });
    return Bad(fmt::format(
        "endpoint must be one of {}",
        fmt::join(asked_here | std::views::transform([](Endpoint each) { return Name(each); }),
                  ", ")));
  }
  asked.call.endpoint = *known;
  const EndpointTraits traits = TraitsOf(*known);
  auto read = ReadNumber(members, asked.call);
  if (read && traits.Takes(Placeholder::kRequestReason)) {
    read = ReadText(members, "reason", asked.call.reason);
    const bool is_needed = traits.asks.Has(Placeholder::kRequestReason);
    if (read && is_needed && asked.call.reason.empty()) {
      return std::unexpected(Problem{
          ProblemKind::kInvalidQuestion, "The question is not right: it gives no reason.",
          fmt::format("{} takes reason, a text: one of the codes of /v1/reasons", endpoint)});
    }
  }
  if (read && traits.Takes(Placeholder::kType)) {
    read = ReadText(members, "type", asked.call.id_type);
  }
  if (read && traits.Takes(Placeholder::kSearchType)) {
    read = ReadText(members, "search_type", asked.call.search_type);
  }
  if (read) read = ReadName(members, "case", asked.case_id);
  if (read) read = ReadName(members, "operator", asked.operator_id);
  if (read) read = ReadConsent(members, asked);
  if (read && traits.TakesPictures() && !look) read = ReadPictures(members, asked);
  if (!read) return std::unexpected(read.error());
  if (const JsonView again = members.Take("ask_again"); again.exists()) {
    if (!again.AsBool()) return Bad("ask_again must be true or false, without quotes");
    asked.ask_again = *again.AsBool();
  }
  if (!members.left().empty()) {
    return Bad(fmt::format("the body has {} that {} does not take; it takes {}",
                           MemberName(members.left().front().key()), endpoint, members.asked()));
  }
  return asked;
}

// The local checks: what the service would refuse, and bill. On the storage thread.
Status CheckLocally(const ApiBackend::Dependencies& deps, const VerificationCall& call,
                    Status (*check)(const VerificationCall&, const CallRules&)) {
  CallRules rules{.environment = deps.settings.environment,
                  .test_nin = deps.settings.service.test_nin,
                  .reasons = {}};
  RequestReasons reasons(deps.files, deps.clock,
                         deps.settings.state_folder + "/request-reasons.json");
  if (reasons.Load()) rules.reasons = reasons.codes();
  Status good = CheckKind(call, deps.profile.at(call.endpoint));
  return good ? check(call, rules) : good;
}

Problem ProblemOfQuestion(const Error& error) {
  const bool later = error.code == ErrorCode::kFailedPrecondition;
  return {later ? ProblemKind::kUnavailable : ProblemKind::kInvalidQuestion,
          later ? "The service's list of reasons is not known yet."
                : fmt::format("The question is not right: {}.", error.message),
          error.message};
}

// `may_see`: whether the asker may know of the earlier check.
Problem ProblemOfObstacle(const Obstacle& obstacle, bool may_see) {
  switch (obstacle.kind) {
    case Obstacle::Kind::kNoRoom:
      return {ProblemKind::kNoRoom, "The kiosk has no room for another check.", obstacle.message};
    case Obstacle::Kind::kHeld:
      return {ProblemKind::kHeld,
              "Checks are held. Call an operator.",
              fmt::format("{}: {}", HoldId(*obstacle.hold), obstacle.message),
              {{"hold", HoldId(*obstacle.hold)}, {"mend", MendOf(*obstacle.hold)}}};
    case Obstacle::Kind::kSpendCap:
      return {ProblemKind::kSpendCap,
              "The spending cap is reached for now.",
              obstacle.message,
              {{"until", FormatRfc3339(*obstacle.hold->until)}}};
    case Obstacle::Kind::kAskedBefore:
      break;
  }
  if (!may_see) {
    return {ProblemKind::kAskedBefore,
            "The same was asked before, by somebody else. Asking again is billed again.",
            "to ask again all the same, send \"ask_again\": true"};
  }
  return {ProblemKind::kAskedBefore,
          fmt::format("The same was asked before, as {}. Asking again is billed again.",
                      obstacle.before->reference),
          "to ask again all the same, send \"ask_again\": true",
          {{"reference", obstacle.before->reference}}};
}

bool MaySee(ApiBackend& backend, const ApiRequest& request, const Obstacle& obstacle) {
  return !obstacle.before || backend.owners().MaySee(request.peer, obstacle.before->reference);
}

ApiReply Taken(const CallReference& reference, bool came_before) {
  ApiReply reply{
      .status = 202,
      .body = JsonWriter().BeginObject().Field("reference", reference).EndObject().Take(),
      .headers = {{"Location", "/v1/checks/" + reference}}};
  if (came_before) reply.headers.emplace_back("Idempotency-Replayed", "true");
  return reply;
}

// The person is on their way to the screen.
ApiReply Invited(const CallReference& reference, bool came_before) {
  const std::string visit = "/v1/visits/" + reference;
  ApiReply reply = Taken(reference, came_before);
  reply.body = JsonWriter()
                   .BeginObject()
                   .Field("reference", reference)
                   .Field("visit", visit)
                   .EndObject()
                   .Take();
  reply.headers.front().second = visit;
  return reply;
}

DurableQueue::ClientRequest RequestOf(const ApiRequest& request) {
  return {.key = request.idempotency_key, .body = request.body};
}

// The call that a request with the same key and body has made; nothing: none. On the storage
// thread.
std::optional<ApiAnswer> CameBefore(ApiBackend& backend, const ApiRequest& request) {
  auto found = backend.deps().queue.FindRequest(RequestOf(request));
  if (found && *found) return Taken(**found, true);
  if (found) {
    found = backend.visits().FindRequest(request.idempotency_key, request.body);
    if (found && *found) return Invited(**found, true);
    if (found) return std::nullopt;
  }
  if (found.error().code != ErrorCode::kFailedPrecondition) {
    return std::unexpected(ProblemOf(found.error(), "The queue cannot be read."));
  }
  return std::unexpected(Problem{ProblemKind::kKeyReused,
                                 "The other program used a key that belongs to an earlier check.",
                                 found.error().message + ": give each request a key of its own"});
}

// A record of a text that nobody can have read would stay for good. On the storage thread.
std::optional<Problem> RefuseConsent(const ApiBackend::Dependencies& deps, const Asked& asked) {
  if (!asked.consent) return std::nullopt;
  const Status good = deps.consent_texts.Check(*asked.consent, deps.consents);
  if (good) return std::nullopt;
  return ProblemOf(good.error().Within("consent"), good.error().code == ErrorCode::kInvalid
                                                       ? kSenseless
                                                       : "The record of consents cannot be read.");
}

// What a look is for. A look costs nothing, so it does not say whom others asked about.
enum class Purpose { kLook, kAccept };

// Everything that is looked at before pictures are judged. On the storage thread.
std::optional<ApiAnswer> LookBefore(ApiBackend& backend, const ApiRequest& request,
                                    const Asked& asked, Purpose purpose) {
  const auto& deps = backend.deps();
  const VerificationCall& call = asked.call;
  if (auto before = CameBefore(backend, request)) return before;
  if (auto refused = RefuseConsent(deps, asked)) return std::unexpected(std::move(*refused));
  if (Status good = CheckLocally(deps, call, &CheckQuestion); !good) {
    return std::unexpected(ProblemOfQuestion(good.error()));
  }
  if (Status callable = CheckCallable(deps.profile, call.endpoint, deps.settings.environment);
      !callable) {
    return std::unexpected(Problem{ProblemKind::kNotAllowedHere,
                                   "This kiosk is not set up for that kind of check.",
                                   callable.error().message});
  }
  const auto obstacle = deps.queue.FindObstacle(call, asked.ask_again);
  if (!obstacle) return std::nullopt;
  const bool may_see = MaySee(backend, request, *obstacle);
  // Neither does who sends pictures that nobody would accept, or asks for a person at a screen that
  // takes nobody: where somebody comes, they are told there.
  const bool is_free = purpose == Purpose::kLook || TraitsOf(call.endpoint).TakesPictures();
  if (!may_see && is_free) return std::nullopt;
  return std::unexpected(ProblemOfObstacle(*obstacle, may_see));
}

// Pictures from another program are no live camera's. On a server's thread.
std::optional<Problem> GatePictures(ApiBackend& backend, Asked& asked) {
  const auto& deps = backend.deps();
  const Status live = RequireLive(
      asked.means, fmt::format("\"pictures\" gives {}", Shown(asked.means)), deps.settings);
  if (!live) {
    return Problem{ProblemKind::kNotAllowedHere,
                   "This kiosk verifies people by its own camera alone.", live.error().message};
  }
  auto gated = deps.gate(std::move(asked.pictures));
  if (!gated) {
    return Problem{ProblemKind::kPicturesRefused, "The pictures cannot be used.",
                   gated.error().message +
                       ". pictures[0] is the selfie, pictures[1] to [4] are liveness-1 to -4"};
  }
  asked.call.pictures = std::move(*gated);
  asked.call.pictures.means = asked.means;
  return std::nullopt;
}

// Once nothing speaks against it. On the storage thread, where no other request comes between.
ApiAnswer Accept(ApiBackend& backend, const ApiRequest& request, const Asked& asked) {
  const auto& deps = backend.deps();
  if (auto before = CameBefore(backend, request)) return std::move(*before);
  if (Status good = CheckLocally(deps, asked.call, &CheckCall); !good) {
    return std::unexpected(ProblemOfQuestion(good.error()));
  }
  if (auto obstacle = deps.queue.FindObstacle(asked.call, asked.ask_again)) {
    return std::unexpected(ProblemOfObstacle(*obstacle, MaySee(backend, request, *obstacle)));
  }
  const auto reference = deps.queue.DrawReference();
  if (!reference) return std::unexpected(ProblemOf(reference.error(), "The queue cannot be read."));
  const DurableQueue::AcceptOptions options{.person_waits = true,
                                            .operator_id = asked.operator_id,
                                            .confirmed = asked.ask_again,
                                            .case_id = asked.case_id,
                                            .reference = *reference,
                                            .request = RequestOf(request),
                                            .consent = asked.consent};
  const auto accepted = deps.audit.Do(AuditEvent::kCallAsked, NameOf(request.peer), *reference,
                                      [&]() -> Result<CallReference> {
                                        auto taken = deps.queue.Accept(asked.call, options);
                                        if (!taken) return std::unexpected(Error(taken.error()));
                                        return std::move(*taken);
                                      });
  if (!accepted) {
    return std::unexpected(ProblemOf(accepted.error(), "The check could not be kept."));
  }
  backend.owners().Put(*accepted, request.peer.user);
  deps.wake();
  backend.TellChange(*accepted);
  return Taken(*accepted, false);
}

// Has the person come before the screen: the call is kept once they have sent their pictures. On a
// server's thread.
ApiAnswer Invite(ApiBackend& backend, const ApiRequest& request, Asked asked) {
  const auto& deps = backend.deps();
  const auto drawn = backend.Ask([&]() -> Result<CallReference> {
    auto reference = deps.queue.DrawReference();
    if (!reference) return reference;
    return deps.audit.Do(AuditEvent::kCallAsked, NameOf(request.peer), *reference,
                         [&]() -> Result<CallReference> { return *reference; });
  });
  if (!drawn) return std::unexpected(ProblemOf(drawn.error(), "The check could not be kept."));
  backend.owners().Put(*drawn, request.peer.user);
  const Status begun = backend.visits().Begin(
      std::make_shared<VisitOrder>(VisitOrder{.question = std::move(asked.call),
                                              .reference = *drawn,
                                              .confirmed = asked.ask_again,
                                              .case_id = std::move(asked.case_id),
                                              .operator_id = std::move(asked.operator_id),
                                              .key = request.idempotency_key,
                                              .body = SecretBytes::CopyOf(request.body)}));
  if (!begun) {
    (void)backend.Ask([&] {
      deps.audit.Note(
          AuditEvent::kNotDone, NameOf(request.peer),
          fmt::format("{} {}: {}", Name(AuditEvent::kCallAsked), *drawn, begun.error().message));
      return true;
    });
    return std::unexpected(Problem{
        ProblemKind::kNotPossible,
        fmt::format("The kiosk's screen cannot take this person now: {}.", begun.error().message),
        begun.error().message});
  }
  return Invited(*drawn, false);
}

}  // namespace

ApiAnswer LookAtCheck(ApiBackend& backend, const ApiRequest& request) {
  const auto asked = ReadBody(request.body, /*look=*/true);
  if (!asked) return std::unexpected(asked.error());
  auto found = backend.Ask([&] { return LookBefore(backend, request, *asked, Purpose::kLook); });
  if (found) return std::move(*found);
  const int64_t price = backend.deps().profile.at(asked->call.endpoint).price;
  return ApiReply{.body = JsonWriter()
                              .BeginObject()
                              .Field("may_be_asked", true)
                              .Field("price", FormatPrice(price, backend.deps().profile.currency))
                              .EndObject()
                              .Take()};
}

ApiAnswer AcceptCheck(ApiBackend& backend, const ApiRequest& request) {
  auto asked = ReadBody(request.body);
  if (!asked) return std::unexpected(std::move(asked.error()));
  auto found = backend.Ask([&] { return LookBefore(backend, request, *asked, Purpose::kAccept); });
  if (found) return std::move(*found);
  if (asked->at_camera) return Invite(backend, request, std::move(*asked));
  if (TraitsOf(asked->call.endpoint).TakesPictures()) {
    if (auto bad = GatePictures(backend, *asked)) return std::unexpected(std::move(*bad));
  }
  return backend.Ask([&] { return Accept(backend, request, *asked); });
}

}  // namespace idkiosk
