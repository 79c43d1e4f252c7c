#include "platform/posix/certificate_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <fstream>

#include "platform/posix/curl_http_client.h"
#include "tests/fakes/scratch_folder.h"
#include "tests/faults/tls_server.h"

// Which servers are refused is told by tests/faults; here, what is said of each.
namespace idkiosk {
namespace {

using faults::CertificateForm;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// With it, nothing is sent to a server whose certificate is good.
constexpr const char* kOtherPin = "sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";

class CertificateRulesTest : public testing::Test {
 protected:
  void SetUp() override {
    // The server writes to a client that has gone, as programs of this project may.
    std::signal(SIGPIPE, SIG_IGN);
    ASSERT_TRUE(faults::AddAuthority(folder_.path(), trusted()));
  }
  [[nodiscard]] std::string trusted() const { return folder_ / "trusted.pem"; }

  // Why nothing was sent to a server with this certificate.
  std::string WhyNot(const CertificateForm& form, std::vector<std::string> pins = {},
                     std::string_view host = "127.0.0.1") {
    const faults::TlsServer server(0, folder_.path(), form, faults::Protocol::kTls13);
    EXPECT_TRUE(server.good()) << form.what;
    return Ask(server.port(), {.ca_file = trusted(), .pins = std::move(pins), .proxy = {}}, host);
  }
  static std::string Ask(int port, CurlHttpClient::Options options,
                         std::string_view host = "127.0.0.1") {
    auto client = CurlHttpClient::Create(std::move(options));
    EXPECT_TRUE(client) << client.error().message;
    HttpRequest request;
    request.url = SecretBytes::CopyOf(fmt::format("https://{}:{}/", host, port));
    request.connect_timeout = std::chrono::minutes(1);
    request.total_timeout = std::chrono::minutes(1);
    const HttpExchange exchange = (*client)->Send(request, {});
    EXPECT_EQ(exchange.stage, SendStage::kNotSent);
    return exchange.error ? exchange.error->message : "it was sent";
  }

  const ScratchFolder folder_;
};

TEST_F(CertificateRulesTest, SaysWhatIsWrongWithACertificateAndWhereToLook) {
  EXPECT_THAT(WhyNot({.what = "expired", .from_days = -90, .to_days = -1}),
              AllOf(HasSubstr("could not be verified: it expired on 20"), HasSubstr("clock")));
  EXPECT_THAT(WhyNot({.what = "not valid yet", .from_days = 2}),
              HasSubstr("it is not valid before"));
  EXPECT_THAT(
      WhyNot({.what = "of a stranger", .signer = CertificateForm::Signer::kStranger}),
      AllOf(HasSubstr("not signed by an authority of " + trusted()), HasSubstr("service.ca_file")));
  EXPECT_THAT(WhyNot({.what = "for another host", .names = "DNS:service.example"}),
              HasSubstr("for another name than 127.0.0.1, which service.base_url names"));
  EXPECT_THAT(WhyNot({.what = "too weak", .rsa_bits = 1024}), HasSubstr("too weak"));
}

// mbedTLS takes a URI that is the host's name for one.
TEST_F(CertificateRulesTest, OnlyADnsEntryNamesAHost) {
  const auto why = [&](std::string names) {
    return WhyNot({.what = "named", .names = std::move(names)}, {kOtherPin}, "localhost");
  };
  EXPECT_THAT(why("URI:localhost"), HasSubstr("for another name than localhost"));
  EXPECT_THAT(why("email:localhost"), HasSubstr("for another name than localhost"));
  EXPECT_THAT(why("DNS:*.localhost"), HasSubstr("for another name than localhost"));
  EXPECT_THAT(why("DNS:LocalHost"), HasSubstr("service.pins"));
}

// mbedTLS looks at neither.
TEST_F(CertificateRulesTest, AnAuthorityBetweenMaySignForServersAndForEveryName) {
  const auto why = [&](const char* usage, const char* names) {
    CertificateForm between = {.what = "between",
                               .name = "between",
                               .names = "",
                               .usage = usage,
                               .constraints = "critical,CA:TRUE",
                               .key_usage = "critical,keyCertSign",
                               .name_constraints = names};
    return WhyNot({.what = "by another", .between = {std::move(between)}}, {kOtherPin});
  };
  EXPECT_THAT(why("clientAuth", ""), HasSubstr("for another use"));
  EXPECT_THAT(why("codeSigning", ""), HasSubstr("for another use"));
  EXPECT_THAT(why("", "permitted;DNS:other.example"), HasSubstr("name constraints"));
  EXPECT_THAT(why("", "excluded;IP:127.0.0.0/255.0.0.0"), HasSubstr("name constraints"));
  EXPECT_THAT(why("serverAuth", ""), HasSubstr("service.pins"));
  EXPECT_THAT(why("", ""), HasSubstr("service.pins"));
}

TEST_F(CertificateRulesTest, SaysThatAPinDoesNotFit) {
  EXPECT_THAT(WhyNot({.what = "good"}, {kOtherPin}),
              HasSubstr("127.0.0.1 does not match service.pins"));
}

TEST_F(CertificateRulesTest, SaysThatAFileHoldsNoAuthorities) {
  std::ofstream(folder_ / "hello.pem") << "hello";
  const LoopbackListener listener;
  const std::string why =
      Ask(listener.port(), {.ca_file = folder_ / "hello.pem", .pins = {}, .proxy = {}});
  EXPECT_THAT(why, HasSubstr("service.ca_file: "));
  EXPECT_THAT(why, HasSubstr("hello.pem holds no certificates in PEM"));
}

TEST_F(CertificateRulesTest, SaysThatItIsTheProxyThatIsAway) {
  int gone = 0;
  {
    const LoopbackListener listener;
    gone = listener.port();
  }
  const std::string why = Ask(9, {.ca_file = trusted(),
                                  .pins = {},
                                  .proxy = fmt::format("http://anna:geheim@127.0.0.1:{}", gone)});
  EXPECT_THAT(why, AllOf(HasSubstr("through service.proxy: "), Not(HasSubstr("geheim"))));
}

}  // namespace
}  // namespace idkiosk
