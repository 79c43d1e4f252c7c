#include <gmock/gmock.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <filesystem>

#include "app/api/api_client.h"
#include "app/api/api_reading.h"
#include "app/operator/person_erasure.h"
#include "tests/app/api/api_bench.h"

// What the command line asks of a running kiosk. Each answer is held against the document.
namespace idkiosk {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;

class ApiSupervisorTest : public ApiBench {
 protected:
  CallReference Kept(int number) {
    return OnStorage([&] { return Accept(LookupCall(number)); });
  }
  void Work() {
    OnStorage([&] {
      StepUntilIdle();
      return 0;
    });
  }
  CallReference Unknown(int number) {
    ServeLogins([](const auto&) {
      FakeHttpClient::Reply lost;
      lost.how = FakeHttpClient::Reply::How::kDrop;
      return lost;
    });
    const CallReference reference = Kept(number);
    Work();
    return reference;
  }
  static auto ConnectTo(const std::string& socket) {
    Settings settings;
    settings.api.socket = socket;
    settings.state_folder = "/nowhere";
    return ApiClient::Connect(settings);
  }
  std::unique_ptr<ApiClient> Client() const {
    auto kiosk = ConnectTo(socket());
    EXPECT_TRUE(kiosk && *kiosk);
    return kiosk ? std::move(*kiosk) : nullptr;
  }
};

TEST_F(ApiSupervisorTest, TellsHowTheQueueStands) {
  ApiBench::Serve();
  (void)Kept(1);
  (void)Unknown(2);
  const std::string answer = Get("/v1/queue");
  EXPECT_EQ(StatusOf(answer), 200);
  EXPECT_EQ(TextAt(answer, "/ledger/found"), "genuine");
  const auto stats = ReadStats(JsonOf(answer).root());
  ASSERT_TRUE(stats) << stats.error().message;
  EXPECT_EQ(stats->In(CallState::kUnknown), 2) << "the first one met the same network";
}

// Two configurations that name the same socket: a call would be billed to the other account.
TEST_F(ApiSupervisorTest, AsksNoKioskOfAnotherStateFolder) {
  const ScratchFolder own;
  const ScratchFolder others;
  kiosk_.state_folder = own.path();
  ApiBench::Serve();
  const auto ask = [&](const std::string& folder) {
    Settings mine;
    mine.api.socket = socket();
    mine.state_folder = folder;
    const auto kiosk = ApiClient::Connect(mine);
    EXPECT_TRUE(kiosk && *kiosk);
    const auto answer = (*kiosk)->Get("/v1/queue");
    return answer ? "" : answer.error().type + ": " + ErrorOf(answer.error()).message;
  };
  EXPECT_THAT(ask(others.path()), AllOf(StartsWith("forbidden: "), HasSubstr(own.path())));
  EXPECT_EQ(ask(own.path() + "/."), "");
  EXPECT_EQ(ask(own / "not there"), "") << "who cannot look at it is asked by the socket alone";
}

TEST_F(ApiSupervisorTest, ACheckIsReadBackAsItWasWritten) {
  ApiBench::Serve();
  const CallReference reference = Unknown(1);
  const CallSummary there = OnStorage([&] { return Show(reference); });
  const auto kiosk = Client();
  const auto answer = kiosk->Get("/v1/checks/" + reference);
  ASSERT_TRUE(answer) << answer.error().engineer;
  const auto here = ReadCheck(answer->root());
  ASSERT_TRUE(here) << here.error().message;
  EXPECT_EQ(here->state, there.state);
  EXPECT_EQ(here->endpoint, there.endpoint);
  EXPECT_EQ(here->made_for, there.made_for);
  EXPECT_EQ(here->attempts, there.attempts);
  EXPECT_EQ(here->billed_attempts, there.billed_attempts);
  EXPECT_EQ(here->last_outcome, there.last_outcome);
  EXPECT_EQ(here->engineer, there.engineer);
  EXPECT_EQ(here->resend_price, there.resend_price);
  EXPECT_EQ(here->has_payload, there.has_payload);
  EXPECT_EQ(FormatRfc3339(here->accepted_at), FormatRfc3339(there.accepted_at));
}

TEST_F(ApiSupervisorTest, AnAttemptIsReadBackAsItWasWritten) {
  ApiBench::Serve();
  (void)Unknown(1);
  const std::vector<LedgerRow> there = OnStorage([&] { return Ledger(); });
  const std::string answer = Get("/v1/attempts");
  const JsonDocument document = JsonOf(answer);
  const auto rows = document.root()["attempts"].children();
  ASSERT_THAT(rows, SizeIs(there.size()));
  for (size_t i = 0; i < rows.size(); ++i) {
    const auto here = ReadAttempt(rows[i]);
    ASSERT_TRUE(here) << here.error().message;
    EXPECT_EQ(here->reference, there[i].reference);
    EXPECT_EQ(here->number, there[i].number);
    EXPECT_EQ(here->billed, there[i].billed);
    EXPECT_EQ(here->price, there[i].price);
    EXPECT_EQ(here->rule, there[i].rule);
    EXPECT_EQ(here->stage, there[i].stage);
    EXPECT_EQ(here->attempt_id, there[i].attempt_id);
    EXPECT_EQ(here->ended_at.has_value(), there[i].ended_at.has_value());
  }
  EXPECT_EQ(StatusOf(Get("/v1/attempts?since=yesterday")), 400);
  EXPECT_EQ(StatusOf(Get("/v1/decisions")), 200);
}

TEST_F(ApiSupervisorTest, SettlesAnAttemptInDoubt) {
  ApiBench::Serve();
  const CallReference reference = Unknown(1);
  const std::string path = fmt::format("/v1/checks/{}:settle", reference);
  EXPECT_EQ(StatusOf(Post(path, R"({"attempt":1,"outcome":"perhaps"})")), 400);
  EXPECT_EQ(StatusOf(Post(path, R"({"attempt":7,"outcome":"verified"})")), 404);
  EXPECT_EQ(StatusOf(Post(path, R"({"attempt":1,"outcome":"verified"})")), 200);
  EXPECT_EQ(TextAt(Get("/v1/checks/" + reference), "/verdict"), "verified");
  EXPECT_THAT(audit_.entries.back(), HasSubstr("call.settled " + reference));
}

TEST_F(ApiSupervisorTest, SendsWhatWaitsAtOnce) {
  ApiBench::Serve();
  (void)Kept(1);
  const int woken = woken_;
  const std::string sent = Post("/v1/queue:deliver", "{}");
  EXPECT_EQ(StatusOf(sent), 202);
  EXPECT_EQ(BodyOf(sent), R"({"waiting":1,"hurried":1,"held":0})");
  EXPECT_EQ(woken_, woken + 1);
  EXPECT_EQ(StatusOf(Post("/v1/queue:deliver", R"({"all":true})")), 400);
}

TEST_F(ApiSupervisorTest, SaysHowManyItHurriesAndHowManyMoreWait) {
  ApiBench::Serve();
  for (int number = 1; number <= 203; ++number) (void)Kept(number);
  EXPECT_EQ(BodyOf(Post("/v1/queue:deliver")), R"({"waiting":203,"hurried":200,"held":0})");
}

TEST_F(ApiSupervisorTest, HurriesNothingThatIsHeld) {
  ApiBench::Serve();
  (void)Kept(1);
  QueueBench::Serve(403, "{}");
  Work();
  EXPECT_EQ(BodyOf(Post("/v1/queue:deliver")), R"({"waiting":0,"hurried":0,"held":1})");
}

TEST_F(ApiSupervisorTest, HurriesNothingWhileTheServiceHasAskedForAPause) {
  ApiBench::Serve();
  (void)Kept(1);
  http.set_server([](const auto&) {
    FakeHttpClient::Reply reply;
    reply.status = 429;
    reply.headers = {{"retry-after", "3600"}};
    return reply;
  });
  files.Put("/kiosk.jsonc", AsBytes(R"({"state_folder": "/state", "service": {
      "base_url": "https://a.example", "profile": "sandbox.jsonc"}})"));
  files.Put("/sandbox.jsonc", AsBytes(ReadRepositoryFile("config/profiles/sandbox.jsonc")));
  Work();
  EXPECT_EQ(BodyOf(Post("/v1/queue:deliver")), R"({"waiting":1,"hurried":0,"held":0})");
  EXPECT_NE(TextAt(Get("/v1/queue"), "/paused_until"), "");
  const std::string health = Get("/v1/health");
  EXPECT_EQ(TextAt(health, "/state"), "offline");
  EXPECT_THAT(BodyOf(health), HasSubstr("sending rests until"));
}

