#ifndef IDKIOSK_APP_API_PROBLEM_H_
#define IDKIOSK_APP_API_PROBLEM_H_

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "platform/base/error.h"

namespace idkiosk {

// What may be wrong with a request, sorted by what the program that asks does about it.
enum class ProblemKind {
  kBadRequest,       // the request itself: a header, a parameter, the body's form
  kForbidden,        // this program may not ask
  kUnknownPath,      // no such operation
  kNotFound,         // no such call, hold or answer
  kWrongMethod,      // the operation takes another method
  kTooLarge,         // a body that is too long
  kWrongType,        // a body that is not JSON
  kInvalidQuestion,  // the service would refuse the question, and bill it
  kPicturesRefused,  // pictures that are missing, unreadable or not good enough
  kNotAllowedHere,   // this kiosk's configuration does not allow it
  kKeyReused,        // the Idempotency-Key came with another body before
  kAskedBefore,      // the same was asked before; asking again must be confirmed
  kPriceDiffers,     // the price that was confirmed is not the present one
  kAttemptsDiffer,   // it was sent again since it was looked at
  kNotPossible,      // not in the state that the call or the hold is in
  kHeld,             // nothing is sent before a person has mended something
  kSpendCap,         // nothing is sent until a cap of spending ends
  kNoRoom,           // the disk or the queue is full
  kBusy,             // too much at once; soon again
  kUnavailable,      // a part that is needed is away
  kDamaged,          // what is kept of it does not prove genuine
  kInternal,         // a bug
};

// A row of the one table of problems. `type` is never changed once it is used.
struct ProblemTraits {
  ProblemKind kind;
  int status;
  std::string_view type;   // behind "urn:idkiosk:problem:"
  std::string_view title;  // the same for all of its kind
};
[[nodiscard]] std::span<const ProblemTraits> AllProblems();
[[nodiscard]] const ProblemTraits& TraitsOf(ProblemKind kind);

// A problem as RFC 9457 has it. Neither sentence holds a secret or anything of a person.
struct Problem {
  ProblemKind kind = ProblemKind::kInternal;
  std::string detail;    // one sentence for a clerk
  std::string engineer;  // one sentence for an engineer
  // More members, by name: "reference", "price", "until".
  std::vector<std::pair<std::string, std::string>> more = {};
  std::vector<std::pair<std::string, std::string>> headers = {};  // of the answer: "Allow"
};

// What a request is told that no program should send; `engineer`: what is wrong with it.
inline constexpr std::string_view kSenseless =
    "The other program sent a request that makes no sense.";
[[nodiscard]] Problem BadRequest(std::string engineer);

// The text of application/problem+json.
[[nodiscard]] std::string ToJson(const Problem& problem);

// The problem that an error of the queue, the vault or the disk is to a program that asks.
[[nodiscard]] Problem ProblemOf(const Error& error, std::string_view detail);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_API_PROBLEM_H_
