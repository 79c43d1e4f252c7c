#include "tests/app/session/visit/visit_fixture.h"

#include <gtest/gtest.h>

#include "tests/app/service/service_fixture.h"

namespace idkiosk {

void FakePictureTaker::Deliver() {
  CaptureBundle bundle;
  bundle.selfie.jpeg = DrawJpeg(600, 'S');
  for (size_t i = 0; i < bundle.liveness.size(); ++i) {
    bundle.liveness[i].jpeg = DrawJpeg(500, static_cast<char>('1' + i));
  }
  std::exchange(listener_, nullptr)->OnPictures(std::move(bundle));
}

void FakePictureTaker::Fail(ErrorCode code) {
  std::exchange(listener_, nullptr)->OnPictures(std::unexpected(Error{code, "by the test"}));
}

void FakeQueueClient::Accept(VerificationCall call, Terms terms, Then<Accepted> then) {
  accepted.push_back(std::move(call));
  confirmed = terms.confirmed;
  consent = std::move(terms.consent);
  order = std::move(terms.order);
  waiting_.push_back(std::move(then));
  if (!holds_accepts) AnswerAccept(kReference);
}

void FakeQueueClient::FindObstacle(VerificationCall question, bool was_confirmed,
                                   Then<Looked> then) {
  ++looked_up;
  asked = VerificationCall();
  asked.endpoint = question.endpoint;
  asked.nin = question.nin.Clone();
  asked.reason = question.reason;
  looking_.push_back(
      [this, looked = std::move(question), was_confirmed, answer = std::move(then)]() mutable {
        IntakeFacts facts{.room = room, .holds = {}, .before = {}, .confirmed = was_confirmed};
        if (hold) facts.holds = {*hold};
        if (!looked.nin.empty()) facts.before = earlier;
        answer({std::move(looked), Intake(facts)});
      });
  if (!holds_obstacles) AnswerObstacle();
}

void FakeQueueClient::AnswerObstacle() {
  auto answer = std::move(looking_.front());
  looking_.pop_front();
  answer();
}

void FakeQueueClient::AnswerAccept(Accepted answer) {
  auto then = std::move(waiting_.front());
  waiting_.pop_front();
  then(std::move(answer));
}

void FakeQueueClient::Show(const CallReference& reference, Then<Result<CallSummary>> then) {
  summary.reference = reference;
  then(summary);
}

void FakeQueueClient::OpenAnswer(const CallReference& reference, Then<Result<AnswerParts>> then) {
  opened.push_back(reference);
  if (no_answer) return then(std::unexpected(*no_answer));
  AnswerParts parts;
  parts.verified = true;
  parts.name = SecretBytes::CopyOf("Amina Sample");
  parts.reference = SecretBytes::CopyOf("IDN-1");
  parts.photo = photo.Clone();
  then(std::move(parts));
}

VisitFixture::VisitFixture(Settings with, bool with_devices, Duration get_ready)
    : settings([&] {
        with.ui.get_ready = get_ready;
        return std::move(with);
      }()),
      session({settings,
               runner,
               clock,
               entropy,
               camera,
               queue,
               [this](const UiSnapshot& snapshot) { shown.push_back(snapshot); },
               with_devices ? VisitController::Devices{.receipts = &receipts, .slips = &slips}
                            : VisitController::Devices(),
               [this](auto then) {
                 ++looks;
                 then(camera_is_there);
               },
               {},
               {},
               {},
               nullptr,
               &at_screen}) {
  session.SetReasons({{"ACCOUNT_OPENING", "Opening an account"}, {"KYC", "Know your customer"}});
}

Status VisitFixture::TryDo(std::string_view command, std::string_view arguments,
                           std::string_view in_session) {
  const auto body = JsonDocument::Parse(fmt::format("{{{}}}", arguments));
  EXPECT_TRUE(body) << arguments;
  return session.Do(in_session.empty() ? view().session : in_session, command, body->root());
}

void VisitFixture::Do(std::string_view command, std::string_view arguments) {
  const Status done = TryDo(command, arguments);
  EXPECT_TRUE(done) << command << ": " << done.error().message;
}

void VisitFixture::WalkToNumber() {
  Do("start", R"("language": "en")");
  Do("agree");
}

void VisitFixture::WalkToCamera() {
  WalkToNumber();
  Do("number", fmt::format(R"("digits": "{}")", kNin));
  Do("next");
  Do("reason", R"("code": "KYC")");
}

void VisitFixture::WalkToLook() {
  WalkToCamera();
  camera.Deliver();
}

void VisitFixture::WalkToWaiting() {
  WalkToLook();
  Do("send");
}

}  // namespace idkiosk
