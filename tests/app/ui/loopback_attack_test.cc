#include <gmock/gmock.h>

#include "tests/app/ui/ui_bench.h"

// What others on this machine, or pages of other sites in the kiosk's browser, may try. Each over a
// real socket; none reaches the program behind.
namespace idkiosk {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

class LoopbackAttackTest : public UiBench {
 protected:
  LoopbackAttackTest() { preview_.Open(); }
  ~LoopbackAttackTest() override {
    EXPECT_THAT(desk_.commands(), IsEmpty());
    RecordProperty("attacks", attacks_);  // tools/attack adds them up
  }

  // What is refused was an attack, and is counted; one that is let in fails its test.
  std::string Send(std::string_view bytes) {
    std::string answer = UiBench::Send(bytes);
    const int status = StatusOf(answer);
    if (status == 0 || status >= 400) ++attacks_;
    return answer;
  }
  std::string Ask(Asked asked) {
    asked.more += kClose;
    return Send(Write(std::move(asked)));
  }

  // The headers of a command, as a test wants them.
  Asked CommandWith(std::string headers) const {
    Asked command = Command();
    command.more = std::move(headers) + fmt::format("Content-Length: {}\r\n", command.body.size());
    return command;
  }
  std::string OwnOrigin() const { return fmt::format("Origin: http://{}\r\n", host_); }
  static constexpr const char* kJson = "Content-Type: application/json\r\n";

  // The answer to the form of the start page, but for these headers and this body.
  std::string SendForm(const std::string& headers, const std::string& body) {
    return Send(fmt::format("POST /start HTTP/1.1\r\nHost: {}\r\n{}Content-Length: {}\r\n{}\r\n{}",
                            host_, headers, body.size(), kClose, body));
  }
  static constexpr const char* kNoOrigin = "Origin: null\r\n";
  static constexpr const char* kForm = "Content-Type: application/x-www-form-urlencoded\r\n";

