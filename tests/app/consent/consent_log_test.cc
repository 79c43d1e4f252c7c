#include "app/consent/consent_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "drivers/secure_storage/mbedtls_crypto.h"
#include "tests/fakes/fake_clock.h"
#include "tests/fakes/fake_file_system.h"
#include "tests/fakes/fake_secure_storage.h"

namespace idkiosk {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* kFirstFile = "/state/consent/000000000001.journal";

class ConsentLogTest : public testing::Test {
 protected:
  ConsentLogTest() { (void)files_.CreateFolder("/state"); }

  // Another program on the same state folder each time.
  [[nodiscard]] ConsentLog Log() { return {"/state", clock_, crypto_, vault_, files_}; }
  void Record(std::string_view reference) {
    const Status put = Log().Record(reference, {"2026-11", "yo"}, "anna");
    EXPECT_TRUE(put) << put.error().message;
  }
  ConsentLog::Contents Read() {
    auto read = Log().Read();
    EXPECT_TRUE(read) << read.error().message;
    return read ? std::move(*read) : ConsentLog::Contents();
  }
  std::vector<std::string> References() {
    std::vector<std::string> all;
    for (const ConsentEntry& each : Read().entries) all.push_back(each.reference);
    return all;
  }

  FakeClock clock_;
  MbedtlsCrypto crypto_;
  FakeSecureStorage vault_;
  FakeFileSystem files_;
};

TEST_F(ConsentLogTest, KeepsWhatWasAgreedToWhenAndWhoAsked) {
  clock_.Advance(std::chrono::hours(3));
  Record("KD7Q2M");
  const ConsentLog::Contents contents = Read();
  ASSERT_EQ(contents.entries.size(), 1U);
  const ConsentEntry& entry = contents.entries.front();
  EXPECT_EQ(entry.number, 1U);
  EXPECT_EQ(entry.reference, "KD7Q2M");
  EXPECT_EQ(entry.consent, (Consent{"2026-11", "yo"}));
  EXPECT_EQ(entry.operator_id, "anna");
  EXPECT_EQ(FormatRfc3339(entry.at), FormatRfc3339(clock_.WallNow()));
  EXPECT_EQ(Describe(contents.verdict), "genuine");
}

TEST_F(ConsentLogTest, LeavesOutACallThatWasNotAccepted) {
  Record("AAAAAA");
  Record("BBBBBB");
  Log().NoteNotAccepted("AAAAAA");
  Record("CCCCCC");
  EXPECT_THAT(References(), ElementsAre("BBBBBB", "CCCCCC"));
}

TEST_F(ConsentLogTest, KeepsALaterCallOfTheSameReference) {
  Record("AAAAAA");
  Log().NoteNotAccepted("AAAAAA");
  Record("AAAAAA");
  EXPECT_THAT(References(), ElementsAre("AAAAAA"));
}

TEST_F(ConsentLogTest, SaysThatItWasPutBack) {
  Record("AAAAAA");
  const Bytes older = *files_.Read(kFirstFile, 1 << 20);
  Record("BBBBBB");
  files_.Put(kFirstFile, older);
  EXPECT_EQ(Describe(Read().verdict), "rolled back to 1");
  Record("CCCCCC");
  EXPECT_THAT(References(), ElementsAre("AAAAAA", "CCCCCC"));
  EXPECT_THAT(Read().damage, ElementsAre("rolled back to 1"));
}

TEST_F(ConsentLogTest, IsReadByNoProgramThatIsTooOld) {
  Record("AAAAAA");
  SharedJournal newer({.name = "consent",
                       .key_label = "consent/v1",
                       .anchor = "consent.anchor",
                       .damage_in = [](ByteSpan) -> std::optional<std::string> { return {}; },
                       .damage_record = [](WallTime, std::string_view) { return Bytes(); }},
                      "/state", clock_, crypto_, vault_, files_);
  ASSERT_TRUE(newer.Append(Bytes{2, 0, 0}));
  const auto read = Log().Read();
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error().message, HasSubstr("newer idkiosk"));
}

TEST_F(ConsentLogTest, HasNothingWithoutARecord) {
  EXPECT_THAT(References(), IsEmpty());
  EXPECT_EQ(Describe(Read().verdict), "genuine");
}

}  // namespace
}  // namespace idkiosk
