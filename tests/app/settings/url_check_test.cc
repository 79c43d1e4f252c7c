#include "app/settings/url_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace idkiosk {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string BaseUrl(std::string_view text) {
  const auto checked = CheckBaseUrl(text);
  return checked ? *checked : "error: " + checked.error().message;
}

TEST(CheckBaseUrlTest, KeepsWhatIsGood) {
  for (const std::string_view url :
       {"https://verify.example.ng", "https://verify.example.ng:8443", "https://h/api",
        "https://h:1/a/b-c/v1.0", "https://192.0.2.7", "https://[2001:db8::1]:443",
        "http://127.0.0.1:8080", "https://xn--bcher-kva.example"}) {
    EXPECT_EQ(BaseUrl(url), url);
  }
}

TEST(CheckBaseUrlTest, TakesASlashAtItsEndAndCapitals) {
  EXPECT_EQ(BaseUrl("https://h/"), "https://h");
  EXPECT_EQ(BaseUrl("https://h/api//"), "https://h/api");
  EXPECT_EQ(BaseUrl("HTTPS://Verify.Example.NG/Api"), "https://verify.example.ng/Api");
}

TEST(CheckBaseUrlTest, SaysWhatIsWrong) {
  const std::pair<std::string_view, std::string_view> kCases[] = {
      {"verify.example.ng", "must begin with https://"},
      {"ftp://h", "must begin with https://"},
      {"//h", "must begin with https://"},
      {"https://", "names no host"},
      {"https:///path", "names no host"},
      {"https://:443", "names no host"},
      {"https://-h", "names no host"},
      {"https://a..b", "names no host"},
      {"https://h.", "names no host"},
      {"https://127.1", "names no host"},
      {"https://300.1.1.1", "names no host"},
      {"https://[::1", "names no host"},
      {"https://[nonsense]", "names no host"},
      {"https://host_name", "names no host"},
      {"https://h:", "port"},
      {"https://h:0", "port"},
      {"https://h:65536", "port"},
      {"https://h:80a", "port"},
      {"https://[::1]x", "names no host"},
      {"https://h?key=1", "'?'"},
      {"https://h/a#b", "'#'"},
      {"https://h/a/../b", "'..'"},
      {"https://h/./b", "'.'"},
      {"https://h/a//b", "empty part"},
      {"https://h/a b", "space"},
      {"https://h\n", "space"},
      {"https://b\xc3\xbc"
       "cher.example",
       "xn--"},
  };
  for (const auto& [url, what] : kCases) EXPECT_THAT(BaseUrl(url), HasSubstr(what)) << url;
}

TEST(CheckBaseUrlTest, NeverRepeatsAPassword) {
  EXPECT_THAT(BaseUrl("https://clerk:hunter2@h"), HasSubstr("vault"));
  EXPECT_THAT(BaseUrl("https://clerk:hunter2@h"), Not(HasSubstr("hunter2")));
  EXPECT_THAT(BaseUrl("https://h:hunter2"), Not(HasSubstr("hunter2")));
}

TEST(CheckProxyTest, TakesHostAndPort) {
  EXPECT_EQ(CheckProxy("http://proxy.example:3128").value(), "http://proxy.example:3128");
  EXPECT_TRUE(CheckProxy("socks5h://127.0.0.1:1080"));
  EXPECT_THAT(CheckProxy("proxy:3128").error().message, HasSubstr("http://"));
  EXPECT_THAT(CheckProxy("http://me:secret@proxy:3128").error().message, Not(HasSubstr("vault")));
  for (const std::string_view bad : {"proxy:3128", "http://proxy", "http://proxy:3128/path",
                                     "gopher://proxy:70", "http://me:secret@proxy:3128"}) {
    EXPECT_FALSE(CheckProxy(bad)) << bad;
  }
}

TEST(UrlTest, KnowsThisMachine) {
  for (const std::string_view url :
       {"http://localhost", "http://127.0.0.1:80", "http://127.9.9.9/a", "http://[::1]:8080"}) {
    EXPECT_TRUE(IsLoopback(url)) << url;
    EXPECT_TRUE(IsPlainHttp(url)) << url;
  }
  for (const std::string_view url : {"https://127.0.0.1.example.com", "https://localhost.example",
                                     "https://10.0.0.1", "https://127.example", "https://[::2]"}) {
    EXPECT_FALSE(IsLoopback(url)) << url;
    EXPECT_FALSE(IsPlainHttp(url)) << url;
  }
}

}  // namespace
}  // namespace idkiosk
