#ifndef IDKIOSK_APP_SERVICE_REQUEST_CODEC_H_
#define IDKIOSK_APP_SERVICE_REQUEST_CODEC_H_

#include <memory>
#include <vector>

#include "app/service/verification_call.h"
#include "platform/api/http_client.h"

namespace idkiosk {

// One value of a request, borrowed.
struct RequestValue {
  Placeholder placeholder;
  ByteSpan value;
};

// A request and the body it points at. The body reads the values it was built from while it is
// sent: they must outlive it.
struct BuiltRequest {
  HttpRequest request;
  std::unique_ptr<HttpBody> body;
};

// Method, address, query, body and limits; no authentication. Pictures become base64 text (JSON) or
// files (multipart) while they are read, a piece at a time. Errors: kInvalid (a value that the
// profile asks for is not there).
[[nodiscard]] Result<BuiltRequest> BuildRequest(const EndpointProfile& profile,
                                                const ServiceSettings& settings,
                                                const std::vector<RequestValue>& values);

// The values of a call, borrowed from it.
[[nodiscard]] std::vector<RequestValue> ValuesOf(const VerificationCall& call);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_SERVICE_REQUEST_CODEC_H_
