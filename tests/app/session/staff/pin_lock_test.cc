#include "app/session/staff/pin_lock.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <optional>

#include "tests/app/session/staff/staff_fixture.h"

namespace idkiosk {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using Kind = PinLock::Answer::Kind;

class PinLockTest : public testing::Test {
 protected:
  PinLockTest() { Restart(); }

  // The program ends, and another begins. The clock goes on.
  void Restart() {
    door_.reset();
    door_.emplace(bench_.deps(), Staff::kClerk, "/state");
    bench_.Settle();
  }
  PinLock::Answer Try(std::string_view pin, const std::string& name = "") {
    std::optional<PinLock::Answer> answer;
    door_->Try({name, SecretBytes::CopyOf(pin)}, [&](PinLock::Answer given) { answer = given; });
    for (int i = 0; i < 3 && !answer; ++i) bench_.Settle();
    EXPECT_TRUE(answer);
    return answer.value_or(PinLock::Answer());
  }
  void TryWrong(int times) {
    for (int i = 0; i < times; ++i) (void)Try(kWrongPin);
  }

  FakeClock clock_;
  StaffFixture bench_{clock_};
  std::optional<PinLock> door_;
};

TEST_F(PinLockTest, OpensForTheRightPinAlone) {
  EXPECT_EQ(Try(kWrongPin).kind, Kind::kWrong);
  EXPECT_EQ(Try("").kind, Kind::kWrong);
  EXPECT_EQ(Try(kPin).kind, Kind::kOpen);
}

TEST_F(PinLockTest, ClosesAfterThreeWrongTriesForTwiceAsLongEachTime) {
  TryWrong(2);
  PinLock::Answer third = Try(kWrongPin);
  EXPECT_EQ(third.kind, Kind::kLockedOut);
  EXPECT_EQ(third.seconds, 30);
  EXPECT_EQ(Try(kPin).kind, Kind::kLockedOut) << "the right PIN does not shorten it";
  clock_.Advance(29s);
  EXPECT_EQ(Try(kPin).seconds, 1);
  clock_.Advance(1s);
  for (const int seconds : {60, 120, 240, 480, 900, 900}) {
    EXPECT_EQ(Try(kWrongPin).seconds, seconds);
    clock_.Advance(std::chrono::seconds(seconds));
  }
  EXPECT_EQ(Try(kPin).kind, Kind::kOpen);
}

TEST_F(PinLockTest, ForgetsTheWrongTriesOnceThePinWasRight) {
  TryWrong(2);
  EXPECT_EQ(Try(kPin).kind, Kind::kOpen);
  TryWrong(1);
  EXPECT_EQ(Try(kWrongPin).kind, Kind::kWrong);
}

TEST_F(PinLockTest, BeginsTheWholeWaitAgainAfterARestart) {
  TryWrong(3);
  clock_.Advance(20s);
  Restart();
  EXPECT_EQ(door_->seconds_left(), 30);
  EXPECT_EQ(Try(kPin).kind, Kind::kLockedOut);
  clock_.Advance(30s);
  EXPECT_EQ(Try(kWrongPin).seconds, 60);
}

TEST_F(PinLockTest, CountsATryBeforeItIsJudged) {
  const std::string path = PinTries::Path("/state", Staff::kClerk);
  TryWrong(1);
  // Somebody pulls the plug before anybody hears of the second: it is on the disk.
  door_->Try({"", SecretBytes::CopyOf(kWrongPin)}, [](const auto&) {});
  bench_.storage_runner.RunUntilIdle();
  bench_.files.Restart(FakeFileSystem::Unsynced::kLost);
  EXPECT_THAT(std::string(AsText(bench_.files.Content(path))), HasSubstr(" 0000002 "));
  // What breaks the judging itself comes too late as well.
  bench_.control.RunUntilIdle();
  bench_.storage.Set(PinSecret(Staff::kClerk), "not a record");
  EXPECT_EQ(Try(kPin).kind, Kind::kFailed);
  EXPECT_THAT(std::string(AsText(bench_.files.Content(path))), HasSubstr(" 0000003 "));
  Restart();
  EXPECT_EQ(door_->seconds_left(), 30);
}

TEST_F(PinLockTest, JudgesNothingThatItCannotCount) {
  for (const size_t step : {2, 3}) {  // after the count was read: the overwriting, the sync
    bench_.files.FailStep(step, ErrorCode::kUnavailable);
    EXPECT_EQ(Try(kPin).kind, Kind::kFailed);
  }
  EXPECT_EQ(Try(kPin).kind, Kind::kOpen);
}

TEST_F(PinLockTest, LetsStaffInWhileTheDiskIsFullAndCountsAllTheSame) {
  bench_.files.set_capacity(0);
  TryWrong(2);
  bench_.files.Restart(FakeFileSystem::Unsynced::kLost);
  Restart();
  EXPECT_EQ(Try(kWrongPin).seconds, 30) << "a restart on a full disk forgets nothing";
  Restart();
  EXPECT_EQ(Try(kPin).kind, Kind::kLockedOut);
  clock_.Advance(30s);
  EXPECT_EQ(Try(kPin).kind, Kind::kOpen);
  Restart();
  EXPECT_EQ(door_->seconds_left(), 0);
}

TEST_F(PinLockTest, MakesNoRoomForGuessingWhereItsFileIsGoneAndTheDiskFull) {
  bench_.files.Delete(PinTries::Path("/state", Staff::kClerk));
  bench_.files.set_capacity(0);
  Restart();
  EXPECT_EQ(Try(kPin).kind, Kind::kLockedOut);
  clock_.Advance(30s);
  EXPECT_EQ(Try(kPin).kind, Kind::kFailed);
}

TEST_F(PinLockTest, ForgetsNoTryWhereItsFileWasTakenAway) {
  TryWrong(3);
  bench_.files.Delete(PinTries::Path("/state", Staff::kClerk));
  Restart();
  EXPECT_EQ(door_->seconds_left(), 30);
  clock_.Advance(30s);
  bench_.files.Delete(PinTries::Path("/state", Staff::kClerk));
  EXPECT_EQ(Try(kWrongPin).seconds, 60);
}

TEST_F(PinLockTest, AsksNobodyToWaitWhereNoPinWasEverSet) {
  bench_.RemovePin(Staff::kClerk);
  bench_.files.Delete(PinTries::Path("/state", Staff::kClerk));
  Restart();
  EXPECT_EQ(door_->seconds_left(), 0);
}

TEST_F(PinLockTest, TellsTheAuditTrailWhoCameInAndWhoDidNot) {
  (void)Try(kWrongPin);
  (void)Try(kPin);
  EXPECT_THAT(bench_.audit.entries,
              ElementsAre("staff.refused clerk: this PIN is not right, by page",
                          "staff.signed_in clerk, by page"));
}

TEST_F(PinLockTest, LetsStaffInWhereTheAuditTrailCannotBeWritten) {
  bench_.audit.broken = Error{ErrorCode::kExhausted, "disk full"};
  EXPECT_EQ(Try(kPin).kind, Kind::kOpen);
}

TEST_F(PinLockTest, TakesATryThatThePowerCutShortForAClosedDoor) {
  TryWrong(1);
  bench_.files.FailPowerAtStep(3);  // while it is synced
  (void)Try(kWrongPin);
  bench_.files.Restart(FakeFileSystem::Unsynced::kTorn);
  Restart();
  EXPECT_EQ(door_->seconds_left(), 30);
}

TEST_F(PinLockTest, ReadsTheCountOfAnEarlierProgram) {
  bench_.files.Put(PinTries::Path("/state", Staff::kClerk), AsBytes("pin-tries/1 4\n"));
  Restart();
  EXPECT_EQ(door_->seconds_left(), 60);
}

TEST_F(PinLockTest, ForgetsTheTriesForANewPin) {
  TryWrong(3);
  bench_.ForgetTries(Staff::kClerk);
  Restart();
  EXPECT_EQ(Try(kPin).kind, Kind::kOpen);
}

TEST_F(PinLockTest, TakesADamagedCountForAClosedDoor) {
  for (const std::string_view damaged : {"", "pin-tries/1 x\n", "pin-tries/1 -4\n", "pin-tries/1 2",
                                         "pin-tries/2 0\n", "pin-tries/1 99999999999\n"}) {
    bench_.files.Put(PinTries::Path("/state", Staff::kClerk), AsBytes(damaged));
    Restart();
    EXPECT_EQ(door_->seconds_left(), 30) << damaged;
  }
}

TEST_F(PinLockTest, LiftsNoLockoutForAFileThatSomebodyElseWrote) {
  const std::string path = PinTries::Path("/state", Staff::kClerk);
  TryWrong(3);
  const std::string ours(AsText(bench_.files.Content(path)));
  std::string other_count = ours;
  other_count[other_count.find(" 0000003 ") + 7] = '0';
  std::string other_serial = other_count;
  other_serial[other_serial.find(" 0000000 ") - 2] = '9';
  FakeSecureStorage other_vault(7);
  other_vault.Set(PinSecret(Staff::kClerk), "a PIN of theirs");
  PinTries theirs({other_vault, bench_.files, bench_.crypto}, Staff::kClerk, "/state");
  ASSERT_TRUE(theirs.Read(std::array{std::string("clerk")}));
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(theirs.Write({}));
  const std::string other_key(AsText(bench_.files.Content(path)));
  const std::string of_operator(
      AsText(bench_.files.Content(PinTries::Path("/state", Staff::kOperator))));
  for (const std::string& forged : {std::string("pin-tries/1 0000000\n"), other_count, other_serial,
                                    other_key, of_operator, ours + " "}) {
    bench_.files.Put(path, AsBytes(forged));
    Restart();
    EXPECT_EQ(door_->seconds_left(), 30) << forged;
    clock_.Advance(30s);
    bench_.files.Put(path, AsBytes(forged));
    EXPECT_EQ(Try(kWrongPin).seconds, 60) << "not while it runs either: " << forged;
    bench_.ForgetTries(Staff::kClerk);
    Restart();
    TryWrong(3);
  }
}

TEST_F(PinLockTest, LiftsNoLockoutForAnOlderFileOfItsOwn) {
  const std::string path = PinTries::Path("/state", Staff::kClerk);
  const Bytes before = bench_.files.Content(path);
  TryWrong(3);
  clock_.Advance(30s);
  TryWrong(1);
  bench_.files.Put(path, before);
  Restart();
  EXPECT_EQ(door_->seconds_left(), 60) << "the vault remembers the fourth";
  // Nor are single tries won back.
  clock_.Advance(60s);
  EXPECT_EQ(Try(kPin).kind, Kind::kOpen);
  const Bytes cleared = bench_.files.Content(path);
  TryWrong(2);
  bench_.files.Put(path, cleared);
  EXPECT_EQ(Try(kWrongPin).seconds, 60);
}

TEST_F(PinLockTest, TakesNoOlderFileWhileTheVaultIsFull) {
  const std::string path = PinTries::Path("/state", Staff::kClerk);
  const Bytes before = bench_.files.Content(path);
  bench_.storage.set_put_error(Error{ErrorCode::kExhausted, "disk full"});
  TryWrong(2);
  bench_.files.Put(path, before);
  EXPECT_EQ(Try(kWrongPin).seconds, 60);
  Restart();
  EXPECT_EQ(door_->seconds_left(), 60);
}

TEST_F(PinLockTest, JudgesNothingThatTheVaultCannotRemember) {
  bench_.storage.set_put_error(Error{ErrorCode::kUnavailable, "no answer"});
  EXPECT_EQ(Try(kPin).kind, Kind::kFailed);
  bench_.storage.set_put_error(std::nullopt);
  EXPECT_EQ(Try(kPin).kind, Kind::kOpen);
}

TEST_F(PinLockTest, JudgesTriesThatComeTogetherOneAfterTheOther) {
  std::vector<Kind> answers;
  for (int i = 0; i < 5; ++i) {
    door_->Try({"", SecretBytes::CopyOf(i == 4 ? kPin : kWrongPin)},
               [&](const PinLock::Answer& answer) { answers.push_back(answer.kind); });
  }
  for (int i = 0; i < 5; ++i) bench_.Settle();
  EXPECT_THAT(answers, ElementsAre(Kind::kWrong, Kind::kWrong, Kind::kLockedOut, Kind::kLockedOut,
                                   Kind::kLockedOut));
}

TEST_F(PinLockTest, SaysHowAPinIsSetWhereThereIsNone) {
  bench_.RemovePin(Staff::kClerk);
  const PinLock::Answer answer = Try(kPin);
  EXPECT_EQ(answer.kind, Kind::kNoPin);
  EXPECT_THAT(answer.sentence, HasSubstr("idkiosk pin set clerk"));
  TryWrong(5);
  bench_.SetPin(Staff::kClerk, kPin);
  EXPECT_EQ(Try(kPin).kind, Kind::kOpen) << "what could not be judged was not counted";
}

TEST_F(PinLockTest, TellsADamagedRecordFromAWrongPin) {
  bench_.storage.Set(PinSecret(Staff::kClerk), "not a record");
  EXPECT_EQ(Try(kPin).kind, Kind::kFailed);
}

TEST_F(PinLockTest, ReadsTheProvenCountOfAnIdkioskWithoutNames) {
  // Of version 2, as the one before wrote it.
  const auto write = [&](int tries) {
    const std::string said = fmt::format("pin-tries/2 {:020} {:07}", 900 + tries, tries);
    const auto key = bench_.storage.DeriveKey("pin-tries/v1");
    const std::string line = fmt::format(
        "{} {}\n", said, ToHex(bench_.crypto.HmacSha256(*key, AsBytes(said + " clerk"))));
    bench_.files.Put(PinTries::Path("/state", Staff::kClerk), AsBytes(line));
    bench_.storage.Set("clerk.pin_tries", line);
  };
  write(2);
  Restart();
  EXPECT_EQ(door_->seconds_left(), 0);
  EXPECT_EQ(Try(kPin).kind, Kind::kOpen) << "nobody is locked out by an update";
  write(4);
  Restart();
  EXPECT_EQ(door_->seconds_left(), 60) << "nor let in";
}

// --- People with names ---

class NamedPinLockTest : public PinLockTest {
 protected:
  NamedPinLockTest() {
    bench_.RemovePin(Staff::kClerk);
    for (const auto& [name, pin] : kPins) bench_.SetPinOf(name, Staff::kClerk, pin);
    bench_.SetPinOf("Chidi", Staff::kOperator, "902746");
    bench_.ForgetTries(Staff::kClerk);
    Restart();
  }
  static inline const std::map<std::string, std::string_view> kPins = {{"Amina", "602841"},
                                                                       {"Bello", "713952"},
                                                                       {"Emeka", "417083"},
                                                                       {"Funmi", "839204"},
                                                                       {"Gbenga", "194670"}};
};

TEST_F(NamedPinLockTest, OpensForTheNameAndItsPinTogether) {
  const PinLock::Answer amina = Try("602841", "Amina");
  EXPECT_EQ(amina.kind, Kind::kOpen);
  EXPECT_EQ(amina.name, "Amina");
  EXPECT_EQ(Try("713952", "Amina").kind, Kind::kWrong) << "somebody else's";
  EXPECT_EQ(Try("602841").kind, Kind::kWrong) << "a PIN says not whose it is";
  EXPECT_EQ(Try("602841", "Nobody").kind, Kind::kWrong);
  EXPECT_EQ(Try("902746", "Chidi").kind, Kind::kWrong) << "no clerk";
  EXPECT_EQ(Try("580394", "clerk").kind, Kind::kWrong) << "the shared PIN is gone";
}

TEST_F(NamedPinLockTest, LocksOneOutAndLetsTheOthersIn) {
  for (int i = 0; i < 3; ++i) (void)Try(kWrongPin, "Amina");
  EXPECT_EQ(Try("602841", "Amina").kind, Kind::kLockedOut);
  EXPECT_EQ(door_->seconds_left(), 0) << "somebody is judged at once";
  EXPECT_EQ(Try("713952", "Bello").kind, Kind::kOpen);
  EXPECT_EQ(Try("602841", "Amina").kind, Kind::kLockedOut) << "who comes in lifts no other's";
  EXPECT_EQ(Try("602841", "amina").kind, Kind::kWrong) << "nor does another way to write it help";
  Restart();
  EXPECT_EQ(Try("602841", "Amina").seconds, 30) << "nor a restart";
  clock_.Advance(30s);
  EXPECT_EQ(Try(kWrongPin, "Amina").seconds, 60);
  clock_.Advance(60s);
  EXPECT_EQ(Try("602841", "Amina").kind, Kind::kOpen);
}

TEST_F(NamedPinLockTest, LocksAllOutAfterTenTriesOfAnybody) {
  for (const auto& [name, pin] : kPins) {
    for (int i = 0; i < 3; ++i) EXPECT_NE(Try(kWrongPin, name).kind, Kind::kOpen);
  }
  EXPECT_THAT(std::string(AsText(bench_.files.Content(PinTries::Path("/state", Staff::kClerk)))),
              HasSubstr(" 0000010 "))
      << "ten of fifteen were judged";
  EXPECT_EQ(door_->seconds_left(), 30);
  EXPECT_EQ(Try("194670", "Gbenga").kind, Kind::kLockedOut) << "who tried nothing waits, too";
  Restart();
  EXPECT_EQ(door_->seconds_left(), 30) << "also after a restart";
  clock_.Advance(30s);
  EXPECT_EQ(Try("194670", "Gbenga").kind, Kind::kOpen);
}

TEST_F(NamedPinLockTest, CountsANameThatNobodyHasForAll) {
  for (int i = 0; i < 9; ++i) EXPECT_EQ(Try(kWrongPin, fmt::format("x{}", i)).kind, Kind::kWrong);
  EXPECT_EQ(Try(kWrongPin, "y").seconds, 30);
  EXPECT_EQ(Try("602841", "Amina").kind, Kind::kLockedOut);
}

TEST_F(NamedPinLockTest, TellsTheTrailWhoItWas) {
  bench_.audit.entries.clear();
  (void)Try("602841", "Amina");
  (void)Try(kWrongPin, "Bello");
  (void)Try(kWrongPin, "70123456701");
  EXPECT_THAT(bench_.audit.entries,
              ElementsAre("staff.signed_in clerk, by page, Amina",
                          "staff.refused clerk Bello: this PIN is not right, by page",
                          // What somebody typed may be a number of theirs.
                          "staff.refused clerk: this PIN is not right, by page"));
}

TEST_F(NamedPinLockTest, KeepsOneFileOfOneSizeForAll) {
  const std::string path = PinTries::Path("/state", Staff::kClerk);
  const size_t size = bench_.files.Content(path).size();
  for (const auto& [name, pin] : kPins) (void)Try(kWrongPin, name);
  EXPECT_EQ(bench_.files.Content(path).size(), size) << "a full disk is not in the way";
  const std::string text(AsText(bench_.files.Content(path)));
  EXPECT_THAT(text, HasSubstr("Amina                            0000001"));
  EXPECT_THAT(text, HasSubstr(" 0000005 "));
}

TEST_F(NamedPinLockTest, ForgetsTheTriesOfWhoIsRemoved) {
  for (int i = 0; i < 3; ++i) (void)Try(kWrongPin, "Amina");
  ASSERT_TRUE(RemoveMember(bench_.storage, {"Amina", Staff::kClerk, SecretBytes()}));
  EXPECT_EQ(Try("713952", "Bello").kind, Kind::kOpen);
  EXPECT_THAT(std::string(AsText(bench_.files.Content(PinTries::Path("/state", Staff::kClerk)))),
              Not(HasSubstr("Amina")));
}

TEST_F(NamedPinLockTest, JudgesByWhoseverPinItIsForACommandLine) {
  PinJudge judge({bench_.storage, bench_.files, bench_.crypto}, Staff::kClerk, "/state");
  ASSERT_TRUE(judge.Begin());
  const auto ask = [&](std::string_view pin, const std::string& not_of) {
    return judge.Judge({"", true, not_of}, SecretBytes::CopyOf(pin));
  };
  EXPECT_EQ(ask("713952", "").name, "Bello");
  EXPECT_EQ(ask("713952", "Bello").kind, PinJudge::Verdict::Kind::kWrong);
  EXPECT_EQ(ask("602841", "Bello").name, "Amina");
  EXPECT_EQ(ask(kWrongPin, "").counts.all, 1);
}

TEST(PinRecordTest, RefusesWhatIsTriedFirst) {
  struct Refused {
    std::string_view why;
    std::vector<std::string_view> pins;
  };
  for (const auto& [why, pins] : std::vector<Refused>{
           {"6 to 12 digits", {"", "12345", "1234567890123", "12345a", "12 3456"}},
           {"repeats", {"000000", "777777777777", "123123", "27272727", "19941994"}},
           {"counts", {"123456", "890123", "987654", "210987"}},
           {"pairs", {"112233", "447711", "99882277"}},
           {"backwards", {"123321", "580085", "4723274"}},
           // 27 March 1994 and 23 November 2026 as they are written here and there.
           {"date", {"270394", "032794", "940327", "27031994", "03271994", "19940327", "031994"}},
           {"date", {"231126", "112326", "261123", "23112026", "11232026", "20261123", "202611"}},
           {"years", {"19942001", "199420262001"}}}) {
    for (const std::string_view pin : pins) {
      const Status checked = CheckNewPin(SecretBytes::CopyOf(pin));
      ASSERT_FALSE(checked) << pin;
      EXPECT_THAT(checked.error().message, HasSubstr(why)) << pin;
      if (why != "6 to 12 digits") {
        EXPECT_THAT(checked.error().message, HasSubstr("choose digits that follow no rule"));
      }
      if (pin.empty()) continue;
      EXPECT_THAT(checked.error().message, Not(HasSubstr(pin)));
    }
  }
  for (const std::string_view good :
       {kPin, std::string_view("123457"), std::string_view("135790246813"),
        std::string_view("411394"), std::string_view("21001850")}) {
    EXPECT_TRUE(CheckNewPin(SecretBytes::CopyOf(good))) << good;
  }
}

TEST(PinRecordTest, RefusesPartsOfTheAccountsNumbers) {
  std::vector<SecretBytes> account;
  account.push_back(SecretBytes::CopyOf(std::string_view("desk+234 803-517-9264@bank.example")));
  account.push_back(SecretBytes::CopyOf(std::string_view("U-7")));
  account.emplace_back();
  for (const std::string_view pin : {"234803", "803517", "5179264", "23480351"}) {
    const Status checked = CheckNewPin(SecretBytes::CopyOf(pin), account);
    ASSERT_FALSE(checked) << pin;
    EXPECT_THAT(checked.error().message, AllOf(HasSubstr("account"), Not(HasSubstr(pin))));
  }
  EXPECT_TRUE(CheckNewPin(SecretBytes::CopyOf(kPin), account));
  EXPECT_TRUE(CheckNewPin(SecretBytes::CopyOf(std::string_view("803518")), account));
}

TEST(PinRecordTest, RefusesEveryDamage) {
  const MbedtlsCrypto crypto;
  FakeEntropy entropy;
  const SecretBytes pin = SecretBytes::CopyOf(kPin);
  const SecretBytes record = MakePinRecord(pin, 2, crypto, entropy);
  EXPECT_TRUE(PinFits(record, pin, crypto).value());
  for (size_t i = 0; i < record.size(); ++i) {
    SecretBytes damaged = record.Clone();
    damaged.mutable_view()[i] ^= 0x40;
    // More iterations than anybody waits for, though still allowed.
    if (i == 5 || i == 6) continue;
    const auto fits = PinFits(damaged, pin, crypto);
    EXPECT_FALSE(fits && *fits) << i;
  }
  SecretBytes cut = record.Clone();
  cut.Truncate(record.size() - 1);
  EXPECT_FALSE(PinFits(cut, pin, crypto));
  EXPECT_FALSE(PinFits(SecretBytes(), pin, crypto));
}

}  // namespace
}  // namespace idkiosk
