#include "app/service/refusal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/service/outcome.h"
#include "tests/app/service/service_fixture.h"

// Refusals whose status says that nothing was done, and whose body, or end, says otherwise.

namespace idkiosk {
namespace {

using namespace std::string_literals;
using namespace std::string_view_literals;
using testing::AllOf;
using testing::HasSubstr;

constexpr std::string_view kError = R"({"message":"Too many requests: wait"})";

HttpExchange Refused(int status, std::string_view body) {
  HttpExchange exchange;
  exchange.stage = SendStage::kAnswered;
  exchange.answer.status = status;
  exchange.answer.body = SecretBytes::CopyOf(body);
  exchange.answer.headers = {{"retry-after", "30"}};
  return exchange;
}

Outcome OutcomeOf(const HttpExchange& exchange, const ServiceProfile& profile = SandboxProfile()) {
  return Classify(profile, Endpoint::kVerify, exchange, WallTime());
}

// Neither free nor sent again by itself.
void ExpectNotBelieved(const HttpExchange& exchange, std::string_view what) {
  const Outcome outcome = OutcomeOf(exchange);
  EXPECT_EQ(Name(outcome.kind), "unreadable") << what;
  EXPECT_EQ(Name(outcome.disposition), "unknown") << what;
  EXPECT_EQ(Name(outcome.billed), "maybe") << what;
  EXPECT_EQ(outcome.retry_after, std::nullopt) << what;
}

std::string InUtf16(std::string_view text) {
  std::string wide;
  for (const char each : text) wide.append({each, '\0'});
  return wide;
}

std::string Escaped(std::string text, std::string_view what, std::string_view with) {
  for (size_t at = 0; (at = text.find(what, at)) != text.npos; at += with.size()) {
    text.replace(at, what.size(), with);
  }
  return text;
}

TEST(RefusalTest, AnAnswerInAnyWrappingIsNotFree) {
  const std::string answer(kVerifiedAnswer);
  const std::string refused(kNotVerifiedAnswer);
  const std::vector<std::string> bodies = {
      answer,
      answer + "}",
      answer + "\n" + std::string(kError),
      std::string(kError) + answer,
      "[" + answer + "]",
      R"({"error":"rate","result":)" + answer + "}",
      R"({"body":")" + Escaped(answer, "\"", "\\\"") + "\"}",
      "\"" + Escaped(answer, "\"", "\\\"") + "\"",
      "callback(" + answer + ");",
      "<html><pre>" + answer + "</pre></html>",
      "<html><pre>" + Escaped(answer, "\"", "&quot;") + "</pre></html>",
      "Too many requests: " + Escaped(answer, "\"", "%22"),
      Escaped(answer, "verified", "VERIFIED") + " ",
      "<data><verified>true</verified></data>",
      InUtf16(answer),
      "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\xab\x56"s,
      "\xef\xbb\xbf" + answer,
      R"({"data":{"photo":"/9j/"}})",
      R"({"data":{"verified":"true"}})",
      R"({"data":{"verified":1}})",
      R"({"data":{"verified":["yes"]}})",
      R"({"data":{"verified":{"value":true}}})",
      "  " + refused.substr(0, refused.size() - 1),
      refused + refused,
      "\"" + Escaped(refused, "\"", "\\\""),
  };
  for (const std::string& each : bodies) {
    for (const int status : {401, 403, 413, 429, 503}) {
      ExpectNotBelieved(Refused(status, each), fmt::format("{} {}", status, each));
    }
  }
}