TEST_F(ApiSupervisorTest, LooksWhetherACheckWouldBeTaken) {
  ApiBench::Serve();
  const std::string body =
      fmt::format(R"({{"endpoint":"lookup_nin","nin":"{}","reason":"ACCOUNT_OPENING"}})", kNin);
  const std::string good = Post("/v1/checks:look", body);
  EXPECT_EQ(StatusOf(good), 200);
  EXPECT_EQ(TextAt(good, "/price"), "50.00 NGN");
  const CallReference reference = Kept(1);
  const std::string before = Post("/v1/checks:look", body);
  EXPECT_EQ(ProblemIn(before), "asked-before");
  EXPECT_EQ(TextAt(before, "/reference"), reference);
  EXPECT_EQ(ProblemIn(Post("/v1/checks:look", R"({"endpoint":"lookup_nin","nin":"1"})")),
            "invalid-question");
  const std::string face =
      fmt::format(R"({{"endpoint":"verify","nin":"{}","reason":"ACCOUNT_OPENING"}})", kNin);
  EXPECT_EQ(StatusOf(Post("/v1/checks:look", face)), 200) << "nobody has taken pictures yet";
}

TEST_F(ApiSupervisorTest, PutsAConsentOnRecordWithTheCheck) {
  ApiBench::Serve();
  const std::string taken = Post(
      "/v1/checks",
      fmt::format(
          R"({{"endpoint":"lookup_nin","nin":"{}","reason":"ACCOUNT_OPENING","operator":"anna","consent":{{"version":"idkiosk-2","language":"ha"}}}})",
          kNin));
  ASSERT_EQ(StatusOf(taken), 202) << taken;
  const std::string list = Get("/v1/consents");
  EXPECT_EQ(TextAt(list, "/consents/0/reference"), TextAt(taken, "/reference"));
  EXPECT_EQ(TextAt(list, "/consents/0/version"), "idkiosk-2");
  EXPECT_EQ(TextAt(list, "/consents/0/language"), "ha");
  EXPECT_EQ(TextAt(list, "/consents/0/operator"), "anna");
  EXPECT_THAT(list, Not(HasSubstr(std::string(kNin))));
  for (const char* bad :
       {R"("en")", R"({"version":"1"})", R"({"version":"1","language":"en","x":1})",
        R"({"version":"","language":"en"})"}) {
    const std::string refused = Post(
        "/v1/checks",
        fmt::format(
            R"({{"endpoint":"lookup_nin","nin":"00000000009","reason":"ACCOUNT_OPENING","consent":{}}})",
            bad));
    EXPECT_EQ(StatusOf(refused), 400) << bad;
  }
}

