#include "tools/sandbox/store/password.h"

#include <argon2.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>

#include "platform/base/bytes.h"
#include "tools/sandbox/store/digest.h"

namespace idkiosk::sandbox {
namespace {

// OWASP's password storage cheat sheet, the second of its equivalent settings.
constexpr uint32_t kPasses = 2;
constexpr uint32_t kMemoryKib = 19 * 1024;
constexpr size_t kSaltBytes = 16;
constexpr size_t kHashBytes = 32;

constexpr size_t kShortest = 10;
constexpr size_t kLongest = 128;

}  // namespace

std::string HashPassword(std::string_view password) {
  const Bytes salt = RandomBytes(kSaltBytes);
  std::string encoded(argon2_encodedlen(kPasses, kMemoryKib, 1, kSaltBytes, kHashBytes, Argon2_id),
                      '\0');
  if (argon2id_hash_encoded(kPasses, kMemoryKib, 1, password.data(), password.size(), salt.data(),
                            salt.size(), kHashBytes, encoded.data(), encoded.size()) != ARGON2_OK) {
    std::abort();  // only for want of 19 MiB of memory
  }
  encoded.resize(encoded.find('\0'));
  return encoded;
}

bool PasswordMatches(std::string_view password, const std::string& hash) {
  return argon2id_verify(hash.c_str(), password.data(), password.size()) == ARGON2_OK;
}

std::string PasswordWeakness(std::string_view password) {
  const auto has = [&](auto kind) {
    return std::ranges::any_of(password, [&](unsigned char c) { return kind(c) != 0; });
  };
  std::string lacks;
  const auto require = [&](bool met, std::string_view what) {
    if (!met) lacks += (lacks.empty() ? "" : ", ") + std::string(what);
  };
  require(password.size() >= kShortest, "at least 10 characters");
  require(password.size() <= kLongest, "at most 128 characters");
  require(has([](int c) { return std::isupper(c); }), "an upper case letter");
  require(has([](int c) { return std::islower(c); }), "a lower case letter");
  require(has([](int c) { return std::isdigit(c); }), "a digit");
  require(has([](int c) { return std::ispunct(c); }), "a special character");
  return lacks.empty() ? "" : "The password needs " + lacks + ".";
}

std::string MakePassword() {
  // A letter of each kind, a digit and a special character, then more than enough chance.
  return "Kx7-" + RandomText(6) + "-" + RandomText(6) + "-" + RandomText(6);
}

}  // namespace idkiosk::sandbox
