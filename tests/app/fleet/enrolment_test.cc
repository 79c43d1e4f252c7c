#include "app/fleet/enrolment.h"

#include <gmock/gmock.h>
#include <openssl/ec.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

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
  const auto end = EndOfCertificate(files_, settings_);
  ASSERT_TRUE(end) << end.error().message;
  EXPECT_EQ(FormatRfc3339(*end).substr(0, 19), "2027-01-01T12:00:00");
  EXPECT_FALSE(TroubleOf(*end, *end - std::chrono::days(31)));
  const auto soon = TroubleOf(*end, *end - std::chrono::days(29));
  ASSERT_TRUE(soon);
  EXPECT_FALSE(soon->is_over);
  EXPECT_THAT(soon->text, HasSubstr("ends 2027-01-01T12:00:00"));
  EXPECT_TRUE(TroubleOf(*end, *end)->is_over);
  settings_.certificate = "/none.pem";
  EXPECT_FALSE(EndOfCertificate(files_, settings_));
}

}  // namespace
}  // namespace idkiosk
