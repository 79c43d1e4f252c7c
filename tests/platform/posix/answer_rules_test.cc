#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <thread>

#include "platform/posix/curl_http_client.h"
#include "tests/fakes/scratch_folder.h"
#include "tests/fakes/text_body.h"
#include "tests/faults/tls_server.h"
#include "tests/platform/posix/scripted_server.h"

// Answers that are no answers to what was asked: too early, of two lengths, or with bytes behind.
namespace {

// Cancelled when its next request has a connection and looks which one that is: no other moment
// lies between libcurl's last look at what it was told and the first byte.
std::atomic<idkiosk::HttpClient*> cancelled_at_its_connection = nullptr;

}  // namespace

// In the C library's place, for this program.
extern "C" int getsockname(int socket, sockaddr* __restrict address,
                           socklen_t* __restrict size) noexcept {
  if (idkiosk::HttpClient* const client = cancelled_at_its_connection.exchange(nullptr)) {
    client->Cancel();
  }
  return static_cast<int>(syscall(SYS_getsockname, socket, address, size));
}

namespace idkiosk {
namespace {

using testing::HasSubstr;

constexpr auto kPatience = std::chrono::minutes(1);

std::unique_ptr<CurlHttpClient> Client(CurlHttpClient::Options options) {
  auto client = CurlHttpClient::Create(std::move(options));
  EXPECT_TRUE(client) << client.error().message;
  return std::move(*client);
}

std::unique_ptr<CurlHttpClient> PlainClient() {
  return Client({.ca_file = {}, .pins = {}, .proxy = {}, .allow_plain_http = true});
}

HttpRequest RequestTo(const std::string& url, HttpBody* body) {
  HttpRequest request;
  request.url = SecretBytes::CopyOf(url);
  request.method = body == nullptr ? "GET" : "POST";
  request.body = body;
  request.connect_timeout = kPatience;
  request.total_timeout = kPatience;
  return request;
}

// Answers on each connection as soon as the first bytes have come, and then reads what else comes.
class HastyServer {
 public:
  explicit HastyServer(std::string answer) : answer_(std::move(answer)) {}
  ~HastyServer() { listener_.Stop(); }

  [[nodiscard]] std::string url() const {
    return fmt::format("http://127.0.0.1:{}/", listener_.port());
  }
  [[nodiscard]] int connections() const { return connections_; }

 private:
  void Serve() {
    for (;;) {
      const FileDescriptor connection = listener_.Accept();
      if (!connection.valid()) return;
      ++connections_;
      char bytes[1024];
      if (recv(connection.get(), bytes, sizeof(bytes), 0) <= 0) continue;
      (void)send(connection.get(), answer_.data(), answer_.size(), MSG_NOSIGNAL);
      while (recv(connection.get(), bytes, sizeof(bytes), 0) > 0) {
      }
    }
  }

