#include "app/queue/storage/slot_files.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "tests/fakes/fake_file_system.h"

// Whatever the power, the disk or another process does: what was put down is there whole, and what
// was erased is nowhere.
namespace idkiosk {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using testing::UnorderedElementsAre;
using Unsynced = FakeFileSystem::Unsynced;

constexpr const char* kFolder = "/state/copies";
constexpr const char* kSmall = "/state/copies/slots-0001-64x4096";

class SlotFilesTest : public testing::Test {
 protected:
  static std::string Text(char c, size_t size = 500) { return std::string(size, c); }
  Status Write(const std::string& name, const std::string& text) {
    return slots_.Write(name, AsBytes(text));
  }
  std::string Read(const std::string& name) {
    const auto bytes = slots_.Read(name);
    return bytes ? std::string(AsText(*bytes)) : "";
  }
  Status Erase(const std::vector<std::string>& names) { return slots_.Erase(names); }
  bool IsOnDisk(std::string_view text) const {
    return std::ranges::any_of(files_.paths(), [&](const std::string& path) {
      const Bytes content = files_.Content(path);
      return AsText(content).contains(text);
    });
  }

  // The power fails at each step of `act` in turn, and then a later process looks and tidies up.
  void AtEachPowerCut(const std::function<bool(SlotFiles& slots)>& act,
                      const std::function<void(bool acted, SlotFiles& later)>& check) {
    const FakeFileSystem start = files_;
    for (const Unsynced fate : {Unsynced::kLost, Unsynced::kTorn, Unsynced::kKept}) {
      for (size_t step = 1;; ++step) {
        SCOPED_TRACE(testing::Message() << "step " << step);
        files_ = start;
        SlotFiles slots(kFolder, files_);
        ASSERT_TRUE(slots.Look());
        files_.FailPowerAtStep(step);
        const bool acted = act(slots);
        const bool reached = files_.power_failed();
        files_.Restart(fate);
        SlotFiles later(kFolder, files_);
        ASSERT_TRUE(later.Look());
        later.Tidy();
        check(acted, later);
        if (!reached) break;
      }
    }
    files_ = start;
  }
  static std::string Read(SlotFiles& slots, const std::string& name) {
    return std::string(AsText(slots.Read(name).value_or(Bytes())));
  }

