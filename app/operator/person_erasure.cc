#include "app/operator/person_erasure.h"

#include <algorithm>
#include <set>

namespace idkiosk {
namespace {

struct ErasedRow {
  ErasedCall what;
  std::string_view name;
  std::string_view sentence;
};
constexpr ErasedRow kErasedRows[] = {
    {ErasedCall::kEndedUnsent, "ended_unsent",
     "it waited, and is never sent; number and pictures are erased"},
    {ErasedCall::kGivenUp, "given_up",
     "it may have been sent, and ends without an answer; number and pictures are erased"},
    {ErasedCall::kErased, "erased", "it had ended; what was kept of it is erased"},
    {ErasedCall::kOnItsWay, "on_its_way", "it is being sent: ask again in a minute"},
    {ErasedCall::kFailed, "failed", "it could not be erased"},
};
static_assert(HasEachRow(kErasedRows, &ErasedRow::what));

constexpr std::string_view kStays[] = {
    "the ledger's row of each attempt: reference, time, price, and the case and the operator as "
    "the bank named them. No number, name or picture of idkiosk's own",
    "the record of each consent: the text's version and language, reference, time",
    "the audit trail: who decided what about which reference",
    "the ledger's code of each question. Numbers can be tried against it until its day's key has "
    "left the vault: within two hours once no check of that day is kept any more",
};
constexpr std::string_view kSealed =
    "What the disk still holds of what was erased is sealed by keys that have left the vault, or "
    "leave it within two hours once nothing of their day's checks is kept any more.";
constexpr std::string_view kAtScreen =
    "Somebody with this number is at this kiosk's screen now: what they send from here on is kept. "
    "Ask again once they have left.";
constexpr std::string_view kNotComplete =
    "This erasure is not complete: something of this person is left, or may come.";
constexpr std::string_view kThisNumber =
    "Found by this number, in what was asked and in the answers that are kept. What was asked by "
    "another number of the same person, such as a phone number, and whose answer is not kept or "
    "does not hold this one, is found by that one alone: ask for each.";
constexpr std::string_view kNoNumber =
    "That call's number is not kept any more, or cannot be read: to find other calls of this "
    "person, ask by the number.";

const ErasedRow& RowOf(ErasedCall what) { return kErasedRows[static_cast<size_t>(what)]; }

ErasedCall WhatErasingDoes(const CallSummary& call) {
  if (HasEnded(call.state)) return ErasedCall::kErased;
  return WaitsUnsent(call.state, call.billed_attempts) ? ErasedCall::kEndedUnsent
                                                       : ErasedCall::kGivenUp;
}

bool IsAtScreen(const PersonNumbers& person, const NumberAtScreen* at_screen) {
  if (at_screen == nullptr) return false;
  // A NIN may come as the identity number of that type.
  const bool typed_nin = person.id_type == VerificationCall().id_type;
  return at_screen->Is(person.nin.text()) || (typed_nin && at_screen->Is(person.id_number.text()));
}

// The calls about the person. `receipt`: told how they were found, and whether one may come. The
// screen is asked first: whoever leaves it meanwhile has sent before that what the queue has then.
Result<std::vector<CallSummary>> Find(const ErasureRequest& request, DurableQueue& queue,
                                      const NumberAtScreen* at_screen, ErasureReceipt& receipt) {
  if (request.reference.empty()) {
    receipt.at_screen = IsAtScreen(request.person, at_screen);
    return queue.FindPerson(request.person);
  }
  auto named = queue.Show(request.reference);
  if (!named) return std::unexpected(named.error());
  const auto person = queue.PersonOf(request.reference);
  receipt.by_number = person && !person->empty();
  if (receipt.by_number) {
    receipt.at_screen = IsAtScreen(*person, at_screen);
    auto found = queue.FindPerson(*person);
    // By a kind of number that the profile no longer names it is not found.
    if (found && std::ranges::count(*found, named->reference, &CallSummary::reference) == 0) {
      found->push_back(std::move(*named));
    }
    return found;
  }
  return std::vector<CallSummary>{std::move(*named)};
}

// What may hold something of the person, and nobody can say whether it does.
std::vector<std::string> Untold(DurableQueue& queue, const std::vector<CallSummary>& found) {
  std::vector<std::string> untold;
  // What cannot be read keeps nothing else from being erased.
  const auto look = [&untold](auto list) {
    using List = std::remove_cvref_t<decltype(*list)>;
    if (list) return std::move(*list);
    untold.push_back(fmt::format("not everything could be looked at: {}", list.error().message));
    return List();
  };
  if (queue.IsHeldForLedger()) {
    untold.push_back(
        "nobody has accepted the ledger yet ('idkiosk ledger accept'), which may bring checks "
        "back");
  }
  if (const auto apart = look(queue.InCopiesAlone()); !apart.empty()) {
    untold.push_back(fmt::format("checks lie in copies alone, and come back {}: {}",
                                 queue.WhenCopiesComeBack(), CountAndNames(apart)));
  }
  // Each is read: one whose row was altered does not say of itself that it is damaged.
  std::vector<CallReference> damaged;
  for (const CallSummary& each : look(queue.List(/*only_open=*/false))) {
    if (each.state != CallState::kDamaged) continue;
    const bool is_found = std::ranges::count(found, each.reference, &CallSummary::reference) > 0;
    if (!is_found) damaged.push_back(each.reference);
  }
  if (!damaged.empty()) {
    untold.push_back(fmt::format(
        "the record of a check is damaged ('idkiosk people erase --reference ID' brings "
        "it back from its copy, where that is whole, and erases it; 'idkiosk queue "
        "discard ID' ends and erases any other; one that has lost its name goes by "
        "itself after queue.max_age): {}",
        CountAndNames(damaged)));
  }
  if (const auto lost = look(queue.Lost()); !lost.empty()) {
    untold.push_back(
        fmt::format("checks are lost but for what may be left of their copies, and no day's key "
                    "leaves the vault before 'idkiosk queue discard ID' has ended them: {}",
                    CountAndNames(lost)));
  }
  for (const std::string& each : look(queue.SetAsideFiles())) {
    untold.push_back(
        fmt::format("the damaged file {0} may hold a check, sealed by keys that stay as long as it "
                    "does ('idkiosk queue discard {0}' erases it)",
                    each));
  }
  return untold;
}

}  // namespace

std::string_view Name(ErasedCall what) { return RowOf(what).name; }

bool ErasureReceipt::IsComplete() const {
  return !at_screen && untold.empty() && std::ranges::none_of(calls, [](const Call& call) {
    return call.what == ErasedCall::kOnItsWay || call.what == ErasedCall::kFailed;
  });
}

Result<ErasureReceipt> ErasePerson(const ErasureRequest& request, const std::string& by,
                                   DurableQueue& queue, ConsentLog& consents, AuditLog& audit,
                                   const Clock& clock, const NumberAtScreen* at_screen) {
  ErasureReceipt receipt{.at = clock.WallNow(), .by = by, .calls = {}};
  const auto found = Find(request, queue, at_screen, receipt);
  if (!found) return std::unexpected(found.error());
  const auto recorded = consents.Read();
  if (!recorded) return std::unexpected(recorded.error());
  std::set<std::string> agreed;
  for (const ConsentEntry& each : recorded->entries) agreed.insert(each.reference);
  if (found->empty()) {
    if (Status put = audit.Record(AuditEvent::kPersonErased, by, "nothing was found"); !put) {
      return std::unexpected(put.error());
    }
  }
  receipt.untold = Untold(queue, *found);
  for (const CallSummary& each : *found) {
    // As it was when it was erased: meanwhile it may have been sent.
    CallSummary call = each;
    const Status done = audit.Do(AuditEvent::kPersonErased, by, call.reference, [&]() -> Status {
      auto erased = queue.ErasePerson(call.reference);
      if (!erased) return std::unexpected(erased.error());
      call = std::move(*erased);
      return {};
    });
    const bool on_its_way = !done && done.error().code == ErrorCode::kFailedPrecondition;
    receipt.calls.push_back(
        {.reference = call.reference,
         .endpoint = call.endpoint,
         .accepted_at = call.accepted_at,
         .what = done ? WhatErasingDoes(call)
                      : (on_its_way ? ErasedCall::kOnItsWay : ErasedCall::kFailed),
         .why = done ? std::string() : done.error().message,
         .attempts = call.attempts,
         .consent = agreed.contains(call.reference)});
  }
  return receipt;
}

std::string ReceiptJson(const ErasureReceipt& receipt) {
  JsonWriter json;
  json.BeginObject()
      .Field("at", FormatRfc3339(receipt.at))
      .Field("by", receipt.by)
      .Field("by_number", receipt.by_number)
      .Field("at_screen", receipt.at_screen)
      .Field("complete", receipt.IsComplete())
      .Key("untold")
      .BeginArray();
  for (const std::string& each : receipt.untold) json.Value(each);
  json.EndArray().Key("calls").BeginArray();
  for (const ErasureReceipt::Call& call : receipt.calls) {
    json.BeginObject()
        .Field("reference", call.reference)
        .Field("endpoint", Name(call.endpoint))
        .Field("accepted_at", FormatRfc3339(call.accepted_at))
        .Field("what", Name(call.what));
    if (!call.why.empty()) json.Field("why", call.why);
    json.Field("attempts_kept", call.attempts).Field("consent_kept", call.consent).EndObject();
  }
  json.EndArray().Key("stays").BeginArray();
  for (const std::string_view each : kStays) json.Value(each);
  return json.EndArray().EndObject().Take();
}

std::string ReceiptText(const ErasureReceipt& receipt) {
  std::string text =
      fmt::format("Erasure on request, {}, by {}.\n", FormatRfc3339(receipt.at), receipt.by);
  if (receipt.calls.empty()) {
    text += receipt.untold.empty() ? "Nothing that asked by this number is on this kiosk.\n"
                                   : "Nothing that asked by this number was found.\n";
  }
  int attempts = 0;
  int64_t consents = 0;
  for (const ErasureReceipt::Call& call : receipt.calls) {
    text += fmt::format("{}  {}, asked {}: {}.{}{}\n", call.reference, Name(call.endpoint),
                        FormatRfc3339(call.accepted_at), RowOf(call.what).sentence,
                        call.why.empty() ? "" : " ", call.why);
    attempts += call.attempts;
    consents += call.consent ? 1 : 0;
  }
  if (!receipt.calls.empty()) {
    text += fmt::format("What must stay (attempts: {}, consents: {}):\n", attempts, consents);
    for (const std::string_view each : kStays) text += fmt::format("- {}.\n", each);
    text += fmt::format("{}\n", kSealed);
  }
  text += fmt::format("{}\n", receipt.by_number ? kThisNumber : kNoNumber);
  for (const std::string& each : receipt.untold) {
    text += fmt::format("Perhaps also of this person: {}.\n", each);
  }
  if (receipt.at_screen) text += fmt::format("{}\n", kAtScreen);
  if (!receipt.IsComplete()) text += fmt::format("{}\n", kNotComplete);
  return text;
}

Result<ErasureReceipt> ReadReceipt(JsonView json) {
  const auto text = [](JsonView object, std::string_view name) {
    return std::string(object[name].AsString().value_or(""));
  };
  ErasureReceipt receipt;
  const auto at = ParseRfc3339(text(json, "at"));
  if (!at) return Fail(ErrorCode::kInvalid, "the receipt has no time");
  receipt.at = *at;
  receipt.by = text(json, "by");
  receipt.by_number = json["by_number"].AsBool().value_or(true);
  receipt.at_screen = json["at_screen"].AsBool().value_or(false);
  for (const JsonView each : json["untold"].children()) {
    receipt.untold.emplace_back(each.AsString().value_or(""));
  }
  for (const JsonView each : json["calls"].children()) {
    const auto endpoint = EndpointOf(text(each, "endpoint"));
    const auto accepted_at = ParseRfc3339(text(each, "accepted_at"));
    const auto what = std::ranges::find(kErasedRows, text(each, "what"), &ErasedRow::name);
    if (!endpoint || !accepted_at || what == std::end(kErasedRows)) {
      return Fail(ErrorCode::kInvalid, "the receipt has a call that makes no sense");
    }
    receipt.calls.push_back(
        {.reference = text(each, "reference"),
         .endpoint = *endpoint,
         .accepted_at = *accepted_at,
         .what = what->what,
         .why = text(each, "why"),
         .attempts = static_cast<int>(each["attempts_kept"].AsInteger().value_or(0)),
         .consent = each["consent_kept"].AsBool().value_or(false)});
  }
  return receipt;
}

}  // namespace idkiosk
