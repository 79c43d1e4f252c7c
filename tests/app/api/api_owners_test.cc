#include <gmock/gmock.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>

#include "tests/app/api/api_bench.h"

// Who of the socket's group sees and decides which checks: real processes of other users.
namespace idkiosk {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr uid_t kTeller = 64001;
constexpr uid_t kQueueSystem = 64002;

class ApiOwnersTest : public ApiBench {
 protected:
  void SetUp() override {
    if (geteuid() != 0) GTEST_SKIP() << "processes of other users need root: run this test as root";
    // Others keep the group of this process, which may ask.
    ASSERT_EQ(chmod(folder_.path().c_str(), 0711), 0);
  }

  // The whole answer that a program of that user gets.
  std::string As(uid_t user, std::string_view method, const std::string& target,
                 const std::string& body = "", const std::string& more = "") const {
    const std::string request = fmt::format(
        "{} {} HTTP/1.1\r\nHost: local\r\nConnection: close\r\n{}{}{}\r\n{}", method, target, more,
        method == "POST" ? fmt::format("Content-Length: {}\r\n", body.size()) : "",
        body.empty() ? "" : "Content-Type: application/json\r\n", body);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    socket().copy(address.sun_path, sizeof address.sun_path - 1);
    std::array<int, 2> ends{};
    EXPECT_EQ(pipe(ends.data()), 0);
    const pid_t child = fork();
    if (child == 0) {  // system calls alone: other threads may hold locks
      const int asker = ::socket(AF_UNIX, SOCK_STREAM, 0);
      if (setuid(user) != 0 ||
          connect(asker, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
        _exit(1);
      }
      (void)send(asker, request.data(), request.size(), MSG_NOSIGNAL);
      char part[512];
      for (ssize_t count = 1; count > 0;) {
        count = recv(asker, part, sizeof part, 0);
        if (count > 0) (void)!write(ends[1], part, static_cast<size_t>(count));
      }
      _exit(0);
    }
    close(ends[1]);
    std::string answer;
    char part[512];
    for (ssize_t count = 1; count > 0;) {
      count = read(ends[0], part, sizeof part);
      if (count > 0) answer.append(part, static_cast<size_t>(count));
    }
    close(ends[0]);
    int status = 0;
    (void)waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
    return answer;
  }
  std::string Asked(uid_t user, const std::string& nin, const std::string& key = "k") const {
    const std::string answer =
        As(user, "POST", "/v1/checks",
           fmt::format(R"({{"endpoint":"lookup_nin","nin":"{}","reason":"ACCOUNT_OPENING"}})", nin),
           fmt::format("Idempotency-Key: {}\r\n", key));
    EXPECT_EQ(StatusOf(answer), 202) << answer;
    return TextAt(answer, "/reference");
  }
  void ExpectHidden(uid_t user, const std::string& reference) const {
    const std::string check = "/v1/checks/" + reference;
    EXPECT_EQ(StatusOf(As(user, "GET", check)), 404);
    EXPECT_EQ(StatusOf(As(user, "GET", check + "/answer")), 404);
    for (const char* decision : {":cancel", ":give-up"}) {
      EXPECT_EQ(StatusOf(As(user, "POST", check + decision)), 404) << decision;
    }
    EXPECT_EQ(StatusOf(As(user, "POST", check + ":resend", R"({"confirm_price":"0 NGN"})")), 404);
    EXPECT_THAT(As(user, "GET", "/v1/checks"), Not(HasSubstr(reference)));
  }
  void ExpectSeen(uid_t user, const std::string& reference) const {
    EXPECT_EQ(StatusOf(As(user, "GET", "/v1/checks/" + reference)), 200);
    EXPECT_THAT(As(user, "GET", "/v1/checks"), HasSubstr(reference));
  }
};

TEST_F(ApiOwnersTest, AProgramSeesAndDecidesTheChecksOfItsOwnUserAlone) {
  Serve();
  const std::string reference = Asked(kTeller, "70000000001");
  ExpectSeen(kTeller, reference);
  ExpectSeen(0, reference);
  ExpectHidden(kQueueSystem, reference);
  // It learns no more of a check that is there than of one that is none.
  const auto without = [](std::string answer, const std::string& each) {
    const size_t at = answer.find(each);
    return at == std::string::npos ? answer : answer.erase(at, each.size());
  };
  const std::string none = "KD7Q2M";
  ASSERT_NE(none, reference);
  EXPECT_EQ(
      without(std::string(BodyOf(As(kQueueSystem, "GET", "/v1/checks/" + none))), none),
      without(std::string(BodyOf(As(kQueueSystem, "GET", "/v1/checks/" + reference))), reference));
}

TEST_F(ApiOwnersTest, AVisitsChecksAreSeenBySupervisorsAlone) {
  Serve({.supervisors = {"nobody"}});
  const auto visit = OnStorage([&] { return Accept(LookupCall(1)); });
  const std::string reference = Asked(kTeller, "70000000001");
  ExpectHidden(kTeller, visit);
  ExpectSeen(kNobody, visit);
  ExpectSeen(kNobody, reference);
}

TEST_F(ApiOwnersTest, TheFleetsUserSeesHowTheKioskIsAndNoCheck) {
  Serve({.fleet_user = "nobody"});
  const auto visit = OnStorage([&] { return Accept(LookupCall(1)); });
  ASSERT_FALSE(Asked(kTeller, "70000000001").empty());
  for (const char* mine :
       {"/v1/health", "/v1/metrics", "/v1/journals/ledger", "/v1/journals/audit"}) {
    EXPECT_NE(StatusOf(As(kNobody, "GET", mine)), 403) << mine;
    EXPECT_EQ(StatusOf(As(kTeller, "GET", mine)),
              std::string_view(mine).contains("journals") ? 403 : StatusOf(As(0, "GET", mine)))
        << mine;
  }
  for (const ApiRoute& each : AllRoutes()) {
    if (each.is_fleets) continue;
    std::string target(each.path);
    if (const size_t at = target.find('{'); at != std::string::npos) {
      target.replace(at, target.find('}') + 1 - at, visit);
    }
    EXPECT_EQ(StatusOf(As(kNobody, std::string(each.method), target)), 403) << target;
  }
}

TEST_F(ApiOwnersTest, ACheckIsStillItsAskersAfterARestart) {
  Serve();
  const std::string reference = Asked(kTeller, "70000000001");
  Reboot();
  ExpectSeen(kTeller, reference);
  ExpectHidden(kQueueSystem, reference);
}

TEST_F(ApiOwnersTest, TheSameKeyOfAnotherUserIsAnotherKey) {
  Serve();
  const std::string first = Asked(kTeller, "70000000001", "same");
  EXPECT_EQ(Asked(kTeller, "70000000001", "same"), first);
  EXPECT_NE(Asked(kQueueSystem, "70000000002", "same"), first);
}

TEST_F(ApiOwnersTest, WhoAskedTheSameBeforeIsNotToldToOthers) {
  Serve();
  const std::string first = Asked(kTeller, "70000000001");
  const std::string body =
      R"({"endpoint":"lookup_nin","nin":"70000000001","reason":"ACCOUNT_OPENING"})";
  const std::string answer = As(kQueueSystem, "POST", "/v1/checks", body);
  EXPECT_EQ(StatusOf(answer), 409);
  EXPECT_THAT(answer, Not(HasSubstr(first)));
}

// Else a member of the group learnt from one empty picture whom others asked about.
TEST_F(ApiOwnersTest, NobodyLearnsFreeOfChargeWhomOthersAskedAbout) {
  Serve();
  const auto verify = [](const char* nin) { return WithPictures(5, nin); };
  EXPECT_EQ(StatusOf(As(kTeller, "POST", "/v1/checks", verify("00000000001"))), 202);
  gate_refuses_ = "too dark";
  const std::string of_known = As(kQueueSystem, "POST", "/v1/checks", verify("00000000001"));
  EXPECT_EQ(StatusOf(of_known), 422);
  EXPECT_EQ(BodyOf(of_known),
            BodyOf(As(kQueueSystem, "POST", "/v1/checks", verify("00000000002"))));
  // Who may know is told before pictures are looked at.
  EXPECT_EQ(StatusOf(As(kTeller, "POST", "/v1/checks", verify("00000000001"))), 409);
  gate_refuses_ = nullptr;
  EXPECT_EQ(StatusOf(As(kQueueSystem, "POST", "/v1/checks", verify("00000000001"))), 409);
}

// Nor does a person who is asked for before a screen that takes nobody.
TEST_F(ApiOwnersTest, AScreenThatTakesNobodyDoesNotTellWhomOthersAskedAbout) {
  begin_visit_ = [this](std::shared_ptr<const VisitOrder> order) {
    backend_->visits().Begun(order->reference,
                             Fail(ErrorCode::kUnavailable, "the screen is locked"));
  };
  Serve({.supervisors = {"nobody"}});
  VerificationCall asked = FacialCall();
  asked.nin = SecretBytes::CopyOf(kNin);
  asked.reason = "ACCOUNT_OPENING";
  (void)OnStorage([&] { return Accept(asked); });
  const auto ask = [this](std::string_view nin) {
    return As(
        kQueueSystem, "POST", "/v1/checks",
        fmt::format(
            R"({{"endpoint":"verify","nin":"{}","reason":"ACCOUNT_OPENING","pictures":"camera"}})",
            nin));
  };
  for (const std::string_view nin : {kNin, std::string_view("70000000009")}) {
    EXPECT_THAT(ask(nin), HasSubstr("the screen is locked")) << nin;
  }
}

// A look costs nothing at all.
TEST_F(ApiOwnersTest, ALookDoesNotTellWhomOthersAskedAbout) {
  Serve({.supervisors = {"nobody"}});
  const CallReference visit = OnStorage([&] { return Accept(LookupCall(1)); });
  const std::string first = Asked(kTeller, "70000000001");
  const auto look = [this](uid_t user, std::string_view endpoint, std::string_view nin) {
    return As(
        user, "POST", "/v1/checks:look",
        fmt::format(R"({{"endpoint":"{}","nin":"{}","reason":"ACCOUNT_OPENING"}})", endpoint, nin));
  };
  const std::string of_nobody = look(kQueueSystem, "lookup_nin", "70000000009");
  EXPECT_EQ(StatusOf(of_nobody), 200);
  const std::string others = look(kQueueSystem, "lookup_nin", "70000000001");
  EXPECT_EQ(StatusOf(others), 200);
  EXPECT_EQ(BodyOf(others), BodyOf(of_nobody));
  EXPECT_EQ(BodyOf(look(kTeller, "lookup_nin", kNin)), BodyOf(of_nobody)) << "the visit's";
  // Who asked, and who sees all, is told.
  for (const uid_t user : {kTeller, kNobody, uid_t{0}}) {
    const std::string told = look(user, "lookup_nin", "70000000001");
    EXPECT_EQ(ProblemIn(told), "asked-before") << user;
    EXPECT_EQ(TextAt(told, "/reference"), first) << user;
  }
  EXPECT_EQ(TextAt(look(0, "lookup_nin", kNin), "/reference"), visit);
}

TEST_F(ApiOwnersTest, PathsOfTheSettingsAreForTheKiosksOwnUserAlone) {
  kiosk_.service.ca_file = "/etc/kept-apart/ca.pem";
  kiosk_.camera.source = "pictures:/srv/kept-apart";
  kiosk_.log.file = "";
  Serve({.supervisors = {"nobody"}});
  for (const uid_t user : {kTeller, kNobody}) {
    const std::string shown = As(user, "GET", "/v1/settings");
    EXPECT_EQ(StatusOf(shown), 200);
    EXPECT_THAT(shown, Not(HasSubstr("kept-apart"))) << user;
    EXPECT_THAT(shown, Not(HasSubstr("/state"))) << user;
    EXPECT_THAT(shown, HasSubstr(R"("service.ca_file":"[set]")"));
    EXPECT_THAT(shown, HasSubstr(R"("log.file":"")"));
    EXPECT_THAT(shown, HasSubstr(R"("billing.breaker_after":)"));
  }
  EXPECT_THAT(As(0, "GET", "/v1/settings"), HasSubstr("/etc/kept-apart/ca.pem"));
}

// Else `next`, and pages that are short, told when others asked, and how often.
TEST_F(ApiOwnersTest, PagesAreOfItsOwnChecksAlone) {
  Serve();
  for (int i = 0; i < 7; ++i) {
    (void)Asked(kTeller, fmt::format("7000000010{}", i), fmt::format("t{}", i));
    if (i % 3 == 0) {
      (void)Asked(kQueueSystem, fmt::format("7000000020{}", i), fmt::format("q{}", i));
    }
  }
  const auto pages = [this](uid_t user) {
    std::vector<size_t> sizes;
    std::string page;
    do {
      const JsonDocument list = JsonOf(As(user, "GET", "/v1/checks?limit=2" + page));
      sizes.push_back(list.root()["checks"].children().size());
      page = fmt::format("&page={}", list.root()["next"].AsString().value_or(""));
    } while (page != "&page=");
    return sizes;
  };
  EXPECT_THAT(pages(kTeller), testing::ElementsAre(2, 2, 2, 1));
  EXPECT_THAT(pages(kQueueSystem), testing::ElementsAre(2, 1));
  EXPECT_THAT(pages(0), testing::ElementsAre(2, 2, 2, 2, 2));
}

// Two marks that are numbers tell how many checks others made between them.
TEST_F(ApiOwnersTest, TheMarkOfAPageIsTheReadersOwnLastCheck) {
  Serve();
  const std::string first = Asked(kTeller, "70000000101", "t1");
  const std::string second = Asked(kTeller, "70000000102", "t2");
  const std::string anothers = Asked(kQueueSystem, "70000000201", "q1");
  EXPECT_EQ(TextAt(As(kTeller, "GET", "/v1/checks?limit=1"), "/next"), second);
  const std::string behind = As(kTeller, "GET", "/v1/checks?page=" + second);
  EXPECT_EQ(TextAt(behind, "/checks/0/reference"), first);
  EXPECT_EQ(TextAt(behind, "/next"), "(no text)");
  const std::string of_another = As(kTeller, "GET", "/v1/checks?page=" + anothers);
  const std::string of_nobody = As(kTeller, "GET", "/v1/checks?page=222222");
  EXPECT_EQ(StatusOf(of_another), 400);
  EXPECT_EQ(BodyOf(of_another), BodyOf(of_nobody));
  EXPECT_EQ(StatusOf(As(kTeller, "GET", "/v1/checks?page=1")), 400);
}

TEST_F(ApiOwnersTest, OnlySupervisorsLiftWhatKeepsEverybodysChecks) {
  Serve();
  EXPECT_EQ(StatusOf(As(kTeller, "POST", "/v1/holds/disk:lift")), 403);
  EXPECT_EQ(StatusOf(As(0, "POST", "/v1/holds/disk:lift")), 404);
}

TEST_F(ApiOwnersTest, ASupervisorThatIsNoUserIsAMistakeInTheSettings) {
  const auto users = ApiSupervisors({"root", "there-is-no-such-user"});
  ASSERT_FALSE(users);
  EXPECT_THAT(users.error().message, HasSubstr("api.supervisors"));
}

// It would lift what holds everybody's.
TEST_F(ApiOwnersTest, NobodySendsOneOfTheirsAgainWhileItsKindIsHeld) {
  const auto work = [this] {
    OnStorage([&] {
      StepUntilIdle();
      return 0;
    });
  };
  ApiBench::Serve();
  QueueBench::Serve(500, "{}");
  const std::string mine = Asked(kTeller, "70123456781", "k1");
  for (int i = 2; i < 6; ++i) {
    (void)Asked(kTeller, fmt::format("7012345678{}", i), fmt::format("k{}", i));
  }
  work();
  const int posts_before = OnStorage([&] { return posts(); });
  const std::string price = TextAt(As(kTeller, "GET", "/v1/checks/" + mine), "/confirm_price");
  const std::string body = fmt::format(R"({{"confirm_price":"{}","attempts":1}})", price);
  const std::string refused = As(kTeller, "POST", "/v1/checks/" + mine + ":resend", body);
  EXPECT_EQ(StatusOf(refused), 503) << refused;
  EXPECT_EQ(ProblemIn(refused), "held");
  EXPECT_EQ(OnStorage([&] { return queue->Stats()->holds.size(); }), 1U);
  work();
  EXPECT_EQ(OnStorage([&] { return posts(); }), posts_before);
  EXPECT_EQ(StatusOf(Post("/v1/checks/" + mine + ":resend", body)), 200) << "a supervisor may";
}

}  // namespace
}  // namespace idkiosk
