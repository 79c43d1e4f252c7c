#ifndef IDKIOSK_APP_UI_REQUEST_CHECK_H_
#define IDKIOSK_APP_UI_REQUEST_CHECK_H_

#include <httplib.h>

#include <optional>
#include <string>
#include <string_view>

#include "platform/base/secret_bytes.h"

namespace idkiosk {

// Decides which requests are the kiosk's own browser's, before a byte of their body is read.
class RequestCheck {
 public:
  static constexpr size_t kLargestBody = 16 << 10;  // bytes

  struct Options {
    std::string host;    // "127.0.0.1:PORT"
    SecretBytes token;   // of the start address
    SecretBytes cookie;  // what the browser gets for it
    bool metrics = false;
  };

  explicit RequestCheck(Options options) : options_(std::move(options)) {}

  // Why a request is refused.
  struct Refusal {
    int status;
    std::string_view sentence;
  };
  // Nothing for one that may go on.
  [[nodiscard]] std::optional<Refusal> Check(const httplib::Request& request) const;

  // Why another user of this machine is refused.
  [[nodiscard]] static Refusal OfOtherUser() {
    return {403, "This page belongs to the kiosk's own browser."};
  }

  [[nodiscard]] bool HasCookie(const httplib::Request& request) const;

  // A start address with the right token.
  [[nodiscard]] bool IsStart(const httplib::Request& request) const;

 private:
  [[nodiscard]] std::optional<Refusal> CheckOrigin(const httplib::Request& request) const;

  const Options options_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_UI_REQUEST_CHECK_H_
