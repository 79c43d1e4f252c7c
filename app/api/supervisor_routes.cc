#include <algorithm>

#include "app/api/api_routes.h"
#include "app/api/check_json.h"
#include "app/operator/ledger_export.h"
#include "app/operator/person_erasure.h"
#include "app/settings/nin.h"
#include "platform/base/text/digits.h"

// Operations about everybody's checks: for root, the kiosk's own user and api.supervisors. The
// command line asks them while the kiosk runs.
namespace idkiosk {
namespace {

// Calls that go first at once when somebody wants everything sent now.
constexpr int kHurried = 200;

std::unexpected<Problem> Bad(std::string engineer) {
  return std::unexpected(BadRequest(std::move(engineer)));
}

std::expected<std::optional<WallTime>, Problem> SinceOf(const ApiRequest& request) {
  const auto found = request.query.find("since");
  if (found == request.query.end()) return std::nullopt;
  const auto since = ParseRfc3339(found->second);
  if (since) return since;
  return Bad(std::string(kSinceIsWrong));
}

// Answers a list whose rows `read` gets on the storage thread, and `write` writes.
template <typename Read, typename Write>
ApiAnswer ListOf(ApiBackend& backend, const ApiRequest& request, const char* name, Read read,
                 Write write) {
  if (auto no = RequireSupervisor(request)) return std::unexpected(std::move(*no));
  const auto since = SinceOf(request);
  if (!since) return std::unexpected(since.error());
  const auto rows = backend.Ask([&] { return read(*since); });
  if (!rows) return std::unexpected(ProblemOf(rows.error(), "The list cannot be read."));
  JsonWriter json;
  json.BeginObject().Key(name).BeginArray();
  for (const auto& each : *rows) write(json, each);
  return ApiReply{.body = json.EndArray().EndObject().Take()};
}

// What a body says became of an attempt.
struct Settled {
  int attempt = 0;
  Settlement settlement = Settlement::kNotReceived;
};

std::expected<Settled, Problem> ReadSettled(const std::string& body) {
  const auto document = JsonDocument::Parse(body);
  const JsonView root = document ? document->root() : JsonView();
  const auto attempt = root["attempt"].AsInteger();
  const auto settlement = SettlementOf(root["outcome"].AsString().value_or(""));
  const bool whole = root.IsObject() && !root.RepeatedName() && root.children().size() == 2;
  if (whole && attempt && settlement && *attempt > 0 && *attempt < 1000) {
    return Settled{static_cast<int>(*attempt), *settlement};
  }
  return Bad(
      "the body must be an object of attempt, its number, and outcome: not_received, verified, "
      "not_verified or rejected");
}

std::expected<PersonNumbers, Problem> ReadPerson(const std::string& body) {
  const auto document = JsonDocument::Parse(body);
  PersonNumbers person;
  bool good = document && document->root().IsObject() && !document->root().RepeatedName();
  for (const JsonView each : good ? document->root().children() : std::vector<JsonView>()) {
    const auto text = each.AsString();
    good = good && text && !text->empty() && text->size() <= 64;
    if (!good) break;
    if (each.key() == "nin") {
      person.nin = CleanNumber(*text);
    } else if (each.key() == "phone") {
      person.phone = CleanNumber(*text);
    } else if (each.key() == "id_number") {
      person.id_number = CleanNumber(*text);
    } else if (each.key() == "type") {
      person.id_type = *text;
    } else {
      good = false;
    }
  }
  if (good && !person.empty()) return person;
  return Bad("the body must be an object of nin, phone, or id_number with its type, each a text");
}

// Says to a clerk what is wrong with numbers by which nobody can have been asked about here. A
// mistyped number must not sound like a person of whom there is nothing.
std::string DetailOfMistyped(const PersonNumbers& person) {
  const bool typed = person.id_type == VerificationCall().id_type && !person.id_number.empty();
  for (const SecretBytes* each : {&person.nin, typed ? &person.id_number : nullptr}) {
    if (each == nullptr || each->empty() || IsNin(each->text())) continue;
    if (!AreDigits(each->text()) || each->size() == kNinDigits) {
      return fmt::format("A NIN has {} digits and nothing else. Look at the number again.",
                         kNinDigits);
    }
    return fmt::format("This number has {} digit{}, and a NIN has {}. Look at it again.",
                       each->size(), each->size() == 1 ? "" : "s", kNinDigits);
  }
  if (person.empty()) return "There is no check with that reference.";
  if (!person.phone.empty() && person.id_number.empty()) {
    return "This is no Nigerian mobile number, which has 11 digits, or 13 with +234. Look at it "
           "again.";
  }
  return "This kiosk makes no checks by that kind of number. Look at it again.";
}

// `error` says what there is not, or what is wrong with the number.
Problem ProblemOfErasure(const Error& error, const PersonNumbers& person) {
  switch (error.code) {
    case ErrorCode::kNotFound:
      return ProblemOf(error, "There is no check with that reference.");
    case ErrorCode::kInvalid:
      return ProblemOf(error, DetailOfMistyped(person));
    default:
      return ProblemOf(error, "That cannot be erased now.");
  }
}

// Erases, and tells the receipt.
ApiAnswer Erase(ApiBackend& backend, const ApiRequest& request, const ErasureRequest& who) {
  const auto& deps = backend.deps();
  const auto receipt = backend.Ask([&] {
    return ErasePerson(who, NameOf(request.peer), deps.queue, deps.consents, deps.audit, deps.clock,
                       deps.at_screen);
  });
  if (!receipt) return std::unexpected(ProblemOfErasure(receipt.error(), who.person));
  for (const ErasureReceipt::Call& each : receipt->calls) backend.TellChange(each.reference);
  return ApiReply{.body = ReceiptJson(*receipt)};
}

}  // namespace

ApiAnswer GetQueue(ApiBackend& backend, const ApiRequest& request) {
  if (auto no = RequireSupervisor(request)) return std::unexpected(std::move(*no));
  return backend.Ask([&]() -> ApiAnswer {
    DurableQueue& queue = backend.deps().queue;
    const auto stats = queue.Stats();
    if (!stats) return std::unexpected(ProblemOf(stats.error(), "The queue cannot be read."));
    const auto lost = queue.Lost();
    if (!lost) return std::unexpected(ProblemOf(lost.error(), "The queue cannot be read."));
    const auto unnamed = queue.Unnamed();
    if (!unnamed) return std::unexpected(ProblemOf(unnamed.error(), "The queue cannot be read."));
    const JournalVerdict ledger = queue.LedgerVerdict();
    JsonWriter json;
    json.BeginObject();
    WriteStats(json, *stats);
    json.Key("holds").BeginArray();
    for (const Hold& each : stats->holds) WriteHold(json, each);
    json.EndArray().Key("lost").BeginArray();
    for (const CallReference& each : *lost) json.Value(each);
    json.EndArray().Key("unnamed").BeginArray();
    for (const UnnamedCalls& each : *unnamed) json.Value(NameOf(each));
    json.EndArray()
        .Key("ledger")
        .BeginObject()
        .Field("found", Describe(ledger))
        .Field("genuine", ledger.state == JournalState::kGenuine)
        .Field("held", queue.IsHeldForLedger())
        .Field("missing", MissingFrom(queue))
        .EndObject();
    return ApiReply{.body = json.EndObject().Take()};
  });
}

ApiAnswer DeliverNow(ApiBackend& backend, const ApiRequest& request) {
  if (auto no = RequireSupervisor(request)) return std::unexpected(std::move(*no));
  if (!request.body.empty() && request.body != "{}") return Bad("the body must be empty, or {}");
  const auto& deps = backend.deps();
  return backend.Ask([&]() -> ApiAnswer {
    const auto unread = [](const Error& error) {
      return std::unexpected(ProblemOf(error, "The queue cannot be read."));
    };
    if (Status told = deps.queue.HurryBacklog(kHurried); !told) return unread(told.error());
    // A pause that the service asked for goes on.
    const auto hurried = deps.queue.Page(
        {.state = CallState::kPending, .since = {}, .before = {}, .limit = kHurried});
    if (!hurried) return unread(hurried.error());
    const auto goes_now = [now = deps.clock.WallNow()](const CallSummary& each) {
      return !each.hold && each.next_attempt && *each.next_attempt <= now;
    };
    const auto stats = deps.queue.Stats();
    if (!stats) return unread(stats.error());
    deps.wake();
    return ApiReply{.status = 202,
                    .body = JsonWriter()
                                .BeginObject()
                                .Field("waiting", stats->In(CallState::kPending) - stats->held)
                                .Field("hurried", static_cast<int64_t>(std::ranges::count_if(
                                                      hurried->calls, goes_now)))
                                .Field("held", stats->held)
                                .EndObject()
                                .Take()};
  });
}

ApiAnswer SettleCheck(ApiBackend& backend, const ApiRequest& request) {
  if (auto no = RequireSupervisor(request)) return std::unexpected(std::move(*no));
  const auto settled = ReadSettled(request.body);
  if (!settled) return std::unexpected(settled.error());
  const auto& deps = backend.deps();
  const auto reference = ParseReference(request.names.front());
  if (!reference) {
    return std::unexpected(ProblemOf(reference.error(), "There is no check with that reference."));
  }
  const std::string what =
      fmt::format("{} attempt {}: {}", *reference, settled->attempt, Name(settled->settlement));
  const Status done = backend.Ask([&] {
    return deps.audit.Do(AuditEvent::kCallSettled, NameOf(request.peer), what, [&] {
      return deps.queue.Settle(*reference, settled->attempt, settled->settlement);
    });
  });
  if (!done) return std::unexpected(ProblemOf(done.error(), "That attempt cannot be decided now."));
  backend.TellChange(*reference);
  deps.wake();
  return ApiReply{.body = JsonWriter().BeginObject().Field("settled", what).EndObject().Take()};
}

ApiAnswer ListAttempts(ApiBackend& backend, const ApiRequest& request) {
  return ListOf(
      backend, request, "attempts",
      [&](std::optional<WallTime> since) { return backend.deps().queue.Ledger(since); },
      [&](JsonWriter& json, const LedgerRow& row) {
        json.Raw(LedgerJson(LineOf(row, backend.deps().profile.currency), Zone::kUtc));
      });
}

ApiAnswer ListDecisions(ApiBackend& backend, const ApiRequest& request) {
  return ListOf(
      backend, request, "decisions",
      [&](std::optional<WallTime> since) { return backend.deps().queue.Decisions(since); },
      [](JsonWriter& json, const LedgerDecision& each) {
        json.BeginObject()
            .Field("decision", each.what)
            .Field("at", FormatRfc3339(each.at))
            .Field("by", each.by)
            .EndObject();
      });
}

ApiAnswer ListConsents(ApiBackend& backend, const ApiRequest& request) {
  if (auto no = RequireSupervisor(request)) return std::unexpected(std::move(*no));
  const auto since = SinceOf(request);
  if (!since) return std::unexpected(since.error());
  const auto contents = backend.Ask([&] { return backend.deps().consents.Read(); });
  if (!contents) {
    return std::unexpected(ProblemOf(contents.error(), "The record of consents cannot be read."));
  }
  JsonWriter json;
  json.BeginObject().Field("record", Describe(contents->verdict)).Key("damaged_before");
  json.BeginArray();
  for (const std::string& each : contents->damage) json.Value(each);
  json.EndArray().Key("consents").BeginArray();
  for (const ConsentEntry& each : contents->entries) {
    if (!*since || each.at >= **since) WriteConsent(json, each);
  }
  return ApiReply{.body = json.EndArray().EndObject().Take()};
}

ApiAnswer EraseByNumber(ApiBackend& backend, const ApiRequest& request) {
  if (auto no = RequireSupervisor(request)) return std::unexpected(std::move(*no));
  auto person = ReadPerson(request.body);
  if (!person) return std::unexpected(person.error());
  return Erase(backend, request, {.person = std::move(*person)});
}

ApiAnswer EraseByCheck(ApiBackend& backend, const ApiRequest& request) {
  if (auto no = RequireSupervisor(request)) return std::unexpected(std::move(*no));
  const auto reference = ParseReference(request.names.front());
  if (!reference) {
    return std::unexpected(Problem{ProblemKind::kNotFound, "There is no check with that reference.",
                                   reference.error().message});
  }
  return Erase(backend, request, {.reference = *reference});
}

}  // namespace idkiosk
