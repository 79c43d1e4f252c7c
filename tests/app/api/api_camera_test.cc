#include <gmock/gmock.h>

#include <future>

#include "tests/app/api/api_bench.h"

// Another program asks about a person whose pictures the kiosk's own camera takes.
namespace idkiosk {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kAtCamera =
    R"({"endpoint":"verify","nin":"00000000001","reason":"ACCOUNT_OPENING","case":"B-17","operator":"anna","pictures":"camera"})";
constexpr const char* kOtherAtCamera =
    R"({"endpoint":"verify","nin":"00000000002","reason":"ACCOUNT_OPENING","pictures":"camera"})";
constexpr const char* kKey = "Idempotency-Key: k-1\r\n";

class ApiCameraTest : public ApiBench {
 protected:
  ApiCameraTest() {
    begin_visit_ = [this](std::shared_ptr<const VisitOrder> order) {
      Status says;
      {
        const MutexLock lock(mutex_);
        order_ = order;
        says = screen_;
      }
      backend_->visits().Begun(order->reference, says);
    };
  }

  // The order that came to the screen, and is forgotten here; null: none.
  std::shared_ptr<const VisitOrder> TakeOrder() {
    const MutexLock lock(mutex_);
    return std::exchange(order_, nullptr);
  }
  void LetScreenSay(Status answer) {
    const MutexLock lock(mutex_);
    screen_ = std::move(answer);
  }

  // What the queue's client does with what the person has sent.
  CallReference HandIn(const std::shared_ptr<const VisitOrder>& order) {
    return OnStorage([&] {
      VerificationCall call;
      call.endpoint = order->question.endpoint;
      call.nin = order->question.nin.Clone();
      call.reason = order->question.reason;
      call.pictures = *Gate(Pictures());
      const auto accepted =
          queue->Accept(call, {.person_waits = true,
                               .operator_id = order->operator_id,
                               .case_id = order->case_id,
                               .reference = order->reference,
                               .request = {.key = order->key, .body = order->body.text()}});
      EXPECT_TRUE(accepted);
      return accepted.value_or("");
    });
  }
  static ApiBackend::GivenPictures Pictures() {
    ApiBackend::GivenPictures pictures;
    for (size_t i = 0; i < pictures.size(); ++i)
      pictures[i] = DrawJpeg(600, static_cast<char>('a' + i));
    return pictures;
  }
  std::string StateOf(const std::string& reference) {
    return TextAt(Get("/v1/visits/" + reference), "/state");
  }
  size_t Calls() {
    return OnStorage([&] { return queue->List(false)->size(); });
  }

