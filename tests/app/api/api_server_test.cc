#include "app/api/api_server.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include "tests/app/api/api_bench.h"

namespace idkiosk {
namespace {

using testing::HasSubstr;
using testing::Not;

class ApiServerTest : public ApiBench {
 protected:
  // The stream from its head on, as far as it has come, for a program that knows this event.
  // The place of a listener that has gone is free a moment later.
  std::string EventsBehind(const std::string& id) const {
    for (;;) {
      RawClient program(socket());
      program.Send(
          fmt::format("GET /v1/events HTTP/1.1\r\nHost: local\r\nLast-Event-ID: {}\r\n\r\n", id));
      std::string heard = program.ReadUntil(":\n\n");
      if (StatusOf(heard) != 503) return heard;
    }
  }
  // Empty: there is none.
  static std::string LastIdIn(const std::string& stream) {
    const size_t at = stream.rfind("\nid: ");
    if (at == std::string::npos) return "";
    return stream.substr(at + 5, stream.find('\n', at + 5) - at - 5);
  }
};

TEST_F(ApiServerTest, ServesASocketForItsOwnerAndItsGroupAlone) {
  Serve();
  struct stat about{};
  ASSERT_EQ(stat(socket().c_str(), &about), 0);
  EXPECT_EQ(about.st_mode, S_IFSOCK | 0660U);
  EXPECT_EQ(StatusOf(Get("/v1/metrics")), 200);
  server_.reset();
  EXPECT_NE(stat(socket().c_str(), &about), 0) << "it is left";
}

TEST_F(ApiServerTest, TakesThePlaceOfASocketThatAKilledProgramLeft) {
  Serve();
  ASSERT_EQ(link(socket().c_str(), (folder_ / "kept").c_str()), 0);
  server_.reset();
  ASSERT_EQ(rename((folder_ / "kept").c_str(), socket().c_str()), 0);
  Serve();
  EXPECT_EQ(StatusOf(Get("/v1/metrics")), 200);
}

TEST_F(ApiServerTest, LeavesTheSocketOfAProgramThatRuns) {
  Serve();
  Heartbeat heartbeat(real_clock_);
  const auto second = ApiServer::Start({.socket = socket()}, *backend_, heartbeat);
  ASSERT_FALSE(second);
  EXPECT_THAT(second.error().message, HasSubstr("another program serves"));
  EXPECT_EQ(StatusOf(Get("/v1/metrics")), 200);
}

TEST_F(ApiServerTest, SaysWhatIsWrongWithItsSocketOrItsGroup) {
  Serve();
  Heartbeat heartbeat(real_clock_);
  const auto wrong = [&](const std::string& path, const std::string& group = "") {
    const auto started = ApiServer::Start({.socket = path, .group = group}, *backend_, heartbeat);
    return started ? std::string() : started.error().message;
  };
  EXPECT_THAT(wrong(folder_ / std::string(120, 'a')), HasSubstr("longer than 107 bytes"));
  EXPECT_THAT(wrong(folder_ / "nowhere/api.sock"), HasSubstr("No such file"));
  EXPECT_THAT(wrong(folder_.path()), HasSubstr("is there, and is no socket"));
  EXPECT_THAT(wrong(folder_ / "other.sock", "no-such-group"),
              HasSubstr("no group 'no-such-group'"));
}

TEST_F(ApiServerTest, TellsEachProgramOfProblemsInTwoSentences) {
  Serve();
  const std::string answer = Get("/v1/nothing");
  EXPECT_EQ(StatusOf(answer), 404);
  EXPECT_THAT(answer, HasSubstr("Content-Type: application/problem+json\r\n"));
  EXPECT_EQ(TextAt(answer, "/type"), "urn:idkiosk:problem:unknown-path");
  EXPECT_EQ(TextAt(answer, "/detail"), "The other program asked for something that is not there.");
  EXPECT_THAT(TextAt(answer, "/engineer"), HasSubstr("/v1/openapi.json"));
  const std::string refused = Ask("DELETE", "/v1/checks");
  EXPECT_EQ(ProblemIn(refused), "wrong-method");
  EXPECT_THAT(refused, HasSubstr("Allow: GET, POST\r\n"));
  EXPECT_THAT(answer, HasSubstr("Cache-Control: no-store\r\n"));
}

// As the clients of Java and .NET write it.
TEST_F(ApiServerTest, TakesJsonHoweverItsTypeIsWritten) {
  Serve();
  const auto problem_with = [&](std::string_view type) {
    return ProblemIn(
        Send(fmt::format("POST /v1/checks HTTP/1.1\r\nHost: local\r\nContent-Type: {}\r\n"
                         "Content-Length: 2\r\nConnection: close\r\n\r\n{{}}",
                         type)));
  };
  for (const char* type :
       {"application/json", "application/json;charset=UTF-8", "Application/JSON ; charset=utf-8",
        "application/json; charset=\"utf-8\""}) {
    EXPECT_EQ(problem_with(type), "bad-request") << type;
  }
  for (const char* type : {"application/json; charset=latin1", "application/jsonl", "text/json",
                           "application/json, text/plain"}) {
    EXPECT_EQ(problem_with(type), "wrong-type") << type;
  }
}

TEST_F(ApiServerTest, AnswersManyRequestsOfOneConnection) {
  Serve();
  RawClient program(socket());
  for (int i = 0; i < 20; ++i) {
    program.Send("GET /v1/metrics HTTP/1.1\r\nHost: local\r\n\r\n");
    EXPECT_EQ(StatusOf(program.ReadUntil("idkiosk_up 1\n")), 200) << i;
  }
}

TEST_F(ApiServerTest, SaysByPartWhetherTheKioskIsReady) {
  Serve();
  online_ = false;
  const std::string answer = Get("/v1/health");
  // The configuration of the bench is not on its disk.
  EXPECT_EQ(StatusOf(answer), 503);
  EXPECT_THAT(answer, HasSubstr(R"("ready":false)"));
  EXPECT_THAT(answer, HasSubstr(R"("part":"queue")"));
  EXPECT_THAT(answer, HasSubstr("was not in reach when last asked"));
}

TEST_F(ApiServerTest, GivesReasonsSettingsAndNumbers) {
  Serve();
  EXPECT_EQ(TextAt(Get("/v1/reasons"), "/reasons/0/code"), "ACCOUNT_OPENING");
  kiosk_.service.test_nin = "00000000000";
  kiosk_.service.proxy = "http://anna:hush@proxy.example:3128";
  const std::string shown = Get("/v1/settings");
  EXPECT_THAT(shown, Not(HasSubstr("00000000000")));
  EXPECT_THAT(shown, Not(HasSubstr("hush")));
  EXPECT_EQ(BodyOf(Get("/v1/metrics")), "idkiosk_up 1\n");
}

TEST_F(ApiServerTest, StreamsEachChangeToWhoListens) {
  Serve();
  RawClient listener(socket());
  listener.Send("GET /v1/events HTTP/1.1\r\nHost: local\r\n\r\n");
  const std::string begin = listener.ReadUntil(":\n\n");
  EXPECT_THAT(begin, HasSubstr("Content-Type: text/event-stream"));
  const auto reference = OnStorage([&] { return Accept(LookupCall(1)); });
  backend_->TellChange(reference);
  const std::string event = fmt::format(
      "\nevent: check\ndata: {{\"reference\":\"{}\",\"state\":\"pending\",\"means\":\"The "
      "check is kept, and goes out by itself.\"}}\n\n",
      reference);
  EXPECT_THAT(listener.ReadUntil(event), HasSubstr(event));
  // Whoever comes later, and knows what it has heard, misses nothing and hears nothing twice.
  const std::string before = LastIdIn(begin);
  ASSERT_NE(before, "") << begin;
  EXPECT_THAT(EventsBehind(before), HasSubstr(event));
  EXPECT_THAT(EventsBehind(before), Not(HasSubstr("missed")));
  const std::string newest = LastIdIn(EventsBehind(before));
  EXPECT_THAT(EventsBehind(newest), Not(HasSubstr("event:")));
}

// Numbers begin again with each start: that of an earlier one must not pass for one of this.
TEST_F(ApiServerTest, WhoKnowsAnIdOfAnEarlierStartIsToldAndHearsAllThatIsKept) {
  Serve();
  const auto tell = [&](int number) {
    const auto reference = OnStorage([&] { return Accept(LookupCall(number)); });
    backend_->TellChange(reference);
    OnStorage([] { return 0; });
    return reference;
  };
  (void)tell(1);
  const std::string first = LastIdIn(EventsBehind("0"));
  (void)tell(2);
  const std::string second = LastIdIn(EventsBehind("0"));
  Reboot();
  std::vector<std::string> references;
  for (int i = 3; i <= 6; ++i) references.push_back(tell(i));
  const std::string kept = EventsBehind("0");
  const std::string never_given = LastIdIn(kept) + "9";
  for (const std::string& id :
       {first, second, never_given, std::string("0"), std::string("1"), std::string("999"),
        std::string("abc"), std::string("-1"), std::string("99999999999999999999999")}) {
    const std::string heard = EventsBehind(id);
    EXPECT_EQ(StatusOf(heard), 200) << id;
    size_t at = heard.find("\nevent: missed\ndata: null\n\n");
    ASSERT_NE(at, std::string::npos) << id << "\n" << heard;
    for (const std::string& each : references) {
      at = heard.find(each, at);
      EXPECT_NE(at, std::string::npos) << each << " behind " << id << "\n" << heard;
    }
  }
}

// Of all users there may be twice as many, so that one of them leaves places for the others.
TEST_F(ApiServerTest, OnlySoManyOfOneUserListen) {
  Serve();
  std::vector<std::unique_ptr<RawClient>> listeners;
  for (int i = 0; i < 2; ++i) {
    listeners.push_back(std::make_unique<RawClient>(socket()));
    listeners.back()->Send("GET /v1/events HTTP/1.1\r\nHost: local\r\n\r\n");
    EXPECT_EQ(StatusOf(listeners.back()->ReadUntil(":\n\n")), 200);
  }
  const std::string third = Get("/v1/events");
  EXPECT_EQ(ProblemIn(third), "busy");
  EXPECT_THAT(third, HasSubstr("Retry-After: 1\r\n"));
  EXPECT_EQ(StatusOf(Get("/v1/metrics")), 200);
  const auto said = document_.root().At("/paths/~1v1~1events/get/description").AsString();
  ASSERT_TRUE(said);
  EXPECT_THAT(std::string(*said), HasSubstr("of one user at most two: the third gets 503"));
}

}  // namespace
}  // namespace idkiosk