TEST_F(ApiSupervisorTest, RefusesAConsentToATextThatThereIsNot) {
  ApiBench::Serve();
  for (const char* bad : {R"({"version":"nonsense","language":"en"})",
                          R"({"version":"idkiosk-2","language":"qq"})"}) {
    const std::string refused = Post(
        "/v1/checks",
        fmt::format(
            R"({{"endpoint":"lookup_nin","nin":"{}","reason":"ACCOUNT_OPENING","consent":{}}})",
            kNin, bad));
    EXPECT_EQ(StatusOf(refused), 400) << bad;
    EXPECT_THAT(TextAt(refused, "/engineer"), HasSubstr("in force is version 'idkiosk-2', in en"));
  }
  EXPECT_THAT(Get("/v1/consents"), HasSubstr(R"("consents":[])"));
}

TEST_F(ApiSupervisorTest, ErasesAPersonAndGivesAReceipt) {
  ApiBench::Serve();
  QueueBench::Serve(200);
  const CallReference answered = Kept(1);
  Work();
  const CallReference waiting = OnStorage(
      [&] { return *queue->Accept(FacialCall(kNin), {.person_waits = true, .operator_id = {}}); });
  const CallReference other = Kept(2);
  const std::string body = fmt::format(R"({{"nin":"{}"}})", kNin);
  const std::string answer = Post("/v1/people:erase", body);
  ASSERT_EQ(StatusOf(answer), 200) << answer;
  EXPECT_THAT(answer, Not(HasSubstr(std::string(kNin))));
  const auto receipt = ReadReceipt(JsonOf(answer).root());
  ASSERT_TRUE(receipt) << receipt.error().message;
  ASSERT_THAT(receipt->calls, SizeIs(2));
  EXPECT_EQ(receipt->calls[0].reference, answered);
  EXPECT_EQ(receipt->calls[0].what, ErasedCall::kErased);
  EXPECT_EQ(receipt->calls[0].attempts, 1);
  EXPECT_EQ(receipt->calls[1].reference, waiting);
  EXPECT_EQ(receipt->calls[1].what, ErasedCall::kEndedUnsent);
  EXPECT_TRUE(receipt->IsComplete());
  EXPECT_THAT(ReceiptText(*receipt), HasSubstr("attempts: 1, consents: 0"));
  EXPECT_EQ(StatusOf(Get(fmt::format("/v1/checks/{}/answer", answered))), 404);
  EXPECT_EQ(TextAt(Get("/v1/checks/" + waiting), "/state"), "cancelled");
  EXPECT_EQ(TextAt(Get("/v1/checks/" + other), "/state"), "pending");
  EXPECT_THAT(audit_.entries, testing::Contains(HasSubstr("person.erased " + waiting)));
  EXPECT_THAT(fmt::format("{}", fmt::join(audit_.entries, "\n")),
              Not(HasSubstr(std::string(kNin))));
  const std::string nothing = Post("/v1/people:erase", body);
  EXPECT_EQ(StatusOf(nothing), 200);
  EXPECT_THAT(audit_.entries.back(), HasSubstr("nothing was found"));
}

