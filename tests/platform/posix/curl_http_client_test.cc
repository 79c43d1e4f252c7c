#include "platform/posix/curl_http_client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <thread>
#include <vector>

#include "tests/fakes/text_body.h"
#include "tests/platform/posix/scripted_server.h"

namespace idkiosk {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

class CurlHttpClientTest : public testing::Test {
 protected:
  static std::unique_ptr<CurlHttpClient> PlainClient() {
    auto client =
        CurlHttpClient::Create({.ca_file = {}, .pins = {}, .proxy = {}, .allow_plain_http = true});
    EXPECT_TRUE(client.has_value()) << client.error().message;
    return std::move(*client);
  }

  static HttpRequest Get(const ScriptedServer& server) {
    HttpRequest request;
    request.url = SecretBytes::CopyOf(server.url("/"));
    return request;
  }

  static HttpRequest Post(const ScriptedServer& server, HttpBody& body) {
    HttpRequest request = Get(server);
    request.method = "POST";
    request.body = &body;
    return request;
  }

  // Approves, and counts how often it was asked.
  HttpClient::BeforeSend Approve() {
    return [this]() -> Status {
      ++approvals_;
      return {};
    };
  }

  int approvals_ = 0;
};

TEST_F(CurlHttpClientTest, SendsHeadersAndBodyAndReadsTheAnswer) {
  const ScriptedServer server([](const std::string&) {
    return ScriptedServer::Reaction{
        "HTTP/1.1 201 Created\r\nX-Thing: a b \r\nContent-Length: 2\r\n\r\nhi"};
  });
  TextBody body(std::string(300'000, 'x'));
  HttpRequest request = Post(server, body);
  request.headers.push_back({"X-API-KEY", SecretBytes::CopyOf("key")});
  const HttpExchange exchange = PlainClient()->Send(request, Approve());
  ASSERT_EQ(exchange.stage, SendStage::kAnswered) << exchange.error->message;
  EXPECT_EQ(exchange.answer.status, 201);
  EXPECT_EQ(exchange.answer.body.text(), "hi");
  EXPECT_EQ(exchange.answer.header("x-thing"), "a b");
  const auto requests = server.requests();
  ASSERT_THAT(requests, SizeIs(1));
  EXPECT_THAT(requests[0], HasSubstr("POST / HTTP/1.1\r\n"));
  EXPECT_THAT(requests[0], HasSubstr("X-API-KEY: key\r\n"));
  EXPECT_THAT(requests[0], HasSubstr("Content-Length: 300000\r\n"));
  EXPECT_THAT(requests[0], Not(HasSubstr("Expect:")));
  EXPECT_EQ(approvals_, 1);
}

// A body cannot be rewound here, which alone stops libcurl; a request without one is resent by it.
TEST_F(CurlHttpClientTest, DoesNotResendWhenAUsedConnectionCloses) {
  TextBody body("billed");
  for (HttpBody* each : {static_cast<HttpBody*>(&body), static_cast<HttpBody*>(nullptr)}) {
    approvals_ = 0;
    int served = 0;
    const ScriptedServer server([&](const std::string&) {
      return ++served == 1 ? ScriptedServer::Reaction{OkAnswer("{}")}
                           : ScriptedServer::Reaction{"", true};
    });
    const auto client = PlainClient();
    ASSERT_EQ(client->Send(Get(server), {}).stage, SendStage::kAnswered);
    HttpRequest billed = Get(server);
    billed.method = each == nullptr ? "GET" : "POST";
    billed.body = each;
    const HttpExchange exchange = client->Send(billed, Approve());
    EXPECT_EQ(exchange.stage, SendStage::kSent);
    EXPECT_EQ(exchange.error->code, ErrorCode::kUnavailable);
    EXPECT_THAT(server.requests(), SizeIs(2)) << "one to open the connection, the billed one once";
    EXPECT_EQ(approvals_, 1);
  }
}

TEST_F(CurlHttpClientTest, SendsAgainAfterARequestThatWasLost) {
  int served = 0;
  const ScriptedServer server([&](const std::string&) {
    return ++served == 2 ? ScriptedServer::Reaction{"", true}
                         : ScriptedServer::Reaction{OkAnswer("{}")};
  });
  const auto client = PlainClient();
  for (const SendStage expected : {SendStage::kAnswered, SendStage::kSent, SendStage::kAnswered}) {
    TextBody body(std::string(200'000, 'x'));
    const HttpExchange exchange = client->Send(Post(server, body), Approve());
    EXPECT_EQ(exchange.stage, expected) << (exchange.error ? exchange.error->message : "");
  }
  EXPECT_THAT(server.requests(), SizeIs(3));
}

// Answers each request with the number of its connection, on as many connections as there are.
class NumberingServer {
 public:
  ~NumberingServer() { listener_.Stop(); }

  [[nodiscard]] std::string url() const {
    return fmt::format("http://127.0.0.1:{}/", listener_.port());
  }

 private:
  void Accept() {
    for (int number = 1;; ++number) {
      FileDescriptor connection = listener_.Accept();
      if (!connection.valid()) break;
      served_.emplace_back([socket = std::move(connection), number] {
        char request[4096];
        while (read(socket.get(), request, sizeof(request)) > 0) {
          const std::string answer = OkAnswer(std::to_string(number));
          if (send(socket.get(), answer.data(), answer.size(), MSG_NOSIGNAL) < 0) return;
        }
      });
    }
  }

  const LoopbackListener listener_;
  std::vector<std::jthread> served_;
  std::jthread accepts_{[this] { Accept(); }};
};

TEST_F(CurlHttpClientTest, KeepsNoConnectionButThatOfTheLastAnswer) {
  const NumberingServer server;
  const auto client = PlainClient();
  const auto number = [&](bool fresh) {
    HttpRequest request;
    request.url = SecretBytes::CopyOf(server.url());
    request.fresh_connection = fresh;
    return std::string(client->Send(request, {}).answer.body.text());
  };
  EXPECT_EQ(number(true), "1");
  EXPECT_EQ(number(true), "2");
  EXPECT_EQ(number(false), "2") << "the oldest one may be dead";
  EXPECT_EQ(number(true), "3");
  EXPECT_EQ(number(false), "3");
}

TEST_F(CurlHttpClientTest, AServerThatClosesAfterEachAnswerLosesNothing) {
  const ScriptedServer server(
      [](const std::string&) { return ScriptedServer::Reaction{OkAnswer("{}"), true}; });
  const auto client = PlainClient();
  for (int i = 0; i < 30; ++i) {
    TextBody body("billed");
    HttpRequest request = Post(server, body);
    request.fresh_connection = true;
    EXPECT_EQ(client->Send(request, Approve()).stage, SendStage::kAnswered);
  }
  EXPECT_THAT(server.requests(), SizeIs(30));
}

TEST_F(CurlHttpClientTest, SendsNothingWhenItIsNotApproved) {
  const ScriptedServer server(
      [](const std::string&) { return ScriptedServer::Reaction{OkAnswer("{}")}; });
  TextBody body("billed");
  const HttpExchange exchange = PlainClient()->Send(Post(server, body), []() -> Status {
    return Fail(ErrorCode::kExhausted, "no room for the ledger");
  });
  EXPECT_EQ(exchange.stage, SendStage::kNotSent);
  EXPECT_EQ(exchange.error->code, ErrorCode::kExhausted);
  EXPECT_EQ(exchange.error->message, "no room for the ledger");
  EXPECT_THAT(server.requests(), SizeIs(0));
}

TEST_F(CurlHttpClientTest, ProvesThatNothingWasSentWhenTheConnectionIsRefused) {
  HttpRequest request;
  {
    const ScriptedServer gone([](const std::string&) { return ScriptedServer::Reaction{}; });
    request = Get(gone);
  }
  const HttpExchange exchange = PlainClient()->Send(request, Approve());
  EXPECT_EQ(exchange.stage, SendStage::kNotSent);
  EXPECT_EQ(exchange.error->code, ErrorCode::kUnavailable);
  EXPECT_EQ(approvals_, 0);
}

TEST_F(CurlHttpClientTest, FollowsNoRedirect) {
  const ScriptedServer server([](const std::string&) {
    return ScriptedServer::Reaction{
        "HTTP/1.1 302 Found\r\nLocation: /other\r\nContent-Length: 0\r\n\r\n"};
  });
  const HttpExchange exchange = PlainClient()->Send(Get(server), {});
  EXPECT_EQ(exchange.answer.status, 302);
  EXPECT_THAT(server.requests(), SizeIs(1));
}

TEST_F(CurlHttpClientTest, EndsAtACutAnswer) {
  const ScriptedServer server([](const std::string&) {
    return ScriptedServer::Reaction{"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"a\":", true};
  });
  const HttpExchange exchange = PlainClient()->Send(Get(server), {});
  EXPECT_EQ(exchange.stage, SendStage::kSent);
  EXPECT_EQ(exchange.error->code, ErrorCode::kUnavailable);
}

// A 503 says that nothing was done, and half of one says nothing.
TEST_F(CurlHttpClientTest, AnAnswerThatIsCutWithinItsHeadIsNone) {
  const std::string whole = "HTTP/1.1 503 Busy\r\nRetry-After: 1\r\nContent-Length: 0\r\n\r\n";
  for (size_t size = 1; size <= whole.size(); ++size) {
    SCOPED_TRACE(size);
    const ScriptedServer server(
        [&](const std::string&) { return ScriptedServer::Reaction{whole.substr(0, size), true}; });
    const HttpExchange exchange = PlainClient()->Send(Get(server), {});
    if (size == whole.size()) {
      EXPECT_EQ(exchange.stage, SendStage::kAnswered);
      continue;
    }
    ASSERT_EQ(exchange.stage, SendStage::kSent);
    EXPECT_EQ(exchange.error->code, ErrorCode::kUnavailable) << exchange.error->message;
  }
}

TEST_F(CurlHttpClientTest, RefusesAnAnswerThatIsTooLarge) {
  const ScriptedServer server([](const std::string&) {
    return ScriptedServer::Reaction{OkAnswer(std::string(5000, 'x'))};
  });
  HttpRequest request = Get(server);
  request.max_answer_size = 4999;
  const HttpExchange exchange = PlainClient()->Send(request, {});
  EXPECT_EQ(exchange.stage, SendStage::kSent);
  EXPECT_EQ(exchange.error->code, ErrorCode::kExhausted);
}

TEST_F(CurlHttpClientTest, StopsWaitingAtTheDeadline) {
  const ScriptedServer server([](const std::string&) { return ScriptedServer::Reaction{}; });
  HttpRequest request = Get(server);
  request.total_timeout = std::chrono::milliseconds(50);
  HttpExchange exchange = PlainClient()->Send(request, {});
  // A busy machine may need longer than that to connect.
  while (exchange.stage == SendStage::kNotSent) {
    ASSERT_EQ(exchange.error->code, ErrorCode::kTimeout) << exchange.error->message;
    request.total_timeout *= 2;
    exchange = PlainClient()->Send(request, {});
  }
  EXPECT_EQ(exchange.stage, SendStage::kSent);
  EXPECT_EQ(exchange.error->code, ErrorCode::kTimeout);
}

TEST_F(CurlHttpClientTest, StopsWhenItIsCancelled) {
  const auto client = PlainClient();
  const ScriptedServer server([&](const std::string&) {
    client->Cancel();
    return ScriptedServer::Reaction{};
  });
  const HttpExchange exchange = client->Send(Get(server), {});
  EXPECT_EQ(exchange.stage, SendStage::kSent);
  EXPECT_EQ(exchange.error->code, ErrorCode::kCancelled);
}

TEST_F(CurlHttpClientTest, RefusesPlainHttpUnlessItIsAllowed) {
  const ScriptedServer server(
      [](const std::string&) { return ScriptedServer::Reaction{OkAnswer("")}; });
  const auto client = CurlHttpClient::Create({});
  ASSERT_TRUE(client.has_value()) << client.error().message;
  const HttpExchange exchange = (*client)->Send(Get(server), {});
  EXPECT_EQ(exchange.stage, SendStage::kNotSent);
  EXPECT_EQ(exchange.error->code, ErrorCode::kInvalid);
}

TEST_F(CurlHttpClientTest, NamesTheMissingFileOfCertificates) {
  const auto client =
      CurlHttpClient::Create({.ca_file = "/nowhere/ca.pem", .pins = {}, .proxy = {}});
  ASSERT_FALSE(client.has_value());
  EXPECT_EQ(client.error().code, ErrorCode::kNotFound);
  EXPECT_THAT(client.error().message, HasSubstr("/nowhere/ca.pem"));
}

}  // namespace
}  // namespace idkiosk
