#include "tests/fakes/fake_file_system.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace idkiosk {
namespace {

using Unsynced = FakeFileSystem::Unsynced;

Status Write(FakeFileSystem& files, std::string_view text) {
  return files.WriteDurably("/file", AsBytes(text), FileAccess::kOwnerOnly);
}

std::string Content(const FakeFileSystem& files, const std::string& path = "/file") {
  return std::string(AsText(files.Content(path)));
}

TEST(FakeFileSystemTest, KeepsTheOldFileOrTheNewOneWhereverThePowerFails) {
  for (const Unsynced fate : {Unsynced::kLost, Unsynced::kTorn, Unsynced::kKept}) {
    for (size_t step = 1; step <= 4; ++step) {
      FakeFileSystem files;
      ASSERT_TRUE(Write(files, "old content"));
      files.FailPowerAtStep(step);
      EXPECT_EQ(Write(files, "new content").error().code, ErrorCode::kUnavailable);
      EXPECT_FALSE(files.Read("/file", 100));
      files.Restart(fate);
      const bool renamed = step == 4 && fate != Unsynced::kLost;
      EXPECT_EQ(Content(files), renamed ? "new content" : "old content") << "step " << step;
    }
  }
}

TEST(FakeFileSystemTest, KeepsWhatItAcknowledged) {
  FakeFileSystem files;
  ASSERT_TRUE(Write(files, "content"));
  EXPECT_EQ(files.steps(), 4u);
  files.FailPowerAtStep(1);
  EXPECT_FALSE(files.Remove("/file"));
  files.Restart(Unsynced::kLost);
  EXPECT_EQ(Content(files), "content");
}

TEST(FakeFileSystemTest, TearsWhatWasNotSynced) {
  FakeFileSystem files;
  files.FailPowerAtStep(2);
  EXPECT_FALSE(Write(files, "content!"));
  files.Restart(Unsynced::kTorn);
  EXPECT_EQ(Content(files, "/file.new"), "cont");
}

TEST(FakeFileSystemTest, ForgetsWhatWasWrittenInPlaceAndNotSynced) {
  constexpr size_t kSize = 64 * 512;
  const auto after = [](FakeFileSystem::Unsynced fate, bool synced) {
    FakeFileSystem files;
    files.Put("/file", Bytes(kSize, 'o'));
    const auto file = files.OpenFixed("/file");
    EXPECT_TRUE((*file)->Write(0, Bytes(kSize, 'n')));
    if (synced) {
      EXPECT_TRUE((*file)->Sync());
    }
    files.Restart(fate);
    return std::ranges::count(files.Content("/file"), 'n');
  };
  using enum FakeFileSystem::Unsynced;
  for (const auto fate : {kLost, kTorn, kKept}) EXPECT_EQ(after(fate, true), kSize);
  EXPECT_EQ(after(kLost, false), 0);
  EXPECT_EQ(after(kKept, false), kSize);
  const auto torn = after(kTorn, false);
  EXPECT_GT(torn, 0);
  EXPECT_LT(torn, kSize);
  EXPECT_EQ(torn % 512, 0);
}

TEST(FakeFileSystemTest, FailsOneStepAndLeavesNothingBehind) {
  FakeFileSystem files;
  ASSERT_TRUE(Write(files, "old"));
  files.FailStep(2, ErrorCode::kCorrupt);
  EXPECT_EQ(Write(files, "new").error().code, ErrorCode::kCorrupt);
  EXPECT_EQ(Content(files), "old");
  EXPECT_THAT(files.paths(), testing::ElementsAre("/file"));
  EXPECT_TRUE(Write(files, "new"));
}

TEST(FakeFileSystemTest, RunsOutOfRoom) {
  FakeFileSystem files;
  ASSERT_TRUE(Write(files, "12345"));
  files.set_capacity(9);
  EXPECT_EQ(files.FreeSpace("/").value(), 4u);
  EXPECT_EQ(Write(files, "67890").error().code, ErrorCode::kExhausted);
  EXPECT_EQ(Content(files), "12345");
  EXPECT_TRUE(Write(files, "6789"));
}

TEST(FakeFileSystemTest, LetsGoOfLocksWhenThePowerFails) {
  FakeFileSystem files;
  const auto before = files.Lock("/lock");
  ASSERT_TRUE(before);
  files.FailPowerAtStep(1);
  EXPECT_FALSE(files.Exists("/"));
  files.Restart(Unsynced::kLost);
  EXPECT_TRUE(files.Lock("/lock"));
}

TEST(FakeFileSystemTest, CutsTheLastWriteAfterSoManySectors) {
  constexpr size_t kSectors = 4;
  for (size_t arrived = 0; arrived <= kSectors; ++arrived) {
    FakeFileSystem files;
    files.Put("/file", Bytes(kSectors * 512, 'o'));
    const auto file = files.OpenFixed("/file");
    files.FailPowerAtStep(1);
    EXPECT_FALSE((*file)->Write(0, Bytes(kSectors * 512, 'n')));
    EXPECT_EQ(files.cut_sectors(), kSectors);
    files.Restart(Unsynced::kCut, arrived);
    EXPECT_EQ(std::ranges::count(files.Content("/file"), 'n'), arrived * 512);
  }
}

TEST(FakeFileSystemTest, LosesNamesAndKeepsBytes) {
  FakeFileSystem files;
  files.Put("/file", Bytes(512, 'o'));
  ASSERT_TRUE((*files.OpenFixed("/file"))->Write(0, Bytes(512, 'n')));
  files.FailPowerAtStep(2);
  EXPECT_FALSE(files.Rename("/file", "/other"));
  files.Restart(Unsynced::kNamesLost);
  EXPECT_EQ(Content(files), std::string(512, 'n'));
  EXPECT_EQ(Content(files, "/other"), "");
}

TEST(FakeFileSystemTest, WhatWasRenamedHasOneOfItsNames) {
  int moved = 0;
  for (uint64_t seed = 0; seed < 32; ++seed) {
    FakeFileSystem files;
    files.SeedFate(seed);
    files.Put("/file", AsBytes("content"));
    files.FailPowerAtStep(2);
    EXPECT_FALSE(files.Rename("/file", "/other"));
    files.Restart(Unsynced::kReordered);
    EXPECT_EQ(Content(files) + Content(files, "/other"), "content");
    moved += Content(files).empty() ? 1 : 0;
  }
  EXPECT_GT(moved, 0);
  EXPECT_LT(moved, 32);
}

TEST(FakeFileSystemTest, ASyncThatLiesKeepsNothing) {
  FakeFileSystem files;
  files.Put("/file", Bytes(512, 'o'));
  files.LieAbout([](const std::string& path) { return path == "/file"; });
  const auto file = files.OpenFixed("/file");
  ASSERT_TRUE((*file)->Write(0, Bytes(512, 'n')));
  ASSERT_TRUE((*file)->Sync());
  files.Restart(Unsynced::kLost);
  EXPECT_EQ(Content(files), std::string(512, 'o'));
}

}  // namespace
}  // namespace idkiosk
