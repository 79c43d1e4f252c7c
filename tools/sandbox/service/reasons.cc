#include "tools/sandbox/service/reasons.h"

#include <algorithm>

#include "platform/base/json.h"

namespace idkiosk::sandbox {
namespace {

struct Reason {
  std::string_view code;
  std::string_view label;
};

constexpr Reason kReasons[] = {
    {"ACCOUNT_OPENING", "Opening an account"},
    {"ACCOUNT_UPDATE", "Changing an account's details"},
    {"LOAN_APPLICATION", "Applying for a loan"},
    {"SIM_REGISTRATION", "Registering a SIM card"},
    {"EMPLOYMENT", "Starting employment"},
    {"TENANCY", "Renting a home"},
    {"BENEFIT_PAYMENT", "Receiving a payment or benefit"},
    {"AGE_CHECK", "Proving one's age"},
};

}  // namespace

bool IsReason(std::string_view code) {
  return std::ranges::find(kReasons, code, &Reason::code) != std::end(kReasons);
}

std::string ReasonsJson(ReasonForm form) {
  JsonWriter json;
  json.BeginArray();
  for (const Reason& reason : kReasons) {
    if (form == ReasonForm::kStrings) {
      json.Value(reason.code);
    } else {
      json.BeginObject().Field("code", reason.code).Field("label", reason.label).EndObject();
    }
  }
  return json.EndArray().Take();
}

}  // namespace idkiosk::sandbox
