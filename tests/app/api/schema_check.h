#ifndef IDKIOSK_TESTS_APP_API_SCHEMA_CHECK_H_
#define IDKIOSK_TESTS_APP_API_SCHEMA_CHECK_H_

#include <string>
#include <string_view>

#include "platform/base/json.h"

namespace idkiosk {

// Holds a value against a schema of an OpenAPI 3.1 document, as far as ours uses JSON Schema: $ref,
// type, enum, const, required, properties, additionalProperties: false, items, pattern, minimum.
// Returns what is wrong with it; empty: nothing.
[[nodiscard]] std::string Misfit(JsonView value, JsonView schema, JsonView document,
                                 const std::string& at = "");

// The same for an answer of the server to `method` and the path's `template` in the document.
[[nodiscard]] std::string MisfitOfAnswer(std::string_view answer, std::string_view method,
                                         std::string_view path, JsonView document);

}  // namespace idkiosk

#endif  // IDKIOSK_TESTS_APP_API_SCHEMA_CHECK_H_