  const std::string answer_;
  const LoopbackListener listener_;
  std::atomic<int> connections_ = 0;
  std::jthread thread_{[this] { Serve(); }};
};

TEST(AnswerRulesTest, TellsThatAnAnswerBeganBeforeTheRequestHadLeft) {
  const HastyServer server(OkAnswer("{}"));
  const auto client = PlainClient();
  for (int i = 1; i <= 2; ++i) {
    std::string large;
    large.resize(30'000'000, 'x');
    TextBody pictures(std::move(large));
    const HttpExchange exchange = client->Send(RequestTo(server.url(), &pictures), {});
    ASSERT_EQ(exchange.stage, SendStage::kAnswered) << exchange.error->message;
    EXPECT_TRUE(exchange.answer.early);
    EXPECT_EQ(server.connections(), i) << "the one before is never used again";
  }
}

TEST(AnswerRulesTest, TellsThatNoAnswerToAWholeRequestIsEarly) {
  const ScriptedServer server(
      [](const std::string&) { return ScriptedServer::Reaction{OkAnswer("{}")}; });
  const auto client = PlainClient();
  for (const size_t size : {1, 70'000, 3'000'000}) {
    TextBody body(std::string(size, 'x'));
    const HttpExchange exchange = client->Send(RequestTo(server.url("/"), &body), {});
    ASSERT_EQ(exchange.stage, SendStage::kAnswered) << exchange.error->message;
    EXPECT_FALSE(exchange.answer.early) << size;
  }
}

TEST(AnswerRulesTest, AnAnswerOfTwoLengthsIsNone) {
  const std::pair<std::string, std::string> cases[] = {
      {"Content-Length: 2\r\nContent-Length: 30\r\n\r\n{}", "two Content-Lengths"},
      {"Content-Length: 30\r\nContent-Length: 2\r\n\r\n{}", "two Content-Lengths"},
      {"Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
       "a Content-Length and a Transfer-Encoding"},
      {"Transfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
       "a Content-Length and a Transfer-Encoding"},
      {"Content-Length : 2\r\nContent-Length: 2\r\n\r\n{}", "a space in the name"},
      {"Content-Length: 99999999999999999999\r\n\r\n{}", "no number"},
      {"Transfer-Encoding: identity\r\nContent-Length: 2\r\n\r\n{}", "other than chunked"},
  };
  for (const auto& [rest, why] : cases) {
    const ScriptedServer server([&rest](const std::string&) {
      return ScriptedServer::Reaction{"HTTP/1.1 200 OK\r\n" + rest, true};
    });
    TextBody body("billed");
    const HttpExchange exchange = PlainClient()->Send(RequestTo(server.url("/"), &body), {});
    EXPECT_EQ(exchange.stage, SendStage::kSent) << rest;
    ASSERT_TRUE(exchange.error) << rest;
    EXPECT_EQ(exchange.error->code, ErrorCode::kUnavailable);
    EXPECT_THAT(exchange.error->message, HasSubstr(why));
  }
}

// libcurl reads three digits, and passes over what else stands there.
TEST(AnswerRulesTest, AStatusOfOtherThanThreeDigitsIsNone) {
  for (const std::string status : {"2000 OK", "200x", "2000"}) {
    const ScriptedServer server([&status](const std::string&) {
      return ScriptedServer::Reaction{
          fmt::format("HTTP/1.1 {}\r\nContent-Length: 2\r\n\r\n{{}}", status), true};
    });
    TextBody body("billed");
    const HttpExchange exchange = PlainClient()->Send(RequestTo(server.url("/"), &body), {});
    EXPECT_EQ(exchange.stage, SendStage::kSent) << status;
    ASSERT_TRUE(exchange.error) << status;
    EXPECT_EQ(exchange.error->code, ErrorCode::kUnavailable) << status;
  }
  for (const std::string status : {"200", "200 OK", "200 "}) {
    const ScriptedServer server([&status](const std::string&) {
      return ScriptedServer::Reaction{
          fmt::format("HTTP/1.1 {}\r\nContent-Length: 2\r\n\r\n{{}}", status)};
    });
    const HttpExchange exchange = PlainClient()->Send(RequestTo(server.url("/"), nullptr), {});
    EXPECT_EQ(exchange.stage, SendStage::kAnswered) << status;
    EXPECT_EQ(exchange.answer.status, 200) << status;
  }
}

TEST(AnswerRulesTest, TheSameLengthTwiceIsOneLength) {
  const ScriptedServer server([](const std::string&) {
    return ScriptedServer::Reaction{
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\n{}"};
  });
  const HttpExchange exchange = PlainClient()->Send(RequestTo(server.url("/"), nullptr), {});
  EXPECT_EQ(exchange.stage, SendStage::kAnswered);
}

TEST(AnswerRulesTest, TellsWhetherAnAnswerSaysWhereItEnds) {
  const std::pair<std::string, bool> cases[] = {
      {"Content-Length: 2\r\n\r\n{}", false},
      {"Content-Length: 0\r\n\r\n", false},
      {"Transfer-Encoding: Chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n", false},
      {"Connection: close\r\n\r\n{}", true},
      {"X-Content-Length: 2\r\n\r\n{}", true},
      {"\r\n", true},
  };
  for (const std::string before : {"", "HTTP/1.1 103 Early Hints\r\nContent-Length: 2\r\n\r\n"}) {
    for (const auto& [rest, by_close] : cases) {
      const ScriptedServer server([&](const std::string&) {
        return ScriptedServer::Reaction{before + "HTTP/1.1 429 Wait\r\n" + rest, true};
      });
      const HttpExchange exchange = PlainClient()->Send(RequestTo(server.url("/"), nullptr), {});
      ASSERT_EQ(exchange.stage, SendStage::kAnswered) << rest;
      EXPECT_EQ(exchange.answer.ended_by_close, by_close) << before << rest;
    }
  }
}

TEST(AnswerRulesTest, TellsThatMoreCameBehindAnAnswersEnd) {
  const std::string more = OkAnswer("{}");
  const std::pair<std::string, bool> cases[] = {
      {OkAnswer("{}"), false},
      {OkAnswer("{}") + more, true},
      {OkAnswer(std::string(300'000, 'x')), false},
      {"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", false},
      {"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n" + more, true},
      {"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}" + more, true},
      {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n", false},
      {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nX: y\r\n\r\n", false},
      {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n" + more, true},
      {"HTTP/1.1 100 Continue\r\n\r\n" + OkAnswer("{}"), false},
  };
  for (const auto& [answer, is_more] : cases) {
    const ScriptedServer server(
        [&answer](const std::string&) { return ScriptedServer::Reaction{answer, true}; });
    const HttpExchange exchange = PlainClient()->Send(RequestTo(server.url("/"), nullptr), {});
    ASSERT_EQ(exchange.stage, SendStage::kAnswered) << exchange.error->message;
    EXPECT_EQ(exchange.answer.more_behind, is_more) << answer.substr(0, 200);
  }
}

TEST(AnswerRulesTest, OfWhoNeedsTheHeadAloneTheBodyMayBeAnything) {
  const std::string large = OkAnswer(std::string(300'000, 'x'));
  const std::string cases[] = {
      large,
      "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\ncut",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nno chunk",
      "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n",
  };
  for (const std::string& answer : cases) {
    const ScriptedServer server(
        [&answer](const std::string&) { return ScriptedServer::Reaction{answer, true}; });
    const auto client = PlainClient();
    HttpRequest request = RequestTo(server.url("/"), nullptr);
    request.max_answer_size = 1000;
    EXPECT_EQ(client->Send(request, {}).stage, SendStage::kSent) << answer.substr(0, 200);
    request.needs_head_alone = true;
    for (int i = 0; i < 2; ++i) {
      const HttpExchange exchange = client->Send(request, {});
      ASSERT_EQ(exchange.stage, SendStage::kAnswered) << answer.substr(0, 200);
      EXPECT_EQ(exchange.answer.status, 200);
      EXPECT_LE(exchange.answer.body.size(), 1000U);
    }
  }
  const ScriptedServer cut([](const std::string&) {
    return ScriptedServer::Reaction{"HTTP/1.1 200 OK\r\nContent-Len", true};
  });
  HttpRequest request = RequestTo(cut.url("/"), nullptr);
  request.needs_head_alone = true;
  EXPECT_EQ(PlainClient()->Send(request, {}).stage, SendStage::kSent);
}

TEST(AnswerRulesTest, WhatComesBehindTheLastChunkIsNoHeader) {
  const ScriptedServer server([](const std::string&) {
    return ScriptedServer::Reaction{
        "HTTP/1.1 503 Wait\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n"
        "Retry-After: 1\r\n\r\n"};
  });
  const HttpExchange exchange = PlainClient()->Send(RequestTo(server.url("/"), nullptr), {});
  ASSERT_EQ(exchange.stage, SendStage::kAnswered);
  EXPECT_FALSE(exchange.answer.header("retry-after"));
  EXPECT_TRUE(exchange.answer.header("transfer-encoding"));
}

// Over TLS the bytes behind the answer lie in its last record, where no look at the socket sees
// them.
class BytesBehindTest : public testing::Test {
 protected:
  BytesBehindTest() {
    std::signal(SIGPIPE, SIG_IGN);
    EXPECT_TRUE(faults::AddAuthority(folder_.path(), folder_ / "trusted.pem"));
    server_.emplace(0, folder_.path(), faults::CertificateForm{.what = "good"},
                    faults::Protocol::kTls13,
                    faults::TlsRecords{"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n",
                                       "asked" + OkAnswer("forged")});
    EXPECT_TRUE(server_->good());
    client_ = Client({.ca_file = folder_ / "trusted.pem", .pins = {}, .proxy = {}});
  }

  HttpExchange Ask() {
    const std::string url = fmt::format("https://127.0.0.1:{}/", server_->port());
    return client_->Send(RequestTo(url, nullptr), [this]() -> Status {
      ++approvals_;
      return {};
    });
  }

  const ScratchFolder folder_;
  std::optional<faults::TlsServer> server_;
  std::unique_ptr<CurlHttpClient> client_;
  int approvals_ = 0;
};

TEST_F(BytesBehindTest, AreNotReadAsTheNextAnswer) {
  for (int i = 1; i <= 3; ++i) {
    const HttpExchange exchange = Ask();
    ASSERT_EQ(exchange.stage, SendStage::kAnswered) << exchange.error->message;
    EXPECT_EQ(exchange.answer.body.text(), "asked");
    EXPECT_TRUE(exchange.answer.more_behind);
    EXPECT_EQ(exchange.met_stale_bytes, i > 1) << "its connection was not closed too soon";
    EXPECT_EQ(approvals_, i);
    EXPECT_EQ(server_->connections(), i);
  }
}

// In records of their own, of which none has to have come when the answer is read.
TEST(AnswerRulesTest, TellsThatMoreCameInARecordOfItsOwn) {
  std::signal(SIGPIPE, SIG_IGN);
  const ScratchFolder folder;
  ASSERT_TRUE(faults::AddAuthority(folder.path(), folder / "trusted.pem"));
  const std::string busy = "HTTP/1.1 429 Wait\r\nContent-Length: 4\r\n\r\n";
  const std::string empty = "HTTP/1.1 429 Wait\r\nContent-Length: 0\r\n\r\n";
  const std::string closing = "HTTP/1.1 429 Wait\r\nContent-Length: 4\r\nConnection: close\r\n\r\n";
  const std::string chunked = "HTTP/1.1 429 Wait\r\nTransfer-Encoding: chunked\r\n\r\n";
  const std::pair<faults::TlsRecords, bool> cases[] = {
      {{busy + "wait"}, false},
      {{busy, "wait", OkAnswer("{}")}, true},
      {{busy + "wait", OkAnswer("{}")}, true},
      {{empty}, false},
      {{empty, OkAnswer("{}")}, true},
      {{closing + "wait"}, false},
      {{closing + "wait", OkAnswer("{}")}, true},
      {{chunked + "4\r\nwait\r\n0\r\n\r\n"}, false},
      {{chunked + "4\r\nwait\r\n0\r\n\r\n", OkAnswer("{}")}, true},
  };
  for (const auto protocol : {faults::Protocol::kTls13, faults::Protocol::kTls12Forward}) {
    for (const auto& [records, is_more] : cases) {
      const faults::TlsServer server(0, folder.path(), {.what = "good", .rsa_bits = 2048}, protocol,
                                     records);
      ASSERT_TRUE(server.good());
      HttpRequest request = RequestTo(fmt::format("https://127.0.0.1:{}/", server.port()), nullptr);
      const Duration patience =
          is_more ? Duration(kPatience) : Duration(std::chrono::milliseconds(1));
      request.watch_behind = [=](int status) { return status == 429 ? patience : Duration(); };
      const auto client = Client({.ca_file = folder / "trusted.pem", .pins = {}, .proxy = {}});
      const HttpExchange exchange = client->Send(request, {});
      ASSERT_EQ(exchange.stage, SendStage::kAnswered) << exchange.error->message;
      EXPECT_EQ(exchange.answer.status, 429);
      EXPECT_EQ(exchange.answer.more_behind, is_more) << records.front() << records.size();
    }
  }
}

// What met them is sent over a fresh connection, but not once it was cancelled.
TEST_F(BytesBehindTest, SwallowNoCancel) {
  ASSERT_EQ(Ask().stage, SendStage::kAnswered);
  const size_t bytes_before = server_->request_bytes();
  cancelled_at_its_connection = client_.get();
  const HttpExchange exchange = Ask();
  EXPECT_EQ(exchange.stage, SendStage::kNotSent);
  ASSERT_TRUE(exchange.error);
  EXPECT_EQ(exchange.error->code, ErrorCode::kCancelled);
  EXPECT_EQ(approvals_, 1);
  EXPECT_EQ(server_->connections(), 1);
  EXPECT_EQ(server_->request_bytes(), bytes_before);
  EXPECT_EQ(Ask().stage, SendStage::kAnswered) << "one Cancel ends one exchange";
}

TEST(AnswerRulesTest, SendsNothingOnceItIsCancelled) {
  const ScriptedServer server(
      [](const std::string&) { return ScriptedServer::Reaction{OkAnswer("{}")}; });
  const auto client = PlainClient();
  int approvals = 0;
  const auto send = [&](bool cancels) {
    return client->Send(RequestTo(server.url("/"), nullptr), [&, cancels]() -> Status {
      ++approvals;
      if (cancels) client->Cancel();
      return {};
    });
  };
  cancelled_at_its_connection = client.get();
  for (const bool while_it_is_approved : {false, true}) {
    const HttpExchange exchange = send(while_it_is_approved);
    EXPECT_EQ(exchange.stage, SendStage::kNotSent);
    ASSERT_TRUE(exchange.error);
    EXPECT_EQ(exchange.error->code, ErrorCode::kCancelled);
    EXPECT_EQ(approvals, while_it_is_approved ? 1 : 0);
  }
  ASSERT_EQ(send(false).stage, SendStage::kAnswered);
  EXPECT_EQ(server.requests().size(), 1u) << "the one that nobody cancelled";
}

}  // namespace
}  // namespace idkiosk
