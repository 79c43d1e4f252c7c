#include "app/fleet/enrolment.h"

#include <gmock/gmock.h>
#include <openssl/ec.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include "tests/fakes/fake_clock.h"
#include "tests/fakes/fake_entropy.h"
#include "tests/fakes/fake_file_system.h"

namespace idkiosk {
namespace {

using testing::HasSubstr;
using testing::Not;

class EnrolmentTest : public testing::Test {
 protected:
  // Whether the request's own key has signed it; its name and its public key as text.
  static std::string Read(const std::string& pem) {
    BIO* const memory = BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size()));
    X509_REQ* const request = PEM_read_bio_X509_REQ(memory, nullptr, nullptr, nullptr);
    BIO_free(memory);
    if (request == nullptr) return "no request";
    const bool good = X509_REQ_verify(request, X509_REQ_get0_pubkey(request)) == 1;
    BIO* const out = BIO_new(BIO_s_mem());
    X509_REQ_print(out, request);
    char* text = nullptr;
    const long size = BIO_get_mem_data(out, &text);
    std::string said(text, static_cast<size_t>(size));
    BIO_free(out);
    X509_REQ_free(request);
    return good ? said : "not signed by its key";
  }

  FakeFileSystem files_;
  FleetSettings settings_{.kiosk = "lagos-12", .certificate = "/kiosk.pem", .key = "/kiosk.key"};
};

TEST_F(EnrolmentTest, AsksInItsOwnNameWithAKeyThatStays) {
  const auto request = CertificateRequest(files_, settings_);
  ASSERT_TRUE(request) << request.error().message;
  EXPECT_THAT(*request, Not(HasSubstr("PRIVATE")));
  const std::string said = Read(*request);
  EXPECT_THAT(said, HasSubstr("CN=lagos-12"));
  EXPECT_THAT(said, HasSubstr("DNS:lagos-12"));
  const auto key = files_.Read("/kiosk.key", 4096);
  ASSERT_TRUE(key);
  EXPECT_THAT(std::string(AsText(*key)), HasSubstr("PRIVATE KEY"));
  // A renewal is asked for with the same one.
  EXPECT_TRUE(CertificateRequest(files_, settings_));
  EXPECT_EQ(files_.Read("/kiosk.key", 4096).value(), *key);
}

TEST_F(EnrolmentTest, AFileThatHoldsNoSuchKeyStays) {
  for (const char* text : {"", "-----BEGIN PRIVATE KEY-----\nnone\n-----END PRIVATE KEY-----\n"}) {
    ASSERT_TRUE(files_.WriteDurably("/kiosk.key", AsBytes(text), FileAccess::kOwnerOnly));
    const auto request = CertificateRequest(files_, settings_);
    ASSERT_FALSE(request);
    EXPECT_THAT(request.error().message, HasSubstr("key: /kiosk.key holds no private key"));
    EXPECT_EQ(std::string(AsText(files_.Read("/kiosk.key", 4096).value())), text);
  }
  settings_.plain = true;
  EXPECT_FALSE(CertificateRequest(files_, settings_));
}

TEST_F(EnrolmentTest, SaysWhenACertificateEnds) {
  EVP_PKEY* const key = EVP_EC_gen("P-256");
  X509* const certificate = X509_new();
  ASN1_TIME_set_string(X509_getm_notBefore(certificate), "20261101000000Z");
  ASN1_TIME_set_string(X509_getm_notAfter(certificate), "20270101120000Z");
  X509_set_pubkey(certificate, key);
  X509_sign(certificate, key, EVP_sha256());
  BIO* const out = BIO_new(BIO_s_mem());
  PEM_write_bio_X509(out, certificate);
  char* text = nullptr;
  const long size = BIO_get_mem_data(out, &text);
  ASSERT_TRUE(files_.WriteDurably("/kiosk.pem",
                                  AsBytes(std::string_view(text, static_cast<size_t>(size))),
                                  FileAccess::kEverybody));
  BIO_free(out);
  X509_free(certificate);
  EVP_PKEY_free(key);
  const auto lifetime = LifetimeOfCertificate(files_, settings_);
  ASSERT_TRUE(lifetime) << lifetime.error().message;
  const WallTime end = lifetime->end;
  EXPECT_EQ(FormatRfc3339(lifetime->begin).substr(0, 19), "2026-11-01T00:00:00");
  EXPECT_EQ(FormatRfc3339(end).substr(0, 19), "2027-01-01T12:00:00");
  EXPECT_FALSE(TroubleOf(*lifetime, end - std::chrono::days(31)));
  const auto soon = TroubleOf(*lifetime, end - std::chrono::days(29));
  ASSERT_TRUE(soon);
  EXPECT_FALSE(soon->is_over);
  EXPECT_THAT(soon->text, HasSubstr("ends 2027-01-01T12:00:00"));
  EXPECT_TRUE(TroubleOf(*lifetime, end)->is_over);
  // Of 61 days the last third is there to renew it without anybody, and half of that is past.
  EXPECT_FALSE(TroubleOf(*lifetime, end - std::chrono::days(11), true));
  EXPECT_TRUE(TroubleOf(*lifetime, end - std::chrono::days(10), true));
  settings_.certificate = "/none.pem";
  EXPECT_FALSE(LifetimeOfCertificate(files_, settings_));
}

