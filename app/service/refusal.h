#ifndef IDKIOSK_APP_SERVICE_REFUSAL_H_
#define IDKIOSK_APP_SERVICE_REFUSAL_H_

#include <string_view>

#include "app/service/endpoint_profile.h"
#include "platform/api/http_client.h"

// Whether an answer with status 300 or more is what its status says: a refusal, for which nothing
// was done. Some gateways put an error's status before the answer of somebody else.
namespace idkiosk {

// Returns whether a refusal says yes all the same: with a yes, or what looks like one, under the
// name that the profile's `verified` ends with, wherever it stands in the body, or with a
// photograph. Where the profile has no `verified`, a name says yes, too. Where the body is not
// JSON, the quoted name alone does: nobody can tell what was cut behind it. An error may have a
// status and a no.
[[nodiscard]] bool SaysYes(const EndpointProfile& profile, const HttpAnswer& refusal);

// Returns whether the value of one of its headers says yes, as SaysYes means it.
[[nodiscard]] bool HeaderSaysYes(const EndpointProfile& profile, const HttpAnswer& refusal);

// Returns which part of an answer the body of a refusal holds, for "..., but ..."; empty where it
// holds none. Parts are the profile's own "no such record", and the service's reference: who gives
// one has looked the number up. The attempt's own number is none: whoever refuses a request may
// repeat what was in it. `message`: the error's, as ReadErrorMessage gives it.
[[nodiscard]] std::string_view PartOfAnAnswer(const EndpointProfile& profile,
                                              const HttpAnswer& refusal, std::string_view message);

// Returns whether a refusal that would be sent again by itself may be about an answer: it spells
// the name that `verified` ends with, in whatever wrapping, also base64. A no is an answer, too.
[[nodiscard]] bool IsAboutAnAnswer(const EndpointProfile& profile, const HttpAnswer& refusal);

// Returns why it is not proven that a refusal has come in whole and as it was sent, for "..., but
// ..."; empty where it is. Proven is one that says its length, with nothing behind its end, in a
// body that is empty, one JSON object, list or text, markup up to its end, or text in which no
// bracket and no quote is left open.
[[nodiscard]] std::string_view DoubtOfRefusal(const HttpAnswer& refusal);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_SERVICE_REFUSAL_H_
