#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/queue/storage/sqlite_database.h"
#include "tests/app/queue/queue_fixture.h"
#include "tests/fakes/seeded_rounds.h"

// What is sealed of a call is in its copy alone while it is fresh, and in two places once it waits.

namespace idkiosk {
namespace {

using std::chrono::minutes;
using testing::IsEmpty;

class PayloadPlacesTest : public testing::Test {
 protected:
  PayloadPlacesTest() {
    bench_.Serve(200);
    bench_.Open();
  }

  void Accept(int calls) {
    for (int i = 0; i < calls; ++i) references_.push_back(bench_.Accept(LookupCall(i)));
  }
  // kill -9.
  DiskImage Kill() {
    DiskImage image = DiskImage::Of(bench_);
    bench_.Close();
    return image;
  }
  void PutBack(const DiskImage& image) {
    image.PutOn(bench_);
    bench_.tokens.Forget();
  }
  int64_t PartsInFile() {
    auto database = SqliteDatabase::OpenToRead(kQueueFile, bench_.disk.name());
    return database ? (*database)->Number("SELECT count(*) FROM chunk")->value_or(-1) : -1;
  }
  void ExpectAllSentOnce() {
    bench_.StepUntilIdle();
    bench_.RunFor(minutes(5));
    EXPECT_EQ(bench_.posts(), posts_ += static_cast<int>(references_.size()));
    for (const CallReference& each : references_) EXPECT_EQ(bench_.StateOf(each), "done");
    EXPECT_THAT(*bench_.queue->Lost(), IsEmpty());
  }

  QueueBench bench_;
  std::vector<CallReference> references_;
  int posts_ = 0;
};

TEST_F(PayloadPlacesTest, WhatIsAnsweredAtOnceWasInItsCopyAlone) {
  Accept(1);
  EXPECT_EQ(PartsInFile(), 0);
  bench_.StepUntilIdle();
  EXPECT_EQ(bench_.StateOf(references_[0]), "done");
  EXPECT_EQ(PartsInFile(), 1);  // its answer
}

// Also in a village where no clock can be trusted.
TEST_F(PayloadPlacesTest, WhatWaitsIsInTwoPlacesAfterTheNextTidying) {
  bench_.clock.set_wall_is_trusted(false);
  Accept(3);
  EXPECT_EQ(PartsInFile(), 0);
  ASSERT_TRUE(bench_.queue->Expire());
  EXPECT_EQ(PartsInFile(), 3);
  bench_.clock.set_wall_is_trusted(true);
  bench_.DamageCopies();
  ExpectAllSentOnce();
}

TEST_F(PayloadPlacesTest, WhatWaitsAtTheEndOfARunIsInTwoPlaces) {
  Accept(2);
  bench_.Close();
  EXPECT_EQ(PartsInFile(), 2);
  bench_.DamageCopies();
  bench_.Open();
  ExpectAllSentOnce();
}

TEST_F(PayloadPlacesTest, WhatAKillLeavesInOnePlaceIsInTwoAfterTheNextStart) {
  Accept(3);
  PutBack(Kill());
  bench_.Open();
  EXPECT_EQ(PartsInFile(), 3);
  bench_.DamageCopies();
  ExpectAllSentOnce();
}

TEST_F(PayloadPlacesTest, WhatIsDamagedInItsOnlyPlaceIsNamedAndNeverSent) {
  Accept(2);
  DiskImage image = Kill();
  const CopySlot slot = CopySlots(image.files).at(references_[0]);
  DamageCopy(image.files[slot.path], references_[0]);
  PutBack(image);
  bench_.Open();
  EXPECT_EQ(bench_.StateOf(references_[0]), "damaged");
  bench_.StepUntilIdle();
  EXPECT_EQ(bench_.posts(), 1);
  EXPECT_EQ(bench_.StateOf(references_[1]), "done");
}

// A disk that fails once, at each step of the start.
TEST_F(PayloadPlacesTest, WhatCannotBeReadNowIsNotTakenForDamaged) {
  Accept(2);
  const DiskImage image = Kill();
  int64_t refused = 0;
  const auto stride = static_cast<size_t>(SweepStride());
  for (size_t step = 1;; step += stride) {
    SCOPED_TRACE(step);
    PutBack(image);
    const size_t before = bench_.files.steps();
    bench_.files.FailStep(step, ErrorCode::kInternal);
    refused += bench_.TryOpen() ? 0 : 1;
    const bool was_hit = bench_.files.steps() - before >= step;
    if (!was_hit) break;
    bench_.Open();
    ExpectAllSentOnce();
    bench_.Close();
  }
  EXPECT_GT(refused, 0);
}

TEST_F(PayloadPlacesTest, TheMeansOfThePicturesGoWithTheCall) {
  VerificationCall call = FacialCall();
  call.pictures.means = PictureMeans::kRecorded;
  references_.push_back(bench_.Accept(call));
  EXPECT_EQ(bench_.Show(references_[0]).means, PictureMeans::kRecorded);
  DiskImage image = Kill();
  image.database.clear();
  PutBack(image);
  bench_.Open();
  EXPECT_EQ(bench_.Show(references_[0]).means, PictureMeans::kRecorded);
  EXPECT_EQ(bench_.Show(bench_.Accept(LookupCall(7))).means, std::nullopt);
  bench_.Close();
  bench_.DamageCopies();
  {
    auto database = SqliteDatabase::Open(kQueueFile, bench_.disk.name());
    ASSERT_TRUE((*database)->Execute("UPDATE call SET means='live' WHERE means='recorded'"));
  }
  bench_.Open();
  EXPECT_EQ(bench_.StateOf(references_[0]), "damaged");
}

}  // namespace
}  // namespace idkiosk
