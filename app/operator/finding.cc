#include "app/operator/finding.h"

#include <iterator>

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
  constexpr std::string_view kNames[] = {"configuration", "profile",     "vault",  "pin",
                                         "files",         "audit trail", "room",   "queue",
                                         "calls",         "results",     "camera", "face detector",
                                         "voice",         "clock",       "service"};
  return kNames[static_cast<size_t>(part)];
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