// What is sent again by itself must not even speak of one. A token that "could not be verified" is
// what a 401 is about.
TEST(RefusalTest, WhatSpeaksOfAnAnswerIsNotSentAgain) {
  const std::string answer(kVerifiedAnswer);
  const std::string packed = ToBase64(AsBytes(answer));
  const std::vector<std::string> bodies = {
      "data: {verified: true}",
      "verified=true&reference=R-1",
      "<ns2:verified>true</ns2:verified>",
      "<verified value=\"true\"/>",
      "&lt;verified&gt;true",
      "<td>Verified</td><td>true</td>",
      "[verified] => 1",
      "s:8:\"verified\";b:1;",
      "identity verified -> true",
      Escaped(answer, "\"", "\\u0022"),
      Escaped(answer, "\"", "%2522"),
      R"({"isVerified":true})",
      R"({"key":"verified","value":true})",
      R"({"message":"the person is verified"})",
      packed,
      R"({"statusCode":200,"isBase64Encoded":true,"body":")" + packed + "\"}",
      "token eyJhbGciOiJub25lIn0." + packed.substr(0, packed.find('=')) + ".",
      std::string(kNotVerifiedAnswer),
      R"({"data":{"verified":false},"message":"rate limited"})",
  };
  for (const std::string& each : bodies) {
    for (const int status : {413, 429, 503}) {
      ExpectNotBelieved(Refused(status, each), fmt::format("{} {}", status, each));
    }
  }
}

// Who has a reference has looked the number up, and bills it.
TEST(RefusalTest, WhatHoldsAPartOfAnAnswerIsNotFree) {
  const std::string_view bodies[] = {
      R"({"data":{"verified":false,"reference":"R-1"}})",
      R"({"message":"slow down","data":{"reference":"R-1"}})",
      R"({"message":"slow down","data":{"reference":4711}})",
  };
  for (const std::string_view each : bodies) {
    for (const int status : {401, 403, 413, 429, 503}) {
      ExpectNotBelieved(Refused(status, each), fmt::format("{} {}", status, each));
    }
  }
}

TEST(RefusalTest, ANoRecordIsAnAnswerWhateverItsStatus) {
  for (const std::string_view body :
       {R"({"message":"There is no record of this"})", R"({"error":{"text":"THERE IS NO RECORD"}})",
        "<html>There is no record</html>"}) {
    for (const int status : {401, 403, 429, 503}) {
      const Outcome outcome =
          Classify(SandboxProfile(), Endpoint::kLookupNin, Refused(status, body), WallTime());
      EXPECT_EQ(Name(outcome.kind), "unreadable") << status << body;
      EXPECT_EQ(Name(outcome.billed), "maybe") << status << body;
      EXPECT_THAT(outcome.engineer, HasSubstr("but its body says that there is no record"));
    }
  }
}

TEST(RefusalTest, WhatHoldsAPartOfAnAnswerDoesNotCostNothing) {
  const ServiceProfile profile = SandboxProfile(
      R"("currency": "NGN",)", R"("currency": "NGN", "billed_by_status": {"409":"no"},)");
  const HttpExchange exchange = Refused(409, R"({"data":{"reference":"R-1"}})");
  EXPECT_EQ(Name(OutcomeOf(exchange, profile).kind), "unexpected");
  EXPECT_EQ(Name(OutcomeOf(exchange, profile).billed), "maybe");
}

// Without pictures there is nothing to be made smaller.
TEST(RefusalTest, A413OfARequestWithoutPicturesHoldsItsEndpoint) {
  const HttpExchange exchange = Refused(413, "<html>too large</html>");
  const Outcome lookup = Classify(SandboxProfile(), Endpoint::kCheck, exchange, WallTime());
  EXPECT_EQ(Name(lookup.kind), "unexpected");
  EXPECT_EQ(Name(lookup.disposition), "hold");
  EXPECT_EQ(Name(lookup.billed), "maybe");
}

TEST(RefusalTest, NoPartOfAnAnswerIsFree) {
  const std::string_view answer = kVerifiedAnswer;
  for (size_t size = 1; size <= answer.size(); ++size) {
    ExpectNotBelieved(Refused(429, answer.substr(0, size)), answer.substr(0, size));
  }
}

