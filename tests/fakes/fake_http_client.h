#ifndef IDKIOSK_TESTS_FAKES_FAKE_HTTP_CLIENT_H_
#define IDKIOSK_TESTS_FAKES_FAKE_HTTP_CLIENT_H_

#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "platform/api/http_client.h"
#include "tests/fakes/fake_clock.h"

namespace idkiosk {

// A network with one server behind it, played by the test.
class FakeHttpClient final : public HttpClient {
 public:
  // A request as it came to the server.
  struct Seen {
    std::string method;
    std::string url;
    std::vector<std::pair<std::string, std::string>> headers;
    std::string body;
    bool fresh_connection = false;
    bool needs_head_alone = false;
    std::function<Duration(int status)> watch_behind;

    // Empty if there is none of that name.
    [[nodiscard]] std::string header(std::string_view name) const;
  };

  struct Reply {
    enum class How {
      kAnswer,
      kRefuse,       // no connection: before_send is not called
      kDistrust,     // the certificate does not fit: before_send is not called
      kDrop,         // the request is taken, and the connection breaks
      kCut,          // the same in the middle of the answer
      kRepeat,       // a bad transport: drops, and sends again if before_send lets it
      kCancelEarly,  // cancelled before anything was sent
    };
    How how = How::kAnswer;
    int status = 200;
    std::string body;
    std::vector<HttpAnswer::Header> headers;
    bool ended_by_close = false;
    bool met_stale_bytes = false;  // on the connection used before; it came over a fresh one
    Duration delay{};  // moves the clock; longer than the request's total timeout: kTimeout
    std::function<void()> on_arrival;  // runs when the request has come to the server
  };

  using Server = std::function<Reply(const Seen&)>;

  // `clock` must outlive this.
  explicit FakeHttpClient(FakeClock& clock) : clock_(clock) {}

  // Replies are played in order; when there are none left, `server` is asked (or refuses).
  void Play(Reply reply) { script_.push_back(std::move(reply)); }
  void Answer(int status, std::string body, std::vector<HttpAnswer::Header> headers = {});
  void set_server(Server server) { server_ = std::move(server); }

  [[nodiscard]] HttpExchange Send(const HttpRequest& request, BeforeSend before_send) override;
  void Cancel() override { ++cancels_; }

  // The requests that came to the server, in order: bytes of these have left.
  [[nodiscard]] const std::vector<Seen>& seen() const { return seen_; }
  // Those whose address holds `text`.
  [[nodiscard]] int CountSeen(std::string_view text) const;
  // Tries, whether or not the server saw them.
  [[nodiscard]] int attempts() const { return attempts_; }
  [[nodiscard]] int cancels() const { return cancels_; }

 private:
  Reply NextReply(const Seen& seen);

  FakeClock& clock_;
  std::deque<Reply> script_;
  Server server_;
  std::vector<Seen> seen_;
  int attempts_ = 0;
  int cancels_ = 0;
};

}  // namespace idkiosk

#endif  // IDKIOSK_TESTS_FAKES_FAKE_HTTP_CLIENT_H_
