#include "platform/base/text/edit_distance.h"

#include <gtest/gtest.h>

namespace idkiosk {
namespace {

TEST(EditDistanceTest, CountsEachMistakeOnce) {
  EXPECT_EQ(EditDistance("ledger", "ledger"), 0U);
  EXPECT_EQ(EditDistance("ledgr", "ledger"), 1U);    // left out
  EXPECT_EQ(EditDistance("leddger", "ledger"), 1U);  // added
  EXPECT_EQ(EditDistance("lexger", "ledger"), 1U);   // changed
  EXPECT_EQ(EditDistance("legder", "ledger"), 1U);   // exchanged
  EXPECT_EQ(EditDistance("", "hold"), 4U);
}

TEST(NearestWordTest, NamesWhatWasMeantOrNothing) {
  const std::vector<std::string> words = {"queue", "ledger", "list", "--wait"};
  EXPECT_EQ(NearestWord("ledgr", words), "ledger");
  EXPECT_EQ(NearestWord("lst", words), "list");
  EXPECT_EQ(NearestWord("--wiat", words), "--wait");
  EXPECT_EQ(NearestWord("frobnicate", words), "");
  EXPECT_EQ(NearestWord("q", words), "");
  EXPECT_EQ(NearestWord(std::string(10'000, 'l'), words), "");
}

}  // namespace
}  // namespace idkiosk
