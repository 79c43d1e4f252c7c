#include <gmock/gmock.h>

#include "tests/app/api/api_bench.h"

// What a broken or hostile program of the right group may send. None of it reaches the queue, and
// the next request is answered.
namespace idkiosk {
namespace {

using namespace std::chrono_literals;
using testing::IsEmpty;

constexpr const char* kJson = "Content-Type: application/json\r\n";

struct Attack {
  std::string name;
  std::string bytes;
  int status;  // 0: cut off without an answer
};

std::string Request(const std::string& line, const std::string& headers = "",
                    const std::string& body = "") {
  return fmt::format("{} HTTP/1.1\r\nHost: local\r\n{}Connection: close\r\n\r\n{}", line, headers,
                     body);
}
std::string Sized(const std::string& body, const std::string& more = kJson) {
  return fmt::format("{}Content-Length: {}\r\n", more, body.size());
}
std::string Deep(size_t levels) {
  return R"({"endpoint":)" + std::string(levels, '[') + std::string(levels, ']') + "}";
}

std::vector<Attack> Attacks() {
  const std::string post = "POST /v1/checks";
  const std::string resend = "POST /v1/checks/KD7Q2M:resend";
  const std::string chunked = std::string(kJson) + "Transfer-Encoding: chunked\r\n";
  std::vector<Attack> all = {
      {"NoHttp", "\x16\x03\x01\x02hello\r\n\r\n", 400},
      {"NoVersion", "GET /v1/health\r\n\r\n", 400},
      {"OtherVersion", "GET /v1/health HTTP/3.0\r\n\r\n", 400},
      {"UnknownMethod", Request("BREW /v1/health"), 400},
      {"Head", Request("HEAD /v1/health"), 405},
      {"Put", Request("PUT /v1/checks", Sized("{}"), "{}"), 405},
      {"Options", Request("OPTIONS /v1/checks"), 405},
      {"Connect", Request("CONNECT /v1/checks"), 405},
      {"Dots", Request("GET /v1/../v1/health"), 404},
      {"EncodedDots", Request("GET /v1/%2e%2e/health"), 404},
      {"EncodedSlash", Request("GET /v1%2fhealth"), 404},
      {"DoubleSlash", Request("GET //v1//health"), 404},
      {"TrailingSlash", Request("GET /v1/health/"), 404},
      {"WholeAddress", Request("GET http://local/v1/health"), 404},
      {"EncodedZero", Request("GET /v1/checks/KD7Q2M%00"), 404},
      {"LineBreakInName", Request("GET /v1/checks/KD7Q2M%0d%0aX"), 404},
      {"NameOfAFile", Request("GET /v1/checks/..%2f..%2fetc%2fpasswd"), 404},
      {"UnknownAction", Request("POST /v1/checks/KD7Q2M:destroy", Sized("{}"), "{}"), 404},
      {"LongLine", Request("GET /v1/" + std::string(5000, 'a')), 400},
      {"LongHeader", Request("GET /v1/health", "X: " + std::string(9000, 'a') + "\r\n"), 400},
      {"UnknownParameter", Request("GET /v1/checks?drop=table"), 400},
      {"RepeatedParameter", Request("GET /v1/checks?limit=1&limit=2"), 400},
      {"HugeLimit", Request("GET /v1/checks?limit=99999999999999999999"), 400},
      {"NegativePage", Request("GET /v1/checks?page=-1"), 400},
      {"Statement", Request("GET /v1/checks?state=done%27%20OR%201=1"), 400},
      {"BodyOfAGet", Request("GET /v1/health", Sized("{}"), "{}"), 400},
      {"TwoLengths", Request(post, Sized("{}") + "Content-Length: 7\r\n", "{}"), 400},
      {"NegativeLength", Request(post, std::string(kJson) + "Content-Length: -1\r\n"), 400},
      {"HugeLength", Request(post, std::string(kJson) + "Content-Length: 99999999999\r\n"), 413},
      {"LengthThatIsNone", Request(post, std::string(kJson) + "Content-Length: 0x10\r\n"), 400},
      {"SmallBodyTooLarge", Request(resend, Sized(std::string(5000, ' ')), std::string(5000, ' ')),
       413},
      {"Chunks", Request(post, chunked, "5\r\n{\"a\":\r\n0\r\n\r\n"), 400},
      {"ChunksOfNonsense", Request(post, chunked, "FFFFFFFFFFFFFFFF\r\n"), 400},
      {"ChunksAndLength", Request(post, chunked + "Content-Length: 2\r\n", "{}"), 400},
      {"Range", Request("GET /v1/openapi.json", "Range: bytes=0-3\r\n"), 400},
      {"RangeOfNonsense", Request("GET /v1/openapi.json", "Range: bytes=9-3\r\n"), 400},
      {"Compressed", Request(post, Sized("{}") + "Content-Encoding: gzip\r\n", "{}"), 400},
      {"Form",
       Request(post, Sized("a=b", "Content-Type: application/x-www-form-urlencoded\r\n"), "a=b"),
       415},
      {"Multipart",
       Request(post, Sized("--x", "Content-Type: multipart/form-data; boundary=x\r\n"), "--x"),
       415},
      {"TwoKeys", Request(post, Sized("{}") + "Idempotency-Key: a\r\nIdempotency-Key: b\r\n", "{}"),
       400},
      {"EmptyKey", Request(post, Sized("{}") + "Idempotency-Key:\r\n", "{}"), 400},
      {"LongKey",
       Request(post, Sized("{}") + "Idempotency-Key: " + std::string(129, 'k') + "\r\n", "{}"),
       400},
      {"KeyOfBytes", Request(post, Sized("{}") + "Idempotency-Key: \xff\xfe\r\n", "{}"), 400},
      {"SpaceBeforeColon", Request("GET /v1/health", "Idempotency-Key : k\r\n"), 400},
      {"TabBeforeColon", Request("GET /v1/health", "Idempotency-Key\t: k\r\n"), 400},
      {"SpaceBeforeName", Request("GET /v1/health", " Idempotency-Key: k\r\n"), 400},
      {"LengthInSigns", Request(post, std::string(kJson) + "Content-Length: %32\r\n", "{}"), 400},
      {"TypeInSigns",
       Request(post, "Content-Type: application%2Fjson\r\nContent-Length: 2\r\n", "{}"), 415},
      {"NoBody", Request(post), 400},
      {"NoJson", Request(post, Sized("{{{"), "{{{"), 400},
      {"List", Request(post, Sized("[]"), "[]"), 400},
      {"DeepNesting", Request(post, Sized(Deep(3000)), Deep(3000)), 400},
      {"RepeatedMember",
       Request(post, Sized(R"({"nin":"1","nin":"2"})"), R"({"nin":"1","nin":"2"})"), 400},
      {"ManyHeaders",
       [] {
         std::string headers;
         for (int i = 0; i < 90; ++i) headers += fmt::format("X-{}: 1\r\n", i);
         return Request("GET /v1/health", headers);
       }(),
       400},
  };
  return all;
}

class ApiAttackTest : public ApiBench {
 protected:
  ~ApiAttackTest() override {
    EXPECT_EQ(StatusOf(Get("/v1/metrics")), 200);
    EXPECT_THAT(audit_.entries, IsEmpty());
    EXPECT_THAT(*OnStorage([&] { return queue->List(false); }), IsEmpty());
  }

