#include "platform/base/text/printable.h"

#include <gtest/gtest.h>

namespace idkiosk {
namespace {

TEST(PrintableTest, LeavesLettersOfEveryScript) {
  for (const std::string_view text : {"", "Verify", "Ṣé o dáadáa?", "Ƙidaya", "\xf0\x9f\x98\x80"}) {
    EXPECT_EQ(Printable(text), text);
  }
}

TEST(PrintableTest, ReplacesWhatATerminalObeys) {
  EXPECT_EQ(Printable("\x1b]0;title\x07"), "?]0;title?");
  EXPECT_EQ(Printable("a\r\n\tb\x7f"), "a???b?");
  EXPECT_EQ(Printable("a\r\n\tb", "\n\t"), "a?\n\tb");
  EXPECT_EQ(Printable("\xc2\x9b"
                      "31m"),
            "?31m")
      << "CSI in one character";
  EXPECT_EQ(Printable("\xc2\xa0"), "\xc2\xa0");
}

TEST(PrintableTest, ReplacesWhatTurnsLettersRound) {
  EXPECT_EQ(Printable("a\u202eb\u2028c\u2066d\u2069"), "a?b?c?d?");
  EXPECT_EQ(Printable("a\u061cb\u200ec\u200fd"), "a?b?c?d");
  EXPECT_EQ(Printable("\u2027\u202f\u205f\u2070"), "\u2027\u202f\u205f\u2070");
}

TEST(PrintableTest, ReplacesWhatNobodySees) {
  EXPECT_EQ(Printable("a\u00adb\u180ec\u200bd\u200ce\u200df"), "a?b?c?d?e?f");
  EXPECT_EQ(Printable("a\u2060b\u2064c\ufeffd\U000e0041e"), "a?b?c?d?e");
  EXPECT_EQ(Printable("a\u034fb\u115fc\u1160d\u17b5e\u206ff\u3164g\uffa0h"), "a?b?c?d?e?f?g?h");
  EXPECT_EQ(Printable("\u00ac\u00ae\u200a\u2010\ufefe\U000e0100"),
            "\u00ac\u00ae\u200a\u2010\ufefe\U000e0100");
}

TEST(PrintableTest, ReplacesBytesOutsideOfUtf8) {
  EXPECT_EQ(Printable("\x9b"
                      "31m"),
            "?31m");
  EXPECT_EQ(Printable("\xc0\x80\xff"), "???");
  EXPECT_EQ(Printable("cut \xe1\xb9"), "cut ??");
  EXPECT_EQ(Printable("\xe1\x1b["), "??[");
  EXPECT_EQ(Printable("\xe0\x80\x8a"), "???") << "an end of line in more bytes than it needs";
  EXPECT_EQ(Printable("\xed\xa0\x80\xf0\x80\x80\x8a\xf4\x90\x80\x80"), "???????????");
}

}  // namespace
}  // namespace idkiosk
