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

void Append(Findings& findings, Findings more) {
  findings.insert(findings.end(), std::make_move_iterator(more.begin()),
                  std::make_move_iterator(more.end()));
}

void WriteFindings(JsonWriter& json, const Findings& findings) {
  json.BeginArray();
  for (const Finding& each : findings) {
    json.BeginObject()
        .Field("part", each.part)
        .Field("state", Name(each.state))
        .Field("text", each.text)
        .Field("mend", each.mend)
        .EndObject();
  }
  json.EndArray();
}

}  // namespace idkiosk