// An EST server that is asked in the virtual time of a fake clock.
class CertificateKeeperTest : public EnrolmentTest {
 protected:
  CertificateKeeperTest() {
    settings_.est = "https://est.bank.example/.well-known/est";
    settings_.claim = "/claim";
    EXPECT_TRUE(files_.WriteDurably("/claim", AsBytes("a:b\n"), FileAccess::kOwnerOnly));
  }
  // Signed for so long by its own key: who signs is the server's affair.
  Result<std::string> Sign(const EstRequest& request, ByteSpan der) {
    claims_.emplace_back(request.claim.text());
    if (error_) return std::unexpected(*error_);
    const unsigned char* at = der.data();
    X509_REQ* const asked = d2i_X509_REQ(nullptr, &at, static_cast<long>(der.size()));
    EVP_PKEY* const ca = EVP_EC_gen("P-256");
    X509* const certificate = X509_new();
    X509_set_subject_name(certificate, X509_REQ_get_subject_name(asked));
    X509_set_pubkey(certificate, X509_REQ_get0_pubkey(asked));
    const time_t end = std::chrono::system_clock::to_time_t(clock_.WallNow() + lasts_);
    ASN1_TIME_set(X509_getm_notBefore(certificate),
                  std::chrono::system_clock::to_time_t(clock_.WallNow()));
    ASN1_TIME_set(X509_getm_notAfter(certificate), end);
    X509_sign(certificate, ca, EVP_sha256());
    BIO* const out = BIO_new(BIO_s_mem());
    PEM_write_bio_X509(out, certificate);
    char* text = nullptr;
    const long size = BIO_get_mem_data(out, &text);
    std::string pem(text, static_cast<size_t>(size));
    BIO_free(out);
    X509_free(certificate);
    EVP_PKEY_free(ca);
    X509_REQ_free(asked);
    return pem;
  }
  AskEst Asked() {
    return [this](const auto& request, ByteSpan der) { return Sign(request, der); };
  }
  // A step each minute; how often another certificate came.
  int StepFor(Duration time) {
    int came = 0;
    for (Duration passed{}; passed < time; passed += std::chrono::minutes(1)) {
      came += keeper_.Step() ? 1 : 0;
      clock_.Advance(std::chrono::minutes(1));
    }
    return came;
  }

  FakeClock clock_;
  FakeEntropy entropy_;
  Duration lasts_ = std::chrono::days(90);
  std::optional<Error> error_;
  std::vector<std::string> claims_;  // of each request; empty: by the certificate
  CertificateKeeper keeper_{files_, settings_, clock_, entropy_, Asked()};
};

TEST_F(CertificateKeeperTest, AsksAtOnceWhereThereIsNoneAndAgainThirtyDaysBeforeItEnds) {
  EXPECT_FALSE(keeper_.has_certificate());
  EXPECT_TRUE(keeper_.Step());
  EXPECT_TRUE(keeper_.has_certificate());
  EXPECT_FALSE(files_.Exists("/claim").value());
  EXPECT_EQ(StepFor(std::chrono::days(59)), 0);
  EXPECT_EQ(StepFor(std::chrono::days(3)), 1);
  EXPECT_THAT(claims_, testing::ElementsAre("a:b", ""));
}

