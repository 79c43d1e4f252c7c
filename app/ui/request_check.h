#ifndef IDKIOSK_APP_UI_REQUEST_CHECK_H_
#define IDKIOSK_APP_UI_REQUEST_CHECK_H_

#include <httplib.h>

#include <optional>
#include <string>
#include <string_view>

#include "app/ui/browser_login.h"

namespace idkiosk {

// Decides which requests are the kiosk's own browser's, before a byte of their body is read.
class RequestCheck {
 public:
  static constexpr size_t kLargestBody = 16 << 10;  // bytes

  struct Options {
    std::string host;  // "127.0.0.1:PORT"
    const BrowserLogin& login;
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

  // Returns the token in a start page's form; empty for anything else.
  [[nodiscard]] static std::string_view TokenIn(std::string_view body);

 private:
  [[nodiscard]] std::optional<Refusal> CheckOrigin(const httplib::Request& request) const;

  const Options options_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_UI_REQUEST_CHECK_H_
