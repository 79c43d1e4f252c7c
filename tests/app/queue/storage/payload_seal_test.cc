#include "app/queue/storage/payload_seal.h"

#include <gtest/gtest.h>

#include "drivers/secure_storage/mbedtls_crypto.h"
#include "tests/fakes/fake_entropy.h"
#include "tests/fakes/fake_secure_storage.h"

namespace idkiosk {
namespace {

class PayloadSealTest : public testing::Test {
 protected:
  std::vector<Bytes> Seal(ByteSpan plain, SealedField field = SealedField::kSelfie) {
    auto chunks = seal_.Seal("KD7Q2M", key_, field, plain);
    EXPECT_TRUE(chunks);
    return std::move(*chunks);
  }
  bool Opens(const std::vector<Bytes>& chunks, std::string_view reference = "KD7Q2M",
             SealedField field = SealedField::kSelfie) {
    const auto plain = seal_.Open(reference, key_, field, chunks);
    EXPECT_TRUE(plain || plain.error().code == ErrorCode::kCorrupt);
    return plain.has_value();
  }

  MbedtlsCrypto crypto_;
  FakeEntropy entropy_;
  FakeSecureStorage storage_;
  EpochKeys epochs_{storage_, entropy_, SecretBytes::CopyOf("0123456789abcdef0123456789abcdef")};
  PayloadSeal seal_{crypto_, entropy_, epochs_};
  const CallKey key_ = seal_.MakeKey();
};

TEST_F(PayloadSealTest, OpensWhatItSealedOfAnySize) {
  constexpr size_t kChunk = PayloadSeal::kChunkSize;
  for (size_t size : {size_t{0}, size_t{1}, kChunk - 1, kChunk, kChunk + 1, 3 * kChunk + 7}) {
    Bytes plain(size);
    entropy_.Fill(plain);
    const std::vector<Bytes> chunks = Seal(plain);
    EXPECT_EQ(chunks.size(), std::max<size_t>((size + kChunk - 1) / kChunk, 1));
    const auto opened = seal_.Open("KD7Q2M", key_, SealedField::kSelfie, chunks);
    ASSERT_TRUE(opened) << size;
    EXPECT_TRUE(opened->Equals(plain)) << size;
  }
}

TEST_F(PayloadSealTest, TooLargeIsRefused) {
  const Bytes plain(PayloadSeal::kChunkSize * PayloadSeal::kMaxChunks + 1);
  EXPECT_EQ(seal_.Seal("KD7Q2M", key_, SealedField::kSelfie, plain).error().code,
            ErrorCode::kExhausted);
}

TEST_F(PayloadSealTest, NoChunkCanBeChangedMovedDoubledOrLeftOut) {
  const Bytes plain(3 * PayloadSeal::kChunkSize, 'p');
  const std::vector<Bytes> chunks = Seal(plain);
  EXPECT_TRUE(Opens(chunks));
  EXPECT_FALSE(Opens(chunks, "KD7Q2N"));
  EXPECT_FALSE(Opens(chunks, "KD7Q2M", SealedField::kLiveness1));
  EXPECT_FALSE(Opens({}));
  EXPECT_FALSE(Opens({chunks[0], chunks[1]}));
  EXPECT_FALSE(Opens({chunks[1], chunks[0], chunks[2]}));
  EXPECT_FALSE(Opens({chunks[0], chunks[1], chunks[2], chunks[2]}));
  EXPECT_FALSE(Opens({chunks[0], chunks[0], chunks[2]}));
}

TEST_F(PayloadSealTest, AnyFlippedBitAndAnyCutIsNoticed) {
  const std::vector<Bytes> chunks = Seal(AsBytes("twelve letters"));
  for (size_t bit = 0; bit < chunks[0].size() * 8; ++bit) {
    std::vector<Bytes> flipped = chunks;
    flipped[0][bit / 8] = static_cast<uint8_t>(flipped[0][bit / 8] ^ (1U << bit % 8));
    EXPECT_FALSE(Opens(flipped)) << bit;
  }
  for (size_t size = 0; size < chunks[0].size(); ++size) {
    EXPECT_FALSE(Opens({Bytes(chunks[0].begin(), chunks[0].begin() + static_cast<long>(size))}));
  }
}

TEST_F(PayloadSealTest, ACallsKeyOpensForItsCallAlone) {
  const Bytes wrapped = seal_.Wrap("KD7Q2M", key_);
  EXPECT_TRUE(seal_.Unwrap("KD7Q2M", wrapped)->key.Equals(key_.key.view()));
  EXPECT_FALSE(seal_.Unwrap("KD7Q2N", wrapped));
  EXPECT_FALSE(seal_.Unwrap("KD7Q2M", ByteSpan(wrapped).first(wrapped.size() - 1)));
  EXPECT_FALSE(seal_.Unwrap("KD7Q2M", {}));
  const EpochKeys others(storage_, entropy_,
                         SecretBytes::CopyOf("fedcba9876543210fedcba9876543210"));
  const PayloadSeal other(crypto_, entropy_, others);
  EXPECT_FALSE(other.Unwrap("KD7Q2M", wrapped));
}

TEST_F(PayloadSealTest, AKeyOfTheFirstFormatOpensWithoutItsEpoch) {
  const Bytes wrapped = seal_.Wrap("KD7Q2M", key_);
  const auto opened = seal_.Unwrap("KD7Q2M", ByteSpan(wrapped).subspan(4));
  ASSERT_TRUE(opened);
  EXPECT_EQ(opened->epoch, EpochKeys::kDerived);
  EXPECT_TRUE(opened->key.Equals(key_.key.view()));
}

TEST_F(PayloadSealTest, ACallOpensUntilItsEpochIsForgotten) {
  ASSERT_TRUE(epochs_.Begin(0));
  const CallKey key = seal_.MakeKey();
  const Bytes wrapped = seal_.Wrap("KD7Q2M", key);
  ASSERT_TRUE(epochs_.Begin(0));
  ASSERT_TRUE(epochs_.Forget({}, /*just_turned=*/true));
  EXPECT_TRUE(seal_.Unwrap("KD7Q2M", wrapped)) << "a call may have been accepted just now";
  ASSERT_TRUE(epochs_.Begin(0));
  ASSERT_TRUE(epochs_.Forget({{key.epoch, 1}}, false));
  EXPECT_TRUE(seal_.Unwrap("KD7Q2M", wrapped)) << "something of it is kept";
  ASSERT_TRUE(epochs_.Forget({}, false));
  EXPECT_EQ(seal_.Unwrap("KD7Q2M", wrapped).error().code, ErrorCode::kUnauthenticated);
  EXPECT_EQ(storage_.Describe()->names, (std::vector<std::string>{"queue.epoch.4"}));
}

TEST_F(PayloadSealTest, TheSameTextIsNeverSealedAlike) {
  EXPECT_NE(Seal(AsBytes("the same")), Seal(AsBytes("the same")));
}

}  // namespace
}  // namespace idkiosk
