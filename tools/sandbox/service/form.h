#ifndef IDKIOSK_TOOLS_SANDBOX_SERVICE_FORM_H_
#define IDKIOSK_TOOLS_SANDBOX_SERVICE_FORM_H_

#include <string>
#include <string_view>
#include <vector>

#include "platform/base/bytes.h"
#include "platform/base/json.h"
#include "tools/sandbox/http/http.h"

namespace idkiosk::sandbox {

// The fields of a request, whichever way they came: a JSON body, multipart/form-data, or a query.
// Borrows from the request. Messages are for the caller; they never hold a value.
class Form {
 public:
  // A body that cannot be read makes a form without fields; `defect` says why.
  explicit Form(const HttpRequest& request);

  // One sentence; empty for a form that was read.
  [[nodiscard]] const std::string& defect() const { return defect_; }

  // Errors: kInvalid where the field is missing, empty or no text.
  [[nodiscard]] Result<std::string> Text(std::string_view name) const;
  // The same; empty instead of an error.
  [[nodiscard]] std::string TextOrNothing(std::string_view name) const;

  // How many pictures came under this name.
  [[nodiscard]] size_t PictureCount(std::string_view name) const;
  // Their bytes, taken out of base64 where they came in JSON. Errors: kInvalid.
  [[nodiscard]] Result<std::vector<Bytes>> Pictures(std::string_view name) const;

 private:
  const HttpRequest& request_;
  JsonDocument json_;
  std::string defect_;
};

}  // namespace idkiosk::sandbox

#endif  // IDKIOSK_TOOLS_SANDBOX_SERVICE_FORM_H_
