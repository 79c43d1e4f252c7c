#include "drivers/printer/byte_sink.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <thread>

#include "tests/fakes/fake_file_system.h"
#include "tests/fakes/loopback_listener.h"
#include "tests/fakes/scratch_folder.h"

namespace idkiosk {
namespace {

using testing::HasSubstr;

class ByteSinkTest : public testing::Test {
 protected:
  std::unique_ptr<ByteSink> Make(const std::string& target) {
    auto made = MakeByteSink(target, files_);
    EXPECT_TRUE(made) << target << ": " << made.error().message;
    return made ? std::move(*made) : nullptr;
  }

  FakeFileSystem files_;
};

// A printer on the network: a real socket that takes one job.
class FakeNetworkPrinter {
 public:
  // Everything of one job.
  std::string TakeJob() const {
    const FileDescriptor connection = listener_.Accept();
    std::string job;
    char part[4096];
    for (ssize_t size = 0; (size = read(connection.get(), part, sizeof part)) > 0;) {
      job.append(part, static_cast<size_t>(size));
    }
    return job;
  }
  std::string target() const { return fmt::format("tcp:127.0.0.1:{}", listener_.port()); }

 private:
  const LoopbackListener listener_;
};

TEST_F(ByteSinkTest, AFileHoldsTheNewestJob) {
  const auto sink = Make("file:/receipts/last");
  ASSERT_TRUE(files_.CreateFolder("/receipts"));
  EXPECT_TRUE(sink->Write(AsBytes("first, and longer")));
  EXPECT_TRUE(sink->Write(AsBytes("second")));
  EXPECT_EQ(AsText(files_.Content("/receipts/last")), "second");
}

TEST_F(ByteSinkTest, ANetworkPrinterGetsEveryByte) {
  const FakeNetworkPrinter printer;
  const std::string job(3 << 20, 'x');  // more than a socket's buffers
  std::string taken;
  std::thread paper([&] { taken = printer.TakeJob(); });
  const Status written = Make(printer.target())->Write(AsBytes(job));
  paper.join();
  EXPECT_TRUE(written) << written.error().message;
  EXPECT_EQ(taken.size(), job.size());
  EXPECT_EQ(taken, job);
}

TEST_F(ByteSinkTest, ANetworkPrinterThatIsOffIsSaidToBe) {
  std::string target;
  {
    const FakeNetworkPrinter gone;
    target = gone.target();
  }
  const Status written = Make(target)->Write(AsBytes("job"));
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, ErrorCode::kUnavailable);
  EXPECT_THAT(written.error().message, HasSubstr("127.0.0.1"));
}

// A pipe is a character device's nearest relative that a test can make.
TEST_F(ByteSinkTest, ADeviceGetsEveryByteOrIsSaidToBeMissing) {
  const ScratchFolder folder;
  const std::string path = folder.path() + "/lp0";
  EXPECT_EQ(Make("device:" + path)->Write(AsBytes("job")).error().code, ErrorCode::kNotFound);
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  // Nobody reads: a driver whose printer is unplugged.
  EXPECT_EQ(Make("device:" + path)->Write(AsBytes("job")).error().code, ErrorCode::kNotFound);
  const int reader = open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  ASSERT_GE(reader, 0);
  EXPECT_TRUE(Make("device:" + path)->Write(AsBytes("job")));
  char taken[8] = {};
  EXPECT_EQ(read(reader, taken, sizeof taken), 3);
  EXPECT_STREQ(taken, "job");
  close(reader);
}

TEST_F(ByteSinkTest, NothingTellsWhetherAPrinterIsWithinReach) {
  const auto sink = Make("file:/receipts/last");
  EXPECT_EQ(sink->Write({}).error().code, ErrorCode::kNotFound);
  ASSERT_TRUE(files_.CreateFolder("/receipts"));
  ASSERT_TRUE(sink->Write(AsBytes("a receipt")));
  EXPECT_TRUE(sink->Write({}));
  EXPECT_EQ(AsText(files_.Content("/receipts/last")), "a receipt");
  EXPECT_EQ(Make("device:/no/such/lp0")->Write({}).error().code, ErrorCode::kNotFound);
}

TEST_F(ByteSinkTest, OtherTargetsAreNone) {
  for (const char* target :
       {"tcp:", "tcp::9100", "tcp:host:", "tcp:host:0", "tcp:host:65536", "tcp:host:9100x",
        "file:relative", "device:lp0", "/dev/usb/lp0", "usb:1", ""}) {
    const auto made = MakeByteSink(target, files_);
    ASSERT_FALSE(made) << target;
    EXPECT_EQ(made.error().code, ErrorCode::kInvalid);
    EXPECT_THAT(made.error().message, HasSubstr("must be"));
  }
  for (const char* target : {"tcp:printer", "tcp:10.0.0.7:9101", "file:/x", "device:/dev/ttyS0"}) {
    EXPECT_TRUE(MakeByteSink(target, files_)) << target;
  }
}

}  // namespace
}  // namespace idkiosk
