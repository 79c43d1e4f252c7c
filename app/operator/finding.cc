#include "app/operator/finding.h"

#include <iterator>
#include <utility>

#include "platform/base/enum_rows.h"
#include "platform/base/text/digits.h"

namespace idkiosk {

std::string_view Name(FindingState state) {
  switch (state) {
    case FindingState::kGood:
      return "good";
    case FindingState::kNote:
      return "note";
    case FindingState::kBad:
      return "bad";
  }
  return "bad";
}

std::string_view Name(KioskPart part) {
  constexpr std::string_view kNames[] = {
      "configuration", "profile", "vault",   "pin",     "files",  "audit trail",
      "room",          "queue",   "calls",   "results", "camera", "face detector",
      "voice",         "clock",   "service", "light",   "screen", "printer"};
  static_assert(std::size(kNames) == EnumeratorCount<KioskPart>());
  return kNames[static_cast<size_t>(part)];
}

Finding Finding::Good(KioskPart part, std::string text) {
  return {part, FindingState::kGood, std::move(text), ""};
}
Finding Finding::Note(KioskPart part, std::string text, std::string mend) {
  return {part, FindingState::kNote, std::move(text), std::move(mend)};
}
Finding Finding::Bad(KioskPart part, std::string text, std::string mend) {
  return {part, FindingState::kBad, std::move(text), std::move(mend)};
}

std::string WithoutLongNumbers(std::string_view text) {
  constexpr size_t kLongestNumber = 9;  // digits
  std::string clean;
  for (size_t i = 0; i < text.size();) {
    size_t end = i;
    while (end < text.size() && IsDigit(text[end])) ++end;
    if (end - i > kLongestNumber) {
      clean += "[number]";
    } else {
      if (end == i) ++end;
      clean += text.substr(i, end - i);
    }
    i = end;
  }
  return clean;
}

void Append(Findings& findings, Findings more) {
  findings.insert(findings.end(), std::make_move_iterator(more.begin()),
                  std::make_move_iterator(more.end()));
}

void WriteFindings(JsonWriter& json, const Findings& findings) {
  json.BeginArray();
  for (const Finding& each : findings) {
    json.BeginObject()
        .Field("part", Name(each.part))
        .Field("state", Name(each.state))
        .Field("text", each.text)
        .Field("mend", each.mend)
        .EndObject();
  }
  json.EndArray();
}

}  // namespace idkiosk
