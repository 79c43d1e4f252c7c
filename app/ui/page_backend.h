#ifndef IDKIOSK_APP_UI_PAGE_BACKEND_H_
#define IDKIOSK_APP_UI_PAGE_BACKEND_H_

#include <string>
#include <string_view>

#include "app/session/command_reply.h"
#include "platform/base/json.h"
#include "platform/base/secret_bytes.h"

namespace idkiosk {

// The requests of the page to the program. Called on the server's threads. Errors of every
// function: kUnavailable (the program is too busy to answer now).
class PageBackend {
 public:
  virtual ~PageBackend() = default;

  // {"session": S, "do": NAME, ...}: PageController::Do. After kUnavailable nothing of it was done,
  // and nothing will be.
  [[nodiscard]] virtual CommandReply Command(JsonDocument body) = 0;

  // The page is opened, by a browser that has just come in or anew: PageController::OnPageOpened
  // has run when this returns without an error.
  [[nodiscard]] virtual Status PageOpened() = 0;

  // One of the pictures that are looked at. Errors: kNotFound.
  [[nodiscard]] virtual Result<SecretBytes> Picture(std::string_view session, size_t index) = 0;

  // The picture in the answer on a clerk's desk, a JPEG or PNG. Errors: kNotFound.
  [[nodiscard]] virtual Result<SecretBytes> AnswerPhoto(std::string_view session) = 0;

  // Numbers about the program, in Prometheus's text format.
  [[nodiscard]] virtual std::string Metrics() = 0;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_UI_PAGE_BACKEND_H_