// Cut anywhere, it looks whole.
TEST(RefusalTest, WhatEndsWithTheConnectionIsNotFree) {
  for (const std::string_view body : {""sv, "Too many requests"sv, kError}) {
    for (const int status : {401, 403, 413, 429, 503}) {
      HttpExchange exchange = Refused(status, body);
      exchange.answer.ended_by_close = true;
      ExpectNotBelieved(exchange, body);
      EXPECT_THAT(OutcomeOf(exchange).engineer, AllOf(HasSubstr(fmt::format("status {}", status)),
                                                      HasSubstr("the end of the connection")));
    }
  }
}

// The question was never there in whole.
TEST(RefusalTest, WhatEndsWithTheConnectionAndCameEarlyIsFree) {
  HttpExchange exchange = Refused(413, "<html>too large</html>");
  exchange.answer.ended_by_close = true;
  exchange.answer.early = true;
  EXPECT_EQ(Name(OutcomeOf(exchange).kind), "too_large");
}

TEST(RefusalTest, WhatIsPackedIsNotFree) {
  HttpExchange exchange = Refused(429, "Too many requests");
  exchange.answer.headers.push_back({"content-encoding", "br"});
  ExpectNotBelieved(exchange, "packed");
  exchange.answer.headers.back().value = "Identity";
  EXPECT_EQ(Name(OutcomeOf(exchange).kind), "busy");
}

TEST(RefusalTest, WhatIsFollowedByMoreIsNotFree) {
  for (const std::string_view body : {""sv, "Too many requests"sv, kError}) {
    for (const int status : {401, 403, 413, 429, 503}) {
      HttpExchange exchange = Refused(status, body);
      exchange.answer.more_behind = true;
      ExpectNotBelieved(exchange, body);
      EXPECT_THAT(OutcomeOf(exchange).engineer, HasSubstr("more came behind its end"));
    }
  }
}

// Its length fits: that of the page that it was cut from is in no header.
TEST(RefusalTest, WhatIsCutOffWithALengthThatFitsIsNotFree) {
  const std::string_view page = "<html><head><title>503</title></head><body>busy</body></html>";
  for (size_t size = 1; size < page.size(); ++size) {
    ExpectNotBelieved(Refused(503, page.substr(0, size)), page.substr(0, size));
  }
  const std::string_view bodies[] = {
      R"(<html><pre>{"reference":"R-1","data":{"veri)",
      R"(<!DOCTYPE html><html><body>429</body></html><pre>{"reference":"R-1","veri)",
      R"(<error>{"reference":"R-1","ver)",
      R"(result: {"reference":"R-1","ver)",
      R"(result: "R-1", "ver)",
      R"(<html><body>429</body></html><!-- {"reference":"R-1","ver)",
  };
  for (const std::string_view each : bodies) {
    for (const int status : {401, 403, 413, 429, 503}) {
      ExpectNotBelieved(Refused(status, each), each);
    }
  }
}

TEST(RefusalTest, AYesInAHeaderIsNotFree) {
  const std::string answer(kVerifiedAnswer);
  for (const std::string& value : {answer, answer + "; charset=utf-8", answer.substr(0, 40)}) {
    if (!value.contains("verified")) continue;
    for (const int status : {401, 403, 413, 429, 503}) {
      HttpExchange exchange = Refused(status, kError);
      exchange.answer.headers.push_back({"x-result", value});
      ExpectNotBelieved(exchange, value);
      EXPECT_THAT(OutcomeOf(exchange).engineer, HasSubstr("one of its headers says"));
    }
  }
}

