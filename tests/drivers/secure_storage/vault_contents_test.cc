#include "drivers/secure_storage/vault_contents.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/fakes/fake_entropy.h"

namespace idkiosk {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

VaultContents Fresh() {
  FakeEntropy entropy;
  return VaultContents::Fresh(entropy);
}

VaultContents Filled() {
  return Fresh()
      .With("user_id", SecretBytes::CopyOf("U-1"))
      ->With("api_key", SecretBytes::CopyOf("K-2"))
      .value();
}

TEST(VaultContentsTest, FindsWhatWasPutIn) {
  const VaultContents contents = Filled();
  EXPECT_THAT(contents.names(), ElementsAre("api_key", "user_id"));
  EXPECT_EQ(AsText(contents.Find("api_key").value()), "K-2");
  EXPECT_FALSE(contents.Find("api"));
  EXPECT_EQ(contents.root().size(), 32u);
}

TEST(VaultContentsTest, ReplacesAndRemovesAndKeepsTheRoot) {
  const VaultContents before = Filled();
  const VaultContents after =
      before.With("api_key", SecretBytes::CopyOf("another"))->Without("user_id");
  EXPECT_THAT(after.names(), ElementsAre("api_key"));
  EXPECT_EQ(AsText(after.Find("api_key").value()), "another");
  EXPECT_EQ(ToHex(after.root()), ToHex(before.root()));
}

TEST(VaultContentsTest, KeepsAnEmptyAndALargeSecret) {
  const VaultContents contents = Fresh()
                                     .With("empty", SecretBytes())
                                     ->With("large", SecretBytes(VaultContents::kMaxValueSize))
                                     .value();
  EXPECT_EQ(contents.Find("empty")->size(), 0u);
  EXPECT_EQ(contents.Find("large")->size(), VaultContents::kMaxValueSize);
}

TEST(VaultContentsTest, DecodesWhatItEncodes) {
  const auto contents = VaultContents::Decode(Filled().bytes().Clone());
  ASSERT_TRUE(contents);
  EXPECT_THAT(contents->names(), ElementsAre("api_key", "user_id"));
}

TEST(VaultContentsTest, DecodesNoPieceOfItButWholeEntries) {
  const SecretBytes whole = Filled().bytes().Clone();
  const size_t entry = 1 + 7 + 4 + 3;  // both are of this size
  for (size_t size = 0; size <= whole.size(); ++size) {
    const bool good = size == 32 || size == 32 + entry || size == 32 + 2 * entry;
    const auto contents = VaultContents::Decode(SecretBytes::CopyOf(whole.view().first(size)));
    EXPECT_EQ(contents.has_value(), good) << size;
    EXPECT_TRUE(good || contents.error().code == ErrorCode::kCorrupt) << size;
  }
}

TEST(VaultContentsTest, RefusesNamesThatAShellOrAPathWouldTrip) {
  for (const std::string& name :
       {std::string(), std::string("API"), std::string("a b"), std::string("a/b"),
        std::string("\xc3\xa9"), std::string(65, 'a')}) {
    const auto contents = Fresh().With(name, SecretBytes::CopyOf("value"));
    ASSERT_FALSE(contents) << name;
    EXPECT_EQ(contents.error().code, ErrorCode::kInvalid);
    EXPECT_THAT(contents.error().message, HasSubstr("a-z"));
  }
  EXPECT_TRUE(Fresh().With(std::string(64, 'a'), SecretBytes()));
}

TEST(VaultContentsTest, StaysBounded) {
  EXPECT_EQ(Fresh().With("big", SecretBytes(VaultContents::kMaxValueSize + 1)).error().code,
            ErrorCode::kInvalid);
  VaultContents contents = Fresh();
  for (char letter = 'a';; ++letter) {
    auto more = contents.With(std::string(1, letter), SecretBytes(VaultContents::kMaxValueSize));
    if (!more) {
      EXPECT_EQ(more.error().code, ErrorCode::kExhausted);
      EXPECT_EQ(contents.names().size(), 15u);
      return;
    }
    contents = std::move(*more);
  }
}

}  // namespace
}  // namespace idkiosk
