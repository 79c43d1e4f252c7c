#include "app/audit/audit_trail.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "drivers/secure_storage/mbedtls_crypto.h"
#include "tests/fakes/fake_clock.h"
#include "tests/fakes/fake_file_system.h"
#include "tests/fakes/fake_secure_storage.h"

namespace idkiosk {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kFirstFile = "/state/audit/000000000001.journal";

class AuditTrailTest : public testing::Test {
 protected:
  AuditTrailTest() { (void)files_.CreateFolder("/state"); }

  // Another program on the same state folder each time.
  [[nodiscard]] AuditTrail Trail() { return {"/state", clock_, crypto_, vault_, files_}; }
  void Record(std::string_view what) {
    const Status put = Trail().Record(AuditEvent::kPinSet, "user anna", what);
    EXPECT_TRUE(put) << put.error().message;
  }
  std::vector<std::string> Read() {
    std::vector<std::string> all;
    const auto verdict = Trail().Read([&](const AuditEntry& each) {
      all.push_back(fmt::format("{} {} {}", each.number, each.event, each.what));
    });
    EXPECT_TRUE(verdict);
    verdict_ = verdict ? Describe(*verdict) : verdict.error().message;
    return all;
  }
  [[nodiscard]] SecretBytes Anchor() { return std::move(*vault_.Get("audit.anchor")); }
  // As an attacker who may write the state folder.
  void Flip(const std::string& path, size_t at) {
    Bytes bytes = *files_.Read(path, 1 << 20);
    bytes[at] ^= 1;
    files_.Put(path, bytes);
  }

  FakeClock clock_;
  MbedtlsCrypto crypto_;
  FakeSecureStorage vault_;
  FakeFileSystem files_;
  std::string verdict_;
};

TEST_F(AuditTrailTest, TellsWhoDidWhatAndWhen) {
  clock_.Advance(std::chrono::hours(3));
  Record("operator");
  std::vector<AuditEntry> all;
  ASSERT_TRUE(Trail().Read([&](const AuditEntry& each) { all.push_back(each); }));
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].number, 1U);
  EXPECT_EQ(all[0].event, "pin.set");
  EXPECT_EQ(all[0].by, "user anna");
  EXPECT_EQ(all[0].what, "operator");
  EXPECT_EQ(FormatRfc3339(all[0].at), FormatRfc3339(clock_.WallNow()));
}

TEST_F(AuditTrailTest, GoesOnFromOneProgramToTheNext) {
  for (const char* each : {"a", "b", "c"}) Record(each);
  EXPECT_THAT(Read(), ElementsAre("1 pin.set a", "2 pin.set b", "3 pin.set c"));
  EXPECT_EQ(verdict_, "genuine");
}

TEST_F(AuditTrailTest, IsReadWithoutWritingWhileAnotherProgramHoldsIt) {
  Record("operator");
  const auto held = files_.Lock("/state/audit/lock");
  ASSERT_TRUE(held);
  files_.set_capacity(0);
  const size_t syncs = files_.syncs();
  EXPECT_THAT(Read(), ElementsAre("1 pin.set operator"));
  EXPECT_EQ(verdict_, "genuine");
  EXPECT_EQ(files_.syncs(), syncs);
}

TEST_F(AuditTrailTest, NothingIsDoneThatCannotBePutDown) {
  files_.FailStep(1, ErrorCode::kExhausted);
  bool done = false;
  AuditTrail trail = Trail();
  const Status refused = trail.Do(AuditEvent::kPinSet, "user anna", "clerk", [&]() -> Status {
    done = true;
    return {};
  });
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("nothing was done"));
  EXPECT_FALSE(done);
}

TEST_F(AuditTrailTest, NothingIsDoneThatTheVaultCannotRemember) {
  Record("a");
  bool done = false;
  const auto act = [&]() -> Status {
    done = true;
    return {};
  };
  AuditTrail trail = Trail();
  vault_.set_put_error(Error{ErrorCode::kUnavailable, "in use"});
  EXPECT_FALSE(trail.Do(AuditEvent::kPinSet, "user anna", "clerk", act));
  EXPECT_FALSE(done);
  vault_.set_put_error(Error{ErrorCode::kExhausted, "disk full"});
  EXPECT_TRUE(trail.Do(AuditEvent::kPinSet, "user anna", "clerk", act)) << "who mends a full disk";
}

TEST_F(AuditTrailTest, WhatFailedIsSaidToHaveFailed) {
  AuditTrail trail = Trail();
  EXPECT_FALSE(trail.Do(AuditEvent::kVaultRotated, "user anna", "",
                        [] { return Status(Fail(ErrorCode::kExhausted, "disk full")); }));
  EXPECT_THAT(Read(), ElementsAre("1 vault.rotated ", "2 not_done vault.rotated: disk full"));
}

TEST_F(AuditTrailTest, AChangedEntryIsNamedAndStaysNamed) {
  for (const char* each : {"a", "b", "c"}) Record(each);
  Flip(kFirstFile, JournalFormat::kHeaderSize + 80);  // in the first record's body
  Read();
  EXPECT_EQ(verdict_, "altered at 1");
  Record("d");
  Record("e");
  EXPECT_THAT(Read(), ElementsAre("2 pin.set b", "3 pin.set c", "4 trail.damaged altered at 1",
                                  "5 pin.set d", "6 pin.set e"));
  EXPECT_EQ(verdict_, "altered at 1");
}

TEST_F(AuditTrailTest, EntriesThatWereTakenOffTheEndAreMissed) {
  Record("a");
  const Bytes older = *files_.Read(kFirstFile, 1 << 20);
  Record("b");
  files_.Put(kFirstFile, older);
  Read();
  EXPECT_EQ(verdict_, "rolled back to 1");
  Record("c");
  EXPECT_THAT(Read(),
              ElementsAre("1 pin.set a", "2 trail.damaged rolled back to 1", "3 pin.set c"));
  EXPECT_EQ(verdict_, "genuine") << "what is there now is; the entry says what was not";
}