// As they come from the makers: these are sent again.
TEST(RefusalTest, AProxysRefusalIsARefusal) {
  constexpr std::string_view kPadding =
      "<!-- a padding to disable MSIE and Chrome friendly error page -->\r\n";
  const std::string nginx =
      "<html>\r\n<head><title>503 Service Temporarily Unavailable</title></head>\r\n<body>\r\n"
      "<center><h1>503 Service Temporarily Unavailable</h1></center>\r\n"
      "<hr><center>nginx/1.22.1</center>\r\n</body>\r\n</html>\r\n";
  const std::string bodies[] = {
      nginx,
      nginx + std::string(kPadding) + std::string(kPadding),
      // HAProxy
      "<html><body><h1>429 Too Many Requests</h1>\nYou have sent too many requests in a given "
      "amount "
      "of time.\n</body></html>\n",
      // Cloudflare
      "error code: 1015",
      "<!DOCTYPE html>\n<!--[if lt IE 7]> <html class=\"no-js ie6 oldie\" lang=\"en-US\"> "
      "<![endif]-->\n<!--[if gt IE 8]><!--> <html class=\"no-js\" lang=\"en-US\"> "
      "<!--<![endif]-->\n"
      "<head>\n<title>Access denied | bank.example used Cloudflare to restrict access</title>\n"
      "<script>(function(){if(document.body){var a={\"b\":[1]};}})()</script></head>\n<body>\n"
      "<div id=\"cf-wrapper\">Error 1015</div>\n</body>\n</html>\n",
      // AWS: load balancer, gateway, storage
      "<html>\r\n<head><title>503 Service Temporarily Unavailable</title></head>\r\n<body>\r\n"
      "<center><h1>503 Service Temporarily Unavailable</h1></center>\r\n</body>\r\n</html>\r\n",
      R"({"message":"Too Many Requests"})",
      R"({"message":"Limit Exceeded"})",
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Error><Code>SlowDown</Code><Message>Please "
      "reduce "
      "your request rate.</Message></Error>",
      // Google's load balancer, Apache, IIS, Varnish, Envoy, Traefik
      "\n<html><head>\n<meta http-equiv=\"content-type\" content=\"text/html;charset=utf-8\">\n"
      "<title>503 Server Error</title>\n</head>\n<body text=#000000 bgcolor=#ffffff>\n<h1>Error: "
      "Server Error</h1>\n<h2>The service you requested is not available yet.<p>Please try again "
      "in "
      "30 seconds.</h2>\n<h2></h2>\n</body></html>\n",
      "<!DOCTYPE HTML PUBLIC \"-//IETF//DTD HTML 2.0//EN\">\n<html><head>\n<title>503 Service "
      "Unavailable</title>\n</head><body>\n<h1>Service Unavailable</h1>\n</body></html>\n",
      "<!DOCTYPE HTML PUBLIC \"-//W3C//DTD HTML "
      "4.01//EN\"\"http://www.w3.org/TR/html4/strict.dtd\">"
      "\r\n<HTML><HEAD><TITLE>Service Unavailable</TITLE></HEAD>\r\n<BODY><h2>Service "
      "Unavailable</h2>\r\n</BODY></HTML>\r\n",
      "local_rate_limited",
      "upstream connect error or disconnect/reset before headers. reset reason: overflow",
      "Service Unavailable",
      "<h1>429</h1><p>Slow down</p>",
  };
  for (const std::string& each : bodies) {
    HttpExchange exchange = Refused(429, each);
    exchange.answer.headers.insert(
        exchange.answer.headers.end(),
        {{"server", "cloudflare"},
         {"cf-ray", "8c1f2a3b4c5d6e7f-LOS"},
         {"report-to", R"({"endpoints":[{"url":"https://a.nel.cloudflare.com/report/v4?s=a%3D"}],)"
                       R"("group":"cf-nel","max_age":604800})"},
         {"nel", R"({"success_fraction":0,"report_to":"cf-nel","max_age":604800})"},
         {"alt-svc", R"(h3=":443"; ma=86400)"},
         {"x-amzn-errortype", "TooManyRequestsException"},
         {"set-cookie", "AWSALB=k2v/verified; Expires=Thu, 03 Dec 2026 16:00:00 GMT; Path=/"},
         {"www-authenticate",
          R"(Bearer error="invalid_token", error_description="The token is not verified")"},
         {"ratelimit-policy", R"("default";q=100;w=10)"}});
    EXPECT_EQ(Name(OutcomeOf(exchange).kind), "busy") << each;
    exchange.answer.status = 503;
    EXPECT_EQ(Name(OutcomeOf(exchange).kind), "busy") << each;
    exchange.answer.status = 413;
    EXPECT_EQ(Name(OutcomeOf(exchange).kind), "too_large") << each;
    exchange.answer.status = 401;
    EXPECT_EQ(Name(OutcomeOf(exchange).kind), "unauthorized") << each;
  }
}