TEST_F(ApiSupervisorTest, ErasesByACheckAsFarAsItsNumberIsKept) {
  ApiBench::Serve();
  const CallReference first = Kept(1);
  const CallReference second = OnStorage(
      [&] { return *queue->Accept(FacialCall(kNin), {.person_waits = true, .operator_id = {}}); });
  const std::string answer = Ask("DELETE", "/v1/people/" + first);
  ASSERT_EQ(StatusOf(answer), 200) << answer;
  const auto receipt = ReadReceipt(JsonOf(answer).root());
  ASSERT_TRUE(receipt);
  EXPECT_THAT(receipt->calls, SizeIs(2)) << "both are about the same number";
  const auto again = ReadReceipt(JsonOf(Ask("DELETE", "/v1/people/" + second)).root());
  ASSERT_TRUE(again);
  EXPECT_FALSE(again->by_number);
  EXPECT_EQ(StatusOf(Ask("DELETE", "/v1/people/ZZZZZZ")), 404);
  EXPECT_EQ(StatusOf(Post("/v1/people:erase", R"({"name":"Ada"})")), 400);
  EXPECT_EQ(StatusOf(Post("/v1/people:erase", R"({})")), 400);
}

TEST_F(ApiSupervisorTest, AnErasureIsNotCompleteWhileThePersonIsAtTheScreen) {
  ApiBench::Serve();
  (void)Kept(1);
  at_screen_.Set(kNin);
  const std::string body = fmt::format(R"({{"nin":"{}"}})", kNin);
  const auto here = ReadReceipt(JsonOf(Post("/v1/people:erase", body)).root());
  ASSERT_TRUE(here);
  EXPECT_TRUE(here->at_screen);
  EXPECT_FALSE(here->IsComplete());
  EXPECT_THAT(here->calls, SizeIs(1)) << "what is here goes all the same";
  EXPECT_THAT(ReceiptText(*here), HasSubstr("Ask again once they have left."));
  EXPECT_THAT(ReceiptText(*here), HasSubstr("not complete"));
  const std::string typed = fmt::format(R"({{"id_number":"{}","type":"nin"}})", kNin);
  const auto by_type = ReadReceipt(JsonOf(Post("/v1/people:erase", typed)).root());
  ASSERT_TRUE(by_type);
  EXPECT_FALSE(by_type->IsComplete());
  const auto by_check = ReadReceipt(JsonOf(Ask("DELETE", "/v1/people/" + Kept(1))).root());
  ASSERT_TRUE(by_check);
  EXPECT_FALSE(by_check->IsComplete());
  at_screen_.Set("");
  const auto gone = ReadReceipt(JsonOf(Post("/v1/people:erase", body)).root());
  ASSERT_TRUE(gone);
  EXPECT_TRUE(gone->IsComplete());
  EXPECT_THAT(ReceiptText(*gone), Not(HasSubstr("not complete")));
}

