#include <gtest/gtest.h>

#include "tests/fakes/seeded_rounds.h"
#include "tests/fuzz/inputs.h"
#include "tests/fuzz/mutator.h"

namespace idkiosk {
namespace {

class InputsMutationTest : public testing::TestWithParam<InputKind> {};

TEST_P(InputsMutationTest, HoldsWhatIsPromisedWhateverTheBytes) {
  const InputKind& kind = GetParam();
  const Bytes usual = kind.usual();
  ASSERT_FALSE(usual.empty());
  EXPECT_EQ(kind.read(usual), "");
  EXPECT_EQ(kind.read({}), "");
  Mutator mutator(kind.words);
  for (int round = 0; round < Rounds(100); ++round) {
    const Bytes bytes = mutator.Mutate(usual);
    ASSERT_EQ(kind.read(bytes), "") << ToHex(bytes);
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, InputsMutationTest, testing::ValuesIn(InputKinds()),
                         [](const auto& each) { return std::string(each.param.name); });

}  // namespace
}  // namespace idkiosk
