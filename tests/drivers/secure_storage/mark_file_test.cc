#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/drivers/secure_storage/file_vault_fixture.h"

// The vault's mark: whatever the power, the disk or damage does, the value is the newest one or the
// one before it, and never another.
namespace idkiosk {
namespace {

using testing::AnyOf;
using Unsynced = FakeFileSystem::Unsynced;

class MarkFileTest : public FileVaultTest {
 protected:
  inline static const std::string kMark = "/state/vault.mark";

  void SetUp() override { ASSERT_TRUE(Vault().Init()); }

  std::unique_ptr<SecureMark> Open() {
    auto vault = Vault();
    auto mark = vault.OpenMark();
    EXPECT_TRUE(mark);
    return mark ? std::move(*mark) : nullptr;
  }
  std::string Value() { return std::string(AsText(Open()->value())); }
  // Set and synced.
  Status Set(std::string_view value) { return Set(*Open(), value); }
  static Status Set(SecureMark& mark, std::string_view value) {
    const Status set = mark.Set(AsBytes(value));
    return set ? mark.Sync() : set;
  }
};

TEST_F(MarkFileTest, IsEmptyUntilItIsSetAndThenWhatWasSetLast) {
  EXPECT_EQ(Value(), "");
  auto mark = Open();
  for (const std::string_view value : {"one", "two", "", "a longer one"}) {
    ASSERT_TRUE(mark->Set(AsBytes(value)));
    EXPECT_EQ(AsText(mark->value()), value);
    EXPECT_EQ(Value(), value);
  }
  EXPECT_TRUE(Set(std::string(SecureMark::kLargest, 'x')));
  EXPECT_EQ(Set(std::string(SecureMark::kLargest + 1, 'x')).error().code, ErrorCode::kInvalid);
  EXPECT_EQ(Value(), std::string(SecureMark::kLargest, 'x'));
}

TEST_F(MarkFileTest, OnceItIsRenewedTheOneOfBeforeIsLost) {
  EXPECT_FALSE(Open()->is_lost()) << "there was none";
  ASSERT_TRUE(Set("before"));
  const Bytes before = files_.Content(kMark);
  auto vault = Vault();
  const auto mark = vault.OpenMark();
  ASSERT_TRUE(mark);
  ASSERT_TRUE((*mark)->Renew());
  ASSERT_TRUE(Set(**mark, "after"));
  EXPECT_EQ(Value(), "after");
  EXPECT_FALSE(Open()->is_lost());
  files_.Put(kMark, before);
  EXPECT_EQ(Value(), "");
  EXPECT_TRUE(Open()->is_lost());
  files_.Delete(kMark);
  EXPECT_TRUE(Open()->is_lost());
}

TEST_F(MarkFileTest, AFileOfAnotherSizeHoldsNoneAndIsMadeAnew) {
  ASSERT_TRUE(Set("mine"));
  const Bytes whole = files_.Content(kMark);
  for (const size_t size : {size_t{0}, whole.size() - 1, whole.size() + 1, 10 * whole.size()}) {
    SCOPED_TRACE(size);
    Bytes other = whole;
    other.resize(size);
    files_.Put(kMark, other);
    auto vault = Vault();
    const auto mark = vault.OpenMark();
    ASSERT_TRUE(mark) << mark.error().message;
    EXPECT_TRUE((*mark)->value().empty());
    ASSERT_TRUE(Set(**mark, "anew"));
    EXPECT_EQ(Value(), "anew");
    EXPECT_EQ(files_.Content(kMark).size(), whole.size());
  }
}

TEST_F(MarkFileTest, StaysWhenTheKeyIsReplacedAndGoesWithTheVault) {
  ASSERT_TRUE(Set("mine"));
  ASSERT_TRUE(Vault().Rotate());
  EXPECT_EQ(Value(), "mine");
  const Bytes old = files_.Content(kMark);
  ASSERT_TRUE(Vault().Erase());
  EXPECT_FALSE(*files_.Exists(kMark));
  ASSERT_TRUE(Vault().Init());
  files_.Put(kMark, old);
  EXPECT_EQ(Value(), "") << "of another vault";
}

TEST_F(MarkFileTest, OneSlotIsLostWhateverByteIsDamaged) {
  ASSERT_TRUE(Set("older"));
  ASSERT_TRUE(Set("newer"));
  const Bytes whole = files_.Content(kMark);
  for (size_t byte = 0; byte < whole.size(); ++byte) {
    files_.Put(kMark, whole);
    Flip(kMark, byte);
    ASSERT_THAT(Value(), AnyOf("older", "newer")) << "byte " << byte;
  }
  for (const size_t size : {size_t{0}, size_t{1}, whole.size() / 2, whole.size() - 1}) {
    files_.Put(kMark, whole);
    Cut(kMark, size);
    EXPECT_EQ(Value(), "") << size << " bytes";
    ASSERT_TRUE(Set("again"));
    EXPECT_EQ(Value(), "again");
  }
}

TEST_F(MarkFileTest, PowerThatFailsLeavesTheOldValueOrTheNewOne) {
  for (const std::string_view before : {"", "old"}) {
    if (!before.empty()) {
      ASSERT_TRUE(Set(before));
    }
    const FakeFileSystem start = files_;
    for (const Unsynced fate : {Unsynced::kLost, Unsynced::kTorn, Unsynced::kKept}) {
      for (size_t step = 1;; ++step) {
        files_ = start;
        auto mark = Open();
        files_.FailPowerAtStep(step);
        const bool acknowledged = Set(*mark, "new").has_value();
        const bool reached = files_.power_failed();
        files_.Restart(fate);
        if (acknowledged) {
          EXPECT_EQ(Value(), "new") << "step " << step;
        } else {
          EXPECT_THAT(Value(), AnyOf(before, "new")) << "step " << step;
        }
        EXPECT_TRUE(Set("next"));
        EXPECT_EQ(Value(), "next");
        if (!reached) break;
      }
    }
    files_ = start;
  }
}

// Set often and synced rarely: what was synced last is never in danger.
TEST_F(MarkFileTest, PowerThatFailsLeavesWhatWasSyncedLastOrAnythingSetSince) {
  ASSERT_TRUE(Set("synced"));
  const FakeFileSystem start = files_;
  for (const Unsynced fate : {Unsynced::kLost, Unsynced::kTorn, Unsynced::kKept}) {
    for (size_t count = 1; count <= 6; ++count) {
      files_ = start;
      // The first of two programs is killed without having synced.
      for (const bool second : {false, true}) {
        auto mark = Open();
        for (size_t i = 0; i < count; ++i) {
          EXPECT_TRUE(mark->Set(AsBytes(fmt::format("{}{}", second ? "new" : "old", i))));
        }
        EXPECT_EQ(Value(), AsText(mark->value())) << "after a kill";
      }
      files_.Restart(fate);
      EXPECT_THAT(Value(),
                  AnyOf("synced", testing::StartsWith("new"), fmt::format("old{}", count - 1)));
      if (fate == Unsynced::kKept) {
        EXPECT_EQ(Value(), fmt::format("new{}", count - 1));
      }
    }
  }
}

TEST_F(MarkFileTest, AFailedWriteLeavesTheValueAndIsTriedAgain) {
  ASSERT_TRUE(Set("old"));
  auto mark = Open();
  ASSERT_TRUE(Set(*mark, "warm"));
  files_.FailStep(1, ErrorCode::kUnavailable);
  EXPECT_FALSE(mark->Set(AsBytes("lost")));
  EXPECT_EQ(AsText(mark->value()), "warm");
  files_.FailStep(2, ErrorCode::kUnavailable);
  EXPECT_FALSE(Set(*mark, "not synced"));
  EXPECT_TRUE(Set(*mark, "kept"));
  EXPECT_EQ(Value(), "kept");
}

// Written by the first idkiosk that had a mark.
TEST_F(MarkFileTest, ReadsWhatItHasAlwaysWritten) {
  ASSERT_TRUE(Set("golden"));
  const Bytes file = files_.Content(kMark);
  ASSERT_EQ(file.size(), 8192U);
  const ByteSpan slot = ByteSpan(file).subspan(4096, 120);
  EXPECT_EQ(ToHex(slot.first(36)),
            "49444b4d41524b0a"            // magic
            "00000001"                    // version
            "0000000000000001"            // number
            "00000006"                    // length
            "676f6c64656e000000000000");  // "golden"
  EXPECT_EQ(ToHex(slot.subspan(88)),
            "bcbcb7b73ab5085f6feca4e0d5a7cbb0f220830eb262963b10c41dd07f680574")
      << "the MAC, by the key of this entropy";
}

}  // namespace
}  // namespace idkiosk