TEST_F(ApiSupervisorTest, GivesNoReceiptForANumberThatNobodyCanHaveBeenAskedAbout) {
  ApiBench::Serve();
  struct Slip {
    std::string_view body;
    std::string_view detail;
  };
  for (const auto& [body, detail] :
       {Slip{R"({"nin":"123"})", "This number has 3 digits, and a NIN has 11. Look at it again."},
        Slip{R"({"nin":"1234 5678 9012"})",
             "This number has 12 digits, and a NIN has 11. Look at it again."},
        Slip{R"({"id_number":"1","type":"nin"})",
             "This number has 1 digit, and a NIN has 11. Look at it again."},
        Slip{R"({"nin":"1234567890O"})",
             "A NIN has 11 digits and nothing else. Look at the number again."},
        Slip{R"({"phone":"0803"})",
             "This is no Nigerian mobile number, which has 11 digits, or 13 with +234. Look at it "
             "again."},
        Slip{R"({"id_number":"12345678901","type":"bvn"})",
             "This kiosk makes no checks by that kind of number. Look at it again."}}) {
    const std::string refused = Post("/v1/people:erase", std::string(body));
    EXPECT_EQ(StatusOf(refused), 400) << refused;
    EXPECT_EQ(TextAt(refused, "/detail"), detail) << body;
  }
  EXPECT_EQ(TextAt(Ask("DELETE", "/v1/people/KD7Q2M"), "/detail"),
            "There is no check with that reference.");
}

TEST_F(ApiSupervisorTest, WithoutItsAuditTrailNothingIsErased) {
  ApiBench::Serve();
  const CallReference reference = Kept(1);
  audit_.broken = Error{ErrorCode::kExhausted, "disk full"};
  const std::string answer = Post("/v1/people:erase", fmt::format(R"({{"nin":"{}"}})", kNin));
  EXPECT_EQ(TextAt(answer, "/calls/0/what"), "failed") << answer;
  EXPECT_EQ(TextAt(Get("/v1/checks/" + reference), "/state"), "pending");
}

