// What goes wrong on request, as a client sees it, and what the sandbox's own commands say.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "tests/tools/sandbox/contract/curl.h"
#include "tools/sandbox/store/state_folder.h"

namespace idkiosk::sandbox {
namespace {

using testing::HasSubstr;
using testing::Not;

class FaultsContractTest : public ContractTest {
 protected:
  Customer customer_ = Onboard();

  void SwitchOn(const std::string& json) {
    EXPECT_EQ(Admin("POST", "/sandbox/faults", json).status, 201);
  }
  Answer Verify() { return Post(kVerify, FaceJson(kTestNin), customer_.Headers()); }
};

TEST_F(FaultsContractTest, AConnectionDroppedAfterTheBodyLeavesOnePostAndOneBilledRow) {
  SwitchOn(R"({"kind":"drop-after-body","endpoint":"verify"})");
  const Answer answer = Verify();
  EXPECT_EQ(answer.curl_exit, 52);
  EXPECT_EQ(answer.body, "");
  EXPECT_EQ(Billed(), 1);
  EXPECT_EQ(PostsFor(kTestNin), 1);
  EXPECT_EQ(Verify().status, 200);
}

TEST_F(FaultsContractTest, AConnectionDroppedBeforeTheBodyIsReceivedButNotBilled) {
  SwitchOn(R"({"kind":"drop-before-body","endpoint":"verify"})");
  EXPECT_NE(Verify().curl_exit, 0);
  EXPECT_EQ(Billed(), 0);
  const Answer requests = Admin("GET", "/sandbox/requests?endpoint=verify");
  EXPECT_EQ(requests.json.root().At("/count/posts").AsInteger(), 1);
  EXPECT_EQ(requests.json.root().At("/count/bodies_read").AsInteger(), 0);
}

TEST_F(FaultsContractTest, AResetConnectionIsBilled) {
  SwitchOn(R"({"kind":"reset"})");
  EXPECT_EQ(Verify().curl_exit, 56);
  EXPECT_EQ(Billed(), 1);
}

TEST_F(FaultsContractTest, ACutAnswerHasHalfOfItsBody) {
  const size_t whole = Verify().body.size();
  SwitchOn(R"({"kind":"cut"})");
  const Answer answer = Verify();
  EXPECT_EQ(answer.curl_exit, 18);
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.body.size(), whole / 2);
  EXPECT_EQ(Billed(), 2);
}

TEST_F(FaultsContractTest, APageInPlaceOfJson) {
  SwitchOn(R"({"kind":"html"})");
  const Answer answer = Verify();
  EXPECT_EQ(answer.status, 200);
  EXPECT_THAT(answer.headers, HasSubstr("text/html"));
  EXPECT_THAT(answer.body, HasSubstr("<!doctype html>"));
}

TEST_F(FaultsContractTest, JsonOfTheWrongTypes) {
  SwitchOn(R"({"kind":"wrong-type"})");
  const Answer answer = Verify();
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.Text("/data/verified"), "true");
  EXPECT_EQ(answer.json.root().At("/data/fullName").AsInteger(), 7);
}

TEST_F(FaultsContractTest, AStaleTokenIsRefusedAndAFreshOneIsNot) {
  SwitchOn(R"({"kind":"stale-token","endpoint":"verify"})");
  EXPECT_EQ(Verify().status, 401);
  EXPECT_EQ(Verify().status, 401);
  customer_.token = LogIn(customer_);
  EXPECT_EQ(Verify().status, 200);
  EXPECT_EQ(Billed(), 1);
}

TEST_F(FaultsContractTest, AnyStatusWithItsRetryAfterInSecondsOrAsADate) {
  SwitchOn(R"({"kind":"status","status":429,"retry_after":7})");
  const Answer seconds = Verify();
  EXPECT_EQ(seconds.status, 429);
  EXPECT_THAT(seconds.headers, HasSubstr("Retry-After: 7\r\n"));
  SwitchOn(R"({"kind":"status","status":429,"retry_after":7,"retry_after_as_date":true})");
  EXPECT_THAT(Verify().headers, HasSubstr(" GMT\r\n"));
  SwitchOn(R"({"kind":"status","status":503,"retry_after":7})");
  EXPECT_THAT(Verify().headers, HasSubstr("Retry-After: 7\r\n"));
  SwitchOn(R"({"kind":"status","status":503})");
  EXPECT_THAT(Verify().headers, Not(HasSubstr("Retry-After")));
}

TEST_F(FaultsContractTest, AStatusOf500IsBilledUnlessToldOtherwise) {
  SwitchOn(R"({"kind":"status","status":500})");
  EXPECT_EQ(Verify().status, 500);
  EXPECT_EQ(Billed(), 1);
  SwitchOn(R"({"kind":"status","status":500,"billed":false})");
  EXPECT_EQ(Verify().status, 500);
  EXPECT_EQ(Billed(), 1);
}