// With the vault an operator comes back who was removed.
TEST_F(AuditTrailTest, AnOlderCopyOfTheVaultIsNoticedAndStaysNamed) {
  Record("a");
  const SecretBytes older = Anchor();
  for (const char* each : {"b", "c"}) Record(each);
  ASSERT_TRUE(vault_.Put("audit.anchor", older));
  Read();
  EXPECT_EQ(verdict_, "newer than the vault, which is an older copy: it knew of 2");
  Record("d");
  EXPECT_THAT(
      Read(),
      ElementsAre("1 pin.set a", "2 pin.set b", "3 pin.set c",
                  "4 trail.damaged newer than the vault, which is an older copy: it knew of 2",
                  "5 pin.set d"));
  EXPECT_EQ(verdict_, "genuine") << "the entry says what was not";

  // The same copy once more is another event.
  ASSERT_TRUE(vault_.Put("audit.anchor", older));
  Record("e");
  EXPECT_THAT(Read(), Contains(HasSubstr("6 trail.damaged newer than the vault")));
}

// The vault cannot be told then, and people must be able to mend it.
TEST_F(AuditTrailTest, WhatAFullVaultCouldNotRememberIsNoOlderCopy) {
  Record("a");
  vault_.set_put_error(Error{ErrorCode::kExhausted, "disk full"});
  for (const char* each : {"b", "c", "d"}) Record(each);
  Read();
  EXPECT_EQ(verdict_, "genuine");
  vault_.set_put_error(std::nullopt);
  Record("e");
  EXPECT_THAT(Read(), ElementsAre("1 pin.set a", "2 pin.set b", "3 pin.set c", "4 pin.set d",
                                  "5 pin.set e"));
  EXPECT_EQ(verdict_, "genuine");
}

// While the vault stays full the damage is put down once.
TEST_F(AuditTrailTest, AnOlderCopyOfAFullVaultIsNamedOnce) {
  Record("a");
  const SecretBytes older = Anchor();
  for (const char* each : {"b", "c"}) Record(each);
  ASSERT_TRUE(vault_.Put("audit.anchor", older));
  vault_.set_put_error(Error{ErrorCode::kExhausted, "disk full"});
  for (const char* each : {"d", "e"}) Record(each);
  EXPECT_THAT(Read(), ElementsAre("1 pin.set a", "2 pin.set b", "3 pin.set c",
                                  HasSubstr("4 trail.damaged"), "5 pin.set d", "6 pin.set e"));
}

TEST_F(AuditTrailTest, ATrailThatWasRemovedIsMissed) {
  Record("a");
  files_.Delete(kFirstFile);
  Read();
  EXPECT_EQ(verdict_, "rolled back to 0");
  Record("b");
  EXPECT_THAT(Read(), ElementsAre("1 trail.damaged rolled back to 0", "2 pin.set b"));
}

TEST_F(AuditTrailTest, ATrailOfAnErasedVaultIsSetAsideAndKept) {
  Record("a");
  FakeSecureStorage another(2);
  AuditTrail trail("/state", clock_, crypto_, another, files_);
  ASSERT_TRUE(trail.Record(AuditEvent::kVaultMade, "user anna", ""));
  std::vector<std::string> events;
  const auto verdict = trail.Read([&](const AuditEntry& each) { events.push_back(each.event); });
  ASSERT_TRUE(verdict);
  EXPECT_EQ(Describe(*verdict), "genuine");
  EXPECT_THAT(events, ElementsAre("trail.begun", "vault.made"));
  EXPECT_THAT(*files_.List("/state/audit"), Contains(HasSubstr("0001.journal.until-")));
}

// Four programs of which the power ends one.
class AuditLife {
 public:
  AuditLife() { (void)files.CreateFolder("/state"); }
  void Live() {
    for (int i = 0; i < 4; ++i) {
      AuditTrail trail("/state", clock_, crypto_, vault_, files);
      const std::string what = fmt::format("pin.set {}", next_++);
      if (trail.Record(AuditEvent::kPinSet, "x", what)) put_down_.push_back(what);
    }
  }
  void Check() {
    std::string all;
    AuditTrail trail("/state", clock_, crypto_, vault_, files);
    const auto verdict = trail.Read([&](const AuditEntry& each) {
      EXPECT_EQ(each.event, "pin.set") << each.what;
      all += each.what + "; ";
    });
    ASSERT_TRUE(verdict) << verdict.error().message;
    EXPECT_EQ(Describe(*verdict), "genuine");
    for (const std::string& each : put_down_) EXPECT_THAT(all, HasSubstr(each + "; "));
  }

  FakeFileSystem files;

 private:
  FakeClock clock_;
  MbedtlsCrypto crypto_;
  FakeSecureStorage vault_;
  int next_ = 0;
  std::vector<std::string> put_down_;
};

TEST(AuditTrailPowerTest, NothingIsLostOrCalledDamagedWhereverThePowerFails) {
  AuditLife good;
  good.Live();
  const size_t steps = good.files.steps();
  ASSERT_GT(steps, 10U);
  for (size_t step = 1; step <= steps; ++step) {
    SCOPED_TRACE(testing::Message() << "power fails at step " << step);
    AuditLife life;
    life.files.FailPowerAtStep(step);
    life.Live();
    life.files.Restart(FakeFileSystem::Unsynced::kTorn);
    life.Live();
    life.Check();
  }
}

}  // namespace
}  // namespace idkiosk
