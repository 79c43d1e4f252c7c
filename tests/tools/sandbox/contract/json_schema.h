#ifndef IDKIOSK_TESTS_TOOLS_SANDBOX_CONTRACT_JSON_SCHEMA_H_
#define IDKIOSK_TESTS_TOOLS_SANDBOX_CONTRACT_JSON_SCHEMA_H_

#include <string>

#include "platform/base/json.h"

namespace idkiosk::sandbox {

// Returns the fault of `value` by a schema of an OpenAPI 3.1 `document`; empty for none. Knows
// the words that tools/sandbox/openapi.json uses, and complains about any other.
[[nodiscard]] std::string Complaint(JsonView document, JsonView schema, JsonView value);

// `value`, or what its "$ref" points to.
[[nodiscard]] JsonView Resolve(JsonView document, JsonView value);

}  // namespace idkiosk::sandbox

#endif  // IDKIOSK_TESTS_TOOLS_SANDBOX_CONTRACT_JSON_SCHEMA_H_
