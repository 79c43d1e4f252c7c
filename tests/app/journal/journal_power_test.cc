#include <gtest/gtest.h>

#include "app/journal/journal.h"
#include "drivers/secure_storage/mbedtls_crypto.h"
#include "tests/fakes/fake_file_system.h"

// The power fails, or the disk does, at each step of a journal that is begun, added to, continued
// in other files and rid of its attachments.

namespace idkiosk {
namespace {

using Unsynced = FakeFileSystem::Unsynced;

class Life {
 public:
  Life() : key_(SecretBytes(Crypto::kKeySize)) {}

  void Live() {
    for (int round = 0; round < 3; ++round) {
      Journal journal = Make();
      const auto reading = journal.Read(1, {}, [](const auto&) {});
      if (!reading || !journal.Resume(*reading, false)) continue;
      for (int i = 0; i < 8; ++i) {
        const std::string text = fmt::format("{}", next_++);
        const auto added = journal.Append({AsBytes(text), AsBytes(std::string(300, 'a')), 0});
        if (added) acknowledged_.push_back(text);
      }
      (void)journal.DropOldAttachments();
    }
  }

  void Check() {
    std::vector<std::string> texts;
    const auto reading = Make().Read(
        1, {}, [&](const JournalRecord& record) { texts.emplace_back(AsText(record.body)); });
    ASSERT_TRUE(reading) << reading.error().message;
    EXPECT_EQ(Judge(*reading, {}, {}), JournalVerdict()) << "a power cut passes for tampering";
    // At most the one that was on its way is there besides.
    size_t found = 0;
    for (const std::string& each : texts) {
      found += found < acknowledged_.size() && each == acknowledged_[found] ? 1 : 0;
    }
    EXPECT_EQ(found, acknowledged_.size()) << "a record that was acknowledged is gone";
    EXPECT_LE(texts.size(), acknowledged_.size() + 1);
  }

  FakeFileSystem files;

 private:
  Journal Make() { return Journal({"/state/ledger", "ledger", 2048}, crypto_, key_, files); }

  const MbedtlsCrypto crypto_;
  const SecretBytes key_;
  int next_ = 1;
  std::vector<std::string> acknowledged_;
};

size_t StepsOfAGoodLife() {
  Life life;
  life.Live();
  life.Check();
  return life.files.steps();
}

TEST(JournalPowerTest, KeepsWhatItAcknowledgedWhereverThePowerFails) {
  const size_t steps = StepsOfAGoodLife();
  ASSERT_GT(steps, 60U);
  for (const Unsynced fate : {Unsynced::kLost, Unsynced::kTorn, Unsynced::kKept}) {
    for (size_t step = 1; step <= steps; ++step) {
      SCOPED_TRACE(testing::Message() << "power fails at step " << step << " of " << steps);
      Life life;
      life.files.FailPowerAtStep(step);
      life.Live();
      life.files.Restart(fate);
      life.Check();
      life.Live();
      life.Check();
    }
  }
}

TEST(JournalPowerTest, KeepsWhatItAcknowledgedWhereverTheDiskFailsOnce) {
  const size_t steps = StepsOfAGoodLife();
  for (size_t step = 1; step <= steps; ++step) {
    SCOPED_TRACE(testing::Message() << "the disk fails at step " << step << " of " << steps);
    Life life;
    life.files.FailStep(step, ErrorCode::kUnavailable);
    life.Live();
    life.files.Restart(Unsynced::kKept);
    life.Check();
    life.Live();
    life.Check();
  }
}

}  // namespace
}  // namespace idkiosk
