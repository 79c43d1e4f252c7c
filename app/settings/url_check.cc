#include "app/settings/url_check.h"

#include <arpa/inet.h>

#include <algorithm>
#include <initializer_list>

#include "platform/base/text/digits.h"
#include "platform/base/text/letter_case.h"

namespace idkiosk {
namespace {

// What is between the scheme and the end of an address.
struct Address {
  std::string scheme;  // lower case
  std::string host;    // lower case; an IPv6 address with its brackets
  std::string port;    // with its colon; empty if there is none
  std::string path;    // with its slash in front and none at the end
};

bool IsIpAddress(int family, const std::string& text) {
  unsigned char address[sizeof(in6_addr)];
  return inet_pton(family, text.c_str(), address) == 1;
}

bool IsHostName(std::string_view host) {
  constexpr std::string_view kAllowed = "abcdefghijklmnopqrstuvwxyz0123456789-";
  while (true) {
    const std::string_view label = host.substr(0, host.find('.'));
    if (label.empty() || label.size() > 63 || label.starts_with('-') || label.ends_with('-') ||
        label.find_first_not_of(kAllowed) != std::string_view::npos) {
      return false;
    }
    if (label.size() == host.size()) return true;
    host.remove_prefix(label.size() + 1);
  }
}

// Numbers and dots alone are an IPv4 address, and then a whole one: 127.1 means something else to
// every program.
bool IsHost(const std::string& host) {
  if (host.starts_with('[')) {
    return host.ends_with(']') && IsIpAddress(AF_INET6, host.substr(1, host.size() - 2));
  }
  if (host.find_first_not_of("0123456789.") == std::string::npos) return IsIpAddress(AF_INET, host);
  return host.size() <= 253 && IsHostName(host);
}

bool IsPort(std::string_view port) {
  const auto number = ParseNumber<int>(port);
  return number >= 1 && number <= 65535;
}

bool HasOddCharacters(std::string_view text) {
  return std::ranges::any_of(text, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte <= 0x20 || byte >= 0x7f || std::string_view("\"<>\\^`{|}").contains(c);
  });
}

bool IsPath(std::string_view path) {
  while (!path.empty()) {
    path.remove_prefix(1);
    const std::string_view segment = path.substr(0, path.find('/'));
    if (segment.empty() || segment == "." || segment == "..") return false;
    path.remove_prefix(segment.size());
  }
  return true;
}

// What is said of an address that is none, or that holds a password.
struct Words {
  std::string_view begin;
  std::string_view login;
};
constexpr Words kOfBaseUrl = {
    "must begin with https://",
    "must hold no user name or password: what logs in belongs into the vault ('idkiosk vault set "
    "login')"};
constexpr Words kOfWebhook = {
    "must begin with https://",
    "must hold no user name or password: the receiver knows a result by its signature ('idkiosk "
    "vault set webhook-key')"};
constexpr Words kOfProxy = {
    "must begin with http://, https://, socks5:// or socks5h://",
    "must hold no user name or password: idkiosk logs in at no proxy, so it needs one that lets it "
    "through without"};

Result<Address> Split(std::string_view text, const Words& words) {
  if (HasOddCharacters(text)) {
    return Fail(ErrorCode::kInvalid,
                "holds a space or another character that no address has; write a name with letters "
                "beyond a-z in its xn-- form");
  }
  const size_t colon = text.find("://");
  if (colon == std::string_view::npos) {
    return Fail(ErrorCode::kInvalid, "{}", words.begin);
  }
  Address address;
  address.scheme = LowerCase(text.substr(0, colon));
  text.remove_prefix(colon + 3);
  if (text.find_first_of("?#") != std::string_view::npos) {
    return Fail(ErrorCode::kInvalid, "must hold neither '?' nor '#': write the part before it");
  }
  const std::string_view authority = text.substr(0, text.find('/'));
  address.path = text.substr(authority.size());
  while (address.path.ends_with('/')) address.path.pop_back();
  if (authority.contains('@')) {
    return Fail(ErrorCode::kInvalid, "{}", words.login);
  }
  const size_t port = authority.find(':', authority.starts_with('[') ? authority.find(']') : 0);
  address.host = LowerCase(authority.substr(0, port));
  if (!IsHost(address.host)) {
    return Fail(ErrorCode::kInvalid,
                "names no host: write it as https://HOST or https://HOST:PORT");
  }
  if (port != std::string_view::npos) {
    if (!IsPort(authority.substr(port + 1))) {
      return Fail(ErrorCode::kInvalid, "has a port that is not a number from 1 to 65535");
    }
    address.port = authority.substr(port);
  }
  if (!IsPath(address.path)) {
    return Fail(ErrorCode::kInvalid, "has a path with an empty part or with '.' or '..'");
  }
  return address;
}

std::string Join(const Address& address) {
  return address.scheme + "://" + address.host + address.port + address.path;
}

Result<std::string> CheckHttp(std::string_view text, const Words& words) {
  const auto address = Split(text, words);
  if (!address) return std::unexpected(address.error());
  if (address->scheme != "https" && address->scheme != "http") {
    return Fail(ErrorCode::kInvalid, "{}", words.begin);
  }
  return Join(*address);
}

}  // namespace

Result<std::string> CheckBaseUrl(std::string_view text) { return CheckHttp(text, kOfBaseUrl); }

// A receiver may answer 404 to one of the two forms, and no redirect is followed.
Result<std::string> CheckWebhook(std::string_view text) {
  auto address = CheckHttp(text, kOfWebhook);
  if (address && text.ends_with('/')) *address += '/';
  return address;
}

Result<std::string> CheckProxy(std::string_view text) {
  const auto address = Split(text, kOfProxy);
  if (!address) return std::unexpected(address.error());
  const auto schemes = {"http", "https", "socks5", "socks5h"};
  if (std::ranges::find(schemes, address->scheme) == schemes.end()) {
    return Fail(ErrorCode::kInvalid, "{}", kOfProxy.begin);
  }
  if (address->port.empty() || !address->path.empty()) {
    return Fail(ErrorCode::kInvalid, "must be of the form http://HOST:PORT");
  }
  return Join(*address);
}

bool IsPlainHttp(std::string_view base_url) { return base_url.starts_with("http://"); }

bool IsLoopback(std::string_view base_url) {
  const auto address = Split(base_url, kOfBaseUrl);
  if (!address) return false;
  const std::string& host = address->host;
  return host == "localhost" || host == "[::1]" ||
         (host.starts_with("127.") && IsIpAddress(AF_INET, host));
}

}  // namespace idkiosk
