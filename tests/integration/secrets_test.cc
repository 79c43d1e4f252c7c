// Nothing that was typed, shown once or photographed can be read on the disk, in a log, in a core
// file or in what a core file would hold.
#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <sstream>

#include "tests/integration/exit_codes.h"
#include "tests/integration/kiosk_fixture.h"

namespace idkiosk {
namespace {

namespace fs = std::filesystem;

// Not the test NIN: that one is no secret, and stands in the configuration.
// How every JPEG of ours begins. Its first three bytes alone stand in 100 kB of sealed bytes by
// chance, once in 170 times.
constexpr std::string_view kJpegHeader("\xff\xd8\xff\xe0\x00\x10JFIF", 10);

// The writable memory of a process that the kernel would put into a core file: what
// madvise(MADV_DONTDUMP) excludes ("dd" among its flags) is left out, as the kernel and gcore do.
class CoreImage {
 public:
  explicit CoreImage(pid_t process)
      : memory_(open(fmt::format("/proc/{}/mem", process).c_str(), O_RDONLY)) {
    std::stringstream smaps(ReadFile(fmt::format("/proc/{}/smaps", process)));
    for (std::string line; std::getline(smaps, line);) {
      unsigned long from = 0;
      unsigned long to = 0;
      char mode[8] = {};
      if (std::sscanf(line.c_str(), "%lx-%lx %7s", &from, &to, mode) == 3) {
        from_ = from;
        to_ = to;
        writable_ = mode[1] == 'w';
      } else if (line.starts_with("VmFlags:") && writable_ && !line.contains(" dd")) {
        Append();
      }
    }
    close(memory_);
  }

  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  void Append() {
    const size_t have = bytes_.size();
    bytes_.resize(have + (to_ - from_));
    const ssize_t count =
        pread(memory_, bytes_.data() + have, to_ - from_, static_cast<off_t>(from_));
    bytes_.resize(have + static_cast<size_t>(std::max<ssize_t>(count, 0)));
  }

  int memory_;
  unsigned long from_ = 0;
  unsigned long to_ = 0;
  bool writable_ = false;
  std::string bytes_;
};

class SecretsTest : public KioskFixture {
 protected:
  void SetUp() override {
    ASSERT_NO_FATAL_FAILURE(StartSandbox());
    ASSERT_NO_FATAL_FAILURE(Provision(
        fmt::format(R"("log": {{ "level": "debug", "file": "{}/idkiosk.log" }},)", state())));
  }

  void TearDown() override { RecordProperty("attacks", looks_); }

  // Each secret that is looked for in a place is an attack.
  void ExpectClean(const std::string& bytes, const std::string& where) {
    looks_ += static_cast<int>(secrets_.size()) + 1;
    ASSERT_FALSE(secrets_.at("api_key").empty());
    for (const auto& [name, value] : secrets_) {
      EXPECT_FALSE(bytes.contains(value)) << name << " is readable in " << where;
    }
    EXPECT_FALSE(bytes.contains(kTypedNin)) << "the NIN is readable in " << where;
  }

  // State folder with its log, and the configuration.
  void ExpectCleanDisk() {
    int files = 0;
    for (const auto& entry : fs::recursive_directory_iterator(state())) {
      if (!entry.is_regular_file()) continue;
      ++files;
      const std::string bytes = ReadFile(entry.path());
      ExpectClean(bytes, entry.path());
      EXPECT_FALSE(bytes.contains(kJpegHeader)) << "a JPEG begins in " << entry.path();
    }
    EXPECT_GT(files, 2);
    const std::string local = ReadFile(folder_ / "kiosk.local.jsonc");
    EXPECT_FALSE(local.contains(secrets_.at("api_key")));
    EXPECT_FALSE(local.contains(secrets_.at("password")));
  }

