// The part of VisitController that asks people whether they agree, and whether they can.
#include <algorithm>
#include <utility>

#include "app/session/visit/visit_controller.h"

namespace idkiosk {

// What stood on the screen is what they agreed to.
Status VisitController::Agree(JsonView) {
  person_.consent = ConsentHere().consent;
  if (!person_.visits) {
    EnterNumber();
  } else {
    EnterCamera();  // the clerk has looked for obstacles
  }
  return {};
}

void VisitController::EnterConsent() {
  Show(Screen::kConsent);
  ConsentTexts::Text here = ConsentHere();
  view_.consent_text = std::move(here.text);
  view_.consent_language = std::move(here.consent.language);
}

// Two others must be left to draw from.
std::vector<Prompt> VisitController::MayBeLeftOut() const {
  constexpr size_t kFewest = 2;
  std::vector<Prompt> may;
  for (const PromptTraits& each : kChallenges) {
    const auto& allowed = deps_.settings.capture.may_leave_out;
    const bool allowed_here = std::ranges::find(allowed, each.name) != allowed.end();
    if (allowed_here && may.size() + kFewest < kChallenges.size()) may.push_back(each.prompt);
  }
  return may;
}

ConsentTexts::Text VisitController::ConsentHere() const {
  if (deps_.consents != nullptr) return deps_.consents->In(view_.language);
  return {.consent = {std::string(kOwnConsentVersion), view_.language}, .text = ""};
}

// --- Who cannot do what is asked ---

// Also after a capture that came to nothing.
Status VisitController::Cannot(JsonView) {
  if (view_.stopped && !view_.stopped->can_retry) {
    return Fail(ErrorCode::kFailedPrecondition, "this visit is over");
  }
  std::vector<Prompt> left_out;
  for (const Prompt each : MayBeLeftOut()) {
    if ((person_.left_out & BitOf(each)) != 0) left_out.push_back(each);
  }
  Show(Screen::kCannot);
  view_.cannot = {.challenges = MayBeLeftOut(),
                  .left_out = std::move(left_out),
                  .gentle = person_.pace == LightPace::kGentle};
  return {};
}

Status VisitController::LeaveOut(JsonView arguments) {
  const auto name = arguments["challenge"].AsString().value_or("");
  const std::vector<Prompt> may = MayBeLeftOut();
  const auto wanted = std::ranges::find(may, name, [](Prompt each) { return Name(each); });
  if (wanted == may.end()) {
    return Fail(ErrorCode::kInvalid, "challenge must be one of those that may be left out");
  }
  person_.left_out |= BitOf(*wanted);
  ApproachCamera();
  return {};
}

Status VisitController::AskStaff(JsonView) {
  EnterStopped(StopReason::kNeedsHelp, false);
  return {};
}

}  // namespace idkiosk
