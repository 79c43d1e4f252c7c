#include "app/api/problem.h"

#include "platform/base/enum_rows.h"
#include "platform/base/json.h"

namespace idkiosk {
namespace {

using enum ProblemKind;

constexpr ProblemTraits kProblems[] = {
    {kBadRequest, 400, "bad-request", "The request makes no sense"},
    {kForbidden, 403, "forbidden", "This program may not ask"},
    {kUnknownPath, 404, "unknown-path", "There is no such operation"},
    {kNotFound, 404, "not-found", "There is no such thing"},
    {kWrongMethod, 405, "wrong-method", "The operation takes another method"},
    {kTooLarge, 413, "too-large", "The body is too long"},
    {kWrongType, 415, "wrong-type", "The body is not JSON"},
    {kInvalidQuestion, 422, "invalid-question", "The service would refuse the question"},
    {kPicturesRefused, 422, "pictures-refused", "The pictures cannot be used"},
    {kNotAllowedHere, 403, "not-allowed-here", "This kiosk does not allow it"},
    {kKeyReused, 422, "key-reused", "The key belongs to another request"},
    {kAskedBefore, 409, "asked-before", "The same was asked before"},
    {kPriceDiffers, 409, "price-differs", "The price is another one"},
    {kAttemptsDiffer, 409, "attempts-differ", "It was sent again meanwhile"},
    {kNotPossible, 409, "not-possible", "Not in its present state"},
    {kHeld, 503, "held", "Calls are held"},
    {kSpendCap, 503, "spend-cap", "A cap of spending is reached"},
    {kNoRoom, 503, "no-room", "There is no room for a call"},
    {kBusy, 503, "busy", "Too much at once"},
    {kUnavailable, 503, "unavailable", "A part that is needed is away"},
    {kDamaged, 500, "damaged", "What is kept is damaged"},
    {kInternal, 500, "internal", "This is a bug"},
};
static_assert(HasEachRow(kProblems, &ProblemTraits::kind));

ProblemKind KindOf(ErrorCode code) {
  switch (code) {
    case ErrorCode::kInvalid:
      return kBadRequest;
    case ErrorCode::kNotFound:
      return kNotFound;
    case ErrorCode::kRejected:
      return kInvalidQuestion;
    case ErrorCode::kFailedPrecondition:
      return kNotPossible;
    case ErrorCode::kExhausted:
      return kNoRoom;
    case ErrorCode::kCorrupt:
      return kDamaged;
    case ErrorCode::kInternal:
      return kInternal;
    case ErrorCode::kForbidden:  // the system lets this program not do it: no fault of who asks
    case ErrorCode::kUnavailable:
    case ErrorCode::kTimeout:
    case ErrorCode::kCancelled:
    case ErrorCode::kUnauthenticated:
      break;
  }
  return kUnavailable;
}

}  // namespace

Problem BadRequest(std::string engineer) {
  return {ProblemKind::kBadRequest, std::string(kSenseless), std::move(engineer)};
}

std::span<const ProblemTraits> AllProblems() { return kProblems; }

const ProblemTraits& TraitsOf(ProblemKind kind) { return kProblems[static_cast<size_t>(kind)]; }

std::string ToJson(const Problem& problem) {
  const ProblemTraits& traits = TraitsOf(problem.kind);
  JsonWriter json;
  json.BeginObject()
      .Field("type", fmt::format("urn:idkiosk:problem:{}", traits.type))
      .Field("title", traits.title)
      .Field("status", traits.status)
      .Field("detail", problem.detail)
      .Field("engineer", problem.engineer);
  for (const auto& [name, text] : problem.more) json.Field(name, text);
  return json.EndObject().Take();
}

Problem ProblemOf(const Error& error, std::string_view detail) {
  return {KindOf(error.code), std::string(detail), error.message};
}

}  // namespace idkiosk