// Every one of these is met: a service's errors, a gateway's pages.
TEST(RefusalTest, ARefusalIsARefusal) {
  const std::string_view bodies[] = {
      "",
      "  \n",
      "Too many requests",
      "Your request-id: 7cbd2b25-0a9c-4d1f-9b1d-3c1f5d0e8a11",
      kError,
      R"([{"code":"RATE_LIMITED"}])",
      R"({"data":null,"error":{"name":"RateLimitError","status":429,"reference":"R-1"}})",
      R"({"message":"rate limited","attemptId":"0123456789abcdef0123456789abcdef"})",
      R"({"message":"rate limited","data":{"reference":null}})",
      R"({"message":"rate limited","data":{"reference":""}})",
      R"("slow down")",
      "<html><body class=\"photo\"><h1>429</h1></body></html>",
      "<html>\xc3\xa9t\xc3\xa9, \xe9t\xe9</html>",
  };
  for (const std::string_view each : bodies) {
    EXPECT_EQ(Name(OutcomeOf(Refused(401, each)).kind), "unauthorized") << each;
    EXPECT_EQ(Name(OutcomeOf(Refused(403, each)).kind), "forbidden") << each;
    EXPECT_EQ(Name(OutcomeOf(Refused(413, each)).kind), "too_large") << each;
    EXPECT_EQ(Name(OutcomeOf(Refused(429, each)).kind), "busy") << each;
    EXPECT_EQ(Name(OutcomeOf(Refused(503, each)).kind), "busy") << each;
  }
}

TEST(RefusalTest, AWordInASentenceIsNoAnswer) {
  const std::string_view bodies[] = {"Account not verified", "Signature not verified: sign again",
                                     R"({"message":"the token could not be verified: expired"})",
                                     R"({"message":"the e-mail is \"not verified\" yet"})"};
  for (const std::string_view each : bodies) {
    EXPECT_EQ(Name(OutcomeOf(Refused(401, each)).kind), "unauthorized") << each;
    EXPECT_EQ(Name(OutcomeOf(Refused(403, each)).kind), "forbidden") << each;
  }
}

// What holds an endpoint holds it, whatever is wrong with its page.
TEST(RefusalTest, AGatewaysPageThatEndsWithTheConnectionIsStillAWrongAddress) {
  for (const int status : {302, 404}) {
    HttpExchange exchange = Refused(status, "<html>nginx</html>");
    exchange.answer.ended_by_close = true;
    EXPECT_EQ(Name(OutcomeOf(exchange).kind), "wrong_address");
  }
}

// The profile says that a 409 is free: this one is not proven to be one.
TEST(RefusalTest, APriceOfTheProfileIsThatOfARefusalWhichIsProven) {
  const ServiceProfile profile = SandboxProfile(
      R"("currency": "NGN",)", R"("currency": "NGN", "billed_by_status": {"409":"no"},)");
  HttpExchange exchange = Refused(409, kError);
  EXPECT_EQ(Name(OutcomeOf(exchange, profile).billed), "no");
  exchange.answer.ended_by_close = true;
  EXPECT_EQ(Name(OutcomeOf(exchange, profile).kind), "unexpected");
  EXPECT_EQ(Name(OutcomeOf(exchange, profile).billed), "maybe");
}

// An unbilled request may be asked again, however its refusal ends.
TEST(RefusalTest, OfWhatCostsNothingNothingIsDoubted) {
  HttpExchange exchange = Refused(429, kVerifiedAnswer);
  exchange.answer.ended_by_close = true;
  EXPECT_EQ(Name(Classify(SandboxProfile(), Endpoint::kReasons, exchange, WallTime()).kind),
            "busy");
}

}  // namespace
}  // namespace idkiosk
