#ifndef IDKIOSK_TESTS_APP_UI_RAW_CLIENT_H_
#define IDKIOSK_TESTS_APP_UI_RAW_CLIENT_H_

#include <chrono>
#include <string>
#include <string_view>

namespace idkiosk {

// A connection to a server of this machine that sends whatever bytes a test wants to be seen.
class RawClient {
 public:
  explicit RawClient(int port);
  // To a socket file.
  explicit RawClient(const std::string& path);
  ~RawClient();
  RawClient(const RawClient&) = delete;
  RawClient& operator=(const RawClient&) = delete;

  // False once the server takes no more.
  bool Send(std::string_view bytes);
  // Reads at least a byte; returns nothing once the server has closed.
  std::string ReadSome();
  // Everything until the server closes.
  std::string ReadAll();
  // Until `text` has come, or the server closes.
  std::string ReadUntil(std::string_view text);
  // Reads what has come, and returns whether the server has closed behind it.
  [[nodiscard]] bool HasEnded();
  // Waits so long for the server to close, or to send anything.
  [[nodiscard]] bool IsClosedWithin(std::chrono::milliseconds time) const;

 private:
  int socket_;
};

// What a browser reads in the kiosk's start page.
struct StartPage {
  explicit StartPage(std::string_view html);

  // Returns the request that the browser makes of the page's form.
  [[nodiscard]] std::string Request() const;
  // Sends it, and returns the answer.
  [[nodiscard]] std::string Post() const;

  int port;
  std::string host;  // "127.0.0.1:PORT"
  std::string token;
};
// Returns the cookie that an answer sets, "idkiosk=..."; empty for none.
std::string CookieIn(std::string_view answer);

// The status of an answer; 0 for none.
int StatusOf(std::string_view answer);
// Returns everything behind the headers.
std::string_view BodyOf(std::string_view answer);

}  // namespace idkiosk

#endif  // IDKIOSK_TESTS_APP_UI_RAW_CLIENT_H_