  Mutex mutex_;                       // the server's threads ask the screen
  Status screen_ GUARDED_BY(mutex_);  // its answer
  std::shared_ptr<const VisitOrder> order_ GUARDED_BY(mutex_);
};

TEST_F(ApiCameraTest, TheCheckIsThereUnderTheSameReferenceOnceThePersonHasSent) {
  Serve();
  const std::string answer = Post("/v1/checks", kAtCamera, kKey);
  ASSERT_EQ(StatusOf(answer), 202) << answer;
  const std::string reference = TextAt(answer, "/reference");
  EXPECT_THAT(answer, HasSubstr("Location: /v1/visits/" + reference));
  EXPECT_EQ(TextAt(answer, "/visit"), "/v1/visits/" + reference);
  EXPECT_THAT(audit_.entries, ElementsAre(HasSubstr("call.asked " + reference)));
  EXPECT_EQ(Calls(), 0U) << "nobody has sent anything";
  EXPECT_EQ(StateOf(reference), "at_camera");
  EXPECT_EQ(StatusOf(Get("/v1/checks/" + reference)), 404);
  EXPECT_EQ(TextAt(Post("/v1/checks", kAtCamera, kKey), "/reference"), reference);

  const auto order = TakeOrder();
  EXPECT_EQ(HandIn(order), reference);
  backend_->TellEnd({.reference = reference, .is_handed_in = true, .order = order});
  EXPECT_EQ(StateOf(reference), "handed_in");
  const std::string check = Get("/v1/checks/" + reference);
  EXPECT_EQ(TextAt(check, "/case"), "B-17");
  EXPECT_EQ(TextAt(check, "/operator"), "anna");
  EXPECT_EQ(TextAt(Post("/v1/checks", kAtCamera, kKey), "/reference"), reference);
  EXPECT_EQ(Calls(), 1U) << "one key, one check";
}

TEST_F(ApiCameraTest, AVisitThatCameToNothingSaysWhyAndCostsNothing) {
  Serve();
  const std::string reference = TextAt(Post("/v1/checks", kAtCamera, kKey), "/reference");
  EventReader events(backend_->events(), "", geteuid());
  (void)events.Next(std::chrono::milliseconds(0));  // its place
  auto order = TakeOrder();
  backend_->TellEnd({.why = StopReason::kDeclined, .order = order});
  const std::weak_ptr<const VisitOrder> of_the_person = std::exchange(order, nullptr);
  EXPECT_TRUE(of_the_person.expired()) << "nothing of the person stays";
  EXPECT_THAT(events.Next(std::chrono::milliseconds(0)),
              HasSubstr(fmt::format(
                  R"({{"reference":"{}","state":"not_taken","why":"declined","case":"B-17"}})",
                  reference)));
  const std::string visit = Get("/v1/visits/" + reference);
  EXPECT_EQ(TextAt(visit, "/state"), "not_taken");
  EXPECT_EQ(TextAt(visit, "/why"), "declined");
  EXPECT_EQ(TextAt(Post("/v1/checks", kAtCamera, kKey), "/reference"), reference)
      << "the key has had its visit";
  EXPECT_EQ(Calls(), 0U);
}

TEST_F(ApiCameraTest, AScreenThatIsNotFreeIsSaidAndTheKeyMayComeAgain) {
  Serve();
  LetScreenSay(Fail(ErrorCode::kUnavailable, "somebody is before the screen"));
  const std::string busy = Post("/v1/checks", kAtCamera, kKey);
  EXPECT_EQ(StatusOf(busy), 409);
  EXPECT_EQ(ProblemIn(busy), "not-possible");
  EXPECT_EQ(TextAt(busy, "/engineer"), "somebody is before the screen");
  EXPECT_EQ(TextAt(busy, "/detail"),
            "The kiosk's screen cannot take this person now: somebody is before the screen.");
  ASSERT_EQ(audit_.entries.size(), 2U);
  EXPECT_THAT(audit_.entries[0], HasSubstr("call.asked"));
  EXPECT_THAT(audit_.entries[1], HasSubstr("not_done"));
  LetScreenSay({});
  EXPECT_EQ(StatusOf(Post("/v1/checks", kAtCamera, kKey)), 202);
}

TEST_F(ApiCameraTest, OneKeyBelongsToOneBody) {
  Serve();
  (void)Post("/v1/checks", kAtCamera, kKey);
  EXPECT_EQ(ProblemIn(Post("/v1/checks", kOtherAtCamera, kKey)), "key-reused");
  const auto order = TakeOrder();
  backend_->TellEnd({.reference = order->reference, .is_handed_in = false, .order = order});
  EXPECT_EQ(ProblemIn(Post("/v1/checks", kOtherAtCamera, kKey)), "key-reused") << "over";
}

TEST_F(ApiCameraTest, WhatWasAskedBeforeIsSaidBeforeAnybodyIsAskedForTheirFace) {
  Serve();
  (void)Post("/v1/checks", kAtCamera);
  (void)HandIn(TakeOrder());
  EXPECT_EQ(ProblemIn(Post("/v1/checks", kAtCamera)), "asked-before");
  EXPECT_EQ(TakeOrder(), nullptr) << "nobody came before the screen";
}

TEST_F(ApiCameraTest, RefusesWhatNoScreenCanAsk) {
  Serve();
  for (
      const char* const body :
      {R"({"endpoint":"verify","nin":"00000000001","reason":"ACCOUNT_OPENING","pictures":"webcam"})",
       R"({"endpoint":"verify","nin":"00000000001","reason":"ACCOUNT_OPENING","pictures":"camera","consent":{"version":"idkiosk-2","language":"en"}})",
       R"({"endpoint":"verify","nin":"123","reason":"ACCOUNT_OPENING","pictures":"camera"})",
       R"({"endpoint":"lookup_nin","nin":"00000000001","reason":"ACCOUNT_OPENING","pictures":"camera"})"}) {
    const std::string answer = Post("/v1/checks", body);
    EXPECT_GE(StatusOf(answer), 400) << body;
    EXPECT_LT(StatusOf(answer), 500) << body;
    EXPECT_THAT(answer, Not(HasSubstr("00000000001")));
  }
  EXPECT_EQ(TakeOrder(), nullptr);
  EXPECT_EQ(StatusOf(Get("/v1/visits/KD7Q2M")), 404);
}

TEST_F(ApiCameraTest, AKioskThatStopsLetsNobodyWaitForItsScreen) {
  std::promise<void> asked;
  begin_visit_ = [&](auto) { asked.set_value(); };  // which never answers
  Serve();
  auto answer = std::async(std::launch::async, [&] { return Post("/v1/checks", kAtCamera); });
  asked.get_future().wait();
  backend_->visits().Close();
  EXPECT_EQ(StatusOf(answer.get()), 409);
}

}  // namespace
}  // namespace idkiosk
