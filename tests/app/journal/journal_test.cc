#include "app/journal/journal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "app/journal/fields.h"
#include "drivers/secure_storage/mbedtls_crypto.h"
#include "tests/fakes/fake_file_system.h"

namespace idkiosk {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::string_view kFolder = "/state/ledger";

class JournalTest : public testing::Test {
 protected:
  JournalTest() : key_(SecretBytes(Crypto::kKeySize)) { options_.folder = kFolder; }

  Journal Make() { return Journal(options_, crypto_, key_, files_); }

  // What is proven, a text each.
  std::vector<std::string> Texts(std::vector<JournalPosition> known = {}) {
    std::vector<std::string> texts;
    auto reading = Make().Read(1, known, [&](const JournalRecord& record) {
      texts.emplace_back(AsText(record.body));
      if (!record.attachment.empty()) texts.back() += fmt::format("+{}", AsText(record.attachment));
    });
    EXPECT_TRUE(reading);
    if (reading) reading_ = *reading;
    return texts;
  }

  // `count` records called "1", "2", ... more than there are.
  void Add(int count, std::string_view attachment = {}) {
    Journal journal = Make();
    const auto reading = journal.Read(1, {}, [](const auto&) {});
    ASSERT_TRUE(reading && journal.Resume(*reading, false));
    for (int i = 0; i < count; ++i) {
      const std::string text = std::to_string(journal.newest().number + 1);
      const auto added = journal.Append({AsBytes(text), AsBytes(attachment), 0});
      ASSERT_TRUE(added) << added.error().message;
    }
    newest_ = journal.newest();
  }

  std::string Verdict(const JournalPosition& database, const JournalPosition& anchor = {}) {
    Texts({database, anchor});
    return Describe(Judge(reading_, database, anchor));
  }
  std::string Verdict() { return Verdict(newest_, newest_); }

  static std::string PathOf(int first) { return fmt::format("{}/{:012}.journal", kFolder, first); }

