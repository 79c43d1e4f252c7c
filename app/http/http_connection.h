#ifndef IDKIOSK_APP_HTTP_HTTP_CONNECTION_H_
#define IDKIOSK_APP_HTTP_HTTP_CONNECTION_H_

#include <httplib.h>
#include <poll.h>

#include <array>
#include <chrono>

namespace idkiosk {

// One accepted connection, of a port or of a socket file, as a byte stream for httplib, with an end
// to a request's time and size. A request's head, and a small body with it, is taken without
// waiting, so that who sends nothing, or a byte now and then, holds no thread. One thread at a
// time.
class HttpConnection final : public httplib::Stream {
 public:
  using Clock = std::chrono::steady_clock;

  // Whose it is: the least comes first.
  enum class Rank {
    kStranger,  // another user's of this machine, who may ask for little
    kOwnUser,   // may ask, and has not shown yet that it knows how
    kKnown,     // did so in its last request
  };

  // Takes over `socket`.
  HttpConnection(int socket, Rank rank) : socket_(socket), rank_(rank) {}
  ~HttpConnection() override;
  HttpConnection(const HttpConnection&) = delete;
  HttpConnection& operator=(const HttpConnection&) = delete;

  [[nodiscard]] Rank rank() const { return rank_; }
  void set_rank(Rank rank) { rank_ = rank; }

  enum class Heard {
    kNothingYet,  // no whole head, or a part of a small body behind it
    kRequest,     // a request, the head of a larger one, or too many bytes for a head
    kGone,
  };
  // Takes what has come, without waiting.
  [[nodiscard]] Heard Hear();
  // Whether an answer can be written now. Who does not read what it asked for before gets no
  // thread.
  [[nodiscard]] bool HasRoom() const { return Await(POLLOUT, Clock::now()); }
  // Limits everything that is read from now on to `longest` and `bytes`.
  void BeginRequest(std::chrono::milliseconds longest, size_t bytes);

  // httplib::Stream
  [[nodiscard]] bool is_readable() const override { return true; }
  [[nodiscard]] bool is_writable() const override;
  ssize_t read(char* to, size_t size) override;
  ssize_t write(const char* from, size_t size) override;
  // Not asked: the server knows both addresses, and gives them with each request.
  void get_remote_ip_and_port(std::string&, int&) const override {}
  void get_local_ip_and_port(std::string&, int&) const override {}
  [[nodiscard]] socket_t socket() const override { return socket_; }

 private:
  [[nodiscard]] bool Await(short events, Clock::time_point deadline) const;
  [[nodiscard]] bool IsOpen() const;

  const int socket_;
  Rank rank_;
  Clock::time_point deadline_{};
  size_t budget_ = 0;  // bytes that this request may still have
  std::array<char, 16 << 10> input_;
  size_t input_begin_ = 0;
  size_t input_end_ = 0;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_HTTP_HTTP_CONNECTION_H_