 private:
  int looks_ = 0;
};

TEST_F(SecretsTest, DiskAndLogHoldNothingBeforeWhileAndAfterACallWaits) {
  ExpectCleanDisk();
  StopSandbox();
  ASSERT_EQ(Verify(kTypedNin, {"--wait", "0"}).exit_code, 4);
  ExpectCleanDisk();
  ASSERT_NO_FATAL_FAILURE(StartSandbox());
  ASSERT_EQ(Kiosk({"queue", "deliver", "--wait", kAsLongAsItTakes}).exit_code, 0);
  EXPECT_EQ(Posts(kTypedNin), 1);
  ExpectCleanDisk();
}

TEST_F(SecretsTest, ACoreOfARunningKioskWouldHoldNothing) {
  StopSandbox();
  Process waiting(VerifyCommand({"--pictures", pictures(), "--wait", kAsLongAsItTakes}),
                  std::string(kTypedNin) + "\n");
  ASSERT_TRUE(waiting.AwaitErr("Kept and sealed")) << waiting.err();
  const CoreImage image(waiting.id());
  if (getuid() == 0) {
    ASSERT_GT(image.bytes().size(), 1U << 20);
  }
  ExpectClean(image.bytes(), "memory that a core file would hold");

  // And there is no core file at all.
  waiting.Signal(SIGABRT);
  EXPECT_EQ(waiting.Wait().exit_code, 128 + SIGABRT);
  for (const auto& entry : fs::directory_iterator(fs::current_path())) {
    EXPECT_FALSE(entry.path().filename().string().starts_with("core")) << entry.path();
  }
}

TEST_F(SecretsTest, ArgumentsOfARunningKioskDoNotShowTheNin) {
  StopSandbox();
  std::vector<std::string> command =
      VerifyCommand({"--pictures", pictures(), "--wait", kAsLongAsItTakes});
  *std::ranges::find(command, "-") = kTypedNin;
  Process waiting(command);
  ASSERT_TRUE(waiting.AwaitErr("Kept and sealed")) << waiting.err();
  const std::string arguments = ReadFile(fmt::format("/proc/{}/cmdline", waiting.id()));
  EXPECT_FALSE(arguments.contains(kTypedNin));
  EXPECT_TRUE(arguments.contains("verify"));
  ExpectClean(CoreImage(waiting.id()).bytes(), "memory that a core file would hold");
}

TEST_F(SecretsTest, ErasingLeavesNoFileOfACallBehind) {
  StopSandbox();
  const auto call_files = [this] {
    std::vector<std::string> found;
    for (const auto& entry : fs::recursive_directory_iterator(state())) {
      const std::string path = fs::relative(entry.path(), state()).string();
      const bool of_a_call = path.starts_with("queue.db") || path.starts_with("copies/");
      if (of_a_call) found.push_back(path);
    }
    return found;
  };
  Process waiting(VerifyCommand({"--pictures", pictures(), "--wait", kAsLongAsItTakes}),
                  std::string(kTypedNin) + "\n");
  ASSERT_TRUE(waiting.AwaitErr("Kept and sealed")) << waiting.err();
  // The keys go at once, also beside a program that is at work; its files when it has ended.
  const Finished refused = Kiosk({"vault", "erase", "--yes"});
  EXPECT_EQ(refused.exit_code, kKept) << "its attempts would be missing in the ledger's file";
  EXPECT_THAT(refused.err, testing::HasSubstr("--without-ledger"));
  EXPECT_TRUE(fs::exists(state() + "/vault/vault.key"));
  const Finished keys = Kiosk({"vault", "erase", "--yes", "--without-ledger"});
  EXPECT_EQ(keys.exit_code, kKept);
  EXPECT_THAT(keys.err, testing::HasSubstr("'idkiosk vault erase' again"));
  EXPECT_FALSE(fs::exists(state() + "/vault/vault.key"));
  EXPECT_THAT(call_files(), testing::Not(testing::IsEmpty()));
  // Else it would take calls that the new vault's key does not open.
  const Finished another = Kiosk({"vault", "init"});
  EXPECT_EQ(another.exit_code, kKept) << another.err;
  EXPECT_FALSE(fs::exists(state() + "/vault/vault.key"));
  waiting.Signal(SIGTERM);
  (void)waiting.Wait();
  const Finished too_early = Kiosk({"vault", "init"});
  EXPECT_EQ(too_early.exit_code, 3) << too_early.err;
  EXPECT_THAT(too_early.err, testing::HasSubstr("'idkiosk vault erase' erases them"));
  EXPECT_FALSE(fs::exists(state() + "/vault/vault.key"));
  const Finished files = Kiosk({"vault", "erase", "--yes"});
  EXPECT_EQ(files.exit_code, 0) << files.err;
  EXPECT_THAT(call_files(), testing::IsEmpty());
  EXPECT_TRUE(fs::exists(state() + "/ledger"));
  EXPECT_NE(Kiosk({"vault", "erase", "--yes"}).exit_code, 0) << "nothing is left to erase";
  EXPECT_EQ(Kiosk({"vault", "init"}).exit_code, 0);
}

}  // namespace
}  // namespace idkiosk