  const MbedtlsCrypto crypto_;
  const SecretBytes key_;
  FakeFileSystem files_;
  Journal::Options options_{.folder = {}, .label = "ledger", .file_size = 4096};
  JournalReading reading_;
  JournalPosition newest_;
};

TEST_F(JournalTest, GivesBackWhatWasAddedInItsOrder) {
  EXPECT_THAT(Texts(), IsEmpty());
  EXPECT_EQ(Verdict({}), "genuine");
  Add(2, "answer");
  Add(1);
  EXPECT_THAT(Texts(), ElementsAre("1+answer", "2+answer", "3"));
  EXPECT_EQ(reading_.newest, newest_);
  EXPECT_EQ(newest_.number, 3U);
  EXPECT_EQ(Verdict(), "genuine");
}

TEST_F(JournalTest, GoesOnInAnotherFileAndReadsFromTheOneThatIsAskedFor) {
  Add(100);
  ASSERT_GE(files_.paths().size(), 3U);
  EXPECT_EQ(Texts().size(), 100U);
  EXPECT_EQ(Verdict(), "genuine");
  std::vector<uint64_t> numbers;
  Journal journal = Make();
  const auto reading = journal.Read(
      90, {}, [&](const JournalRecord& record) { numbers.push_back(record.position.number); });
  ASSERT_TRUE(reading);
  EXPECT_EQ(Judge(*reading, newest_, newest_), JournalVerdict());
  EXPECT_GT(numbers.front(), 1U);
  EXPECT_LE(numbers.front(), 90U);
  EXPECT_EQ(numbers.back(), 100U);
}

// The disk or the process lacks something for a moment as the next file begins, and the end of what
// was approved goes into the one before.
TEST_F(JournalTest, AFileThatCouldNotBeBegunLeavesNothingBehind) {
  int failures = 0;
  for (size_t step = 1; step < 12; ++step) {
    SCOPED_TRACE(step);
    files_ = FakeFileSystem();
    Journal journal = Make();
    const auto reading = journal.Read(1, {}, [](const auto&) {});
    ASSERT_TRUE(reading && journal.Resume(*reading, false));
    const std::string body(500, 'b');
    while (journal.newest().number < 5) ASSERT_TRUE(journal.Append({AsBytes(body), {}, 0}));
    files_.FailStep(step, ErrorCode::kUnavailable);
    std::vector<std::string> told(5, body);
    const auto add = [&](const std::string& text, size_t room_after) {
      const bool added = journal.Append({AsBytes(text), {}, room_after}).has_value();
      if (added) told.push_back(text);
      failures += added ? 0 : 1;
    };
    add("approved", 2000);
    add("ended", 0);
    add("approved again", 2000);
    newest_ = journal.newest();
    EXPECT_EQ(Texts(), told);
    EXPECT_EQ(Verdict(), "genuine");
    std::vector<uint64_t> numbers;
    for (uint64_t from = 6; from != 0;) {
      const auto next = Make().ReadFile(from, [&](const JournalRecord& record) {
        if (record.position.number >= 6) numbers.push_back(record.position.number);
      });
      ASSERT_TRUE(next);
      from = *next;
    }
    EXPECT_EQ(numbers.size(), told.size() - 5);
  }
  EXPECT_GT(failures, 3);
}

TEST_F(JournalTest, AnotherKeyOrAnotherNameProvesNothing) {
  Add(3);
  options_.label = "audit";
  EXPECT_THAT(Texts(), IsEmpty());
  EXPECT_EQ(Verdict(), "altered at 1");
}

TEST_F(JournalTest, AnyFlippedByteOfAnyRecordIsSeenAndTheOthersStayProven) {
  Add(3, "answer");
  const Bytes whole = files_.Content(PathOf(1));
  const size_t used = JournalFormat::kHeaderSize +
                      3 * JournalFormat::StoredSize(1, std::string_view("answer").size());
  for (size_t at = 0; at < used; ++at) {
    Bytes flipped = whole;
    flipped[at] ^= 0x10;
    files_.Put(PathOf(1), flipped);
    EXPECT_THAT(Verdict(), testing::StartsWith("altered at")) << "byte " << at;
    EXPECT_GE(Texts().size(), at < JournalFormat::kHeaderSize ? 3U : 2U) << "byte " << at;
    // The file's head and its last record are followed by nothing that proves it was altered.
    const bool last = at >= used - JournalFormat::StoredSize(1, 6);
    EXPECT_EQ(Verdict({}) == "genuine", last) << "byte " << at;
  }
}

TEST_F(JournalTest, ABytePastTheRecordsChangesNone) {
  Add(3);
  Bytes bytes = files_.Content(PathOf(1));
  bytes[2000] = 1;
  files_.Put(PathOf(1), bytes);
  EXPECT_EQ(Verdict(), "genuine");
  Add(1);
  EXPECT_THAT(Texts(), ElementsAre("1", "2", "3", "4"));
  EXPECT_EQ(files_.Content(PathOf(1))[2000], 0);
}

TEST_F(JournalTest, CutAtAnyLengthIsSeen) {
  Add(3);
  const Bytes whole = files_.Content(PathOf(1));
  for (size_t size = 0; size < whole.size(); ++size) {
    files_.Put(PathOf(1), ByteSpan(whole).first(size));
    EXPECT_NE(Verdict(), "genuine") << size;
    EXPECT_NE(Verdict({}), "genuine") << size;
  }
  // Zeros where records were: nothing but what others know of them tells.
  Bytes zeroed = whole;
  std::fill(zeroed.begin() + JournalFormat::kHeaderSize + JournalFormat::StoredSize(1, 0),
            zeroed.end(), 0);
  files_.Put(PathOf(1), zeroed);
  EXPECT_EQ(Verdict(), "cut after 1");
  EXPECT_EQ(Verdict({1, reading_.newest.mac}, newest_), "rolled back to 1");
  EXPECT_EQ(Verdict({1, reading_.newest.mac}), "genuine");
}

TEST_F(JournalTest, WhatANewerProgramHasWrittenIsRefusedAndAForgeryIsNot) {
  Add(3);
  Bytes bytes = files_.Content(PathOf(1));
  bytes[6] = '2';
  files_.Put(PathOf(1), bytes);
  EXPECT_EQ(Verdict(), "altered at 1");
  constexpr size_t kProven = 56;
  constexpr std::string_view kKind("idkiosk/journal-file/1\0ledger\0", 30);
  Bytes proven(kKind.begin(), kKind.end());
  proven.insert(proven.end(), bytes.begin(), bytes.begin() + kProven);
  std::ranges::copy(crypto_.HmacSha256(key_, proven), bytes.begin() + kProven);
  files_.Put(PathOf(1), bytes);
  const auto reading = Make().Read(1, {}, [](const auto&) {});
  ASSERT_FALSE(reading);
  EXPECT_EQ(reading.error().code, ErrorCode::kFailedPrecondition);
  EXPECT_THAT(reading.error().message, testing::HasSubstr("newer idkiosk"));
}

TEST_F(JournalTest, RecordsInEachOthersPlaceAreSeen) {
  Add(3);
  const Bytes whole = files_.Content(PathOf(1));
  const size_t size = JournalFormat::StoredSize(1, 0);
  for (const auto& [a, b] : {std::pair(0, 1), std::pair(1, 2), std::pair(0, 2)}) {
    Bytes swapped = whole;
    const auto place = [&](int record) {
      return swapped.begin() + static_cast<ptrdiff_t>(JournalFormat::kHeaderSize +
                                                      static_cast<size_t>(record) * size);
    };
    std::swap_ranges(place(a), place(a) + static_cast<ptrdiff_t>(size), place(b));
    files_.Put(PathOf(1), swapped);
    EXPECT_EQ(Verdict(), fmt::format("altered at {}", a + 1));
    EXPECT_NE(Verdict({}), "genuine");
  }
}

TEST_F(JournalTest, ARecordASecondTimeIsSeen) {
  Add(3);
  Bytes bytes = files_.Content(PathOf(1));
  const auto begin = bytes.begin() + JournalFormat::kHeaderSize;
  const auto size = static_cast<ptrdiff_t>(JournalFormat::StoredSize(1, 0));
  std::copy(begin, begin + size, begin + 3 * size);
  files_.Put(PathOf(1), bytes);
  EXPECT_EQ(Verdict({}), "altered at 4");
}

TEST_F(JournalTest, AMissingFileIsSeen) {
  Add(100);
  std::vector<std::string> paths = files_.paths();
  std::erase_if(paths, [](const std::string& each) { return !each.ends_with(".journal"); });
  ASSERT_GE(paths.size(), 3U);
  for (const std::string& path : paths) {
    const Bytes kept = files_.Content(path);
    files_.Delete(path);
    EXPECT_NE(Verdict(), "genuine") << path;
    files_.Put(path, kept);
  }
  for (const std::string& path : paths) files_.Delete(path);
  EXPECT_EQ(Verdict(), "cut after 0");
  EXPECT_EQ(Verdict({}, newest_), "rolled back to 0");
}

// Whoever remembers only some of the records in a hole must be told of the others.
TEST_F(JournalTest, NamesTheLastRecordOfAHole) {
  Add(6);
  Bytes bytes = files_.Content(PathOf(1));
  const size_t size = JournalFormat::StoredSize(1, 0);
  const auto begin = bytes.begin() + static_cast<ptrdiff_t>(JournalFormat::kHeaderSize + size);
  std::fill_n(begin, 3 * size, 0);
  files_.Put(PathOf(1), bytes);
  EXPECT_THAT(Texts(), ElementsAre("1", "5", "6"));
  EXPECT_EQ(reading_.altered, 2U);
  EXPECT_EQ(reading_.altered_last, 4U);
}

TEST_F(JournalTest, NamesTheLastRecordOfAMissingFile) {
  Add(100);
  std::vector<uint64_t> firsts;
  for (const std::string& path : files_.paths()) {
    if (path.ends_with(".journal")) firsts.push_back(std::stoul(path.substr(kFolder.size() + 1)));
  }
  ASSERT_GE(firsts.size(), 3U);
  for (const size_t gone : {0U, 1U}) {
    const std::string path = PathOf(static_cast<int>(firsts[gone]));
    const Bytes kept = files_.Content(path);
    files_.Delete(path);
    Texts();
    EXPECT_EQ(reading_.altered, firsts[gone]);
    EXPECT_EQ(reading_.altered_last, firsts[gone + 1] - 1);
    files_.Put(path, kept);
  }
}

TEST_F(JournalTest, AnOlderCopyIsSeenEvenWhereItWentOnAnotherWay) {
  Add(2);
  const Bytes older = files_.Content(PathOf(1));
  Add(2);
  const JournalPosition before = newest_;
  files_.Put(PathOf(1), older);
  EXPECT_EQ(Verdict(), "cut after 2");
  EXPECT_EQ(Verdict({}, before), "rolled back to 2");
  Add(2, "otherwise");
  EXPECT_EQ(Verdict({}, before), "rolled back to 3");
}

TEST_F(JournalTest, FullFilesLoseTheirAttachmentsAndStayProven) {
  Add(60, "answer");
  Journal journal = Make();
  const auto reading = journal.Read(1, {}, [](const auto&) {});
  ASSERT_TRUE(reading && journal.Resume(*reading, false));
  ASSERT_TRUE(journal.has_old_attachments());
  ASSERT_TRUE(journal.DropOldAttachments());
  const std::vector<std::string> texts = Texts();
  ASSERT_EQ(texts.size(), 60U);
  EXPECT_EQ(texts.front(), "1");
  EXPECT_EQ(texts.back(), "60+answer");
  EXPECT_EQ(Verdict(), "genuine");
  EXPECT_LT(files_.Content(PathOf(1)).size(), 4096U);
  for (size_t at = 0; at < files_.Content(PathOf(1)).size(); ++at) {
    Bytes flipped = files_.Content(PathOf(1));
    flipped[at] ^= 1;
    files_.Put(PathOf(1), flipped);
    EXPECT_NE(Verdict(), "genuine") << at;
    flipped[at] ^= 1;
    files_.Put(PathOf(1), flipped);
  }
  Add(1);
  EXPECT_EQ(Verdict(), "genuine");
}

TEST_F(JournalTest, WhatIsNotProvenIsLeftForAPersonToLookAt) {
  Add(40);
  std::vector<std::string> paths = files_.paths();
  const std::string last = paths.back();
  Bytes bytes = files_.Content(last);
  std::fill(bytes.begin() + JournalFormat::kHeaderSize, bytes.end(), 0x5a);
  files_.Put(last, bytes);
  Journal journal = Make();
  const auto reading = journal.Read(1, {}, [](const auto&) {});
  ASSERT_TRUE(reading && journal.Resume(*reading, true));
  ASSERT_TRUE(journal.Append({AsBytes("again"), {}, 0}));
  EXPECT_EQ(files_.Content(last + ".damaged"), bytes);
  EXPECT_EQ(Texts().back(), "again");
}

// Wherever the disk fails as it is set aside, the next try goes on from there.
TEST_F(JournalTest, WhatIsNotProvenIsLeftThoughTheDiskFailsOnce) {
  Add(40);
  const std::string last = files_.paths().back();
  Bytes damaged = files_.Content(last);
  std::fill(damaged.begin() + JournalFormat::kHeaderSize, damaged.end(), 0x5a);
  for (size_t step = 1; step <= 12; ++step) {
    SCOPED_TRACE(step);
    files_.Put(last, damaged);
    (void)files_.Remove(last + ".damaged");
    Journal journal = Make();
    const auto reading = journal.Read(1, {}, [](const auto&) {});
    ASSERT_TRUE(reading);
    files_.FailStep(step, ErrorCode::kUnavailable);
    const bool resumed = journal.Resume(*reading, true).has_value();
    files_.FailNoStep();
    if (!resumed) {
      ASSERT_TRUE(journal.Resume(*reading, true));
    }
    ASSERT_TRUE(journal.Append({AsBytes("again"), {}, 0}));
    EXPECT_EQ(files_.Content(last + ".damaged"), damaged);
    EXPECT_EQ(Texts().back(), "again");
  }
}

TEST_F(JournalTest, RefusesWhatIsTooLargeAndKeepsTheRoomThatIsAskedFor) {
  Journal journal = Make();
  EXPECT_EQ(journal.Append({}).error().code, ErrorCode::kFailedPrecondition);
  const auto reading = journal.Read(1, {}, [](const auto&) {});
  ASSERT_TRUE(reading && journal.Resume(*reading, false));
  EXPECT_EQ(journal.Append({Bytes(5000), {}, 0}).error().code, ErrorCode::kInvalid);
  EXPECT_EQ(journal.Append({AsBytes("x"), {}, 4000}).error().code, ErrorCode::kInvalid);
  // From here on no disk is asked for room.
  ASSERT_TRUE(journal.Append({AsBytes("x"), {}, 3000}));
  files_.set_capacity(0);
  EXPECT_TRUE(journal.Append({Bytes(2000, 'y'), {}, 0}));
  EXPECT_EQ(journal.Append({Bytes(2000, 'y'), {}, 0}).error().code, ErrorCode::kExhausted);
}

TEST(FieldsTest, ReadsWhatWasWrittenAndNothingBehindTheEnd) {
  const Bytes bytes = FieldWriter().Byte(7).Uint32(8).Int64(-9).Text("ten").Take();
  FieldReader reader(bytes);
  EXPECT_EQ(reader.Byte(), 7);
  EXPECT_EQ(reader.Uint32(), 8U);
  EXPECT_EQ(reader.Int64(), -9);
  EXPECT_EQ(reader.Text(), "ten");
  EXPECT_TRUE(reader.good() && reader.at_end());
  EXPECT_EQ(reader.Text(), "");
  EXPECT_FALSE(reader.good());
}

}  // namespace
}  // namespace idkiosk
