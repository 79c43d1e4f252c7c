#ifndef IDKIOSK_APP_OPERATOR_FINDING_H_
#define IDKIOSK_APP_OPERATOR_FINDING_H_

#include <string>
#include <string_view>
#include <vector>

#include "platform/base/json.h"

namespace idkiosk {

enum class FindingState {
  kGood,
  kNote,  // works, but a person should know
  kBad,
};

// "good", "note", "bad".
[[nodiscard]] std::string_view Name(FindingState state);

// The parts that a kiosk is looked at in.
enum class KioskPart {
  kConfiguration,
  kProfile,
  kVault,
  kPin,
  kFiles,  // who reads which
  kAudit,  // the trail of who did what
  kRoom,   // for one more call
  kQueue,
  kCalls,    // those that a person must decide about; others are taken all the same
  kResults,  // their hand-over
  kCamera,
  kFaceDetector,
  kVoice,
  kClock,
  kService,
  kLight,    // on faces; the lamp
  kScreen,   // and its touch
  kPrinter,  // of receipts
};

// "camera", "face detector".
[[nodiscard]] std::string_view Name(KioskPart part);

// One observation about one part of the kiosk. Holds nothing of a person, and no secret.
struct Finding {
  KioskPart part = KioskPart::kConfiguration;  // the same part may have several findings
  FindingState state = FindingState::kGood;
  std::string text;
  std::string mend;  // what to do about it; empty where it is good

  [[nodiscard]] static Finding Good(KioskPart part, std::string text);
  [[nodiscard]] static Finding Note(KioskPart part, std::string text, std::string mend);
  [[nodiscard]] static Finding Bad(KioskPart part, std::string text, std::string mend);
  bool operator==(const Finding&) const = default;
};

using Findings = std::vector<Finding>;

// Moves `more` behind what is there.
void Append(Findings& findings, Findings more);

// Sentences are written to hold nothing personal; this is for the one that was not: a number of ten
// digits and more, which may be somebody's, is taken out.
[[nodiscard]] std::string WithoutLongNumbers(std::string_view text);

// As a JSON list of {"part", "state", "text", "mend"}.
void WriteFindings(JsonWriter& json, const Findings& findings);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_OPERATOR_FINDING_H_