  // tools/attack adds them up.
  static void SayAttacks(size_t count) { RecordProperty("attacks", static_cast<int>(count)); }
};

TEST_F(ApiAttackTest, NonsenseIsRefusedAndTheNextIsServed) {
  Serve();
  ASSERT_GE(Attacks().size(), 35U);
  SayAttacks(Attacks().size());
  for (const Attack& each : Attacks()) {
    const std::string answer = Send(each.bytes);
    EXPECT_EQ(StatusOf(answer), each.status) << each.name << "\n" << answer;
    // The whole connection ends with it.
    if (each.name == "Head") continue;
    EXPECT_EQ(TextAt(answer, "/title").empty(), false) << each.name;
    EXPECT_EQ(StatusOf(Get("/v1/metrics")), 200) << each.name;
  }
}

TEST_F(ApiAttackTest, WhoSendsNothingOrHalfARequestHoldsNobodyUp) {
  Serve();
  std::vector<std::unique_ptr<RawClient>> silent;
  for (int i = 0; i < 100; ++i) {
    silent.push_back(std::make_unique<RawClient>(socket()));
    if (i % 3 == 1) silent.back()->Send("GET /v1/metr");
    if (i % 3 == 2) {
      silent.back()->Send(fmt::format(
          "POST /v1/checks/KD7Q2M:cancel HTTP/1.1\r\nHost: local\r\n{}Content-Length: 50\r\n\r\n{{",
          kJson));
    }
  }
  SayAttacks(silent.size());
  for (int i = 0; i < 20; ++i) EXPECT_EQ(StatusOf(Get("/v1/metrics")), 200) << i;
}

// Large bodies take threads while they come: only so many do.
TEST_F(ApiAttackTest, LargeBodiesThatNeverEndLeaveRoomForOthers) {
  Serve({.request_time = 1h});
  std::vector<std::unique_ptr<RawClient>> slow;
  for (int i = 0; i < 30; ++i) {
    slow.push_back(std::make_unique<RawClient>(socket()));
    slow.back()->Send(fmt::format(
        "POST /v1/checks HTTP/1.1\r\nHost: local\r\n{}Content-Length: 5000000\r\n\r\n{{", kJson));
  }
  SayAttacks(slow.size());
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(StatusOf(Get("/v1/metrics")), 200) << i;
    // Two members who sent large bodies without an end kept everybody else from asking.
    EXPECT_EQ(ProblemIn(Post("/v1/checks", "{}")), "bad-request") << i;
  }
}

TEST_F(ApiAttackTest, ABodyThatComesTooSlowlyIsGivenUp) {
  Serve({.request_time = 50ms});
  RawClient program(socket());
  program.Send(fmt::format(
      "POST /v1/checks HTTP/1.1\r\nHost: local\r\n{}Content-Length: 5000000\r\n\r\n{{", kJson));
  SayAttacks(1);
  EXPECT_NE(StatusOf(program.ReadAll()), 202);
}

TEST_F(ApiAttackTest, WhoDoesNotReadHoldsNobodyUp) {
  Serve();
  std::vector<std::unique_ptr<RawClient>> deaf;
  for (int i = 0; i < 30; ++i) {
    deaf.push_back(std::make_unique<RawClient>(socket()));
    for (int j = 0; j < 50; ++j) {
      if (!deaf.back()->Send("GET /v1/openapi.json HTTP/1.1\r\nHost: local\r\n\r\n")) break;
    }
  }
  SayAttacks(deaf.size());
  for (int i = 0; i < 20; ++i) EXPECT_EQ(StatusOf(Get("/v1/metrics")), 200) << i;
}

TEST_F(ApiAttackTest, AFloodOfConnectionsThatEndAtOnceHoldsNobodyUp) {
  Serve();
  constexpr int kConnections = 2000;
  SayAttacks(kConnections);
  for (int i = 0; i < kConnections; ++i) {
    RawClient program(socket());
    if (i % 2 == 0) program.Send("GET /v1/health HTTP/1.1\r\n");
  }
  EXPECT_EQ(StatusOf(Get("/v1/metrics")), 200);
}

}  // namespace
}  // namespace idkiosk
