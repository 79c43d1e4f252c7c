#include "drivers/printer/latin_letters.h"

#include <gtest/gtest.h>

namespace idkiosk {
namespace {

TEST(LatinLettersTest, KeepsWhatTheCodePageHas) {
  EXPECT_EQ(ToWindows1252("Vérifié: 20 €"),
            "V\xE9"
            "rifi\xE9: 20 \x80");
  EXPECT_EQ(ToWindows1252("Na’ura “x” – œuf"), "Na\x92ura \x93x\x94 \x96 \x9Cuf");
}

TEST(LatinLettersTest, DotsHooksAndTonesGoAndTheWordStays) {
  EXPECT_EQ(ToWindows1252("Ẹ̀rọ ìdánrawò"),
            "Ero \xEC"
            "d\xE1nraw\xF2");
  EXPECT_EQ(ToWindows1252("Ṣé ó ń ṣe"), "S\xE9 \xF3 n se");
  EXPECT_EQ(ToWindows1252("ɓoye ɗaya ƙasa ƴa"), "boye daya kasa ya");
  EXPECT_EQ(ToWindows1252("Ụlọ nnyocha ṅ"), "Ulo nnyocha n");
  EXPECT_EQ(ToWindows1252("₦100"), "N100");
}

TEST(LatinLettersTest, WhatElseItLacksIsSeenToBeMissing) {
  EXPECT_EQ(ToWindows1252("مرحبا"), "?????");
  EXPECT_EQ(ToWindows1252("a\xFF\x80z"), "a??z");
  EXPECT_EQ(ToWindows1252("\xE1\xBB"), "??");
}

// A printer takes them for commands.
TEST(LatinLettersTest, NoControlCharacterGetsThrough) {
  EXPECT_EQ(ToWindows1252("a\x1B@\x1D\x7F\n\tb"), "a@b");
  EXPECT_EQ(ToWindows1252("\xC2\x9B"), "?");
}

}  // namespace
}  // namespace idkiosk