TEST_F(FaultsContractTest, ADelayedAnswerIsBilledBeforeTheClientGivesUp) {
  SwitchOn(R"({"kind":"delay","delay_ms":600000,"endpoint":"verify"})");
  // A busy machine may take longer than that to send it.
  for (double seconds = 0.5; Billed() == 0; seconds *= 2) {
    std::vector<std::string> impatient = customer_.Headers();
    impatient.insert(impatient.end(), {"--max-time", std::to_string(seconds)});
    EXPECT_EQ(Post(kVerify, FaceJson(kTestNin), impatient).curl_exit, 28);
  }
}

TEST_F(FaultsContractTest, FaultsAreListedAndClearedByTheCommand) {
  EXPECT_EQ(sandbox_.Command({"fault", "add", "--kind", "reset", "--count", "0"}).exit_code, 0);
  EXPECT_THAT(sandbox_.Command({"fault", "list"}).out, HasSubstr("\"kind\":\"reset\""));
  EXPECT_EQ(sandbox_.Command({"fault", "clear"}).exit_code, 0);
  EXPECT_EQ(Verify().status, 200);
  EXPECT_EQ(sandbox_.Command({"fault", "clear", "--id", "99"}).exit_code, 1);
  EXPECT_EQ(sandbox_.Command({"fault", "add", "--kind", "explosion"}).exit_code, 2);
}

class PlainHttpContractTest : public ContractTest {
 protected:
  PlainHttpContractTest() : ContractTest({"--plain-http"}) {}
};

TEST_F(PlainHttpContractTest, WorksAndGoesWrongAsOverTls) {
  EXPECT_THAT(sandbox_.base_url(), HasSubstr("http://127.0.0.1:"));
  const Customer customer = Onboard();
  const auto verify = [&] { return Post(kVerify, FaceJson(kTestNin), customer.Headers()); };
  EXPECT_EQ(verify().status, 200);
  for (const auto& [kind, curl_exit] : std::initializer_list<std::pair<const char*, int>>{
           {"drop-after-body", 52}, {"reset", 56}, {"cut", 18}, {"html", 0}}) {
    const std::string fault = Json({{"kind", kind}, {"endpoint", "verify"}});
    EXPECT_EQ(Admin("POST", "/sandbox/faults", fault).status, 201);
    EXPECT_EQ(verify().curl_exit, curl_exit) << kind;
  }
  EXPECT_EQ(Billed(), 5);
}

class Ipv6ContractTest : public ContractTest {
 protected:
  Ipv6ContractTest() : ContractTest({"--address", HasIpv6() ? "::1" : "127.0.0.1"}) {}

  static bool HasIpv6() {
    const auto interfaces = ReadTextFile("/proc/net/if_inet6");
    return interfaces && interfaces->find("00000000000000000000000000000001") != std::string::npos;
  }
};

TEST_F(Ipv6ContractTest, IsReachedByItsAddressInBrackets) {
  if (!HasIpv6()) GTEST_SKIP() << "this machine has no ::1";
  EXPECT_THAT(sandbox_.base_url(), HasSubstr("https://[::1]:"));
  EXPECT_EQ(Get(kReasons, Onboard().Headers()).status, 200);
}

using CommandsContractTest = ContractTest;

