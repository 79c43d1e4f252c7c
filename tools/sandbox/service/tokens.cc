#include "tools/sandbox/service/tokens.h"

#include "tools/sandbox/store/digest.h"

namespace idkiosk::sandbox {
namespace {
constexpr size_t kTokenBytes = 32;
}

std::string Tokens::Issue(int64_t account, WallTime now, std::chrono::seconds lifetime) {
  std::string token = RandomHex(kTokenBytes);
  const MutexLock lock(mutex_);
  std::erase_if(entries_, [&](const auto& entry) { return entry.second.expires <= now; });
  entries_[Sha256(token)] = {account, now + lifetime};
  return token;
}

std::optional<int64_t> Tokens::Use(std::string_view token, WallTime now,
                                   std::chrono::seconds lifetime) {
  const std::string hash = Sha256(token);
  const MutexLock lock(mutex_);
  const auto found = entries_.find(hash);
  if (found == entries_.end()) return std::nullopt;
  if (found->second.expires <= now) {
    entries_.erase(found);
    return std::nullopt;
  }
  found->second.expires = now + lifetime;
  return found->second.account;
}

void Tokens::Revoke(std::string_view token) {
  const std::string hash = Sha256(token);
  const MutexLock lock(mutex_);
  entries_.erase(hash);
}

void Tokens::RevokeAllOf(int64_t account) {
  const MutexLock lock(mutex_);
  std::erase_if(entries_, [&](const auto& entry) { return entry.second.account == account; });
}

}  // namespace idkiosk::sandbox
