#include "platform/base/secret_bytes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <sstream>
#include <type_traits>
#include <vector>

namespace idkiosk {
namespace {

// No way to print, copy or compare a secret by accident.
static_assert(!fmt::is_formattable<SecretBytes>::value);
static_assert(!std::is_copy_constructible_v<SecretBytes>);
static_assert(!std::is_copy_assignable_v<SecretBytes>);
static_assert(std::is_nothrow_move_constructible_v<SecretBytes>);
template <typename T>
concept Streamable = requires(std::ostream& out, const T& value) { out << value; };
static_assert(Streamable<std::string> && !Streamable<SecretBytes>);
template <typename T>
concept Comparable = requires(const T& value) { value == value; };
static_assert(Comparable<std::string> && !Comparable<SecretBytes>);
static_assert(!std::is_convertible_v<SecretBytes, std::string_view>);

TEST(SecretBytesTest, HoldsWhatItWasGiven) {
  const SecretBytes secret = SecretBytes::CopyOf("open sesame");
  EXPECT_EQ(secret.text(), "open sesame");
  EXPECT_EQ(secret.size(), 11u);
  EXPECT_TRUE(SecretBytes().empty());
  EXPECT_TRUE(SecretBytes::CopyOf("").empty());
  EXPECT_EQ(SecretBytes(100).view().size(), 100u);
  EXPECT_TRUE(
      std::ranges::all_of(SecretBytes(5000).view(), [](uint8_t each) { return each == 0; }));
}

TEST(SecretBytesTest, TakesTextAndLeavesNothingOfIt) {
  std::string text = "a password of which nothing may be left";
  const char* memory = text.data();
  const size_t size = text.size();
  const SecretBytes secret = SecretBytes::Take(text);
  EXPECT_EQ(secret.size(), size);
  EXPECT_TRUE(text.empty());
  EXPECT_TRUE(std::all_of(memory, memory + size, [](char each) { return each == '\0'; }));
}

TEST(SecretBytesTest, Moves) {
  SecretBytes first = SecretBytes::CopyOf("one");
  SecretBytes second = std::move(first);
  EXPECT_TRUE(first.empty());  // NOLINT(bugprone-use-after-move): that it is empty is the point
  EXPECT_EQ(second.text(), "one");
  SecretBytes third = SecretBytes::CopyOf("three");
  third = std::move(second);
  EXPECT_EQ(third.text(), "one");
  EXPECT_TRUE(second.empty());  // NOLINT(bugprone-use-after-move)
  SecretBytes& same = third;
  third = std::move(same);
  EXPECT_EQ(third.text(), "one");
}

TEST(SecretBytesTest, ClonesOnlyWhenAsked) {
  SecretBytes secret = SecretBytes::CopyOf("one");
  const SecretBytes clone = secret.Clone();
  secret.mutable_view()[0] = 'O';
  EXPECT_EQ(clone.text(), "one");
}

TEST(SecretBytesTest, WipesWhatItCutsOff) {
  SecretBytes secret = SecretBytes::CopyOf("open sesame");
  const uint8_t* memory = secret.view().data();
  secret.Truncate(4);
  EXPECT_EQ(secret.text(), "open");
  EXPECT_TRUE(std::all_of(memory + 4, memory + 11, [](uint8_t each) { return each == 0; }));
  secret.Truncate(100);
  EXPECT_EQ(secret.size(), 4u);
}

TEST(SecretBytesTest, ComparesContents) {
  const SecretBytes secret = SecretBytes::CopyOf("one");
  EXPECT_TRUE(secret.Equals(AsBytes("one")));
  EXPECT_FALSE(secret.Equals(AsBytes("onf")));
  EXPECT_FALSE(secret.Equals(AsBytes("on")));
  EXPECT_FALSE(secret.Equals({}));
  EXPECT_TRUE(SecretBytes().Equals({}));
}

// The lines that /proc/self/smaps has for the mapping that begins at `memory`.
std::string MappingOf(const void* memory) {
  std::ostringstream start;
  start << std::hex << reinterpret_cast<uintptr_t>(memory) << '-';
  std::ifstream maps("/proc/self/smaps");
  std::string line;
  std::string found;
  while (std::getline(maps, line)) {
    if (line.starts_with(start.str())) found = line;
    if (!found.empty()) found += line + "\n";
    if (line.starts_with("VmFlags") && !found.empty()) return found;
  }
  return found;
}

TEST(SecretBytesTest, IsLockedAndLeftOutOfCoreFilesAndForks) {
  // Big enough to be a mapping that the kernel does not join with its neighbours.
  const SecretBytes secret(1 << 20);
  const std::string mapping = MappingOf(secret.view().data());
  const std::string flags = mapping.substr(mapping.rfind("VmFlags") + 8);
  EXPECT_THAT(flags, testing::HasSubstr(" dd"));  // not dumped
  EXPECT_THAT(flags, testing::HasSubstr(" wf"));  // wiped on fork
}

TEST(SecretBytesTest, IsNotInheritedByAFork) {
  const SecretBytes secret = SecretBytes::CopyOf("open sesame");
  const pid_t child = fork();
  if (child == 0) _exit(secret.view()[0] == 0 ? 0 : 1);
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST(SecretBytesTest, GivesItsMemoryBack) {
  const void* memory = nullptr;
  {
    const SecretBytes secret(1 << 20);
    memory = secret.view().data();
  }
  unsigned char resident = 0;
  EXPECT_EQ(mincore(const_cast<void*>(memory), 1, &resident), -1);
}

TEST(SecretBytesTest, IsEmptyInAPageThatAnotherSecretHad) {
  const void* before = nullptr;
  {
    const SecretBytes secret = SecretBytes::CopyOf("open sesame");
    before = secret.view().data();
  }
  const SecretBytes next(4096);
  EXPECT_EQ(next.view().data(), before);
  EXPECT_TRUE(std::ranges::all_of(next.view(), [](uint8_t each) { return each == 0; }));
}

TEST(SecretBytesTest, KeepsFewPages) {
  const auto mapped = [] {
    std::ifstream status("/proc/self/statm");
    size_t pages = 0;
    status >> pages;
    return pages;
  };
  std::vector<SecretBytes> secrets;
  for (int i = 0; i < 1000; ++i) secrets.push_back(SecretBytes::CopyOf("open sesame"));
  const size_t many = mapped();
  secrets.clear();
  EXPECT_LT(mapped() + 900, many);
}

TEST(WipeTest, OverwritesTheWholeCapacityOfAString) {
  std::string text(100, 'x');
  text.resize(3);
  const char* memory = text.data();
  Wipe(text);
  EXPECT_TRUE(text.empty());
  EXPECT_EQ(std::count(memory, memory + 100, 'x'), 0);
}

TEST(WipeTest, OverwritesBytes) {
  Bytes bytes(10, 7);
  Wipe(bytes);
  EXPECT_EQ(bytes, Bytes(10));
  Wipe(MutableByteSpan());
}

}  // namespace
}  // namespace idkiosk
