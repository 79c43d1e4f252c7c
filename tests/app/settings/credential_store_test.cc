#include "app/settings/credential_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "app/settings/credentials.h"
#include "tests/fakes/fake_secure_storage.h"

namespace idkiosk {
namespace {

using testing::HasSubstr;

const ServiceAddress kFirst{Environment::kSandbox, "https://first.example"};
const ServiceAddress kSecond{Environment::kProduction, "https://second.example:8443"};

TEST(ServiceAddressTest, IsTheOriginWithoutItsOwnPort) {
  const auto origin = [](std::string_view url) {
    return AddressOf(Environment::kSandbox, url).origin;
  };
  EXPECT_EQ(origin("https://a.example"), "https://a.example");
  EXPECT_EQ(origin("https://a.example:443/customer/1"), "https://a.example");
  EXPECT_EQ(origin("https://a.example:8443/customer"), "https://a.example:8443");
  EXPECT_EQ(origin("http://127.0.0.1:80"), "http://127.0.0.1");
  EXPECT_EQ(origin("https://[::1]:8443/x"), "https://[::1]:8443");
  EXPECT_NE(origin("https://a.example"), origin("http://a.example"));
}

TEST(ServiceAddressTest, IsStoredAsTextAndReadBack) {
  for (const ServiceAddress& each : {kFirst, kSecond}) {
    EXPECT_EQ(ParseServiceAddress(ToText(each)), each);
  }
  EXPECT_EQ(ToText(kSecond), "production https://second.example:8443");
  EXPECT_EQ(Describe(kSecond), "https://second.example:8443 (production)");
  for (const char* text : {"", "sandbox", "sandboxhttps://a", "test https://a"}) {
    EXPECT_FALSE(ParseServiceAddress(text)) << text;
  }
}

class CredentialStoreTest : public testing::Test {
 protected:
  CredentialStoreTest() {
    EXPECT_TRUE(TakeCredentialsOf(storage_, kFirst));
    storage_.Set(kApiKeySecret, "key");
    storage_.Set(kUserIdSecret, "user");
  }

  Result<std::vector<SecretBytes>> Read(const ServiceAddress& address) {
    return ReadCredentials(storage_, address, std::array{kApiKeySecret, kUserIdSecret});
  }

  FakeSecureStorage storage_;
};

TEST_F(CredentialStoreTest, GivesThemToTheirOwnAddressAlone) {
  const auto own = Read(kFirst);
  ASSERT_TRUE(own) << own.error().message;
  EXPECT_EQ(own->front().text(), "key");
  EXPECT_EQ(own->back().text(), "user");
  const auto other = Read(kSecond);
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().code, ErrorCode::kFailedPrecondition);
  EXPECT_THAT(other.error().message, HasSubstr("of https://first.example (sandbox)"));
  EXPECT_THAT(other.error().message, HasSubstr("restart"));
  EXPECT_FALSE(Read({Environment::kProduction, kFirst.origin})) << "the environment counts";
}

TEST_F(CredentialStoreTest, NamesTheOneThatIsMissing) {
  ASSERT_TRUE(storage_.Remove(kUserIdSecret));
  const auto read = Read(kFirst);
  EXPECT_EQ(read.error().code, ErrorCode::kNotFound);
  EXPECT_THAT(read.error().message, HasSubstr("idkiosk vault set user_id"));
}

TEST_F(CredentialStoreTest, AnotherAddressTakesTheOldOnesOutFirst) {
  EXPECT_FALSE(*TakeCredentialsOf(storage_, kFirst)) << "nothing to do";
  EXPECT_TRUE(Read(kFirst));
  EXPECT_TRUE(*TakeCredentialsOf(storage_, kSecond));
  EXPECT_EQ(Read(kSecond).error().code, ErrorCode::kNotFound);
  EXPECT_EQ(Read(kFirst).error().code, ErrorCode::kFailedPrecondition);
}

TEST_F(CredentialStoreTest, AVaultThatSaysNothingIsTakenAtItsWord) {
  ASSERT_TRUE(storage_.Remove(kAddressOfCredentials));
  EXPECT_TRUE(Read(kFirst));
  EXPECT_TRUE(Read(kSecond));
  EXPECT_FALSE(*TakeCredentialsOf(storage_, kSecond)) << "they may be its own";
  EXPECT_TRUE(Read(kSecond));
  EXPECT_FALSE(Read(kFirst));
}

}  // namespace
}  // namespace idkiosk