TEST_F(CertificateKeeperTest, AsksForAnotherWhereADiskHasDamagedIt) {
  ASSERT_TRUE(keeper_.Step());
  ASSERT_TRUE(files_.WriteDurably("/kiosk.pem", AsBytes("\0\0"), FileAccess::kEverybody));
  ASSERT_TRUE(files_.WriteDurably("/claim", AsBytes("c:d"), FileAccess::kOwnerOnly));
  EXPECT_FALSE(keeper_.has_certificate());
  EXPECT_EQ(StepFor(std::chrono::days(2)), 1);
  EXPECT_TRUE(keeper_.has_certificate());
  EXPECT_THAT(claims_, testing::ElementsAre("a:b", "c:d"));
}

TEST_F(CertificateKeeperTest, AServerThatRefusesIsAskedEveryFewMinutesAndCostsNothing) {
  ASSERT_TRUE(keeper_.Step());
  const Bytes before = files_.Content("/kiosk.pem");
  error_ = Error{ErrorCode::kForbidden, "no"};
  claims_.clear();
  clock_.Advance(std::chrono::days(70));
  EXPECT_EQ(StepFor(std::chrono::hours(10)), 0);
  EXPECT_GT(claims_.size(), 60U);
  EXPECT_LT(claims_.size(), 300U);
  EXPECT_EQ(files_.Content("/kiosk.pem"), before);
  error_.reset();
  EXPECT_EQ(StepFor(std::chrono::hours(1)), 1);
}

TEST_F(CertificateKeeperTest, OneThatIsOverIsAskedForByANewClaim) {
  ASSERT_TRUE(keeper_.Step());
  clock_.Advance(std::chrono::days(91));
  EXPECT_EQ(StepFor(std::chrono::hours(1)), 0) << "there is no claim any more";
  ASSERT_TRUE(files_.WriteDurably("/claim", AsBytes("c:d"), FileAccess::kOwnerOnly));
  EXPECT_EQ(StepFor(std::chrono::hours(1)), 1);
  EXPECT_THAT(claims_, testing::ElementsAre("a:b", "c:d"));
}

TEST_F(CertificateKeeperTest, HoweverLongOneIsGoodItIsRenewedBeforeItEnds) {
  for (const auto lasts : {std::chrono::hours(1), std::chrono::hours(24),
                           std::chrono::hours(24 * 7), std::chrono::hours(24 * 30)}) {
    SCOPED_TRACE(lasts.count());
    (void)files_.Remove("/kiosk.pem");
    ASSERT_TRUE(files_.WriteDurably("/claim", AsBytes("a:b"), FileAccess::kOwnerOnly));
    claims_.clear();
    lasts_ = lasts;
    CertificateKeeper keeper(files_, settings_, clock_, entropy_, Asked());
    int came = 0;
    const Duration step = std::max<Duration>(std::chrono::minutes(1), lasts / 40);
    for (Duration passed{}; passed < 5 * lasts; passed += step) {
      came += keeper.Step() ? 1 : 0;
      clock_.Advance(step);
      const auto lifetime = LifetimeOfCertificate(files_, settings_);
      ASSERT_TRUE(lifetime);
      ASSERT_GT(lifetime->end, clock_.WallNow()) << came;
    }
    EXPECT_GE(came, 6);
    EXPECT_LE(came, 15);
  }
}

TEST_F(CertificateKeeperTest, NobodyIsAskedWhereItsPlaceCannotBeWritten) {
  files_.set_capacity(0);
  EXPECT_FALSE(keeper_.Step());
  EXPECT_TRUE(claims_.empty()) << "a claim may be good once";
  EXPECT_FALSE(CheckEnrolment(files_, settings_, clock_.WallNow()));
}

TEST_F(CertificateKeeperTest, WithoutAServerNobodyIsAsked) {
  settings_.est.clear();
  EXPECT_TRUE(keeper_.has_certificate());
  EXPECT_EQ(StepFor(std::chrono::hours(5)), 0);
  EXPECT_TRUE(claims_.empty());
}

}  // namespace
}  // namespace idkiosk
