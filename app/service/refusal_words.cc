#include "app/service/refusal_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>

#include "platform/base/text/digits.h"
#include "platform/base/text/letter_case.h"

namespace idkiosk {
namespace {

// None of them is a name that people have: no "grace", "sunday" or "success".
constexpr std::string_view kWords =
    " "
    "absent access account accounts activate activated activation active add address "
    "addresses admin administrator after again allow allowed already also amount an and "
    "another any api are as ask assigned associated at attempt attempts authentication "
    "authorisation authorise authorised authorization authorize authorized available bad "
    "balance be bearer because been before begin being belong belongs billing blocked bound "
    "but bvn by call calls can cannot change changed check checks client code company confirm "
    "contact contract could credential credentials credit credits customer customers daily "
    "dashboard day days deactivated declined denied deposit did didn disable disabled do does "
    "doesn domain due email empty enable enabled end ended endpoint endpoints ends enough "
    "environment error exceeded exhausted exist exists expired expires failed fee few first "
    "for forbidden format found from fund funds gateway give given had has hasn have header "
    "hour hours however id if image images in inactive include included includes incorrect "
    "insufficient internal into invalid invoice ip is isn issue it its key keys kyc later "
    "length less let level levels limit limited limits linked list listed locked log logged "
    "login low mail maintenance malformed matches maximum method minimum minute minutes "
    "missing mobile mode month monthly more must name need needed needs network new nin no "
    "none not now number numbers of off on onboarding once one only operator or organisation "
    "organization origin our out outstanding over overdue own package paid password passwords "
    "pay payment pending per period permission permissions permit permitted person phone plan "
    "plans please policy portal prepaid present privileges problem product production "
    "products profile provided quota range rate reached reason recharge record refused "
    "register registered rejected renew renewed request requested requests require required "
    "requires reset resource restricted revoked right rights role sandbox scope secret see "
    "send sent server service services session short sign signature signed so some sorry "
    "source specified status still subscribe subscribed subscription subscriptions sufficient "
    "supplied support suspended system tariff team temporarily temporary terminated terms "
    "than that the their then there these they this those tier time to token tokens too top "
    "transaction transactions trial try type unable unauthenticated unauthorised unauthorized "
    "unavailable under unit units unknown unpaid until up update upgrade url use used user "
    "username using valid validation value verification verifications verified verify version "
    "wait wallet was wasn way we were what when which while whitelist whitelisted whose with "
    "within without wrong year yet you your yours ";

bool IsSign(char c) { return c > 0x20 && c < 0x7f && !IsLetter(c) && !IsDigit(c); }

// "X-API-KEY", "e-mail" and "user's" are words of several parts, of which one may be any letter.
bool IsOfRefusals(std::string_view word) {
  bool has_known = word == "a" || word == "A";
  int letters = 0;
  while (!word.empty()) {
    const auto end = std::ranges::find_if_not(word, IsLetter);
    const std::string part = LowerCase(std::string_view(word.begin(), end));
    letters += part.size() == 1 ? 1 : 0;
    if (part.size() > 1) {
      if (!kWords.contains(fmt::format(" {} ", part))) return false;
      has_known = true;
    }
    word.remove_prefix(part.size());
    if (word.empty()) break;
    if (!IsSign(word.front()) || word.front() == '@') return false;
    word.remove_prefix(1);
  }
  return has_known && letters <= 1;
}

}  // namespace

std::string WordsOfRefusals(std::string_view message) {
  std::string said;
  bool left_out = false;
  for (const auto part : message | std::views::split(' ')) {
    const std::string_view word(part);
    const bool is_known = IsOfRefusals(word);
    const bool is_sign = std::ranges::all_of(word, IsSign);
    if (word.empty() || (!is_known && (left_out || is_sign))) continue;
    said += fmt::format("{}{}", said.empty() ? "" : " ", is_known ? word : "...");
    left_out = !is_known;
  }
  return said;
}

}  // namespace idkiosk
