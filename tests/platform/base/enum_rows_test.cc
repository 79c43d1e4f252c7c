#include "platform/base/enum_rows.h"

#include <gtest/gtest.h>

namespace idkiosk {
namespace {

enum class Fruit { kApple, kPear, kPlum };

struct FruitRow {
  Fruit fruit;
};

constexpr FruitRow kAllFruits[] = {{Fruit::kApple}, {Fruit::kPear}, {Fruit::kPlum}};
constexpr FruitRow kWithoutTheLast[] = {{Fruit::kApple}, {Fruit::kPear}};
constexpr FruitRow kInAnotherOrder[] = {{Fruit::kApple}, {Fruit::kPlum}, {Fruit::kPear}};

// The compiler's way of printing a name is asked: another compiler may have another.
TEST(EnumRowsTest, ATableWithoutARowIsNoticed) {
  EXPECT_EQ(EnumeratorCount<Fruit>(), 3U);
  EXPECT_TRUE(HasEachRow(kAllFruits, &FruitRow::fruit));
  EXPECT_FALSE(HasEachRow(kWithoutTheLast, &FruitRow::fruit));
  EXPECT_FALSE(HasEachRow(kInAnotherOrder, &FruitRow::fruit));
}

}  // namespace
}  // namespace idkiosk
