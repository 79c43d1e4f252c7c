// The real program on disks that were damaged or put back: counted at the sandbox.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "tests/integration/exit_codes.h"
#include "tests/integration/kiosk_fixture.h"

namespace idkiosk {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

class LedgerTest : public KioskFixture {
 protected:
  void SetUp() override {
    kept_message_ = folder_ / "kept.json";
    ASSERT_NO_FATAL_FAILURE(StartSandbox());
    ASSERT_NO_FATAL_FAILURE(Provision());
  }

  void Ask(int person) {
    const Finished asked = Kiosk({"check", "--id-number", std::to_string(70'000'000'000 + person),
                                  "--wait", kAsLongAsItTakes});
    ASSERT_LE(asked.exit_code, 1) << asked.err;
  }
  [[nodiscard]] std::string Copy(const std::string& name) const {
    const std::string to = folder_ / name;
    fs::copy(state(), to, fs::copy_options::recursive);
    return to;
  }
  // Of the calls that wait.
  [[nodiscard]] std::vector<std::string> References() {
    std::vector<std::string> references;
    const JsonDocument list = Parse(Kiosk({"--json", "queue", "list"}).out);
    for (const JsonView call : list.root().children()) {
      references.emplace_back(*call["reference"].AsString());
    }
    return references;
  }
  // The queue's file and its log, the ledger, or both, as they were.
  void PutBack(const std::string& copy, std::string_view prefix) const {
    for (const std::string& place : {state(), copy}) {
      for (const auto& each : fs::directory_iterator(place)) {
        const std::string name = each.path().filename().string();
        if (!name.starts_with(prefix)) continue;
        if (place == state()) {
          fs::remove_all(each.path());
        } else {
          fs::copy(each.path(), state() + "/" + name, fs::copy_options::recursive);
        }
      }
    }
  }
  [[nodiscard]] std::vector<std::string> Copies() const {
    std::vector<std::string> files;
    for (const auto& each : fs::directory_iterator(state() + "/copies")) {
      files.push_back(each.path().string());
    }
    return files;
  }
  void DamageCopy(const std::string& reference) const {
    int damaged = 0;
    for (const std::string& file : Copies()) {
      std::string content = ReadFile(file);
      const size_t at = content.find(reference);
      if (at == std::string::npos) continue;
      WriteFile(file, content.replace(at + 64, 32, 32, '#'));
      ++damaged;
    }
    EXPECT_EQ(damaged, 1);
  }
  [[nodiscard]] std::string segment() const { return state() + "/ledger/000000000001.journal"; }

  void ExpectVerdict(int code, const std::string& words) {
    const Finished verified = Kiosk({"ledger", "verify"});
    EXPECT_EQ(verified.exit_code, code) << verified.err;
    EXPECT_EQ(verified.out, words + "\n");
  }
};

TEST_F(LedgerTest, AnOlderQueuePutBackIsPaidForOnce) {
  StopSandbox();
  for (int i = 0; i < 3; ++i) {
    Kiosk({"check", "--id-number", std::to_string(70'000'000'000 + i), "--wait", "0"});
  }
  const std::string before = Copy("before");
  ASSERT_NO_FATAL_FAILURE(StartSandbox());
  EXPECT_EQ(Kiosk({"queue", "deliver", "--wait", kAsLongAsItTakes}).exit_code, kDone);
  ASSERT_EQ(BilledRows(), 3);
  PutBack(before, "queue.db");
  const Finished again = Kiosk({"queue", "deliver", "--wait", kAsLongAsItTakes});
  EXPECT_EQ(again.exit_code, kDone) << again.err;
  EXPECT_THAT(again.err, HasSubstr("has it from the ledger"));
  EXPECT_EQ(BilledRows(), 3);
  const Finished states = Kiosk({"--json", "queue", "stats"});
  EXPECT_EQ(Text(Parse(states.out), "/done"), "3");
  ExpectVerdict(kDone, "genuine");
}

TEST_F(LedgerTest, WhatWasAcceptedIsSentOnceOrNamedAsLostAndWhatWasCancelledNever) {
  StopSandbox();
  for (int i = 0; i < 3; ++i) {
    Kiosk({"check", "--id-number", std::to_string(70'000'000'000 + i), "--wait", "0"});
  }
  const std::string cancelled = References().front();
  const std::string before = Copy("before");
  EXPECT_EQ(Kiosk({"queue", "cancel", cancelled, "--yes"}).exit_code, kDone);
  PutBack(before, "queue.db");
  PutBack(before, "copies");
  fs::remove_all(state() + "/decisions");
  ASSERT_NO_FATAL_FAILURE(StartSandbox());
  const Finished sent = Kiosk({"queue", "deliver", "--wait", kAsLongAsItTakes});
  EXPECT_EQ(sent.exit_code, kDone) << sent.err;
  EXPECT_EQ(BilledRows(), 2);
  EXPECT_EQ(Text(Parse(Kiosk({"--json", "queue", "show", cancelled}).out), "/state"), "cancelled");

  StopSandbox();
  for (int i = 3; i < 5; ++i) {
    Kiosk({"check", "--id-number", std::to_string(70'000'000'000 + i), "--wait", "0"});
  }
  const std::string lost = References().front();
  DamageCopy(lost);
  for (const char* each : {"", "-wal", "-shm"}) fs::remove(state() + "/queue.db" + each);
  ASSERT_NO_FATAL_FAILURE(StartSandbox());
  for (int start = 0; start < 2; ++start) {
    const Finished again = Kiosk({"queue", "deliver", "--wait", kAsLongAsItTakes});
    EXPECT_EQ(again.exit_code, kNeedsPerson) << again.err;
    EXPECT_THAT(again.err, HasSubstr("AN ACCEPTED CALL IS LOST"));
    EXPECT_THAT(Kiosk({"doctor"}).out, HasSubstr(lost));
    EXPECT_THAT(Kiosk({"queue", "show", lost}).err, HasSubstr("'idkiosk queue discard " + lost));
    EXPECT_THAT(Kiosk({"queue", "list"}).out, HasSubstr("discard " + lost));
    EXPECT_EQ(BilledRows(), 3);
  }
  EXPECT_EQ(Kiosk({"queue", "discard", lost, "--yes"}).exit_code, kDone);
  EXPECT_EQ(Kiosk({"queue", "deliver", "--wait", "0"}).exit_code, kDone);
  const passwd* const me = getpwuid(getuid());
  const std::string name = me == nullptr ? std::to_string(getuid()) : me->pw_name;
  for (const char* each : {"list", "sum"}) {
    EXPECT_THAT(Kiosk({"ledger", each}).out,
                HasSubstr(fmt::format("the call {} was discarded, by user {}", lost, name)));
  }
}

TEST_F(LedgerTest, NobodyCancelsWhatTheLedgerKnowsToBeAnswered) {
  StopSandbox();
  Kiosk({"check", "--id-number", "70000000000", "--wait", "0"});
  const std::string call = References().front();
  const std::string before = Copy("before");
  ASSERT_NO_FATAL_FAILURE(StartSandbox());
  EXPECT_EQ(Kiosk({"queue", "deliver", "--wait", kAsLongAsItTakes}).exit_code, kDone);
  PutBack(before, "queue.db");
  EXPECT_EQ(Kiosk({"queue", "cancel", call}).exit_code, kUsage);
  // As people read it out: in two words.
  const Finished shown = Kiosk({"--json", "queue", "show", call.substr(0, 3), call.substr(3)});
  EXPECT_EQ(Text(Parse(shown.out), "/state"), "done");
}

TEST_F(LedgerTest, PipesAndFoldersAmongCopiesAndDecisionsStopNothingAndAreNoCalls) {
  StopSandbox();
  Kiosk({"check", "--id-number", "70000000000", "--wait", "0"});
  for (const std::string& own : Copies()) {
    if (own.ends_with("ledger.witness")) continue;
    fs::remove(own);
    ASSERT_EQ(mkfifo(own.c_str(), 0600), 0);
  }
  ASSERT_EQ(mkfifo((state() + "/copies/AAAAA2").c_str(), 0600), 0);
  fs::create_directory(state() + "/copies/AAAAA3");
  fs::create_directories(state() + "/decisions/AAAAA3");
  ASSERT_EQ(mkfifo((state() + "/decisions/AAAAA2").c_str(), 0600), 0);
  ASSERT_NO_FATAL_FAILURE(StartSandbox());
  const Finished sent = Kiosk({"queue", "deliver", "--wait", kAsLongAsItTakes});
  EXPECT_EQ(sent.exit_code, kDone) << sent.err;
  EXPECT_THAT(sent.err, Not(HasSubstr("LOST")));
  EXPECT_EQ(BilledRows(), 1);
}

TEST_F(LedgerTest, VerifySaysWhatWasDoneToTheLedger) {
  for (int i = 0; i < 2; ++i) Ask(i);
  const std::string older = Copy("older");
  Ask(2);
  ExpectVerdict(kDone, "genuine");
  const std::string whole = Copy("whole");
  const std::string bytes = ReadFile(segment());

  // The second record, and then the last one.
  const size_t second = bytes.find("IKR1", bytes.find("IKR1") + 4);
  std::string damaged = bytes;
  damaged[second + 60] ^= 1;
  WriteFile(segment(), damaged);
  ExpectVerdict(kNeedsPerson, "altered at 2");
  // Whoever only adds up learns of it, too.
  for (const char* each : {"list", "sum"}) {
    const Finished told = Kiosk({"ledger", each});
    EXPECT_EQ(told.exit_code, kNeedsPerson);
    EXPECT_THAT(told.err, HasSubstr("Attempts may be missing here: the ledger is not genuine"));
  }
  EXPECT_EQ(Kiosk({"ledger", "list", "--csv"}).exit_code, kNeedsPerson);
  damaged = bytes;
  const size_t last = bytes.rfind("IKR1");
  damaged.replace(last, bytes.size() - last, bytes.size() - last, '\0');
  WriteFile(segment(), damaged);
  ExpectVerdict(kNeedsPerson, "cut after 6");

  // Nothing is taken in or sent before somebody has looked.
  EXPECT_EQ(Kiosk({"check", "--id-number", "70000000009", "--wait", "1"}).exit_code, kNeedsPerson);
  EXPECT_EQ(BilledRows(), 3);
  EXPECT_THAT(Kiosk({"doctor"}).out, HasSubstr("the ledger of attempts is cut after 6"));
  const Finished accepted = Kiosk({"ledger", "accept"});
  EXPECT_EQ(accepted.exit_code, kDone) << accepted.err;
  EXPECT_THAT(accepted.err, HasSubstr("asking the same again is billed, without a warning"));
  EXPECT_THAT(accepted.err, Not(HasSubstr("NOBODY CAN NAME")));
  ExpectVerdict(kDone, "genuine");
  Ask(9);
  EXPECT_EQ(BilledRows(), 4);

  // The queue and its ledger are older, the vault is not.
  PutBack(older, "queue.db");
  PutBack(older, "ledger");
  ExpectVerdict(kNeedsPerson, "rolled back to 5");
  EXPECT_THAT(Kiosk({"ledger", "verify"}).err,
              HasSubstr("NOBODY CAN NAME: 2 were accepted, and records"));
  PutBack(whole, "queue.db");
  PutBack(whole, "ledger");
  // All three are older, and of one mind; the witness among the copies is not.
  PutBack(whole, "vault");
  ExpectVerdict(kNeedsPerson, "rolled back to 7");
  PutBack(whole, "copies");
  ExpectVerdict(kDone, "genuine");
}

// Vault, copies of calls and audit trail are the newest.
TEST_F(LedgerTest, WhatAnswersWereLostForIsNotSentAgainWhereAllThatTellsIsGone) {
  Ask(0);
  const std::string older = Copy("older");
  ASSERT_EQ(Sandbox({"fault", "add", "--endpoint", "check", "--kind", "drop-after-body"}).exit_code,
            0);
  Kiosk({"check", "--id-number", "70000000001", "--wait", "3"});
  EXPECT_EQ(BilledRows(), 2);
  for (const bool removed : {true, false}) {
    SCOPED_TRACE(removed);
    for (const char* each : {"queue.db", "queue.db-wal", "queue.db-shm", "ledger",
                             "vault/vault.mark", "copies/ledger.witness"}) {
      fs::remove_all(state() + "/" + each);
    }
    if (!removed) {
      for (const char* each : {"queue.db", "ledger", "vault/vault.mark", "copies/ledger.witness"}) {
        fs::copy(older + "/" + each, state() + "/" + each, fs::copy_options::recursive);
      }
    }
    EXPECT_THAT(Kiosk({"ledger", "verify"}).out, HasSubstr("without its mark in the vault"));
    EXPECT_EQ(Kiosk({"queue", "deliver", "--wait", "0"}).exit_code, kNeedsPerson);
    EXPECT_EQ(Kiosk({"ledger", "accept"}).exit_code, kDone);
    EXPECT_EQ(Kiosk({"queue", "deliver", "--wait", "0"}).exit_code, kNeedsPerson);
    EXPECT_EQ(BilledRows(), 2);
  }
}

TEST_F(LedgerTest, WhateverLiesInTheWitnesssPlaceAPersonCanMend) {
  Ask(0);
  const std::string witness = state() + "/copies/ledger.witness";
  for (const std::string what :
       {"nothing", "a folder", "a pipe", "a link to itself", "a link to a folder"}) {
    SCOPED_TRACE(what);
    fs::remove_all(witness);
    if (what == "a folder") fs::create_directory(witness);
    if (what == "a pipe") {
      ASSERT_EQ(mkfifo(witness.c_str(), 0600), 0);
    }
    if (what == "a link to itself") fs::create_symlink(witness, witness);
    if (what == "a link to a folder") fs::create_symlink("/tmp", witness);
    EXPECT_THAT(Kiosk({"ledger", "verify"}).out, HasSubstr("without its witness"));
    EXPECT_EQ(Kiosk({"queue", "deliver", "--wait", "0"}).exit_code, kNeedsPerson);
    EXPECT_THAT(Kiosk({"doctor"}).out, HasSubstr("without its witness"));
    const Finished accepted = Kiosk({"ledger", "accept"});
    EXPECT_EQ(accepted.exit_code, kDone) << accepted.err;
    ExpectVerdict(kDone, "genuine");
    EXPECT_EQ(fs::file_size(witness), 8192U);
    EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(witness)));
  }
}

TEST_F(LedgerTest, CallsThatNothingNamesAreSaidUntilAPersonEndsIt) {
  Ask(0);
  const std::string older = Copy("older");
  StopSandbox();
  for (int i = 1; i < 3; ++i) {
    Kiosk({"check", "--id-number", std::to_string(70'000'000'000 + i), "--wait", "0"});
  }
  for (const char* each : {"queue.db", "ledger", "copies"}) PutBack(older, each);
  EXPECT_EQ(Kiosk({"ledger", "accept"}).exit_code, kDone);
  const std::string said = "NOBODY CAN NAME: 2 were accepted";
  for (int start = 0; start < 2; ++start) {
    const Finished deliver = Kiosk({"queue", "deliver", "--wait", "0"});
    EXPECT_EQ(deliver.exit_code, kNeedsPerson) << deliver.err;
    EXPECT_THAT(deliver.err, HasSubstr(said));
  }
  const std::string doctor = Kiosk({"doctor"}).out;
  EXPECT_THAT(doctor, HasSubstr(said));
  const std::string command = "'idkiosk queue discard ";
  const size_t at = doctor.find(command + "records-");
  ASSERT_NE(at, std::string::npos) << doctor;
  const size_t begin = at + command.size();
  const std::string name = doctor.substr(begin, doctor.find('\'', begin) - begin);
  EXPECT_EQ(Kiosk({"queue", "discard", name, "--yes"}).exit_code, kDone);
  EXPECT_EQ(Kiosk({"queue", "deliver", "--wait", "0"}).exit_code, kDone);
  EXPECT_THAT(Kiosk({"doctor"}).out, Not(HasSubstr(said)));
}

TEST_F(LedgerTest, ErasingTheVaultWritesTheLedgerOutFirst) {
  Ask(0);
  StopSandbox();
  Kiosk({"check", "--id-number", "70000000001", "--wait", "0"});
  const auto waiting = References();
  ASSERT_EQ(waiting.size(), 1U);
  const Finished erased = Kiosk({"vault", "erase", "--yes"});
  EXPECT_EQ(erased.exit_code, kDone) << erased.err;
  EXPECT_THAT(erased.err, HasSubstr("not ended, and end with the vault: "));
  std::string said = erased.err;
  std::erase(said, ' ');
  EXPECT_THAT(said, HasSubstr(waiting.front() + "(pending)"));
  EXPECT_THAT(erased.err, HasSubstr("The ledger was genuine and is written out: "));
  std::vector<std::string> files;
  for (const auto& each : fs::directory_iterator(state())) {
    if (each.path().extension() == ".jsonl") files.push_back(ReadFile(each.path().string()));
  }
  ASSERT_EQ(files.size(), 1U);
  EXPECT_THAT(files.front(), HasSubstr("\"billed\":\"yes\""));
}

// The old ledger would be "altered at 1" to the new vault, and hold everything.
TEST_F(LedgerTest, ANewVaultKeepsTheLedgerOfTheOneBeforeAndBeginsItsOwn) {
  Ask(0);
  const int billed = BilledRows();
  const std::string before = ReadFile(segment());
  ASSERT_EQ(Kiosk({"vault", "erase", "--yes"}).exit_code, kDone);
  EXPECT_EQ(ReadFile(segment()), before);
  EXPECT_EQ(Kiosk({"ledger", "verify"}).exit_code, kConfiguration);
  const Finished made = Kiosk({"vault", "init"});
  EXPECT_EQ(made.exit_code, kDone) << made.err;
  EXPECT_THAT(made.err, HasSubstr("The earlier vault's ledger is kept in " + state()));
  std::vector<std::string> kept;
  for (const auto& each : fs::directory_iterator(state())) {
    const std::string name = each.path().filename().string();
    if (name.starts_with("ledger.until-")) kept.push_back(each.path().string());
  }
  ASSERT_EQ(kept.size(), 1U);
  EXPECT_EQ(ReadFile(kept.front() + "/000000000001.journal"), before);
  const Finished provisioned = Kiosk({"provision", "--onboarding", kept_message_});
  EXPECT_EQ(provisioned.exit_code, kDone) << provisioned.err;
  EXPECT_THAT(provisioned.err, Not(HasSubstr("altered")));
  const Finished verified = Kiosk({"ledger", "verify"});
  EXPECT_EQ(verified.exit_code, kDone) << verified.err;
  EXPECT_THAT(verified.out, HasSubstr("genuine"));
  EXPECT_EQ(Kiosk({"queue", "deliver", "--wait", "0"}).exit_code, kDone);
  EXPECT_EQ(BilledRows(), billed) << "nothing of before is sent";
  Ask(0);
  EXPECT_EQ(BilledRows(), billed + 1);
  EXPECT_EQ(Kiosk({"vault", "init"}).exit_code, kDone) << "there is one";
  EXPECT_EQ(Kiosk({"ledger", "verify"}).exit_code, kDone);
}

// Nobody can open them, and without their ledger nobody could say what became of them.
TEST_F(LedgerTest, NoVaultIsMadeAndNoLedgerSetAsideWhileCallsOfAnotherVaultWait) {
  StopSandbox();
  Kiosk({"check", "--id-number", "70000000000", "--wait", "0"});
  const std::string before = ReadFile(segment());
  fs::rename(state() + "/vault", state() + "/away");
  const Finished refused = Kiosk({"vault", "init"});
  EXPECT_EQ(refused.exit_code, kConfiguration) << refused.err;
  EXPECT_THAT(refused.err, HasSubstr("No vault was made"));
  EXPECT_EQ(ReadFile(segment()), before);
  fs::remove_all(state() + "/vault");
  fs::rename(state() + "/away", state() + "/vault");
  ASSERT_NO_FATAL_FAILURE(StartSandbox());
  EXPECT_EQ(Kiosk({"queue", "deliver", "--wait", kAsLongAsItTakes}).exit_code, kDone);
  EXPECT_EQ(BilledRows(), 1);
  ExpectVerdict(kDone, "genuine");
}

TEST_F(LedgerTest, VerifiesTheLedgerWhereTheQueuesFileIsDamaged) {
  Ask(0);
  WriteFile(state() + "/queue.db", std::string(20'000, 'x'));
  for (const char* each : {"-wal", "-shm"}) fs::remove(state() + "/queue.db" + each);
  const Finished verified = Kiosk({"ledger", "verify"});
  EXPECT_EQ(verified.exit_code, kDone) << verified.err;
  EXPECT_THAT(verified.out, HasSubstr("genuine"));
  EXPECT_THAT(verified.err, HasSubstr("queue.db is damaged"));
  EXPECT_THAT(verified.err, HasSubstr("'idkiosk queue deliver'"));
  EXPECT_EQ(ReadFile(state() + "/queue.db"), std::string(20'000, 'x')) << "nothing was changed";
  const std::string whole = ReadFile(segment());
  WriteFile(segment(), std::string(whole).replace(200, 1, 1, static_cast<char>(whole[200] ^ 1)));
  const Finished altered = Kiosk({"ledger", "verify"});
  EXPECT_EQ(altered.exit_code, kNeedsPerson) << altered.err;
  EXPECT_THAT(altered.out, HasSubstr("altered"));
  WriteFile(segment(), whole);
  EXPECT_EQ(Kiosk({"queue", "deliver", "--wait", "0"}).exit_code, kDone);
  EXPECT_EQ(Kiosk({"ledger", "verify"}).err, "");
}

// Billed since the copy was made, and the ledger that says so is gone.
TEST_F(LedgerTest, WhatAnOlderStateHoldsIsSentAgainWithAYesAlone) {
  StopSandbox();
  const Finished asked = Kiosk({"check", "--id-number", "70000000001", "--wait", "1"});
  ASSERT_NE(asked.exit_code, 0) << asked.err;
  const std::string copy = Copy("before");
  ASSERT_NO_FATAL_FAILURE(StartSandbox());
  (void)Kiosk({"queue", "deliver", "--wait", kAsLongAsItTakes});
  for (const char* const each : {"queue.db", "copies", "ledger"}) PutBack(copy, each);
  const Finished accepted = Kiosk({"ledger", "accept"});
  ASSERT_EQ(accepted.exit_code, kDone) << accepted.err;
  const auto references = References();
  ASSERT_EQ(references.size(), 1U);
  const Finished retried = Kiosk({"queue", "retry", references[0]});
  EXPECT_EQ(retried.exit_code, kNeedsPerson) << retried.err;
  EXPECT_THAT(retried.err, HasSubstr("may bill twice"));
}

}  // namespace
}  // namespace idkiosk
