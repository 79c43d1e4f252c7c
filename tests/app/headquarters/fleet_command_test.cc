#include "app/headquarters/fleet_command.h"

#include <gmock/gmock.h>

#include <random>

#include "app/settings/settings_table.h"
#include "tests/app/headquarters/order_signer.h"
#include "tests/fakes/seeded_rounds.h"

namespace idkiosk {
namespace {

using testing::HasSubstr;

constexpr std::string_view kGood =
    R"({"format":"idkiosk-command/1","tenant":"bank","kiosk":"k1","revision":17,)"
    R"("issued":"2026-11-24T12:00:00Z","expires":"2026-11-24T13:00:00Z","action":"settings",)"
    R"("settings":{"ui.idle":"60 s","ui.sound":false,"ui.reasons":["A","B"],"brand.name":null},)"
    R"("healthy_within":60})";

std::string With(std::string_view from, std::string_view to) {
  std::string text(kGood);
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(FleetCommandTest, IsRead) {
  const auto command = ParseFleetCommand(kGood);
  ASSERT_TRUE(command) << command.error().message;
  EXPECT_EQ(command->tenant, "bank");
  EXPECT_EQ(command->kiosk, "k1");
  EXPECT_EQ(command->group, "");
  EXPECT_EQ(command->revision, 17);
  EXPECT_EQ(command->expires - command->issued, std::chrono::hours(1));
  EXPECT_EQ(command->settings.size(), 4U);
  EXPECT_EQ(command->healthy_within, std::chrono::seconds(60));
  EXPECT_EQ(command->signatures(), 1);
  EXPECT_EQ(command->Describe(),
            "settings, revision 17: ui.idle, ui.sound, ui.reasons, brand.name");
}

// It stands on screens, in terminals and logs, by whichever key it was signed.
TEST(FleetCommandTest, AReasonIsReadAsOneLineThatHidesNothing) {
  const auto command = ParseFleetCommand(
      R"({"format":"idkiosk-command/1","tenant":"bank","kiosk":"k1","revision":17,)"
      R"("issued":"2026-11-24T12:00:00Z","expires":"2026-11-24T13:00:00Z","action":"hold_sending",)"
      R"("why":"a\u001b[2Jb\u0007c\u202ed\r\ne\u200bf – Ìfọwọ́sí"})");
  ASSERT_TRUE(command) << command.error().message;
  EXPECT_EQ(command->why, "a?[2Jb?c?d??e?f – Ìfọwọ́sí");
}

TEST(FleetCommandTest, EachMistakeIsNamed) {
  const struct {
    const char* from;
    const char* to;
    const char* said;
  } mistakes[] = {
      {"idkiosk-command/1", "idkiosk-command/2", "format"},
      {"\"tenant\":\"bank\"", "\"tenant\":\"Bank\"", "tenant"},
      {"\"tenant\":\"bank\"", "\"tenant\":7", "tenant"},
      {"\"kiosk\":\"k1\",", "", "either a kiosk or a group"},
      {"\"kiosk\":\"k1\"", "\"kiosk\":\"k1\",\"group\":\"g\"", "either a kiosk or a group"},
      {"\"kiosk\":\"k1\"", "\"kiosk\":\"+\"", "kiosk or group"},
      {"\"kiosk\":\"k1\"", "\"group\":\"\"", "kiosk or group"},
      {"17", "\"17\"", "revision"},
      {"17", "9007199254740994", "revision"},
      {"17", "9007199254740992", "revision"},
      {"17", "1795521601001", "revision"},
      {"2026-11-24T12:00:00Z", "now", "issued"},
      {"2026-11-24T13:00:00Z", "", "expires"},
      {"\"action\":\"settings\"", "\"action\":\"exec\"", "action"},
      {"\"action\":\"settings\"", "\"action\":\"restart\"", "a member that its action does not"},
      {"\"action\":\"settings\"", "\"action\":\"settings\",\"reference\":\"KD7Q2M\"", ""},
      {"\"ui.idle\"", "\"service.base_url\"", "headquarters may not change service.base_url"},
      {"\"ui.idle\"", "\"headquarters.keys\"", "may not change headquarters.keys"},
      {"\"60 s\"", "{}", "a setting must be"},
      {"[\"A\",\"B\"]", "[1]", "ui.reasons"},
      {":60}", ":4}", "healthy_within"},
      {":60}", ":601}", "healthy_within"},
      {"\"revision\"", "\"revision\":1,\"revision\"", "each name once"},
      {"\"ui.sound\"", "\"ui.idle\"", "each name once"},
      {"\"healthy_within\"", "\"more\"", "a member that a command"},
      {"{\"format\"", "[{\"format\"", ""},
      {":60}", ":60}{}", ""},
  };
  for (const auto& each : mistakes) {
    const auto command = ParseFleetCommand(With(each.from, each.to));
    // The reference is a member too many, which only its own action has.
    if (command && each.said[0] == '\0') continue;
    ASSERT_FALSE(command) << each.to;
    EXPECT_THAT(command.error().message, HasSubstr(each.said)) << each.to;
  }
}

TEST(FleetCommandTest, OnlyActionsThatNameACallHaveAReference) {
  const std::string give_up = With(
      R"("action":"settings","settings":{"ui.idle":"60 s","ui.sound":false,"ui.reasons":["A","B"],"brand.name":null},"healthy_within":60})",
      R"("action":"give_up","reference":"KD7Q2M"})");
  const auto command = ParseFleetCommand(give_up);
  ASSERT_TRUE(command) << command.error().message;
  EXPECT_EQ(command->signatures(), 2);
  EXPECT_EQ(command->reference, "KD7Q2M");
  std::string none = give_up;
  none.erase(none.find(",\"reference\""));
  EXPECT_FALSE(ParseFleetCommand(none + "}"));
}

TEST(FleetCommandTest, EverySettingThatMayBeOrderedIsThereAndMoneyNeedsTwo) {
  for (const OrderedSetting& each : AllOrderedSettings()) {
    EXPECT_NE(FindSetting(each.key), nullptr) << each.key;
    const bool is_money = each.key.starts_with("billing.") || each.key == "queue.max_age" ||
                          each.key == "queue.retention" ||
                          (each.key.starts_with("service.") && each.key.ends_with("_timeout"));
    EXPECT_EQ(each.signatures, is_money ? 2 : 1) << each.key;
  }
}

// No command leads data, money or control of the kiosk elsewhere, or makes a picture pass for a
// face.
TEST(FleetCommandTest, NoOtherSettingMayBe) {
  int refused = 0;
  for (const Setting& each : AllSettings()) {
    const bool may = std::ranges::count(AllOrderedSettings(), each.key, &OrderedSetting::key) > 0;
    const bool leads_elsewhere =
        each.key.ends_with("_ca") || each.key.ends_with("file") || each.key.ends_with("url") ||
        each.key.starts_with("results.") || each.key.starts_with("api.") ||
        each.key.starts_with("tpm.") || each.key.starts_with("headquarters.") ||
        each.key.starts_with("tamper.") || each.key.starts_with("capture.m") ||
        std::holds_alternative<Path>(each.rule) || each.key == "environment" ||
        each.key == "staff.two_persons" || each.key == "service.pins";
    EXPECT_FALSE(may && leads_elsewhere) << each.key;
    if (may) continue;
    const std::string text = With("\"ui.idle\"", fmt::format("\"{}\"", each.key));
    EXPECT_FALSE(ParseFleetCommand(text)) << each.key;
    ++refused;
  }
  EXPECT_GT(refused, 40);
}

TEST(FleetCommandTest, AnEnvelopeThatIsNoneIsNamed) {
  const OrderSigner alice("alice");
  const std::string good = SignedBy(kGood, {&alice});
  ASSERT_TRUE(ParseSignedCommand(good));
  for (const std::string& text :
       {std::string(), std::string("{}"), std::string("[]"), std::string("null"),
        std::string("{\"format\":\"idkiosk-signed-command/1\"}"), good.substr(1),
        good.substr(0, good.size() - 1), good + good, std::string(20'000, '['),
        std::string(SignedCommand::kLargest + 1, ' '), std::string("\0", 1),
        Envelope("", {{"alice", alice.Sign("")}}), Envelope(kGood, {}),
        Envelope(kGood, {{"a", {}}, {"b", {}}, {"c", {}}, {"d", {}}}),
        Envelope(kGood, {{"../a", {}}})}) {
    EXPECT_FALSE(ParseSignedCommand(text)) << text.substr(0, 100);
  }
}

// Whatever it is damaged to, it is read or refused.
TEST(FleetCommandTest, DamagedOnesEndNothing) {
  const OrderSigner alice("alice");
  const std::string envelope = SignedBy(kGood, {&alice});
  std::mt19937_64 random(Seed());
  const int rounds = Rounds(20'000, 2'000'000);
  int read = 0;
  for (int i = 0; i < rounds; ++i) {
    std::string text(i % 2 == 0 ? std::string(kGood) : envelope);
    for (uint64_t changes = 1 + random() % 4; changes > 0; --changes) {
      const size_t at = random() % text.size();
      switch (random() % 4) {
        case 0:
          text[at] = static_cast<char>(random());
          break;
        case 1:
          text.erase(at, random() % 20);
          break;
        case 2:
          text.insert(at, text.substr(random() % text.size(), random() % 20));
          break;
        default:
          text.insert(at, 1, "{}[]\",:\\-.0eE"[random() % 13]);
      }
      if (text.empty()) text = " ";
    }
    if (i % 2 == 0) {
      const auto command = ParseFleetCommand(text);
      if (command) {
        ++read;
        EXPECT_GE(command->revision, 1);
        EXPECT_LT(command->issued, command->expires);
        EXPECT_LE(command->signatures(), 2);
      }
    } else {
      (void)ParseSignedCommand(text);
    }
  }
  EXPECT_GT(read, 0);
}

}  // namespace
}  // namespace idkiosk
