#include "tests/app/service/service_fixture.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace idkiosk {
namespace {

ServiceSettings TestSettings(std::string_view base_url) {
  ServiceSettings settings;
  settings.base_url = base_url;
  settings.test_nin = "00000000000";
  return settings;
}

}  // namespace

std::string ReadRepositoryFile(const std::string& path) {
  std::ifstream file(path);
  EXPECT_TRUE(file.is_open()) << path;
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

ServiceProfile SandboxProfile(std::string_view from, std::string_view to) {
  std::string text = ReadRepositoryFile("config/profiles/sandbox.jsonc");
  if (!from.empty()) {
    const size_t at = text.find(from);
    if (at == std::string::npos) {
      throw std::invalid_argument(fmt::format("the sandbox's profile has no {}", from));
    }
    text.replace(at, from.size(), to);
  }
  auto profile = ParseProfile(text, "sandbox.jsonc");
  if (!profile) throw std::invalid_argument(profile.error().message);
  return std::move(*profile);
}

SecretBytes DrawJpeg(size_t size, char filler) {
  // Start; JFIF header; frame of 640 x 480 in grey; scan; end.
  constexpr std::string_view kBegin(
      "\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01\x01\x00\x00\x01\x00\x01\x00\x00"
      "\xff\xc0\x00\x0b\x08\x01\xe0\x02\x80\x01\x01\x11\x00"
      "\xff\xda\x00\x08\x01\x01\x00\x00\x3f\x00",
      43);
  std::string bytes(kBegin);
  bytes.resize(size - 2, filler);
  bytes += "\xff\xd9";
  return SecretBytes::Take(bytes);
}

VerificationCall FacialCall(std::string_view nin) {
  VerificationCall call;
  call.endpoint = Endpoint::kVerify;
  call.nin = SecretBytes::CopyOf(nin);
  call.reason = "KYC";
  call.pictures.selfie = DrawJpeg(3001, 's');
  for (size_t i = 0; i < call.pictures.liveness.size(); ++i) {
    call.pictures.liveness[i] = DrawJpeg(1000 + i, static_cast<char>('1' + i));
  }
  return call;
}

ServiceBench::ServiceBench(ServiceProfile with, Environment environment, std::string_view base_url)
    : profile(std::move(with)),
      settings(TestSettings(base_url)),
      tokens(profile, settings, environment, http, storage, clock),
      client(profile, settings, environment, http, storage, tokens, clock) {
  storage.Set(kApiKeySecret, "api-key");
  storage.Set(kUserIdSecret, "user-id");
  storage.Set(kLoginSecret, "kiosk@customer.example");
  storage.Set(kPasswordSecret, "pass\"word");
}

void ServiceBench::ServeLogins(FakeHttpClient::Server server) {
  http.set_server([this, server = std::move(server)](const FakeHttpClient::Seen& seen) {
    if (!seen.url.ends_with("/auth/login")) return server(seen);
    FakeHttpClient::Reply reply;
    reply.body = R"({"data":{"accessToken":"token-)" + std::to_string(++logins) +
                 R"(","expires_at":")" + FormatRfc3339(clock.WallNow() + std::chrono::hours(1)) +
                 R"("}})";
    return reply;
  });
}

}  // namespace idkiosk
