#include "tools/sandbox/store/state_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "tests/fakes/scratch_folder.h"
#include "tools/sandbox/store/certificate.h"

namespace idkiosk::sandbox {
namespace {

using testing::HasSubstr;

mode_t ModeOf(const std::string& path) {
  struct stat about{};
  EXPECT_EQ(stat(path.c_str(), &about), 0) << path;
  return about.st_mode & 0777;
}

class StateFolderTest : public testing::Test {
 protected:
  ScratchFolder scratch_;
  StateFolder folder_ = *StateFolder::Open(scratch_ / "state");
};

TEST_F(StateFolderTest, IsReadableByItsOwnerAlone) {
  ASSERT_TRUE(folder_.SecretFile("admin-token", [] { return "secret"; }));
  EXPECT_EQ(ModeOf(scratch_ / "state"), 0700U);
  EXPECT_EQ(ModeOf(folder_.File("admin-token")), 0600U);
}

TEST_F(StateFolderTest, ASecretIsMadeOnce) {
  EXPECT_EQ(folder_.SecretFile("key", [] { return "first"; }), "first");
  EXPECT_EQ(folder_.SecretFile("key", [] { return "second"; }), "first");
}

TEST_F(StateFolderTest, OneServerAtATime) {
  EXPECT_FALSE(folder_.ServerRuns());
  ASSERT_TRUE(folder_.LockForServer());
  auto second = *StateFolder::Open(scratch_ / "state");
  EXPECT_TRUE(second.ServerRuns());
  const auto locked = second.LockForServer();
  ASSERT_FALSE(locked);
  EXPECT_THAT(locked.error().message, HasSubstr("runs on"));
}

// As /dev/null is one: whoever is root would have put a file with credentials in its place.
TEST_F(StateFolderTest, WritesNothingInPlaceOfWhatIsNoFile) {
  const std::string pipe = scratch_ / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const Status written = WritePrivateFile(pipe, "secret");
  ASSERT_FALSE(written);
  EXPECT_THAT(written.error().message, HasSubstr("pipe is not an ordinary file"));
  struct stat about{};
  EXPECT_TRUE(stat(pipe.c_str(), &about) == 0 && S_ISFIFO(about.st_mode));
}

TEST_F(StateFolderTest, CertificatesAreMadeOnceAndTheirKeysArePrivate) {
  const auto files = EnsureCertificates(folder_, {});
  ASSERT_TRUE(files);
  const std::string before = *ReadTextFile(files->certificate);
  ASSERT_TRUE(EnsureCertificates(folder_, {}));
  EXPECT_EQ(*ReadTextFile(files->certificate), before);
  EXPECT_EQ(ModeOf(files->key), 0600U);
  EXPECT_EQ(ModeOf(folder_.File("ca.key")), 0600U);
}

TEST_F(StateFolderTest, AServerCertificateIsMadeAgainForAFurtherNameAndUnderTheSameAuthority) {
  const auto files = EnsureCertificates(folder_, {});
  ASSERT_TRUE(files);
  const std::string authority = *ReadTextFile(files->ca);
  const std::string before = *ReadTextFile(files->certificate);
  ASSERT_TRUE(EnsureCertificates(folder_, {"training.example", "192.0.2.7"}));
  EXPECT_EQ(*ReadTextFile(files->ca), authority);
  EXPECT_NE(*ReadTextFile(files->certificate), before);
}

TEST_F(StateFolderTest, ADamagedCertificateIsMadeAgain) {
  const auto files = EnsureCertificates(folder_, {});
  ASSERT_TRUE(WritePrivateFile(files->certificate, "damaged"));
  ASSERT_TRUE(EnsureCertificates(folder_, {}));
  EXPECT_THAT(*ReadTextFile(files->certificate), HasSubstr("BEGIN CERTIFICATE"));
}

}  // namespace
}  // namespace idkiosk::sandbox
