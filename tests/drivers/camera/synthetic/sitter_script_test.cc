#include "drivers/camera/synthetic/sitter_script.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace idkiosk {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::HasSubstr;

TEST(SitterScriptTest, IsAnOrdinaryPersonWhenEmpty) {
  const auto script = ParseSitterScript("");
  ASSERT_TRUE(script);
  EXPECT_EQ(script->people, 1);
  EXPECT_TRUE(script->follow);
  EXPECT_EQ(script->reaction, milliseconds(400));
  EXPECT_FALSE(script->unplug);
}

TEST(SitterScriptTest, ReadsEveryKindOfValue) {
  const auto script = ParseSitterScript(
      "yaw=-20.5,distance=1.5,tone=8,light=behind,photo=yes,follow=no,reaction=250,freeze=3+1.5,"
      "unplug=2,mask=black,glasses=clear,hand=yes,mouth=0.5,screen=#ff607c,shine=0.3,latency=4,awb="
      "1.5,fade=150");
  ASSERT_TRUE(script) << script.error().message;
  EXPECT_DOUBLE_EQ(script->rest.yaw, -20.5);
  EXPECT_DOUBLE_EQ(script->rest.distance, 1.5);
  EXPECT_EQ(script->tone, 8);
  EXPECT_EQ(script->light, SitterLight::kBehind);
  EXPECT_EQ(script->wear.mask, SitterMask::kBlack);
  EXPECT_EQ(script->fade, milliseconds(150));
  EXPECT_EQ(script->wear.glasses, SitterGlasses::kClear);
  EXPECT_TRUE(script->wear.hand);
  EXPECT_FALSE(script->wear.scarf);
  EXPECT_DOUBLE_EQ(script->rest.mouth, 0.5);
  EXPECT_EQ(script->screen, (SitterScreen{0xff, 0x60, 0x7c}));
  EXPECT_DOUBLE_EQ(script->shine, 0.3);
  EXPECT_EQ(script->latency, 4);
  EXPECT_DOUBLE_EQ(script->white_balance, 1.5);
  EXPECT_TRUE(script->photo);
  EXPECT_FALSE(script->follow);
  EXPECT_EQ(script->reaction, milliseconds(250));
  ASSERT_TRUE(script->freeze);
  EXPECT_FALSE(script->freeze->ActiveAt(milliseconds(2999)));
  EXPECT_TRUE(script->freeze->ActiveAt(milliseconds(3000)));
  EXPECT_FALSE(script->freeze->ActiveAt(milliseconds(4500)));
  ASSERT_TRUE(script->unplug);
  EXPECT_TRUE(script->unplug->ActiveAt(seconds(100000)));
}

struct BadScript {
  const char* what;
  const char* text;
  const char* complaint;
};

class BadSitterScriptTest : public testing::TestWithParam<BadScript> {};

TEST_P(BadSitterScriptTest, IsRefusedNamingTheMistakeAndTheMend) {
  const auto script = ParseSitterScript(GetParam().text);
  ASSERT_FALSE(script);
  EXPECT_EQ(script.error().code, ErrorCode::kInvalid);
  EXPECT_THAT(script.error().message, HasSubstr(GetParam().complaint));
}

INSTANTIATE_TEST_SUITE_P(
    Scripts, BadSitterScriptTest,
    testing::Values(
        BadScript{"UnknownKey", "yawn=3", "knows no 'yawn'; a script can hold yaw, pitch"},
        BadScript{"NoColour", "screen=red", "screen is 'red'; it can be a colour as #ff8000"},
        BadScript{"NoValue", "yaw", "'yaw' in the sitter's script is not of the form KEY=VALUE"},
        BadScript{"ToneTooDark", "tone=9", "tone is '9'; it can be a number from 1 to 8"},
        BadScript{"ToneIsNoNumber", "tone=dark", "tone is 'dark'"},
        BadScript{"NotANumber", "yaw=nan", "yaw is 'nan'"},
        BadScript{"ValueWithUnit", "blur=3px", "blur is '3px'"},
        BadScript{"UnknownMask", "mask=red", "mask is 'red'; it can be none, blue, white"},
        BadScript{"UnknownLight", "light=red", "light is 'red'; it can be good, dim, dark"},
        BadScript{"NeitherYesNorNo", "photo=1", "photo is '1'; it can be yes or no"},
        BadScript{"NoLength", "freeze=1+", "freeze is ''"},
        BadScript{"BeforeTheStart", "freeze=-1", "freeze is '-1'"},
        BadScript{"NothingBetweenCommas", "yaw=1,,tone=2", "'' in the sitter's script"}),
    [](const auto& parameter) { return parameter.param.what; });

}  // namespace
}  // namespace idkiosk
