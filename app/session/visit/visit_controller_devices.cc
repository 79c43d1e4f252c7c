#include "app/session/visit/receipt.h"
#include "app/session/visit/visit_controller.h"
#include "platform/base/log.h"

// What a person does with the kiosk's devices.

namespace idkiosk {

Status VisitController::PrintReceipt(JsonView) {
  UiSnapshot::Answer& answer = *view_.answer;
  if (deps_.devices.receipts == nullptr || answer.reference.empty()) {
    return Fail(ErrorCode::kFailedPrecondition, "this kiosk has no printer");
  }
  if (answer.receipt && *answer.receipt != ReceiptState::kFailed) {
    return Fail(ErrorCode::kFailedPrecondition, "this receipt is printed already");
  }
  answer.receipt = ReceiptState::kPrinting;
  // Who takes a receipt has as long to do so as for reading.
  answer.seconds_left = AnswerSeconds(answer.kind);
  Receipt receipt{.language = view_.language,
                  .brand = deps_.settings.brand.name,
                  .environment = deps_.settings.environment,
                  .kind = answer.kind,
                  .reference = answer.reference,
                  .at = std::nullopt};
  if (deps_.clock.WallIsTrusted()) receipt.at = deps_.clock.WallNow();
  deps_.devices.receipts->Print(
      ToPrintJob(receipt), [this, session = view_.session](const Status& printed) {
        if (!printed) LogWarning("no receipt: {}", printed.error().message);
        if (session != view_.session || !view_.answer) return;
        view_.answer->receipt = printed ? ReceiptState::kPrinted : ReceiptState::kFailed;
        Publish();
      });
  return {};
}

Status VisitController::ScanSlip(JsonView arguments) {
  const auto on = arguments["on"].AsBool();
  if (!on) return Fail(ErrorCode::kInvalid, "on must be true or false");
  if (deps_.devices.slips == nullptr) {
    return Fail(ErrorCode::kFailedPrecondition, "this kiosk reads no slips");
  }
  ShowNumber(std::nullopt);
  if (!*on) return {};
  view_.number->scanning = true;
  deps_.devices.slips->Start([this](const Result<SecretBytes>& nin) { OnSlip(nin); });
  return {};
}

void VisitController::OnSlip(const Result<SecretBytes>& nin) {
  view_.number->scanning = false;
  if (nin) {
    (void)person_.number.Replace(nin->text());
    ShowNumber(std::nullopt);
  } else {
    // The message tells nothing of what was read.
    LogInfo("no number from a slip: {}", nin.error().message);
    ShowNumber(nin.error().code == ErrorCode::kNotFound   ? NumberProblem::kUnreadableSlip
               : nin.error().code == ErrorCode::kRejected ? NumberProblem::kTwoNumbers
               : nin.error().code == ErrorCode::kTimeout  ? NumberProblem::kNoSlip
                                                          : NumberProblem::kNoCamera);
  }
  Touched();
  Publish();
}

// Whoever touches a key, or leaves the screen, has stopped holding a slip up.
void VisitController::StopScanning() {
  if (view_.number && view_.number->scanning) deps_.devices.slips->Stop();
}

}  // namespace idkiosk
