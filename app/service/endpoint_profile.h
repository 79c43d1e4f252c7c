#ifndef IDKIOSK_APP_SERVICE_ENDPOINT_PROFILE_H_
#define IDKIOSK_APP_SERVICE_ENDPOINT_PROFILE_H_

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/service/endpoint.h"
#include "app/service/request_template.h"
#include "app/settings/settings.h"
#include "platform/api/file_system.h"
#include "platform/base/error.h"

// The deployment's knowledge of the service: config/profiles/*.jsonc, which documents every key.
namespace idkiosk {

enum class Authentication { kNone, kThreeHeaders, kApiKeyBearer };
enum class BodyFormat { kNone, kJson, kMultipart };

// How a 404 looks that surely means "no such record": the service's message holds a text, or the
// value at a pointer is one of some. One of the two is given.
struct NoRecordShape {
  std::string message;
  std::string pointer;
  std::vector<std::string> values;  // as compact JSON
};

// JSON pointers into an answer (RFC 6901). Nothing: this endpoint's answer has no such part.
struct AnswerShape {
  std::optional<std::string> verified;
  std::vector<std::string> verified_values;      // as compact JSON; what says yes
  std::vector<std::string> not_verified_values;  // and what says no; anything else is unreadable
  std::optional<std::string> name;
  std::optional<std::string> status;
  std::optional<std::string> photo;  // base64, also as a data: address
  std::optional<std::string> reference;
  std::optional<std::string> attempt_id;  // repeats the request's {attempt_id}
  std::optional<std::string> list;        // request reasons
  std::optional<std::string> code;        // within an element of `list`
  std::optional<std::string> label;       // within an element of `list`
  std::optional<std::string> token;
  std::optional<std::string> expires_at;
  std::optional<std::string> user_id;
};

struct EndpointProfile {
  Endpoint endpoint = Endpoint::kCheck;
  bool documented = false;  // shown in the service's document, or delivered by its operator
  std::string method;
  std::string path;  // begins with a slash
  Authentication authentication = Authentication::kNone;
  BodyFormat body = BodyFormat::kNone;
  Template json;                     // kJson: the whole text of the body
  std::vector<NamedTemplate> parts;  // kMultipart: in order; a name may come again
  std::vector<NamedTemplate> query;
  std::vector<std::string> kinds;  // what {type} or {search_type} may be, the usual one first
  AnswerShape answer;
  std::optional<NoRecordShape> no_record;  // nothing: a 404 may as well be a wrong address
  bool billed = false;
  bool has_attempt_id = false;  // "{attempt_id}" stands in the body or the query
  bool has_reason = false;      // and "{request_reason}"
  std::string source;           // as the file has it, compact: tells whether it was changed
  int64_t price = 0;            // of one attempt, in hundredths of the currency
  std::vector<std::string>
      missing;  // keys that are null or a whole endpoint: "endpoints.verify.path"
};

// Whether an attempt was billed, as far as its answer tells.
enum class Billed { kNo, kMaybe, kYes };

struct ServiceProfile {
  std::string file;  // as it was named to the parser, for messages
  std::string name;
  std::string currency;                    // "NGN"
  std::vector<std::string> error_message;  // JSON pointers; the first that is there
  std::map<int, Billed> billed_by_status;  // of errors; else the table of outcome.cc
  // How long the service leaves a connection open after an answer; zero: nobody said so.
  Duration keep_alive{};
  // The header of a billed request that tells one attempt from all others; empty: none.
  std::string attempt_id_header;
  std::array<EndpointProfile, kEndpointCount> endpoints;

  [[nodiscard]] const EndpointProfile& at(Endpoint endpoint) const {
    return endpoints[static_cast<size_t>(endpoint)];
  }
  // Whether a billed request of this endpoint has a place for the attempt's own number.
  [[nodiscard]] bool TakesAttemptId(Endpoint endpoint) const {
    return at(endpoint).billed && (at(endpoint).has_attempt_id || !attempt_id_header.empty());
  }
};

// `file` is what messages call the text. Errors: kInvalid, with file, line and key.
[[nodiscard]] Result<ServiceProfile> ParseProfile(std::string_view text, std::string_view file);

// The profile in the file that service.profile names. Errors also: FileSystem::Read's.
[[nodiscard]] Result<ServiceProfile> LoadProfile(FileSystem& files, const std::string& path);

// Whether this endpoint may be called at all. Errors: kFailedPrecondition, naming the keys of the
// profile that are still to be filled in.
[[nodiscard]] Status CheckCallable(const ServiceProfile& profile, Endpoint endpoint,
                                   Environment environment);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_SERVICE_ENDPOINT_PROFILE_H_