TEST_F(CommandsContractTest, OnboardWritesAMessageThatOnlyItsOwnerReads) {
  const std::string file = sandbox_.scratch() / "onboarding.json";
  EXPECT_EQ(sandbox_.Command({"onboard", "--out", file}).exit_code, 0);
  struct stat about{};
  ASSERT_EQ(stat(file.c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 0777, 0600U);
  const auto message = JsonDocument::Parse(*ReadTextFile(file));
  ASSERT_TRUE(message);
  for (const char* pointer : {"/login/email", "/login/password", "/user_id", "/api_key"}) {
    EXPECT_NE(message->root().At(pointer).AsString().value_or(""), "") << pointer;
  }
  EXPECT_EQ(message->root()["base_url"].AsString(), sandbox_.base_url());
  EXPECT_EQ(message->root()["environment"].AsString(), "sandbox");
  EXPECT_EQ(message->root()["ca_file"].AsString(), sandbox_.ca_file());
  EXPECT_EQ(message->root()["test_nin"].AsString(), kTestNin);
}

TEST_F(CommandsContractTest, TheLedgerIsReadWhileNoServerRuns) {
  const Customer customer = Onboard();
  EXPECT_EQ(Post(kVerify, FaceJson(kTestNin), customer.Headers()).status, 200);
  EXPECT_EQ(sandbox_.Stop(SIGTERM), 0);
  const Finished ledger = sandbox_.Command({"ledger", "--json"});
  EXPECT_EQ(ledger.exit_code, 0);
  EXPECT_THAT(ledger.out, HasSubstr("\"sum\":{\"count\":1,\"amount\":\"100.00\""));
  EXPECT_THAT(sandbox_.Command({"ledger"}).out, HasSubstr("billed: 1 (100.00 in all)"));
  EXPECT_THAT(sandbox_.Command({"requests", "--nin", kTestNin}).out,
              HasSubstr("received: 1 (1 POSTs), billed: 1"));
}

TEST_F(CommandsContractTest, WhatNeedsAServerSaysThatNoneRuns) {
  EXPECT_EQ(sandbox_.Stop(SIGTERM), 0);
  EXPECT_EQ(sandbox_.Command({"onboard"}).exit_code, 1);
  EXPECT_EQ(sandbox_.Command({"fault", "list"}).exit_code, 1);
}

// As a script has it: the server behind an '&', and the next line wants something of it.
TEST_F(CommandsContractTest, OnboardWaitsForAServerThatIsJustStarting) {
  const std::string state = sandbox_.scratch() / "new";
  for (int start = 1; start <= 2; ++start) {
    SCOPED_TRACE(testing::Message() << "start " << start);
    const Finished both = RunProgram(
        {"/bin/sh", "-c",
         fmt::format("'{0}' serve --state {1} --port 0 >/dev/null & '{0}' onboard --state {1}; "
                     "code=$?; kill $!; wait; exit $code",
                     SANDBOX_PROGRAM, state)});
    EXPECT_EQ(both.exit_code, 0) << both.err;
    EXPECT_THAT(both.out, HasSubstr("test_nin"));
  }
}

TEST_F(CommandsContractTest, PeopleAreAddedAndRemoved) {
  const Customer customer = Onboard();
  EXPECT_EQ(sandbox_
                .Command({"people", "add", "--nin", kUnknownNin, "--name", "Ada New", "--phone",
                          "07000000077"})
                .exit_code,
            0);
  EXPECT_EQ(
      Post(kDetails, Json({{"nin", kUnknownNin}, {"requestReason", "TENANCY"}}), customer.Headers())
          .Text("/data/fullName"),
      "Ada New");
  EXPECT_EQ(sandbox_.Command({"people", "remove", "--nin", kUnknownNin}).exit_code, 0);
  EXPECT_EQ(sandbox_.Command({"people", "remove", "--nin", kUnknownNin}).exit_code, 1);
}

TEST_F(CommandsContractTest, ASecondServerOnTheSameFolderIsRefused) {
  const Finished second =
      RunProgram({SANDBOX_PROGRAM, "serve", "--state", sandbox_.state(), "--port", "0"});
  EXPECT_EQ(second.exit_code, 1);
  EXPECT_EQ(Get(kReasons).status, 401);
}

TEST_F(CommandsContractTest, APortThatIsTakenIsRefusedInOneSentence) {
  const std::string port = sandbox_.base_url().substr(sandbox_.base_url().rfind(':') + 1);
  const Finished second = RunProgram(
      {SANDBOX_PROGRAM, "serve", "--state", sandbox_.scratch() / "other-state", "--port", port});
  EXPECT_EQ(second.exit_code, 1);
  EXPECT_EQ(second.out, "");
}

TEST_F(CommandsContractTest, AConnectionCarriesManyRequests) {
  const std::string address = sandbox_.base_url() + kReasons;
  const Finished finished =
      RunProgram({"curl", "--silent", "--cacert", sandbox_.ca_file(), "--write-out",
                  "%{num_connects}", "--output", "/dev/null", "--output", "/dev/null", "--output",
                  "/dev/null", address, address, address});
  EXPECT_EQ(finished.out, "100");
}

TEST_F(CommandsContractTest, TheCertificateIsGoodForItsNamesAndForNoOther) {
  EXPECT_EQ(Get(kReasons).curl_exit, 0);
  const std::string port = sandbox_.base_url().substr(sandbox_.base_url().rfind(':') + 1);
  const auto exit_for = [&](const std::string& host) {
    return RunProgram({"curl", "--silent", "--cacert", sandbox_.ca_file(), "--connect-to",
                       host + ":" + port + ":127.0.0.1:" + port, "https://" + host + ":" + port})
        .exit_code;
  };
  EXPECT_EQ(exit_for("localhost"), 0);
  EXPECT_EQ(exit_for("elsewhere.example"), 60);
}

TEST_F(CommandsContractTest, NothingInTheStateFolderShowsANinAPasswordAKeyOrATokenButTheAdmins) {
  const Customer customer = Onboard();
  EXPECT_EQ(Post(kVerify, FaceJson(kMatchingNin), customer.Headers()).status, 200);
  EXPECT_EQ(sandbox_.Stop(SIGTERM), 0);
  const std::string database = *ReadTextFile(sandbox_.state() + "/sandbox.db");
  for (const std::string& secret : {customer.password, customer.api_key, customer.token}) {
    EXPECT_THAT(database, Not(HasSubstr(secret)));
  }
}

}  // namespace
}  // namespace idkiosk::sandbox
