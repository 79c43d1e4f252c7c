#include "platform/posix/process_hardening.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "platform/base/sanitized.h"

namespace idkiosk {
namespace {

// Each runs in a child of its own: what it does to a process cannot be undone.
class ProcessHardeningTest : public testing::Test {
 protected:
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

TEST_F(ProcessHardeningTest, LeavesNoCoreAndIsNotDumpable) {
  EXPECT_EXIT(
      {
        HardenProcess();
        rlimit limit{};
        getrlimit(RLIMIT_CORE, &limit);
        const bool good = limit.rlim_max == 0 && prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) == 0 &&
                          prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1 && umask(0) == 0077;
        std::_Exit(good ? 0 : 1);
      },
      testing::ExitedWithCode(0), "");
}

TEST_F(ProcessHardeningTest, AFileThatMayNotGrowIsAnErrorAndNoEnd) {
  EXPECT_EXIT(
      {
        HardenProcess();
        rlimit none{};
        getrlimit(RLIMIT_FSIZE, &none);
        none.rlim_cur = 0;
        setrlimit(RLIMIT_FSIZE, &none);
        const int file = memfd_create("file", MFD_CLOEXEC);
        const bool good = file >= 0 && write(file, "x", 1) == -1 && errno == EFBIG;
        std::_Exit(good ? 0 : 1);
      },
      testing::ExitedWithCode(0), "");
}

#ifndef IDKIOSK_SANITIZED
// Looks at memory that is not its own any more: only ever in a test.
int LeftIn(const volatile char* memory, size_t size) {
  int left = 0;
  // The first bytes of a free block belong to the allocator.
  for (size_t i = 32; i < size; ++i) left += memory[i] == 'S' ? 1 : 0;
  return left;
}

TEST(WipingFreeTest, OverwritesWhatIsGivenBack) {
  for (const size_t size : {100, 1000, 10'000, 100'000}) {
    auto* volatile memory = static_cast<char*>(std::malloc(size));
    std::memset(memory, 'S', size);
    std::free(memory);
    EXPECT_EQ(LeftIn(memory, size), 0) << size;
  }
}

TEST(WipingFreeTest, OverwritesWhatAGrowingBlockLeavesBehind) {
  auto* volatile small = static_cast<char*>(std::malloc(200));
  std::memset(small, 'S', 200);
  auto* volatile large = static_cast<char*>(std::realloc(small, 5000));
  EXPECT_EQ(LeftIn(small, 200), 0);
  EXPECT_EQ(LeftIn(large, 200), 200 - 32);
  std::free(large);
}
#endif

TEST_F(ProcessHardeningTest, WipesAnArgument) {
  char argument[] = "70123456789";
  WipeArgument(argument);
  EXPECT_STREQ(argument, "***********");
}

}  // namespace
}  // namespace idkiosk
