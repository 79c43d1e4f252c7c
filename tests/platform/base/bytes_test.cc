#include "platform/base/bytes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace idkiosk {
namespace {

std::string Base64(std::string_view text) { return ToBase64(AsBytes(text)); }

std::string FromBase64Text(std::string_view text) {
  const auto bytes = FromBase64(text);
  if (!bytes) return std::string(Name(bytes.error().code));
  return std::string(AsText(*bytes));
}

TEST(BytesTest, WritesAndReadsHexadecimal) {
  EXPECT_EQ(ToHex(Bytes{0x00, 0x7f, 0xab, 0xff}), "007fabff");
  EXPECT_EQ(FromHex("007fABff").value(), (Bytes{0x00, 0x7f, 0xab, 0xff}));
  EXPECT_TRUE(FromHex("")->empty());
  for (const std::string_view bad : {"0", "0g", "g0", " 00", "0x00"}) {
    EXPECT_EQ(FromHex(bad).error().code, ErrorCode::kInvalid) << bad;
  }
}

// RFC 4648, section 10.
constexpr std::pair<std::string_view, std::string_view> kBase64Vectors[] = {{"", ""},
                                                                            {"f", "Zg=="},
                                                                            {"fo", "Zm8="},
                                                                            {"foo", "Zm9v"},
                                                                            {"foob", "Zm9vYg=="},
                                                                            {"fooba", "Zm9vYmE="},
                                                                            {"foobar", "Zm9vYmFy"}};

TEST(BytesTest, WritesAndReadsTheBase64OfRfc4648) {
  for (const auto& [plain, encoded] : kBase64Vectors) {
    EXPECT_EQ(Base64(plain), encoded);
    EXPECT_EQ(FromBase64Text(encoded), plain);
    EXPECT_EQ(Base64Size(plain.size()), encoded.size());
  }
}

TEST(BytesTest, BringsEveryByteThroughBase64) {
  Bytes bytes;
  for (int i = 0; i < 256; ++i) {
    bytes.push_back(static_cast<uint8_t>(i));
    EXPECT_EQ(FromBase64(ToBase64(bytes)).value(), bytes);
  }
}

TEST(BytesTest, EncodesBase64InPieces) {
  const std::string_view text = "a picture is encoded in pieces";
  std::string whole(Base64Size(text.size()), '\0');
  for (size_t at = 0; at < text.size(); at += 9) {
    const std::string_view piece = text.substr(at, 9);
    Base64Encode(AsBytes(piece), std::span(whole).subspan(at / 3 * 4));
  }
  EXPECT_EQ(whole, Base64(text));
}

TEST(BytesTest, RefusesWhatIsNotBase64) {
  for (const std::string_view bad :
       {"Zg", "Zg=", "Z===", "====", "Zg==Zg==", "Zm9v=", "Zm 9", "Zm9-", "Zm9_",
        "Z\n==", "=Zg=", "Zh==", "Zm9=", "\xc3\xa9zz"}) {
    EXPECT_EQ(FromBase64Text(bad), "invalid") << bad;
  }
}

TEST(BytesTest, WritesAndReadsNumbersBigEndian) {
  Bytes bytes;
  AppendUint32(bytes, 0x01020304);
  AppendUint64(bytes, 0xfffefdfcfbfaf9f8);
  EXPECT_EQ(ToHex(bytes), "01020304fffefdfcfbfaf9f8");
  EXPECT_EQ(ReadUint32(ByteSpan(bytes).first<4>()), 0x01020304u);
  EXPECT_EQ(ReadUint64(ByteSpan(bytes).last<8>()), 0xfffefdfcfbfaf9f8u);
}

}  // namespace
}  // namespace idkiosk
