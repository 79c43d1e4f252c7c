#include "app/service/outcome.h"

#include <algorithm>
#include <array>

#include "app/service/answer_codec.h"
#include "app/service/refusal.h"
#include "app/service/refusal_words.h"
#include "app/service/service_reference.h"
#include "platform/base/enum_rows.h"
#include "platform/base/json.h"
#include "platform/base/text/digits.h"

namespace idkiosk {
namespace {

constexpr Duration kShortestPause = std::chrono::seconds(1);
constexpr Duration kLongestPause = std::chrono::hours(1);

struct Row {
  OutcomeKind kind;
  std::string_view name;
  Disposition disposition;
  Billed billed;
  Verdict verdict;
  std::string_view clerk;
};

// In the order of OutcomeKind. `billed` follows the service's document, which bills every
// verification, failed ones too. Where the document is silent, (a) marks our assumption: an attempt
// that verified nothing is free. An assumption only sorts the ledger, and sends no call again. The
// exceptions are what MayBeSentAgain names: those say that nobody has looked at the question.
using enum OutcomeKind;
constexpr Row kTable[] = {
    {kVerified, "verified", Disposition::kDone, Billed::kYes, Verdict::kVerified, "Verified."},
    {kNotVerified, "not_verified", Disposition::kDone, Billed::kYes, Verdict::kNotVerified,
     "Not verified: the service found no match."},
    {kAnswered, "answered", Disposition::kDone, Billed::kYes, Verdict::kNone,
     "The service answered."},
    {kRejected, "rejected", Disposition::kDone, Billed::kYes, Verdict::kRejected,
     "The service refused this check. Correct what was entered and make a new check; this one may "
     "have been billed."},
    {kNoRecord, "no_record", Disposition::kDone, Billed::kYes, Verdict::kRejected,
     "The service has no record of this number."},
    {kNotFound, "not_found", Disposition::kDone, Billed::kMaybe, Verdict::kRejected,
     "The service has no record of this number, or was asked at a wrong address. Check the number; "
     "if others are not found either, tell the administrator."},
    {kUnreachable, "unreachable", Disposition::kRetry, Billed::kNo, Verdict::kNone,
     "The network or the service's gateway is down, or its address is wrong. The check is kept "
     "until it can be sent."},
    {kCertificate, "certificate", Disposition::kRetry, Billed::kNo, Verdict::kNone,
     "The server cannot prove that it is the service. The check is kept; tell the administrator."},
    {kCancelled, "stopped", Disposition::kRetry, Billed::kNo, Verdict::kNone,
     "Stopped before it was sent. The check is kept."},
    {kUnreadable, "unreadable", Disposition::kUnknown, Billed::kMaybe, Verdict::kNone,
     "The answer cannot be read, so it is not known whether this check went through. The check is "
     "kept until this is settled."},
    {kLost, "lost", Disposition::kUnknown, Billed::kMaybe, Verdict::kNone,
     "The connection broke after the check was sent, so it is not known whether it went through. "
     "The check is kept until this is settled."},
    {kServerFailure, "server_failure", Disposition::kUnknown, Billed::kMaybe, Verdict::kNone,
     "The service failed while it worked on this check, so it is not known whether it went "
     "through. The check is kept until this is settled."},
    {kUnauthorized, "unauthorized", Disposition::kLogin, Billed::kNo /* (a) */, Verdict::kNone,
     "The service wants a new login. The check is kept."},
    {kForbidden, "forbidden", Disposition::kHold, Billed::kNo /* (a) */, Verdict::kNone,
     "This account may not make this kind of check. The check is kept; the administrator must ask "
     "the service's operator for access."},
    // Who answered it may have looked it up.
    {kWrongAddress, "wrong_address", Disposition::kHold, Billed::kMaybe, Verdict::kNone,
     "The service does not know this kind of check at its address. The check is kept; tell the "
     "administrator."},
    {kUnexpected, "unexpected", Disposition::kHold, Billed::kMaybe, Verdict::kNone,
     "The service gave an unexpected answer, so it is not known whether this check went through. "
     "The check is kept; tell the administrator."},
    {kTooLarge, "too_large", Disposition::kReencode, Billed::kNo /* (a) */, Verdict::kNone,
     "The pictures are too large for the service. They are made smaller and sent again."},
    {kPicturesRefused, "pictures_refused", Disposition::kDone, Billed::kNo /* (a) */,
     Verdict::kRejected,
     "The pictures are too large for the service, even at their smallest. Tell the administrator."},
    {kBusy, "busy", Disposition::kPause, Billed::kNo /* (a) */, Verdict::kNone,
     "The service is busy. The check is kept and goes out by itself."},
    {kNotDelivered, "not_delivered", Disposition::kHold, Billed::kNo, Verdict::kNone,
     "This kind of check is not set up yet. The check is kept; tell the administrator."},
    {kMissingSecret, "missing_secret", Disposition::kHold, Billed::kNo, Verdict::kNone,
     "The service's credentials are not set up. The check is kept; tell the administrator."},
    {kNotApproved, "not_approved", Disposition::kRetry, Billed::kNo, Verdict::kNone,
     "Not sent: it was stopped at the last moment. The check is kept."},
};
static_assert(HasEachRow(kTable, &Row::kind));

constexpr std::string_view kDispositions[] = {"done",  "retry", "login",  "reencode",
                                              "pause", "hold",  "unknown"};
constexpr std::string_view kBilled[] = {"no", "maybe", "yes"};
constexpr std::string_view kVerdicts[] = {"", "verified", "not_verified", "rejected", "given_up"};
constexpr std::string_view kStages[] = {"not_sent", "sent", "answered"};
static_assert(std::size(kDispositions) == EnumeratorCount<Disposition>());
static_assert(std::size(kBilled) == EnumeratorCount<Billed>());
static_assert(std::size(kVerdicts) == EnumeratorCount<Verdict>());
static_assert(std::size(kStages) == EnumeratorCount<SendStage>());

const Row& RowOf(OutcomeKind kind) { return kTable[static_cast<size_t>(kind)]; }

template <typename T, size_t kSize>
std::optional<T> Find(const std::string_view (&words)[kSize], std::string_view word) {
  const auto* const found = std::ranges::find(words, word);
  if (found == std::end(words)) return std::nullopt;
  return static_cast<T>(found - words);
}

OutcomeKind KindWithoutAnswer(const HttpExchange& exchange) {
  if (exchange.stage == SendStage::kSent) return kLost;
  const ErrorCode code = exchange.error ? exchange.error->code : ErrorCode::kInternal;
  if (code == ErrorCode::kUnauthenticated) return kCertificate;
  return code == ErrorCode::kCancelled ? kCancelled : kUnreachable;
}

OutcomeKind KindOfSuccess(const EndpointProfile& profile, const HttpAnswer& answer) {
  if (answer.status != 200 && answer.status != 201) return kUnreadable;
  if (!profile.billed) return kAnswered;
  const auto parts = ReadAnswer(profile, answer.body.view());
  if (!parts) return kUnreadable;
  return parts->verified ? kVerified : kNotVerified;
}

// An error of the service is a JSON object. A gateway that stands before it answers with a page.
bool IsTheServices(const HttpAnswer& answer) {
  const auto document = ParseAnswer(answer.body.view());
  return document && document->root().IsObject();
}

// Only what is known is final: whatever else comes is looked at by a person before anything of the
// call is erased.
OutcomeKind KindOfRefusal(const EndpointProfile& profile, const HttpAnswer& answer) {
  if (!profile.billed) return kRejected;
  return answer.status == 400 && IsTheServices(answer) ? kRejected : kUnexpected;
}

// A wrong path is answered with 404, too, and not by gateways alone with a page.
OutcomeKind KindOfNotFound(const EndpointProfile& profile, const HttpAnswer& answer,
                           std::string_view message) {
  if (!profile.billed) return kWrongAddress;
  if (profile.no_record) {
    return SaysNoRecord(profile, answer.body.view(), message) ? kNoRecord : kWrongAddress;
  }
  return IsTheServices(answer) ? kNotFound : kWrongAddress;
}

OutcomeKind KindOfStatus(const EndpointProfile& profile, const HttpAnswer& answer,
                         std::string_view message, const RetryAfter& rest) {
  const int status = answer.status;
  if (status >= 200 && status < 300) return KindOfSuccess(profile, answer);
  if (status >= 300 && status < 400) return kWrongAddress;
  switch (status) {
    case 401:
      return kUnauthorized;
    case 403:
      return kForbidden;
    case 404:
      return KindOfNotFound(profile, answer, message);
    case 413:
      return kTooLarge;
    case 429:
      return kBusy;
    case 503:
      return rest.wait ? kBusy : kServerFailure;
    case 408:  // the server gave up waiting for what we had sent
      return kServerFailure;
    default:
      return status >= 400 && status < 500 ? KindOfRefusal(profile, answer) : kServerFailure;
  }
}

struct Rest {
  std::optional<Duration> wait;  // nothing: it cannot be read
  std::string_view oddity;       // what is wrong with how it is said; empty: nothing
};

Rest LastingAtMostAnHour(Duration wait) {
  if (wait > kLongestPause) return {kLongestPause, "more than an hour, so an hour is kept"};
  return {std::max(wait, kShortestPause), ""};
}

// Reads one Retry-After. Its bytes may be anything, so they are not quoted.
Rest ReadRest(std::string_view text, WallTime now) {
  if (text.empty()) return {std::nullopt, "empty, and passed over"};
  if (AreDigits(text)) {
    constexpr int64_t kMore = 3601;
    const int64_t seconds = ParseNumber<int64_t>(text).value_or(kMore);
    return LastingAtMostAnHour(std::chrono::seconds(std::min(seconds, kMore)));
  }
  const auto date = ParseHttpDate(text);
  if (!date) return {std::nullopt, "neither whole seconds nor a date, and passed over"};
  if (*date < now - kLongestPause) return {std::nullopt, "long past, and passed over"};
  if (*date < now) return {kShortestPause, "a time that has passed"};
  if (*date > now + kLongestPause) return LastingAtMostAnHour(2 * kLongestPause);
  return LastingAtMostAnHour(*date - now);
}

// What an answer tells, and why it is not taken for what its status says.
struct Reading {
  OutcomeKind kind = kUnreadable;
  std::string_view doubt;  // empty: it is
};

// A refusal costs nothing, and is sent again, only where nothing speaks against it.
Reading ReadRefusal(const EndpointProfile& profile, const HttpAnswer& answer, OutcomeKind kind,
                    std::string_view message) {
  if (answer.status < 300 || !profile.billed) return {kind, ""};
  if (SaysYes(profile, answer)) {
    return {kUnreadable,
            "its body says that the person is verified: ask the service's operator which of the "
            "two holds"};
  }
  if (HeaderSaysYes(profile, answer)) {
    return {kUnreadable,
            "one of its headers says that the person is verified: ask the service's operator which "
            "of the two holds"};
  }
  const bool is_free = RowOf(kind).billed == Billed::kNo;
  if (RowOf(kind).disposition != Disposition::kDone) {
    const std::string_view part = PartOfAnAnswer(profile, answer, message);
    if (!part.empty()) return {is_free ? kUnreadable : kind, part};
  }
  // "Your token could not be verified" is what a 401 says.
  const bool is_sent_again = kind == kBusy || kind == kTooLarge;
  if (is_sent_again && IsAboutAnAnswer(profile, answer)) {
    return {kUnreadable, "its body speaks of an answer"};
  }
  const std::string_view doubt = DoubtOfRefusal(answer);
  return {!doubt.empty() && is_free ? kUnreadable : kind, doubt};
}

std::string EngineerSentence(Endpoint endpoint, const HttpExchange& exchange,
                             const Reading& reading) {
  if (exchange.stage != SendStage::kAnswered) {
    return fmt::format("{}: {}", Name(endpoint),
                       exchange.error ? exchange.error->message : "no reason was given");
  }
  std::string trouble;
  if (exchange.answer.early) {
    trouble = ", begun before the request had left in whole";
  } else if (reading.kind == kUnreadable && !reading.doubt.empty()) {
    trouble = fmt::format(", but {}", reading.doubt);
  } else if (reading.kind == kUnreadable) {
    trouble = ", not the answer that the profile describes";
  }
  return fmt::format("{}: status {} after {}{}", Name(endpoint), exchange.answer.status,
                     FormatDuration(exchange.timings.total), trouble);
}

Outcome FromTable(OutcomeKind kind, Endpoint endpoint) {
  const Row& row = RowOf(kind);
  Outcome outcome;
  outcome.kind = kind;
  outcome.endpoint = endpoint;
  outcome.disposition = row.disposition;
  outcome.billed = row.billed;
  outcome.verdict = row.verdict;
  return outcome;
}

// Not even its status is ours, so it costs what nobody knows. A profile that takes something else
// for the number would make every answer unknown: the sentence says where to look.
Outcome AnothersAnswer(Endpoint endpoint, const HttpExchange& exchange) {
  Outcome outcome = FromTable(kUnreadable, endpoint);
  outcome.stage = exchange.stage;
  outcome.http_status = exchange.answer.status;
  outcome.is_anothers = true;
  outcome.engineer = fmt::format(
      "{0}: status {1} after {2}, with the number of another attempt: tell the service's operator; "
      "if its answers do not repeat {{attempt_id}}, take endpoints.{0}.answer.attempt_id out of "
      "the "
      "profile",
      Name(endpoint), exchange.answer.status, FormatDuration(exchange.timings.total));
  return outcome;
}

}  // namespace

// Of several the longest: who was asked to wait and does not is asked again for longer.
RetryAfter ReadRetryAfter(const HttpAnswer& answer, WallTime wall_now) {
  const WallTime now = ParseHttpDate(answer.header("date").value_or("")).value_or(wall_now);
  RetryAfter said;
  std::string_view oddity;
  int count = 0;
  for (const HttpAnswer::Header& each : answer.headers) {
    if (each.name != "retry-after") continue;
    const Rest rest = ReadRest(each.value, now);
    ++count;
    said.wait = std::max(said.wait, rest.wait);
    if (!rest.oddity.empty()) oddity = rest.oddity;
  }
  if (count > 1 && said.wait) {
    said.oddity = fmt::format("; its Retry-After is there {} times, so the longest is kept", count);
  } else if (!oddity.empty()) {
    said.oddity = fmt::format("; its Retry-After is {}", oddity);
  }
  return said;
}

std::string_view Name(OutcomeKind kind) { return RowOf(kind).name; }
std::string_view Name(Disposition disposition) {
  return kDispositions[static_cast<size_t>(disposition)];
}
std::string_view Name(Billed billed) { return kBilled[static_cast<size_t>(billed)]; }
std::string_view Name(Verdict verdict) { return kVerdicts[static_cast<size_t>(verdict)]; }
std::string_view Name(SendStage stage) { return kStages[static_cast<size_t>(stage)]; }

std::optional<OutcomeKind> OutcomeKindOf(std::string_view name) {
  const auto found = std::ranges::find(kTable, name, &Row::name);
  if (found == std::end(kTable)) return std::nullopt;
  return found->kind;
}
std::optional<Disposition> DispositionOf(std::string_view name) {
  return Find<Disposition>(kDispositions, name);
}
std::optional<Billed> BilledOf(std::string_view name) { return Find<Billed>(kBilled, name); }
std::optional<Verdict> VerdictOf(std::string_view name) { return Find<Verdict>(kVerdicts, name); }
std::optional<SendStage> SendStageOf(std::string_view name) {
  return Find<SendStage>(kStages, name);
}

std::string SaidByService(const Outcome& outcome) {
  const std::string said = WordsOfRefusals(outcome.service_message.text());
  return said.empty() ? "" : fmt::format("; the service says: {}", said);
}

void DropMessageWith(Outcome& outcome, std::string_view secret) {
  if (!secret.empty() && outcome.service_message.text().contains(secret)) {
    outcome.service_message = {};
  }
}

void DropReferenceWith(Outcome& outcome, std::string_view secret) {
  if (HoldsSecret(outcome.service_reference, secret)) DropReference(outcome);
}

void DropReference(Outcome& outcome) {
  outcome.service_reference.clear();
  outcome.engineer +=
      "; its reference may be a person's number or name, or a secret, so it is not kept";
}

Verdict VerdictOf(OutcomeKind kind) { return RowOf(kind).verdict; }

std::string_view ClerkSentence(OutcomeKind kind) { return RowOf(kind).clerk; }

std::string_view ClerkSentence(Verdict verdict) {
  if (verdict == Verdict::kNone) return "";
  const auto* const found = std::ranges::find(kTable, verdict, &Row::verdict);
  return found == std::end(kTable) ? "" : found->clerk;
}

Outcome Classify(const ServiceProfile& profile, Endpoint endpoint, const HttpExchange& exchange,
                 WallTime wall_now, std::string_view attempt_id) {
  const EndpointProfile& about = profile.at(endpoint);
  const bool answered = exchange.stage == SendStage::kAnswered;
  if (answered && RepeatsAnotherAttempt(about, exchange.answer.body.view(), attempt_id)) {
    return AnothersAnswer(endpoint, exchange);
  }
  SecretBytes message;
  if (answered && exchange.answer.status >= 300) {
    message = ReadErrorMessage(profile, exchange.answer.body.view());
  }
  RetryAfter rest;
  if (answered && (exchange.answer.status == 429 || exchange.answer.status == 503)) {
    rest = ReadRetryAfter(exchange.answer, wall_now);
  }
  Reading reading;
  if (answered) {
    reading.kind = KindOfStatus(about, exchange.answer, message.text(), rest);
    // There are no pictures that could be smaller.
    const bool takes_pictures = TraitsOf(endpoint).TakesPictures();
    if (reading.kind == kTooLarge && !takes_pictures && about.billed) reading.kind = kUnexpected;
    reading = ReadRefusal(about, exchange.answer, reading.kind, message.text());
  } else {
    reading.kind = KindWithoutAnswer(exchange);
  }
  OutcomeKind& kind = reading.kind;
  // Nobody can have answered a question that was not there in whole. A refusal may come early: a
  // gateway need not read pictures that are too large.
  if (exchange.answer.early && RowOf(kind).disposition == Disposition::kDone) kind = kUnreadable;
  Outcome outcome = FromTable(kind, endpoint);
  outcome.stage = exchange.stage;
  outcome.http_status = answered ? exchange.answer.status : 0;
  outcome.engineer = EngineerSentence(endpoint, exchange, reading);
  if (answered && about.billed) {
    auto [reference, names_somebody] = ReadReference(about, exchange.answer.body.view());
    outcome.service_reference = std::move(reference);
    if (names_somebody || MayBePersonal(outcome.service_reference)) DropReference(outcome);
  }
  outcome.service_message = std::move(message);
  if (kind == kBusy) outcome.retry_after = rest.wait;
  outcome.engineer += rest.oddity;
  if (const auto said = profile.billed_by_status.find(outcome.http_status);
      said != profile.billed_by_status.end()) {
    outcome.billed = said->second;
    // The price is that of a refusal. This is none that can be believed.
    const bool is_believed = kind != kUnreadable && reading.doubt.empty();
    if (!is_believed && outcome.billed == Billed::kNo) outcome.billed = Billed::kMaybe;
  }
  // A new token helps only where one was sent.
  if (kind == kUnauthorized && about.authentication != Authentication::kThreeHeaders) {
    outcome.disposition = Disposition::kHold;
  }
  if (!about.billed) {
    outcome.billed = Billed::kNo;
    if (outcome.disposition == Disposition::kUnknown) outcome.disposition = Disposition::kRetry;
  }
  return outcome;
}

bool MayBeSentAgain(const ServiceProfile& profile, int status) {
  if (status < 300 || status == 400 || status == 404) return false;
  const auto said = profile.billed_by_status.find(status);
  if (said != profile.billed_by_status.end()) return said->second == Billed::kNo;
  constexpr std::array kFree = {401, 403, 413, 429, 503};
  return std::ranges::count(kFree, status) > 0;
}

Outcome NothingSent(OutcomeKind kind, Endpoint endpoint, const Error& error) {
  Outcome outcome = FromTable(kind, endpoint);
  outcome.engineer = error.message;
  return outcome;
}

Outcome PicturesRefused(Outcome too_large, std::string_view why) {
  const Row& row = RowOf(kPicturesRefused);
  too_large.kind = row.kind;
  too_large.disposition = row.disposition;
  too_large.verdict = row.verdict;
  too_large.engineer += fmt::format("; not made smaller: {}", why);
  return too_large;
}

}  // namespace idkiosk
