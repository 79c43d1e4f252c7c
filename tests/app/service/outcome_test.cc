#include "app/service/outcome.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/service/service_fixture.h"

namespace idkiosk {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;
using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

constexpr WallTime kNow =
    std::chrono::sys_days{std::chrono::year{2026} / 11 / 20} + std::chrono::hours(1);

HttpExchange Answered(int status, std::string_view body,
                      std::vector<HttpAnswer::Header> headers = {}) {
  HttpExchange exchange;
  exchange.stage = SendStage::kAnswered;
  exchange.answer.status = status;
  exchange.answer.body = SecretBytes::CopyOf(body);
  exchange.answer.headers = std::move(headers);
  return exchange;
}

HttpExchange Failed(SendStage stage, ErrorCode code) {
  HttpExchange exchange;
  exchange.stage = stage;
  exchange.error = Error{code, "the network's own words"};
  return exchange;
}

Outcome Of(const HttpExchange& exchange, Endpoint endpoint = Endpoint::kVerify) {
  return Classify(SandboxProfile(), endpoint, exchange, kNow);
}

struct Row {
  std::string_view what;
  HttpExchange exchange;
  OutcomeKind kind;
  Disposition disposition;
  Billed billed;
  Verdict verdict = Verdict::kNone;
};

// The table of the queue's design, row by row.
std::vector<Row> Table() {
  constexpr std::string_view kError = R"({"message":"no"})";
  constexpr std::string_view kHtml = "<html>Welcome to our network</html>";
  std::vector<Row> rows;
  const auto add = [&rows](std::string_view what, HttpExchange exchange, OutcomeKind kind,
                           Disposition disposition, Billed billed,
                           Verdict verdict = Verdict::kNone) {
    rows.push_back({what, std::move(exchange), kind, disposition, billed, verdict});
  };
  using enum OutcomeKind;
  add("refused", Failed(SendStage::kNotSent, ErrorCode::kUnavailable), kUnreachable,
      Disposition::kRetry, Billed::kNo);
  add("connect timeout", Failed(SendStage::kNotSent, ErrorCode::kTimeout), kUnreachable,
      Disposition::kRetry, Billed::kNo);
  add("TLS", Failed(SendStage::kNotSent, ErrorCode::kUnauthenticated), kCertificate,
      Disposition::kRetry, Billed::kNo);
  add("stopped", Failed(SendStage::kNotSent, ErrorCode::kCancelled), kCancelled,
      Disposition::kRetry, Billed::kNo);
  add("200", Answered(200, kVerifiedAnswer), kVerified, Disposition::kDone, Billed::kYes,
      Verdict::kVerified);
  add("201", Answered(201, kVerifiedAnswer), kVerified, Disposition::kDone, Billed::kYes,
      Verdict::kVerified);
  add("200 no", Answered(200, kNotVerifiedAnswer), kNotVerified, Disposition::kDone, Billed::kYes,
      Verdict::kNotVerified);
  add("200 HTML", Answered(200, kHtml), kUnreadable, Disposition::kUnknown, Billed::kMaybe);
  add("200 cut", Answered(200, kVerifiedAnswer.substr(0, 20)), kUnreadable, Disposition::kUnknown,
      Billed::kMaybe);
  add("200 empty", Answered(200, ""), kUnreadable, Disposition::kUnknown, Billed::kMaybe);
  add("200 wrong shape", Answered(200, R"({"data":{"verified":"true"}})"), kUnreadable,
      Disposition::kUnknown, Billed::kMaybe);
  add("200 yes and no", Answered(200, R"({"data":{"verified":true,"verified":false}})"),
      kUnreadable, Disposition::kUnknown, Billed::kMaybe);
  add("200 with an error inside", Answered(200, kError), kUnreadable, Disposition::kUnknown,
      Billed::kMaybe);
  add("204", Answered(204, ""), kUnreadable, Disposition::kUnknown, Billed::kMaybe);
  add("302", Answered(302, ""), kWrongAddress, Disposition::kHold, Billed::kMaybe);
  add("400", Answered(400, kError), kRejected, Disposition::kDone, Billed::kYes,
      Verdict::kRejected);
  add("400 with a name twice", Answered(400, R"({"message":"a","message":"b"})"), kUnexpected,
      Disposition::kHold, Billed::kMaybe);
  add("400 of a gateway", Answered(400, kHtml), kUnexpected, Disposition::kHold, Billed::kMaybe);
  add("400 empty", Answered(400, ""), kUnexpected, Disposition::kHold, Billed::kMaybe);
  for (const int status : {402, 405, 406, 407, 409, 410, 415, 418, 422, 425, 431, 451, 499}) {
    add("a 4xx that nobody foresaw", Answered(status, kError), kUnexpected, Disposition::kHold,
        Billed::kMaybe);
  }
  add("401", Answered(401, kError), kUnauthorized, Disposition::kLogin, Billed::kNo);
  add("403", Answered(403, kError), kForbidden, Disposition::kHold, Billed::kNo);
  add("404", Answered(404, kError), kNotFound, Disposition::kDone, Billed::kMaybe,
      Verdict::kRejected);
  add("404 path", Answered(404, "<html>nginx</html>"), kWrongAddress, Disposition::kHold,
      Billed::kMaybe);
  add("408", Answered(408, kError), kServerFailure, Disposition::kUnknown, Billed::kMaybe);
  add("413", Answered(413, kError), kTooLarge, Disposition::kReencode, Billed::kNo);
  add("429", Answered(429, kError), kBusy, Disposition::kPause, Billed::kNo);
  add("500", Answered(500, kError), kServerFailure, Disposition::kUnknown, Billed::kMaybe);
  add("503", Answered(503, kHtml), kServerFailure, Disposition::kUnknown, Billed::kMaybe);
  add("503 for now", Answered(503, kHtml, {{"retry-after", "30"}}), kBusy, Disposition::kPause,
      Billed::kNo);
  add("503 for who knows how long", Answered(503, kHtml, {{"retry-after", "soon"}}), kServerFailure,
      Disposition::kUnknown, Billed::kMaybe);
  add("reset", Failed(SendStage::kSent, ErrorCode::kUnavailable), kLost, Disposition::kUnknown,
      Billed::kMaybe);
  add("timeout", Failed(SendStage::kSent, ErrorCode::kTimeout), kLost, Disposition::kUnknown,
      Billed::kMaybe);
  add("too large an answer", Failed(SendStage::kSent, ErrorCode::kExhausted), kLost,
      Disposition::kUnknown, Billed::kMaybe);
  add("certificate after sending", Failed(SendStage::kSent, ErrorCode::kUnauthenticated), kLost,
      Disposition::kUnknown, Billed::kMaybe);
  return rows;
}

TEST(OutcomeTest, EveryRowOfTheTable) {
  for (const Row& row : Table()) {
    const Outcome outcome = Of(row.exchange);
    EXPECT_EQ(Name(outcome.kind), Name(row.kind)) << row.what;
    EXPECT_EQ(Name(outcome.disposition), Name(row.disposition)) << row.what;
    EXPECT_EQ(Name(outcome.billed), Name(row.billed)) << row.what;
    EXPECT_EQ(Name(outcome.verdict), Name(row.verdict)) << row.what;
    EXPECT_EQ(outcome.stage, row.exchange.stage) << row.what;
    EXPECT_EQ(outcome.http_status, row.exchange.answer.status) << row.what;
    EXPECT_FALSE(ClerkSentence(outcome.kind).empty()) << row.what;
    EXPECT_FALSE(outcome.engineer.empty()) << row.what;
  }
}

// A refusal needs no look at the whole question; a verdict does.
TEST(OutcomeTest, AnAnswerThatBeganBeforeTheRequestHadLeftIsNoVerdict) {
  for (Row& row : Table()) {
    row.exchange.answer.early = row.exchange.stage == SendStage::kAnswered;
    const Outcome outcome = Of(row.exchange);
    if (row.disposition == Disposition::kDone) {
      EXPECT_EQ(outcome.disposition, Disposition::kUnknown) << row.what;
      EXPECT_EQ(outcome.billed, Billed::kMaybe) << row.what;
      EXPECT_EQ(outcome.verdict, Verdict::kNone) << row.what;
      EXPECT_THAT(outcome.engineer, HasSubstr("begun before the request had left")) << row.what;
    } else {
      EXPECT_EQ(Name(outcome.kind), Name(row.kind)) << row.what;
    }
  }
}

// By its status nothing was done, by its body it was: a second question may be billed again.
TEST(OutcomeTest, ARefusalThatSaysYesAllTheSameIsNoVerdictAndNotSentAgain) {
  const ServiceProfile profile =
      SandboxProfile(R"("currency": "NGN",)",
                     R"("currency": "NGN", "billed_by_status": {"429":"no","403":"yes"},)");
  for (const int status : {302, 400, 401, 403, 404, 409, 413, 422, 429, 500, 503}) {
    const Outcome outcome =
        Classify(profile, Endpoint::kVerify,
                 Answered(status, kVerifiedAnswer, {{"retry-after", "30"}}), kNow);
    EXPECT_EQ(Name(outcome.kind), "unreadable") << status;
    EXPECT_EQ(Name(outcome.disposition), "unknown") << status;
    EXPECT_EQ(Name(outcome.billed), status == 403 ? "yes" : "maybe") << status;
    EXPECT_EQ(Name(outcome.verdict), "") << status;
    EXPECT_EQ(outcome.retry_after, std::nullopt) << status;
    EXPECT_EQ(outcome.http_status, status);
    EXPECT_THAT(outcome.engineer, AllOf(HasSubstr(fmt::format("status {}", status)),
                                        HasSubstr("its body says that the person is verified")));
  }
}

TEST(OutcomeTest, ARefusalThatNamesItselfIsARefusal) {
  EXPECT_EQ(Name(Of(Answered(400, kNotVerifiedAnswer)).kind), "rejected");
  // Where no place says yes or no, an error may have a status as an answer has.
  const ServiceProfile silent = SandboxProfile(R"("verified": "/data/verified",)", "");
  const auto kind = [&silent](std::string_view data) {
    const std::string body = fmt::format(R"({{"data":{}}})", data);
    return Name(Classify(silent, Endpoint::kCheck, Answered(429, body), kNow).kind);
  };
  EXPECT_EQ(kind(R"({"status":"RATE"})"), "busy");
  EXPECT_EQ(kind(R"({"fullName":"Ada Obi"})"), "unreadable");
}

constexpr std::string_view kAttemptId = "0123456789abcdef0123456789abcdef";
constexpr std::string_view kAnothersId = "fedcba9876543210fedcba9876543210";

// Its answers repeat the request's number.
ServiceProfile RepeatingProfile() {
  return SandboxProfile(R"("reference": "/data/reference")",
                        R"("reference": "/data/reference", "attempt_id": "/data/attemptId")");
}

Outcome WithRepeatedId(int status, std::string_view id_as_json,
                       std::string_view attempt_id = kAttemptId) {
  const std::string body = fmt::format(
      R"({{"message":"Ada Obi","data":{{"verified":true,"reference":"R-1","attemptId":{}}}}})",
      id_as_json);
  return Classify(RepeatingProfile(), Endpoint::kCheck,
                  Answered(status, body, {{"retry-after", "30"}}), kNow, attempt_id);
}

// Whatever it says, it may be another person's; and ours may have been billed.
TEST(OutcomeTest, AnAnswerThatRepeatsAnotherAttemptsNumberIsNoVerdict) {
  for (const int status : {200, 201, 302, 400, 401, 403, 404, 409, 413, 429, 500, 503}) {
    const Outcome outcome = WithRepeatedId(status, fmt::format("\"{}\"", kAnothersId));
    EXPECT_EQ(Name(outcome.disposition), Name(Disposition::kUnknown)) << status;
    EXPECT_EQ(Name(outcome.billed), Name(Billed::kMaybe)) << status;
    EXPECT_EQ(Name(outcome.verdict), Name(Verdict::kNone)) << status;
    EXPECT_TRUE(outcome.is_anothers) << status;
    EXPECT_EQ(outcome.service_reference, "") << status;
    EXPECT_TRUE(outcome.service_message.empty()) << status;
    EXPECT_EQ(outcome.retry_after, std::nullopt) << status;
    EXPECT_THAT(outcome.engineer, HasSubstr("endpoints.check.answer.attempt_id"));
    EXPECT_THAT(outcome.engineer, Not(HasSubstr(kAnothersId)));
  }
}

// Where a text belongs: whoever wrote that did not repeat ours.
TEST(OutcomeTest, ANumberAListOrAnObjectInItsPlaceIsNotThisAttempts) {
  const std::string in_a_list = fmt::format("[\"{}\"]", kAttemptId);
  const std::string in_an_object = fmt::format(R"({{"id":"{}"}})", kAttemptId);
  for (const std::string& each : {in_a_list, in_an_object, std::string("[]"), std::string("{}"),
                                  std::string("7"), std::string("1e3"), std::string("true")}) {
    const Outcome outcome = WithRepeatedId(200, each);
    EXPECT_EQ(Name(outcome.kind), "unreadable") << each;
    EXPECT_TRUE(outcome.is_anothers) << each;
    EXPECT_EQ(outcome.service_reference, "") << each;
  }
  EXPECT_EQ(Name(WithRepeatedId(200, "[]", "").kind), "verified") << "none was sent";
}

TEST(OutcomeTest, WhatIsNoAttemptsNumberIsNoOtherAttempts) {
  const std::string capitals = R"("01234567-89AB-CDEF-0123-456789ABCDEF")";
  const std::string own = fmt::format("\"{}\"", kAttemptId);
  for (const std::string& each :
       {own, capitals, std::string(R"("")"), std::string(R"("OK")"), std::string("null"),
        std::string(R"("req_fedcba9876543210fedcba9876543210")"),
        std::string(R"("fedcba9876543210fedcba987654321")"),
        std::string(R"("fedcba9876543210fedcba98765432100")")}) {
    EXPECT_EQ(Name(WithRepeatedId(200, each).kind), Name(OutcomeKind::kVerified)) << each;
  }
  const std::string anothers = fmt::format("\"{}\"", kAnothersId);
  EXPECT_EQ(Name(WithRepeatedId(200, anothers, "").kind), "verified") << "none was sent";
  const auto of_silent_profile = Classify(
      SandboxProfile(), Endpoint::kCheck,
      Answered(200, fmt::format(R"({{"data":{{"verified":true,"attemptId":{}}}}})", anothers)),
      kNow, kAttemptId);
  EXPECT_EQ(Name(of_silent_profile.kind), "verified");
}

TEST(OutcomeTest, WhatIsNotBilledIsNeverUnknown) {
  for (const Row& row : Table()) {
    const Outcome outcome = Of(row.exchange, Endpoint::kReasons);
    EXPECT_EQ(outcome.billed, Billed::kNo) << row.what;
    EXPECT_NE(outcome.disposition, Disposition::kUnknown) << row.what;
  }
}

TEST(OutcomeTest, A404IsNoRecordOnlyWhereTheProfileSaysHowThatLooks) {
  const auto kind_by = [](std::string_view key, std::string_view body) {
    const std::string with = fmt::format(R"("documented": true, "no_record": {},)", key);
    const Outcome outcome = Classify(SandboxProfile(R"("documented": true,)", with),
                                     Endpoint::kCheck, Answered(404, body), kNow);
    EXPECT_EQ(outcome.billed,
              outcome.kind == OutcomeKind::kNoRecord ? Billed::kYes : Billed::kMaybe);
    return outcome.kind;
  };
  constexpr std::string_view kMessage = R"({"message":"no such person"})";
  EXPECT_EQ(kind_by(kMessage, R"({"message":"there is no such person here"})"),
            OutcomeKind::kNoRecord);
  EXPECT_EQ(kind_by(kMessage, R"({"message":"no Route matched"})"), OutcomeKind::kWrongAddress);
  EXPECT_EQ(kind_by(kMessage, "<html>no such person</html>"), OutcomeKind::kWrongAddress);
  constexpr std::string_view kCode = R"({"pointer":"/error/code","values":["E404",404]})";
  EXPECT_EQ(kind_by(kCode, R"({"error":{"code":"E404"}})"), OutcomeKind::kNoRecord);
  EXPECT_EQ(kind_by(kCode, R"({"error":{"code":404}})"), OutcomeKind::kNoRecord);
  EXPECT_EQ(kind_by(kCode, R"({"error":{"code":"E405"}})"), OutcomeKind::kWrongAddress);
  EXPECT_EQ(kind_by(kCode, R"({"message":"no such person"})"), OutcomeKind::kWrongAddress);
}

TEST(OutcomeTest, TheProfileSaysWhatAnErrorCosts) {
  const ServiceProfile profile = SandboxProfile(
      R"("currency": "NGN",)",
      R"("currency": "NGN", "billed_by_status": {"413":"yes","500":"no","400":"maybe"},)");
  const auto billed = [&profile](int status, Endpoint endpoint = Endpoint::kVerify) {
    return Classify(profile, endpoint, Answered(status, "{}"), kNow).billed;
  };
  EXPECT_EQ(billed(413), Billed::kYes);
  EXPECT_EQ(billed(500), Billed::kNo);
  EXPECT_EQ(billed(400), Billed::kMaybe);
  EXPECT_EQ(billed(502), Billed::kMaybe) << "by the table";
  EXPECT_EQ(billed(413, Endpoint::kReasons), Billed::kNo);
}

TEST(OutcomeTest, A401OnTheApiKeyAloneIsNotMendedByALogin) {
  const Outcome outcome = Of(Answered(401, "{}"), Endpoint::kCheck);
  EXPECT_EQ(outcome.kind, OutcomeKind::kUnauthorized);
  EXPECT_EQ(outcome.disposition, Disposition::kHold);
}

std::optional<Duration> PauseFor(std::string retry_after, std::string date = "") {
  std::vector<HttpAnswer::Header> headers = {{"retry-after", std::move(retry_after)}};
  if (!date.empty()) headers.push_back({"date", std::move(date)});
  return Of(Answered(429, "{}", std::move(headers))).retry_after;
}

TEST(OutcomeTest, WhatIsNotBilledIsRefusedByAny4xx) {
  EXPECT_EQ(Of(Answered(422, "{}"), Endpoint::kChangePassword).kind, OutcomeKind::kRejected);
  EXPECT_EQ(Of(Answered(400, "<html>"), Endpoint::kLogin).kind, OutcomeKind::kRejected);
}

TEST(OutcomeTest, RetryAfterInSecondsIsClamped) {
  EXPECT_EQ(PauseFor("30"), seconds(30));
  EXPECT_EQ(PauseFor("0"), seconds(1));
  EXPECT_EQ(PauseFor("86400"), hours(1));
  EXPECT_EQ(PauseFor("99999999999999999999"), hours(1));
  EXPECT_EQ(PauseFor("-5"), std::nullopt);
  EXPECT_EQ(PauseFor("soon"), std::nullopt);
  EXPECT_EQ(Of(Answered(503, "{}", {{"retry-after", "30"}})).retry_after, seconds(30));
  EXPECT_EQ(PauseFor(""), std::nullopt);
  EXPECT_EQ(Of(Answered(429, "{}")).retry_after, std::nullopt);
}

TEST(OutcomeTest, ARefusalThatSaysThatItWasBilledIsInDoubt) {
  for (const char* body : {R"({"billed":true})", R"({"data":{"Billed":true,"amount":"25.00"}})"}) {
    for (const int status : {401, 403, 429, 503}) {
      const Outcome outcome = Of(Answered(status, body, {{"retry-after", "1"}}));
      EXPECT_EQ(outcome.disposition, Disposition::kUnknown) << status << body;
      EXPECT_EQ(outcome.billed, Billed::kMaybe) << status << body;
      EXPECT_THAT(outcome.engineer, testing::HasSubstr("its body says that it was billed"));
    }
  }
  EXPECT_EQ(Of(Answered(503, R"({"billed":false})", {{"retry-after", "1"}})).billed, Billed::kNo);
}

// What is odd is named in the sentence that the log has of each attempt; its bytes are not.
TEST(OutcomeTest, AnOddRetryAfterIsNamed) {
  struct Odd {
    std::vector<std::string> values;
    std::optional<Duration> wait;
    std::string_view named;  // empty: nothing is odd
  };
  const std::vector<Odd> table = {
      {{"30"}, seconds(30), ""},
      {{"0"}, seconds(1), ""},
      {{"3600"}, hours(1), ""},
      {{"Fri, 20 Nov 2026 01:02:00 GMT"}, minutes(2), ""},
      {{"3601"}, hours(1), "more than an hour, so an hour is kept"},
      {{"99999999999999999999"}, hours(1), "more than an hour, so an hour is kept"},
      {{"Fri, 20 Nov 2037 00:00:00 GMT"}, hours(1), "more than an hour, so an hour is kept"},
      {{"Fri, 20 Nov 2026 00:00:00 GMT"}, seconds(1), "a time that has passed"},
      {{"Wed, 21 Oct 1970 07:28:00 GMT"}, std::nullopt, "long past"},
      {{"-5"}, std::nullopt, "neither whole seconds nor a date"},
      {{"-99999999999999999999"}, std::nullopt, "neither whole seconds nor a date"},
      {{"1.5"}, std::nullopt, "neither whole seconds nor a date"},
      {{"30 s"}, std::nullopt, "neither whole seconds nor a date"},
      {{"soon 12345678901"}, std::nullopt, "neither whole seconds nor a date"},
      {{""}, std::nullopt, "empty"},
      {{"30", "60"}, seconds(60), "there 2 times, so the longest is kept"},
      {{"60", "-5"}, seconds(60), "there 2 times, so the longest is kept"},
      {{"", "-5"}, std::nullopt, "neither whole seconds nor a date"},
  };
  for (const Odd& each : table) {
    std::vector<HttpAnswer::Header> headers;
    for (const std::string& value : each.values) headers.push_back({"retry-after", value});
    for (const int status : {429, 503}) {
      const Outcome outcome = Of(Answered(status, "{}", headers));
      const std::string what = fmt::format("{} {}", status, fmt::join(each.values, " and "));
      EXPECT_EQ(outcome.retry_after, each.wait) << what;
      EXPECT_EQ(Name(outcome.kind), status == 429 || each.wait ? "busy" : "server_failure") << what;
      EXPECT_EQ(outcome.engineer.contains("Retry-After"), !each.named.empty()) << what;
      EXPECT_THAT(outcome.engineer, HasSubstr(std::string(each.named))) << what;
      EXPECT_THAT(outcome.engineer, Not(HasSubstr("12345678901")));
    }
  }
}

TEST(OutcomeTest, WhatIsNotExactlyOneDocumentIsNoAnswer) {
  const std::string yes(kVerifiedAnswer);
  constexpr std::string_view kGzip("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\xab\x56", 12);
  for (const std::string& body :
       {yes + yes, yes + kNotVerifiedAnswer.data(), yes + "x", yes + std::string(1, '\0'),
        "x" + yes, yes + ",", "[" + yes,
        R"({"data":{"verified":false},"data":{"verified":true}})" + yes,
        std::string(R"({"data":{"verified":true,"\u0076erified":false}})"),
        std::string(R"({"data":{"verified":true},"d\u0061ta":{}})"), std::string(kGzip)}) {
    EXPECT_EQ(Name(Of(Answered(200, body)).kind), "unreadable") << body;
    EXPECT_EQ(Name(Of(Answered(200, body)).billed), "maybe") << body;
    // A refusal around an answer is none; what is packed may be anything.
    const bool is_packed = body == kGzip;
    EXPECT_EQ(Name(Of(Answered(400, body)).kind), is_packed ? "unexpected" : "unreadable") << body;
    EXPECT_EQ(Name(Of(Answered(404, body)).kind), is_packed ? "wrong_address" : "unreadable");
    EXPECT_EQ(Name(Of(Answered(429, body)).kind), "unreadable") << body;
  }
  EXPECT_EQ(Name(Of(Answered(200, " \r\n" + yes + "\n")).kind), "verified");
}

TEST(OutcomeTest, RetryAfterAsADateIsReadAgainstTheServersClock) {
  EXPECT_EQ(PauseFor("Fri, 20 Nov 2026 01:02:00 GMT"), minutes(2));
  EXPECT_EQ(PauseFor("Fri, 20 Nov 2026 00:00:00 GMT"), seconds(1));
  EXPECT_EQ(PauseFor("Fri, 20 Nov 2037 00:00:00 GMT"), hours(1));
  EXPECT_EQ(PauseFor("Fri, 20 Nov 2026 05:02:00 GMT", "Fri, 20 Nov 2026 05:01:30 GMT"),
            seconds(30));
}

TEST(OutcomeTest, ServicesOwnWordsAreKeptApartFromOurSentences) {
  const Outcome outcome = Of(Answered(400, R"({"error":{"message":"NIN 12345678901 is bad"}})"));
  EXPECT_EQ(outcome.service_message.text(), "NIN 12345678901 is bad");
  EXPECT_THAT(outcome.engineer, Not(HasSubstr("12345678901")));
}

TEST(OutcomeTest, PicturesThatCannotBeMadeSmallerEndTheCall) {
  const Outcome refused = PicturesRefused(Of(Answered(413, "{}")), "no rung is left");
  EXPECT_EQ(refused.disposition, Disposition::kDone);
  EXPECT_EQ(refused.verdict, Verdict::kRejected);
  EXPECT_EQ(refused.billed, Billed::kNo);
  EXPECT_EQ(refused.http_status, 413);
  EXPECT_THAT(refused.engineer, AllOf(HasSubstr("status 413"), HasSubstr("no rung is left")));
  EXPECT_EQ(OutcomeKindOf(Name(refused.kind)), OutcomeKind::kPicturesRefused);
}

TEST(OutcomeTest, NoFinalSentencePromisesThatMoreIsSent) {
  using enum OutcomeKind;
  for (OutcomeKind final :
       {kVerified, kNotVerified, kAnswered, kRejected, kNoRecord, kNotFound, kPicturesRefused}) {
    EXPECT_THAT(std::string(ClerkSentence(final)), Not(ContainsRegex("sent|kept")));
  }
}

TEST(OutcomeTest, WordsGoBothWays) {
  for (const Row& row : Table()) EXPECT_EQ(OutcomeKindOf(Name(row.kind)), row.kind);
  for (Billed each : {Billed::kNo, Billed::kMaybe, Billed::kYes}) {
    EXPECT_EQ(BilledOf(Name(each)), each);
  }
  for (Verdict each : {Verdict::kNone, Verdict::kVerified, Verdict::kNotVerified,
                       Verdict::kRejected, Verdict::kGivenUp}) {
    EXPECT_EQ(VerdictOf(Name(each)), each);
  }
  for (SendStage each : {SendStage::kNotSent, SendStage::kSent, SendStage::kAnswered}) {
    EXPECT_EQ(SendStageOf(Name(each)), each);
  }
  EXPECT_FALSE(OutcomeKindOf("perhaps"));
}

TEST(OutcomeTest, NothingSentIsFree) {
  const Outcome outcome = NothingSent(OutcomeKind::kMissingSecret, Endpoint::kVerify,
                                      {ErrorCode::kNotFound, "no secret 'api_key'"});
  EXPECT_EQ(outcome.billed, Billed::kNo);
  EXPECT_EQ(outcome.disposition, Disposition::kHold);
  EXPECT_EQ(outcome.engineer, "no secret 'api_key'");
}

}  // namespace
}  // namespace idkiosk
