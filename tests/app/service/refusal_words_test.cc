#include "app/service/refusal_words.h"

#include <gtest/gtest.h>

namespace idkiosk {
namespace {

TEST(RefusalWordsTest, KeepsWhatAServiceSaysOfAnAccount) {
  for (const char* said :
       {"The way of authentication is unknown.",
        "The API key in Authorization is unknown or revoked.", "The header X-API-KEY is missing.",
        "X-USER-ID is not the user that this API key belongs to.",
        "The access token is not of the user that this API key belongs to.",
        "The e-mail address or the password is not right.",
        "Insufficient wallet balance. Please top up your wallet!",
        "Your subscription has expired; contact support.", "IP address not whitelisted",
        "ACCESS DENIED: this plan doesn't include the product", "Account temporarily locked"}) {
    EXPECT_EQ(WordsOfRefusals(said), said);
  }
}

TEST(RefusalWordsTest, LeavesOutEveryOtherWord) {
  const std::pair<const char*, const char*> messages[] = {
      {"record of eve okafor is locked", "record of ... is locked"},
      {"record of Eve Okafor is locked", "record of ... is locked"},
      {"account of OKAFOR,EVE: locked", "account of ... locked"},
      {"account of eve-okafor is locked", "account of ... is locked"},
      {"e. okafor's account is locked", "... account is locked"},
      {"a-d-a-o-b-i of key-a-d-a is a client", "... of ... is a client"},
      {"user e@x / password xyzzy is wrong", "user ... password ... is wrong"},
      {"key:xyzzy is revoked", "... is revoked"},
      {"NIN 70123456789 is blocked", "NIN ... is blocked"},
      {"NIN 701-2345-6789 and 7O1Z3 blocked", "NIN ... and ... blocked"},
      {"The access level 'lookups' of this account does not include lookup_nin.",
       "The access level ... of this account does not include ..."},
      {"grace sunday success", "..."},
      {"", ""},
      {"  ", ""},
      {"...", ""},
  };
  for (const auto& [message, kept] : messages) EXPECT_EQ(WordsOfRefusals(message), kept);
}

TEST(RefusalWordsTest, KeepsNothingButPrintableAscii) {
  EXPECT_EQ(
      WordsOfRefusals("account\u200f lo\u200bcked \u202eaccess k\u0435y \x1b[31m is \x9b locked"),
      "... is ... locked");
}

}  // namespace
}  // namespace idkiosk
