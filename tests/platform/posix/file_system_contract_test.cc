#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "platform/posix/posix_file_system.h"
#include "tests/fakes/fake_file_system.h"
#include "tests/fakes/scratch_folder.h"

namespace idkiosk {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// What platform/api/file_system.h promises, held against the kernel's files and the fake's alike.
template <typename T>
class FileSystemContractTest : public testing::Test {
 protected:
  FileSystemContractTest() { EXPECT_TRUE(files_.CreateFolder(folder_)); }

  std::string In(const std::string& name) const { return scratch_ / name; }

  Status Write(const std::string& name, std::string_view text,
               FileAccess access = FileAccess::kOwnerOnly) {
    return files_.WriteDurably(In(name), AsBytes(text), access);
  }

  std::string Content(const std::string& name) {
    const auto bytes = files_.Read(In(name), 1000);
    return bytes ? std::string(AsText(*bytes)) : bytes.error().message;
  }

  const ScratchFolder scratch_;
  const std::string& folder_ = scratch_.path();
  T files_;
};

using FileSystems = testing::Types<PosixFileSystem, FakeFileSystem>;
TYPED_TEST_SUITE(FileSystemContractTest, FileSystems);

TYPED_TEST(FileSystemContractTest, ReadsWhatWasWrittenLast) {
  ASSERT_TRUE(this->Write("file", "one"));
  EXPECT_EQ(this->Content("file"), "one");
  ASSERT_TRUE(this->Write("file", "two"));
  EXPECT_EQ(this->Content("file"), "two");
  EXPECT_THAT(this->files_.List(this->folder_).value(), ElementsAre("file"));
}

TYPED_TEST(FileSystemContractTest, NamesThePathThatIsNotThere) {
  const std::string absent = this->In("absent");
  const auto name_it = [&](const Error& error) {
    EXPECT_EQ(error.code, ErrorCode::kNotFound);
    EXPECT_THAT(error.message, HasSubstr(absent));
  };
  name_it(this->files_.Read(absent, 10).error());
  name_it(this->files_.ReadSecret(absent, 10).error());
  name_it(this->files_.Remove(absent).error());
  name_it(this->files_.Erase(absent).error());
  name_it(this->files_.Rename(absent, this->In("other")).error());
  name_it(this->files_.List(absent).error());
  name_it(this->Write("absent/file", "").error());
  EXPECT_EQ(this->files_.Lock(this->In("absent/lock")).error().code, ErrorCode::kNotFound);
}

TYPED_TEST(FileSystemContractTest, WritesInPlaceWithinTheSizeOfTheFile) {
  ASSERT_TRUE(this->Write("file", "0123456789"));
  const auto file = this->files_.OpenFixed(this->In("file"));
  ASSERT_TRUE(file) << file.error().message;
  ASSERT_TRUE((*file)->Write(3, AsBytes("abc")));
  ASSERT_TRUE((*file)->Write(8, AsBytes("yz")));
  ASSERT_TRUE((*file)->Sync());
  EXPECT_EQ(this->Content("file"), "012abc67yz");
  EXPECT_EQ((*file)->Write(9, AsBytes("yz")).error().code, ErrorCode::kInvalid);
  EXPECT_EQ((*file)->Write(11, AsBytes("")).error().code, ErrorCode::kInvalid);
  EXPECT_EQ(this->Content("file"), "012abc67yz");
  EXPECT_EQ(this->files_.OpenFixed(this->In("absent")).error().code, ErrorCode::kNotFound);
}

TYPED_TEST(FileSystemContractTest, WritesToNoFileThatWasRemoved) {
  ASSERT_TRUE(this->Write("file", "0123456789"));
  const auto file = this->files_.OpenFixed(this->In("file"));
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_TRUE((*file)->CheckInPlace());
  ASSERT_TRUE(this->files_.Remove(this->In("file")));
  EXPECT_EQ((*file)->CheckInPlace().error().code, ErrorCode::kUnavailable);
  EXPECT_EQ((*file)->Write(3, AsBytes("abc")).error().code, ErrorCode::kUnavailable);
}

TYPED_TEST(FileSystemContractTest, ReadsNoMoreThanItWasAllowed) {
  ASSERT_TRUE(this->Write("file", "12345"));
  EXPECT_EQ(this->files_.Read(this->In("file"), 4).error().code, ErrorCode::kExhausted);
  EXPECT_EQ(this->files_.ReadSecret(this->In("file"), 4).error().code, ErrorCode::kExhausted);
  EXPECT_TRUE(this->files_.Read(this->In("file"), 5));
  EXPECT_EQ(this->files_.ReadSecret(this->In("file"), 5)->text(), "12345");
}

TYPED_TEST(FileSystemContractTest, TakesAFolderForNoFile) {
  EXPECT_EQ(this->files_.Read(this->folder_, 10).error().code, ErrorCode::kInvalid);
  EXPECT_EQ(this->files_.ReadSecret(this->folder_, 10).error().code, ErrorCode::kInvalid);
  ASSERT_TRUE(this->Write("file", ""));
  EXPECT_EQ(this->files_.CreateFolder(this->In("file")).error().code, ErrorCode::kInvalid);
}

TYPED_TEST(FileSystemContractTest, ReadsNoSecretThatEverybodyMayRead) {
  ASSERT_TRUE(this->Write("key", "sesame", FileAccess::kEverybody));
  const auto secret = this->files_.ReadSecret(this->In("key"), 10);
  ASSERT_FALSE(secret);
  EXPECT_EQ(secret.error().code, ErrorCode::kForbidden);
  EXPECT_THAT(secret.error().message, HasSubstr("chmod 600 " + this->In("key")));
}

TYPED_TEST(FileSystemContractTest, ListsRenamesRemovesAndErases) {
  ASSERT_TRUE(this->Write("b", "content"));
  ASSERT_TRUE(this->Write("a", ""));
  ASSERT_TRUE(this->files_.CreateFolder(this->In("sub/sub")));
  EXPECT_THAT(this->files_.List(this->folder_).value(), ElementsAre("a", "b", "sub"));
  ASSERT_TRUE(this->files_.Rename(this->In("b"), this->In("sub/c")));
  EXPECT_EQ(this->Content("sub/c"), "content");
  ASSERT_TRUE(this->files_.Remove(this->In("a")));
  ASSERT_TRUE(this->files_.Erase(this->In("sub/c")));
  EXPECT_THAT(this->files_.List(this->folder_).value(), ElementsAre("sub"));
  EXPECT_THAT(this->files_.List(this->In("sub")).value(), ElementsAre("sub"));
}

TYPED_TEST(FileSystemContractTest, ReadsBelowAFolderAndNowhereElse) {
  ASSERT_TRUE(this->files_.CreateFolder(this->In("sub/deep")));
  ASSERT_TRUE(this->Write("secret", "sesame"));
  ASSERT_TRUE(this->Write("sub/deep/file", "12345"));
  const auto read = [&](const std::string& path, size_t max_size = 10) {
    return this->files_.ReadBelow(this->In("sub"), path, max_size);
  };
  EXPECT_EQ(AsText(read("deep/file").value()), "12345");
  EXPECT_EQ(read("deep/file", 4).error().code, ErrorCode::kExhausted);
  EXPECT_EQ(read("deep/absent").error().code, ErrorCode::kNotFound);
  EXPECT_EQ(read("absent/file").error().code, ErrorCode::kNotFound);
  EXPECT_EQ(read("deep").error().code, ErrorCode::kInvalid);
  for (const std::string& path :
       {std::string("../secret"), std::string("deep/../../secret"), this->In("secret"),
        std::string(), std::string("."), std::string(".."), std::string("deep/./file")}) {
    EXPECT_EQ(read(path).error().code, ErrorCode::kInvalid) << path;
  }
}

TYPED_TEST(FileSystemContractTest, ListsFilesWithoutFolders) {
  ASSERT_TRUE(this->Write("b", ""));
  ASSERT_TRUE(this->Write("a", ""));
  ASSERT_TRUE(this->files_.CreateFolder(this->In("sub")));
  EXPECT_THAT(this->files_.ListFiles(this->folder_).value(), ElementsAre("a", "b"));
  EXPECT_EQ(this->files_.ListFiles(this->In("absent")).error().code, ErrorCode::kNotFound);
}

TYPED_TEST(FileSystemContractTest, OverwritesOnlyAFileOfThatSize) {
  const auto overwrite = [&](std::string_view bytes) {
    return this->files_.Overwrite(this->In("file"), AsBytes(bytes));
  };
  EXPECT_EQ(overwrite("new").error().code, ErrorCode::kNotFound);
  ASSERT_TRUE(this->Write("file", "old"));
  EXPECT_EQ(overwrite("longer").error().code, ErrorCode::kFailedPrecondition);
  EXPECT_EQ(this->Content("file"), "old");
  EXPECT_TRUE(overwrite("new"));
  EXPECT_EQ(this->Content("file"), "new");
}

TYPED_TEST(FileSystemContractTest, TellsWhetherAPathIsThere) {
  ASSERT_TRUE(this->Write("file", ""));
  EXPECT_TRUE(this->files_.Exists(this->In("file")).value());
  EXPECT_TRUE(this->files_.Exists(this->folder_).value());
  EXPECT_FALSE(this->files_.Exists(this->In("absent")).value());
  EXPECT_FALSE(this->files_.Exists(this->In("file/below")).value());
}

TYPED_TEST(FileSystemContractTest, LetsOnlyOneHoldALock) {
  auto first = this->files_.Lock(this->In("lock"));
  ASSERT_TRUE(first);
  const auto second = this->files_.Lock(this->In("lock"));
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, ErrorCode::kUnavailable);
  EXPECT_THAT(second.error().message, HasSubstr("held by process"));
  first->reset();
  EXPECT_TRUE(this->files_.Lock(this->In("lock")));
}

}  // namespace
}  // namespace idkiosk