TEST_F(ApiSupervisorTest, ASocketOfTheOwnUserAloneIsClosedToEveryGroup) {
  ApiBench::Serve({.own_user_alone = true});
  struct stat about{};
  ASSERT_EQ(stat(socket().c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 0777U, 0600U);
  EXPECT_EQ(StatusOf(Get("/v1/queue")), 200);
}

TEST_F(ApiSupervisorTest, AClientOfNoKioskIsNone) {
  EXPECT_EQ(ConnectTo(folder_ / "none.sock").value(), nullptr);
  EXPECT_EQ(ConnectTo(std::string(300, 'x')).value(), nullptr);
}

// A socket that another user serves, in a state folder of that user's.
class StrangersSocket {
 public:
  static constexpr uid_t kUser = 54321;

  explicit StrangersSocket(const std::string& path) {
    std::array<int, 2> told{};
    EXPECT_EQ(pipe(told.data()), 0);
    process_ = fork();
    if (process_ == 0) {
      sockaddr_un address{};
      address.sun_family = AF_UNIX;
      path.copy(address.sun_path, sizeof address.sun_path - 1);
      const int server = setuid(kUser) == 0 ? ::socket(AF_UNIX, SOCK_STREAM, 0) : -1;
      const bool listens =
          bind(server, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 &&
          listen(server, 4) == 0;
      (void)!write(told[1], listens ? "y" : "n", 1);
      pause();
      _exit(0);
    }
    char listens = 'n';
    EXPECT_EQ(read(told[0], &listens, 1), 1);
    EXPECT_EQ(listens, 'y');
  }
  ~StrangersSocket() {
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
  }
  StrangersSocket(const StrangersSocket&) = delete;
  StrangersSocket& operator=(const StrangersSocket&) = delete;

 private:
  pid_t process_ = -1;
};

// Of a folder that everybody may write, as /tmp.
TEST_F(ApiSupervisorTest, AClientTellsNothingToAnotherUsersProgram) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can be another user: run this test as root";
  const std::string path = folder_ / "theirs.sock";
  std::filesystem::permissions(folder_.path(), std::filesystem::perms::all);
  const StrangersSocket stranger(path);
  const auto refused = ConnectTo(path);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kForbidden);
  EXPECT_THAT(refused.error().message, HasSubstr("user 54321"));
}

// Whoever may write the folder above moves the kiosk's state folder away, and makes another.
TEST_F(ApiSupervisorTest, NorToWhoPutAnotherStateFolderThere) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can be another user: run this test as root";
  const std::string state = folder_ / "state";
  std::filesystem::create_directory(state);
  ASSERT_EQ(chown(state.c_str(), StrangersSocket::kUser, StrangersSocket::kUser), 0);
  ASSERT_EQ(chmod(folder_.path().c_str(), 0755), 0);
  const StrangersSocket stranger(state + "/api.sock");
  Settings mine;
  mine.state_folder = state;
  EXPECT_TRUE(ApiClient::Connect(mine)) << "root alone may put it there: it is the kiosk's";
  for (const mode_t mode : {0777, 02775, 01777}) {
    ASSERT_EQ(chown(folder_.path().c_str(), 0, StrangersSocket::kUser), 0);
    ASSERT_EQ(chmod(folder_.path().c_str(), mode), 0);
    EXPECT_FALSE(ApiClient::Connect(mine)) << mode;
  }
  ASSERT_EQ(chown(folder_.path().c_str(), StrangersSocket::kUser, 0), 0);
  ASSERT_EQ(chmod(folder_.path().c_str(), 0755), 0);
  EXPECT_FALSE(ApiClient::Connect(mine)) << "theirs";
  ASSERT_EQ(chown(folder_.path().c_str(), 0, 0), 0);
}

TEST_F(ApiSupervisorTest, AProblemIsAnErrorOfTheCommand) {
  ApiBench::Serve();
  const auto refused = Client()->Get("/v1/checks/ZZZZZZ");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().type, "not-found");
  EXPECT_EQ(ErrorOf(refused.error()).code, ErrorCode::kNotFound);
}

}  // namespace
}  // namespace idkiosk
