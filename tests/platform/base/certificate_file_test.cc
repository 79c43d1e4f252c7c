#include "platform/base/certificate_file.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "tests/fakes/certificates.h"

namespace idkiosk {
namespace {

using testing::HasSubstr;

constexpr std::string_view kRequest =
    "MIHGMG4CAQAwDDEKMAgGA1UEAwwBeDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABJ6/kz17rWCp+2xLw80uAagj"
    "VP10lvkpyRZv2GwwR81IrM8Gml4raDzfYCA1nsgQGz2mfwr+hafxVzgfxOH4msSgADAKBggqhkjOPQQDAgNIADBF"
    "AiEAtTR9ksqqJlkzTsrKF7ly7uPO7oNemE6pAx2tNPZ9qXsCICqQHY9SeSMHBjl3byeoemXKy1OuExFUCl2nkRGW"
    "Ok/n";
constexpr std::string_view kPublicKey =
    "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEnr+TPXutYKn7bEvDzS4BqCNU/XSW+SnJFm/YbDBHzUiszwaaXito"
    "PN9gIDWeyBAbPaZ/Cv6Fp/FXOB/E4fiaxA==";

std::string Trouble(std::string_view file) {
  return std::string(TroubleWithCertificates(AsBytes(file)));
}

std::string InPem(std::string_view label, std::string_view base64) {
  return fmt::format("-----BEGIN {0}-----\n{1}\n-----END {0}-----\n", label, base64);
}

std::string Body() {
  std::string text(kAuthorityInPem);
  text.erase(0, text.find('\n') + 1);
  text.erase(text.find("-----"));
  std::erase(text, '\n');
  return text;
}

std::string Der() {
  const auto der = FromBase64(Body());
  return std::string(AsText(*der));
}

TEST(CertificateFileTest, TakesACertificate) {
  EXPECT_EQ(Trouble(kAuthorityInPem), "");
  EXPECT_EQ(Trouble(Der()), "");
  std::string of_windows = "Subject: an authority\n" + std::string(kAuthorityInPem);
  for (size_t at = 0; (at = of_windows.find('\n', at)) != std::string::npos; at += 2) {
    of_windows.insert(at, "\r");
  }
  EXPECT_EQ(Trouble(of_windows), "");
}

// As TLS takes the others of such a file.
TEST(CertificateFileTest, TakesAListWithADamagedOne) {
  EXPECT_EQ(Trouble(InPem("CERTIFICATE", "AAAA") + std::string(kAuthorityInPem)), "");
  EXPECT_EQ(Trouble(std::string(kAuthorityInPem) + InPem("CERTIFICATE", "AAAA")), "");
}

TEST(CertificateFileTest, SaysWhatIsThereInstead) {
  EXPECT_EQ(Trouble(""), "it is empty");
  EXPECT_EQ(Trouble("\n \r\n"), "it is empty");
  EXPECT_EQ(Trouble(InPem("PRIVATE KEY", "MAMCAQA=")), "it is a private key");
  EXPECT_EQ(Trouble(InPem("EC PRIVATE KEY", Body())), "it is a private key");
  EXPECT_EQ(Trouble(InPem("PUBLIC KEY", kPublicKey)), "it is a public key");
  EXPECT_EQ(Trouble(InPem("CERTIFICATE REQUEST", kRequest)), "it is a request for one");
  EXPECT_EQ(Trouble("hello"), "it is something else");
  EXPECT_EQ(Trouble("https://ca.example/ca.pem\n"), "it is something else");
}

TEST(CertificateFileTest, ALabelAloneIsNoCertificate) {
  for (const std::string& body :
       {std::string(), std::string("hello"), std::string("AAAA"), std::string(kRequest),
        std::string(kPublicKey), Body().substr(0, 400), Body().substr(4)}) {
    EXPECT_THAT(Trouble(InPem("CERTIFICATE", body)), HasSubstr("is damaged")) << body;
  }
  const std::string text(kAuthorityInPem);
  EXPECT_THAT(Trouble(text.substr(0, text.size() / 2)), HasSubstr("is damaged"));
}

TEST(CertificateFileTest, JunkThatBeginsLikeDerIsNoCertificate) {
  const std::string der = Der();
  for (size_t size = 0; size < der.size(); ++size) {
    EXPECT_NE(Trouble(der.substr(0, size)), "") << size;
  }
  EXPECT_NE(Trouble(der + "x"), "");
  for (const std::string_view base64 : {kRequest, kPublicKey}) {
    const auto other = FromBase64(base64);
    ASSERT_TRUE(other);
    EXPECT_EQ(Trouble(AsText(*other)), "it is something else");
  }
  using namespace std::string_view_literals;
  EXPECT_NE(Trouble("\x30\x84\xff\xff\xff\xff\x30"sv), "");
  EXPECT_NE(Trouble("\x30\x80\x00\x00"sv), "");
  EXPECT_NE(Trouble("\x30\xff"sv), "");
}

}  // namespace
}  // namespace idkiosk