  int attacks_ = 0;
};

// --- Headers ---

// A name with a space is no header that anybody looks for.
TEST_F(LoopbackAttackTest, AHeaderWhoseNameIsNoneIsRefused) {
  Serve();
  for (const std::string& header : std::vector<std::string>{
           "Transfer-Encoding : chunked\r\n", "Content-Length\t: 0\r\n", "Sec-Fetch-Site : x\r\n",
           " folded: onto the header before\r\n", "Ori\x01gin: http://evil.example\r\n"}) {
    EXPECT_EQ(StatusOf(Ask(CommandWith(OwnOrigin() + kJson + header))), 400) << header;
  }
}

// --- Without the token ---

TEST_F(LoopbackAttackTest, NothingIsThereWithoutTheCookie) {
  Serve();
  for (const char* path : {"/", "/page.js", "/events", "/preview", "/pictures/0?s=S1",
                           "/answer-photo?s=S1", "/nothing"}) {
    const std::string answer = Ask({.path = path, .cookie = ""});
    EXPECT_EQ(StatusOf(answer), 403) << path;
    EXPECT_THAT(answer, Not(HasSubstr("Set-Cookie"))) << path;
  }
}

TEST_F(LoopbackAttackTest, AWrongTokenGivesNoCookie) {
  Serve();
  const std::string token = Start().token;
  for (const std::string& form :
       std::vector<std::string>{"", "token", "token=", "token=0", "token=" + std::string(32, '0'),
                                token, "token=" + token.substr(1), "Token=" + token,
                                "token=" + token.substr(1) + "%00", "x=1&token=" + token}) {
    const std::string answer = SendForm(std::string(kNoOrigin) + kForm, form);
    EXPECT_THAT(StatusOf(answer), testing::AnyOf(403, 413)) << form;
    EXPECT_THAT(answer, Not(HasSubstr("Set-Cookie"))) << form;
  }
  EXPECT_EQ(StatusOf(Ask({})), 200) << "the browser that is in stays in";
  EXPECT_EQ(Start().token, token);
}

// The start page is a file, which has no origin; no other page posts its form.
TEST_F(LoopbackAttackTest, OnlyAFilesPagePostsTheToken) {
  Serve();
  const std::string form = "token=" + Start().token;
  for (const std::string& headers : std::vector<std::string>{
           "", OwnOrigin(), "Origin: http://evil.example\r\n", "Origin: file://\r\n",
           std::string(kNoOrigin) + "Sec-Fetch-Dest: iframe\r\n",
           std::string(kNoOrigin) + "Sec-Fetch-Dest: empty\r\n"}) {
    EXPECT_EQ(StatusOf(SendForm(headers + kForm, form)), 403) << headers;
  }
  for (const std::string& type : std::vector<std::string>{
           "", kJson, "Content-Type: text/plain\r\n", "Content-Type: multipart/form-data\r\n"}) {
    EXPECT_EQ(StatusOf(SendForm(kNoOrigin + type, form)), 415) << type;
  }
  EXPECT_EQ(StatusOf(SendForm(std::string(kNoOrigin) + kForm, form + "&x=" + std::string(99, 'x'))),
            413);
  EXPECT_EQ(StatusOf(Start().Post()), 200) << "none of them has used the token up";
}

TEST_F(LoopbackAttackTest, TheTokenIsNoCookieAndOpensNothingElse) {
  Serve();
  const std::string token = Start().token;
  EXPECT_THAT(token, SizeIs(32));
  EXPECT_EQ(StatusOf(Ask({.cookie = "idkiosk=" + token})), 403);
  for (const char* path : {"/", "/events"}) {
    EXPECT_EQ(StatusOf(Ask({.path = fmt::format("{}?token={}", path, token), .cookie = ""})), 403);
  }
  EXPECT_EQ(StatusOf(Ask({.path = "/start?token=" + token, .cookie = ""})), 405);
  EXPECT_EQ(StatusOf(Start().Post()), 200) << "none of them has used it up";
}

TEST_F(LoopbackAttackTest, ATokenOfAnotherStartIsWorthNothing) {
  Serve();
  const std::string old_form = "token=" + Start().token;
  const std::string old_cookie = cookie_;
  Serve();
  EXPECT_EQ(StatusOf(SendForm(std::string(kNoOrigin) + kForm, old_form)), 403);
  EXPECT_EQ(StatusOf(Ask({.cookie = old_cookie})), 403);
}

TEST_F(LoopbackAttackTest, PartOfTheCookieIsNotEnough) {
  Serve();
  EXPECT_EQ(StatusOf(Ask({.cookie = cookie_.substr(0, cookie_.size() - 1)})), 403);
  EXPECT_EQ(StatusOf(Ask({.cookie = cookie_ + "0"})), 403);
  EXPECT_EQ(StatusOf(Ask({.cookie = "idkiosk="})), 403);
}

TEST_F(LoopbackAttackTest, ACookieBesideTheRightOneIsNoWayIn) {
  Serve();
  EXPECT_EQ(StatusOf(Ask({.cookie = "idkiosk=0; " + cookie_})), 403);
  EXPECT_EQ(StatusOf(Ask({.cookie = cookie_ + "; idkiosk=0"})), 403);
  EXPECT_EQ(StatusOf(Ask({.cookie = "theme=dark; " + cookie_})), 200);
}

TEST_F(LoopbackAttackTest, ACommandNeedsTheCookieToo) {
  Serve();
  Asked command = Command();
  command.cookie = "";
  EXPECT_EQ(StatusOf(Ask(command)), 403);
}

// --- From another site ---

TEST_F(LoopbackAttackTest, ANameThatWasPointedHereIsRefused) {
  Serve();
  for (const std::string host :
       {"evil.example", "localhost", "127.0.0.1", "127.0.0.1:1", "[::1]"}) {
    EXPECT_EQ(StatusOf(Ask({.host = host})), 421) << host;
  }
  EXPECT_EQ(StatusOf(Ask({.host = "evil.example:" + std::to_string(server_->port())})), 421);
  std::string start = Start().Request();
  EXPECT_EQ(StatusOf(Send(start.replace(start.find(host_), host_.size(), "evil.example"))), 421);
}

TEST_F(LoopbackAttackTest, TwoHostsOrNoneAreRefused) {
  Serve();
  EXPECT_EQ(StatusOf(Ask({.more = "Host: evil.example\r\n"})), 400);
  EXPECT_EQ(StatusOf(Send(fmt::format("GET / HTTP/1.1\r\nCookie: {}\r\n{}\r\n", cookie_, kClose))),
            421);
}

TEST_F(LoopbackAttackTest, AnotherOriginsCommandIsRefused) {
  Serve();
  for (const std::string& origin :
       std::vector<std::string>{"http://evil.example", "https://" + host_, "http://127.0.0.1",
                                "http://localhost", "null", "http://" + host_ + ".evil.example"}) {
    EXPECT_EQ(StatusOf(Ask(CommandWith("Origin: " + origin + "\r\n" + kJson))), 403) << origin;
  }
}

TEST_F(LoopbackAttackTest, ACommandWithoutAnOriginIsRefused) {
  Serve();
  EXPECT_EQ(StatusOf(Ask(CommandWith(kJson))), 403);
}

TEST_F(LoopbackAttackTest, AFormOfAnotherSiteIsRefused) {
  Serve();
  for (const char* type : {"application/x-www-form-urlencoded", "multipart/form-data; boundary=x",
                           "text/plain", "application/json; charset=x"}) {
    const std::string headers = fmt::format("{}Content-Type: {}\r\n", OwnOrigin(), type);
    EXPECT_EQ(StatusOf(Ask(CommandWith(headers))), 415) << type;
  }
  EXPECT_EQ(StatusOf(Ask(CommandWith(OwnOrigin()))), 415);
}

TEST_F(LoopbackAttackTest, WhatTheBrowserCallsCrossSiteIsRefused) {
  Serve();
  for (const char* site : {"cross-site", "same-site"}) {
    const std::string header = fmt::format("Sec-Fetch-Site: {}\r\n", site);
    EXPECT_EQ(StatusOf(Ask(CommandWith(OwnOrigin() + kJson + header))), 403) << site;
    EXPECT_EQ(StatusOf(Ask({.path = "/pictures/0?s=S1", .more = header})), 403) << site;
    EXPECT_EQ(StatusOf(Ask({.path = "/answer-photo?s=S1", .more = header})), 403) << site;
  }
}

TEST_F(LoopbackAttackTest, AnotherOriginReadsNothing) {
  Serve();
  const std::string answer = Ask({.path = "/events", .more = "Origin: http://evil.example\r\n"});
  EXPECT_EQ(StatusOf(answer), 403);
  EXPECT_THAT(answer, Not(HasSubstr("Access-Control")));
}

TEST_F(LoopbackAttackTest, APreflightGetsNoPermission) {
  Serve();
  const std::string answer = Ask({.method = "OPTIONS",
                                  .path = "/command",
                                  .more = "Origin: http://evil.example\r\n"
                                          "Access-Control-Request-Method: POST\r\n"});
  EXPECT_EQ(StatusOf(answer), 405);
  EXPECT_THAT(answer, Not(HasSubstr("Access-Control")));
}

// --- Ways around ---

TEST_F(LoopbackAttackTest, ALinkIsNoCommand) {
  Serve();
  EXPECT_EQ(StatusOf(Ask({.path = "/command?session=S1&do=agree"})), 405);
}

TEST_F(LoopbackAttackTest, OnlyGetAndPostAreKnown) {
  Serve();
  for (const char* method : {"PUT", "DELETE", "PATCH", "HEAD", "TRACE", "CONNECT"}) {
    const int status = StatusOf(Ask({.method = method}));
    EXPECT_TRUE(status == 405 || status == 400) << method << ": " << status;
  }
}

TEST_F(LoopbackAttackTest, PostsGoToOnePlace) {
  Serve();
  Asked command = Command();
  command.path = "/events";
  EXPECT_EQ(StatusOf(Ask(command)), 405);
}

TEST_F(LoopbackAttackTest, NoPathLeadsToAFile) {
  Serve();
  for (const char* path :
       {"/../../etc/passwd", "/..%2f..%2fetc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "//etc/passwd",
        "/page.js/../../etc/passwd", "/page.js%00.html", "/pictures/../page.js", "/.git/config",
        "/pictures/10?s=S1", "/pictures/-1?s=S1", "/page.jsx"}) {
    EXPECT_EQ(StatusOf(Ask({.path = path})), 404) << path;
  }
}

TEST_F(LoopbackAttackTest, AnAddressOfAProxyIsRefused) {
  Serve();
  const int status = StatusOf(Ask({.path = "http://evil.example/"}));
  EXPECT_TRUE(status >= 400) << status;
}

TEST_F(LoopbackAttackTest, HeadersAreNotForged) {
  Serve();
  const std::string answer = Ask({.path = "/page.js%0d%0aSet-Cookie:%20idkiosk=1"});
  EXPECT_EQ(StatusOf(answer), 404);
  EXPECT_THAT(answer, Not(HasSubstr("Set-Cookie")));
}

TEST_F(LoopbackAttackTest, ASecondRequestIsNotSmuggledInABody) {
  Serve();
  const std::string inner = "GET /page.js HTTP/1.1\r\nHost: " + host_ + "\r\n\r\n";
  const std::string answer =
      Send(Write({.more = fmt::format("Content-Length: {}\r\n", inner.size()), .body = inner}));
  EXPECT_EQ(StatusOf(answer), 400);
  EXPECT_THAT(answer, Not(HasSubstr("let x;")));
}

TEST_F(LoopbackAttackTest, TwoLengthsOrChunksAreRefused) {
  Serve();
  Asked twice = Command();
  twice.more += "Content-Length: 5\r\n";
  EXPECT_EQ(StatusOf(Ask(twice)), 400);
  Asked chunked = Command();
  chunked.more += "Transfer-Encoding: chunked\r\n";
  EXPECT_EQ(StatusOf(Ask(chunked)), 400);
  Asked negative = CommandWith(OwnOrigin() + kJson);
  negative.more = OwnOrigin() + kJson + "Content-Length: -1\r\n";
  EXPECT_EQ(StatusOf(Ask(negative)), 400);
}

// --- Too much ---

TEST_F(LoopbackAttackTest, AnOversizedBodyIsRefusedUnread) {
  Serve();
  Asked command = CommandWith("");
  command.more = OwnOrigin() + kJson + "Content-Length: 1000000000\r\n";
  EXPECT_EQ(StatusOf(Ask(command)), 413);
}

TEST_F(LoopbackAttackTest, AnOversizedHeaderIsRefused) {
  Serve();
  const std::string answer = Ask({.more = "X-Long: " + std::string(100'000, 'x') + "\r\n"});
  EXPECT_NE(StatusOf(answer), 200);
}

TEST_F(LoopbackAttackTest, TooManyHeadersAreRefused) {
  Serve();
  std::string many;
  for (int i = 0; i < 1000; ++i) many += fmt::format("X-{}: x\r\n", i);
  EXPECT_NE(StatusOf(Ask({.more = many})), 200);
}

TEST_F(LoopbackAttackTest, AnOversizedAddressIsRefused) {
  Serve();
  EXPECT_NE(StatusOf(Ask({.path = "/?" + std::string(100'000, 'x')})), 200);
}

TEST_F(LoopbackAttackTest, BytesThatAreNoRequestEndTheConnection) {
  Serve();
  for (const std::string& bytes :
       {std::string("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", 15),
        std::string("\r\n\r\n"), std::string("GET\r\n\r\n"), std::string("GET / HTTP/9.9\r\n\r\n"),
        std::string("\0\0\0\0\r\n\r\n", 8)}) {
    EXPECT_NE(StatusOf(Send(bytes)), 200);
  }
  EXPECT_EQ(StatusOf(Ask({})), 200);
}

TEST_F(LoopbackAttackTest, WhatIsNoJsonObjectIsNoCommand) {
  Serve();
  for (const char* body : {"", "[]", "null", "{", "\"start\"", "{\"session\":\"S1\"}{}"}) {
    EXPECT_EQ(StatusOf(Ask(Command(body))), 400) << body;
  }
  EXPECT_EQ(StatusOf(Ask(Command(std::string(10'000, '[')))), 400);
}

// --- Too slow ---

TEST_F(LoopbackAttackTest, WhoSendsByteByByteIsCutOff) {
  Serve({.request_time = 200ms});
  RawClient slow(server_->port());
  // Fewer bytes than a request may have, so that nothing but its time ends it.
  int sent = 0;
  ++attacks_;
  while (!slow.IsClosedWithin(5ms) && slow.Send("x")) ++sent;
  EXPECT_LT(sent, 4000);
}

TEST_F(LoopbackAttackTest, WhoAnnouncesABodyAndSendsNoneIsCutOff) {
  Serve({.request_time = 200ms});
  Asked command = Command();
  command.body.clear();
  RawClient slow(server_->port());
  slow.Send(Write(command));
  ++attacks_;
  EXPECT_NE(StatusOf(slow.ReadAll()), 204);
}

TEST_F(LoopbackAttackTest, ManySilentConnectionsDoNotKeepTheKioskOutForLong) {
  Serve({.request_time = 200ms});
  std::vector<std::unique_ptr<RawClient>> silent;
  for (int i = 0; i < 64; ++i) silent.push_back(std::make_unique<RawClient>(server_->port()));
  attacks_ += static_cast<int>(silent.size());
  // Refused for as long as they have, and no longer.
  while (StatusOf(UiBench::Ask({})) != 200) std::this_thread::yield();
}

TEST_F(LoopbackAttackTest, StreamsHaveAnEnd) {
  Serve();
  std::vector<std::unique_ptr<RawClient>> streams;
  for (int i = 0; i < 6; ++i) {
    streams.push_back(std::make_unique<RawClient>(server_->port()));
    streams.back()->Send(Write({.path = "/events"}));
    EXPECT_EQ(StatusOf(streams.back()->ReadUntil("\r\n\r\n")), 200);
  }
  EXPECT_EQ(StatusOf(Ask({.path = "/events"})), 503);
  EXPECT_EQ(StatusOf(Ask({})), 200);
}

// --- What comes from the service ---

TEST_F(LoopbackAttackTest, AScriptInASnapshotStaysAString) {
  Serve();
  snapshots_.Put(
      SecretBytes::CopyOf(std::string_view(R"({"label":"<script>alert(1)</script>\n\ndata: {}"})")),
      1);
  ++attacks_;
  RawClient page(server_->port());
  page.Send(Write({.path = "/events"}));
  const std::string stream = page.ReadUntil("data: {}");
  EXPECT_THAT(stream, HasSubstr("Content-Type: text/event-stream"));
  EXPECT_THAT(stream, HasSubstr(R"(</script>\n\ndata: {}"})"));
}

TEST_F(LoopbackAttackTest, ARefusalRepeatsNothingOfTheRequest) {
  Serve();
  const std::string answer = Ask({.path = "/<script>alert(1)</script>"});
  EXPECT_EQ(StatusOf(answer), 404);
  EXPECT_THAT(answer, Not(HasSubstr("script>alert")));
  EXPECT_THAT(answer, Not(HasSubstr("cpp-httplib")));
}

}  // namespace
}  // namespace idkiosk
