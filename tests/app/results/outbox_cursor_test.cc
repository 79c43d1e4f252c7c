#include "app/results/outbox_cursor.h"

#include <gtest/gtest.h>

#include "drivers/secure_storage/mbedtls_crypto.h"
#include "tests/fakes/fake_file_system.h"

namespace idkiosk {
namespace {

class OutboxCursorTest : public testing::Test {
 protected:
  OutboxCursorTest() {
    EXPECT_TRUE(files_.CreateFolder("/state"));
    cursor_.place = 4711;
    cursor_.id = "res_1";
    cursor_.trouble = "it answered 500";
    cursor_.trouble_since = WallTime(std::chrono::hours(5));
    EXPECT_TRUE(file_.Save(cursor_));
  }

  static constexpr const char* kPath = "/state/results-webhook.cursor";
  MbedtlsCrypto crypto_;
  SecretBytes key_ = SecretBytes::CopyOf(std::string_view("0123456789abcdef0123456789abcdef"));
  FakeFileSystem files_;
  OutboxCursorFile file_{"/state", "webhook", crypto_, key_, files_};
  OutboxCursor cursor_;
};

TEST_F(OutboxCursorTest, IsReadAsItWasWritten) {
  EXPECT_EQ(**file_.Load(), cursor_);
  files_.Delete(kPath);
  EXPECT_EQ(*file_.Load(), std::nullopt);
}

TEST_F(OutboxCursorTest, EachDamageIsNoticed) {
  const Bytes good = files_.Content(kPath);
  for (size_t i = 0; i < good.size(); ++i) {
    Bytes bad = good;
    bad[i] ^= 0x10;
    files_.Put(kPath, bad);
    ASSERT_FALSE(file_.Load()) << i;
    EXPECT_EQ(file_.Load().error().code, ErrorCode::kCorrupt) << i;
    files_.Put(kPath, ByteSpan(good).first(i));
    ASSERT_FALSE(file_.Load()) << i;
    EXPECT_EQ(file_.Load().error().code, ErrorCode::kCorrupt) << i;
  }
}

TEST_F(OutboxCursorTest, TheFileOfAnotherDestinationIsNoneOfThisOne) {
  files_.Put("/state/results-spool.cursor", files_.Content(kPath));
  const OutboxCursorFile other("/state", "spool", crypto_, key_, files_);
  ASSERT_FALSE(other.Load());
  EXPECT_EQ(other.Load().error().code, ErrorCode::kCorrupt);
}

}  // namespace
}  // namespace idkiosk