  FakeFileSystem files_;
  SlotFiles slots_{kFolder, files_};
};

TEST_F(SlotFilesTest, ANoteIsThereUntilItsSlotIsErasedOrWrittenAnew) {
  ASSERT_TRUE(Write("AAAAA2", Text('a')));
  ASSERT_TRUE(Write("AAAAA3", Text('b')));
  EXPECT_EQ(slots_.NoteOf("AAAAA2"), 0);
  for (const int number : {1, 2, 15, 99}) {
    ASSERT_TRUE(slots_.Note("AAAAA2", number));
    SlotFiles later(kFolder, files_);
    ASSERT_TRUE(later.Look());
    EXPECT_EQ(later.NoteOf("AAAAA2"), std::min(number, SlotFiles::kLargestNote));
    EXPECT_EQ(later.NoteOf("AAAAA3"), 0);
    EXPECT_EQ(Read(later, "AAAAA2"), Text('a'));
  }
  ASSERT_TRUE(Write("AAAAA2", Text('c')));
  EXPECT_EQ(slots_.NoteOf("AAAAA2"), 0);
  ASSERT_TRUE(slots_.Note("AAAAA2", 3));
  ASSERT_TRUE(Erase({"AAAAA2"}));
  ASSERT_TRUE(slots_.Note("AAAAA2", 4));
  ASSERT_TRUE(Write("AAAAA4", Text('d')));
  SlotFiles later(kFolder, files_);
  ASSERT_TRUE(later.Look());
  EXPECT_EQ(later.NoteOf("AAAAA2") + later.NoteOf("AAAAA4"), 0);
}

TEST_F(SlotFilesTest, ANoteWithAFlippedBitIsNone) {
  ASSERT_TRUE(Write("AAAAA2", Text('a')));
  constexpr size_t kNoteAt = 23;
  for (const int number : {0, 1, 7}) {
    ASSERT_TRUE(number == 0 || slots_.Note("AAAAA2", number));
    const Bytes whole = files_.Content(kSmall);
    for (int bit = 0; bit < 8; ++bit) {
      Bytes flipped = whole;
      flipped[kNoteAt] ^= static_cast<uint8_t>(1 << bit);
      files_.Put(kSmall, flipped);
      SlotFiles later(kFolder, files_);
      ASSERT_TRUE(later.Look());
      EXPECT_EQ(later.NoteOf("AAAAA2"), 0) << number << " " << bit;
      EXPECT_EQ(Read(later, "AAAAA2"), Text('a'));
    }
    files_.Put(kSmall, whole);
  }
}

TEST_F(SlotFilesTest, ReadsWhatWasPutDownUntilItIsErased) {
  ASSERT_TRUE(Write("AAAAA2", Text('a')));
  ASSERT_TRUE(Write("AAAAA3", Text('b', 100'000)));
  ASSERT_TRUE(Write("AAAAA4", Text('c', 300'000)));
  EXPECT_EQ(Read("AAAAA2"), Text('a'));
  SlotFiles later(kFolder, files_);
  EXPECT_EQ(AsText(*later.Read("AAAAA3")), Text('b', 100'000));
  EXPECT_EQ(AsText(*later.Read("AAAAA4")), Text('c', 300'000));
  ASSERT_TRUE(Erase({"AAAAA2", "AAAAA4", "AAAAA9", "AAAAA2"}));
  EXPECT_EQ(slots_.Read("AAAAA2").error().code, ErrorCode::kNotFound);
  EXPECT_EQ(later.Read("AAAAA4").error().code, ErrorCode::kNotFound);
  EXPECT_FALSE(IsOnDisk("aaaa") || IsOnDisk("cccc") || IsOnDisk("AAAAA2"));
  EXPECT_THAT(slots_.names(), ElementsAre("AAAAA3"));
  EXPECT_EQ(Read("AAAAA3"), Text('b', 100'000));
}

TEST_F(SlotFilesTest, PuttingDownCostsOneSyncAndErasingManyCostsOneAFile) {
  ASSERT_TRUE(Write("first", Text('a')));
  size_t before = files_.syncs();
  std::vector<std::string> names = {"first"};
  for (int i = 0; i < 50; ++i) {
    names.push_back(fmt::format("N{}", i));
    ASSERT_TRUE(Write(names.back(), Text('b')));
  }
  EXPECT_EQ(files_.syncs() - before, 50U);
  before = files_.syncs();
  ASSERT_TRUE(Erase(names));
  EXPECT_EQ(files_.syncs() - before, 1U);
  EXPECT_THAT(files_.paths(), ElementsAre(kSmall));
}

TEST_F(SlotFilesTest, UsesErasedSlotsAgainAndGivesBackWhatIsNotNeeded) {
  std::vector<std::string> names;
  for (int i = 0; i < 200; ++i) {
    names.push_back(fmt::format("N{}", i));
    ASSERT_TRUE(Write(names.back(), Text('a')));
  }
  ASSERT_TRUE(Write("large", Text('l', 1'000'000)));
  names.push_back("large");
  EXPECT_THAT(files_.paths(), SizeIs(5));
  ASSERT_TRUE(Erase(names));
  for (int i = 0; i < 200; ++i) ASSERT_TRUE(Write(names[static_cast<size_t>(i)], Text('b')));
  EXPECT_THAT(files_.paths(), SizeIs(5));
  ASSERT_TRUE(Erase(names));
  slots_.Tidy();
  EXPECT_THAT(files_.paths(), SizeIs(1));
  EXPECT_TRUE(Write("next", Text('c')));
  EXPECT_THAT(files_.paths(), SizeIs(1));
}

TEST_F(SlotFilesTest, TwoProcessesNeverTakeTheSameSlotAndFindEachOthers) {
  SlotFiles other(kFolder, files_);
  for (int i = 0; i < 100; ++i) {
    ASSERT_TRUE(Write(fmt::format("A{}", i), Text('a')));
    ASSERT_TRUE(other.Write(fmt::format("B{}", i), AsBytes(Text('b'))));
    if (i % 3 == 0) {
      ASSERT_TRUE(slots_.Erase(std::vector{fmt::format("B{}", i)}));
    }
    if (i % 5 == 0) {
      ASSERT_TRUE(other.Erase(std::vector{fmt::format("A{}", i)}));
    }
  }
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(Read(fmt::format("B{}", i)), i % 3 == 0 ? "" : Text('b'));
    const auto mine = other.Read(fmt::format("A{}", i));
    EXPECT_EQ(mine ? AsText(*mine) : "", i % 5 == 0 ? "" : Text('a'));
  }
}

TEST_F(SlotFilesTest, WhateverIsDamagedTheOthersAreRead) {
  ASSERT_TRUE(Write("AAAAA2", Text('a')));
  ASSERT_TRUE(Write("AAAAA3", Text('b')));
  const Bytes whole = files_.Content(kSmall);
  for (size_t at = 0; at < 40; ++at) {
    Bytes damaged = whole;
    damaged[at] ^= 0x11;
    files_.Put(kSmall, damaged);
    SlotFiles slots(kFolder, files_);
    ASSERT_TRUE(slots.Look());
    EXPECT_EQ(AsText(*slots.Read("AAAAA3")), Text('b')) << at;
    ASSERT_TRUE(slots.Write("AAAAA4", AsBytes(Text('c'))));
    EXPECT_EQ(AsText(*slots.Read("AAAAA4")), Text('c')) << at;
    slots.Tidy();
    const std::vector<std::string> names = slots.names();
    const bool is_named = std::ranges::find(names, "AAAAA2") != names.end() || names.size() == 3;
    EXPECT_EQ(IsOnDisk("aaaa"), is_named) << at;
  }
  files_.Put(kSmall, ByteSpan(whole).first(4096 + 600));
  SlotFiles cut(kFolder, files_);
  EXPECT_EQ(AsText(*cut.Read("AAAAA3")), Text('b'));
  ASSERT_TRUE(cut.Write("AAAAA4", AsBytes(Text('c'))));
  EXPECT_EQ(AsText(*cut.Read("AAAAA4")), Text('c'));
}

TEST_F(SlotFilesTest, WhatIsPutDownAgainReplacesTheFirst) {
  ASSERT_TRUE(Write("AAAAA2", Text('a')));
  AtEachPowerCut(
      [](SlotFiles& slots) {
        return slots.Write("AAAAA2", AsBytes(Text('b', 20'000))).has_value();
      },
      [this](bool written, SlotFiles& later) {
        const std::string now = Read(later, "AAAAA2");
        const bool is_new = now == Text('b', 20'000);
        EXPECT_TRUE(is_new || (now == Text('a') && !written));
        EXPECT_FALSE(is_new && IsOnDisk("aaaa"));
      });
}

TEST_F(SlotFilesTest, TwoOfOneNameAreOneOfThem) {
  ASSERT_TRUE(Write("AAAAA2", Text('a')));
  Bytes content = files_.Content(kSmall);
  std::copy_n(content.begin(), 4096, content.begin() + 4096);
  files_.Put(kSmall, content);
  ASSERT_TRUE(slots_.Look());
  EXPECT_THAT(slots_.names(), ElementsAre("AAAAA2"));
  slots_.Tidy();
  ASSERT_TRUE(Erase({"AAAAA2"}));
  EXPECT_FALSE(IsOnDisk("aaaa"));
}

TEST_F(SlotFilesTest, WhatIsWithdrawnIsErasedAndNeverBelievedByHalf) {
  ASSERT_TRUE(Write("AAAAA2", Text('a', 20'000)));
  AtEachPowerCut([](SlotFiles& slots) { return slots.Withdraw("AAAAA2").has_value(); },
                 [this](bool withdrawn, SlotFiles& later) {
                   const std::string left = Read(later, "AAAAA2");
                   EXPECT_TRUE(left.empty() || left == Text('a', 20'000));
                   EXPECT_FALSE(withdrawn && !left.empty());
                   EXPECT_EQ(IsOnDisk("aaaa"), !left.empty());
                 });
  EXPECT_TRUE(slots_.Withdraw("AAAAA9")) << "never there";
}

TEST_F(SlotFilesTest, NamesThatAreTooLongAndOddFilesAreRefusedOrIgnored) {
  EXPECT_EQ(Write("AAAAAAAA9", Text('a')).error().code, ErrorCode::kInvalid);
  for (const std::string name : {"slots-0001-0x4096", "slots-0002-64x12", "slots-0003-9999x4096",
                                 "slots-0004-64x4096.new", "slots--1-64x4096", "AAAAA2"}) {
    files_.Put(fmt::format("{}/{}", kFolder, name), AsBytes(Text('x')));
  }
  ASSERT_TRUE(files_.CreateFolder(fmt::format("{}/slots-0009-64x4096", kFolder)));
  ASSERT_TRUE(slots_.Look());
  EXPECT_THAT(slots_.names(), IsEmpty());
  ASSERT_TRUE(Write("AAAAA2", Text('a')));
  EXPECT_TRUE(*files_.Exists("/state/copies/slots-0010-64x4096"));
}

TEST_F(SlotFilesTest, PowerThatFailsTakesNothingThatWasAcknowledged) {
  ASSERT_TRUE(Write("AAAAA2", Text('a')));
  for (const size_t size : {size_t{500}, size_t{20'000}}) {
    const std::string text = Text('b', size);
    bool written = false;
    AtEachPowerCut(
        [&](SlotFiles& slots) {
          written = slots.Write("AAAAA3", AsBytes(text)).has_value();
          return slots.Erase(std::vector<std::string>{"AAAAA2"}).has_value();
        },
        [&](bool erased, SlotFiles& later) {
          EXPECT_EQ(IsOnDisk("aaaa"), later.Has("AAAAA2"));
          EXPECT_FALSE(erased && later.Has("AAAAA2"));
          ASSERT_TRUE(later.Write("AAAAA4", AsBytes(Text('c', size))));
          EXPECT_EQ(Read(later, "AAAAA4"), Text('c', size));
          EXPECT_TRUE(!written || Read(later, "AAAAA3") == text);
        });
  }
}

TEST_F(SlotFilesTest, AFullDiskRefusesAndLeavesWhatIsThere) {
  ASSERT_TRUE(Write("AAAAA2", Text('a')));
  files_.set_capacity(0);
  ASSERT_TRUE(Write("AAAAA3", Text('b'))) << "there is room in the file";
  EXPECT_EQ(Write("AAAAA4", Text('c', 20'000)).error().code, ErrorCode::kExhausted);
  EXPECT_THAT(slots_.names(), UnorderedElementsAre("AAAAA2", "AAAAA3"));
}

}  // namespace
}  // namespace idkiosk
