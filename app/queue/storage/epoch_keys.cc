#include "app/queue/storage/epoch_keys.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "platform/api/crypto.h"
#include "platform/base/text/digits.h"

namespace idkiosk {
namespace {

constexpr std::string_view kPrefix = "queue.epoch.";

std::string NameOf(uint32_t epoch) { return fmt::format("{}{}", kPrefix, epoch); }

std::optional<uint32_t> EpochOf(std::string_view name) {
  if (!name.starts_with(kPrefix)) return std::nullopt;
  name.remove_prefix(kPrefix.size());
  const auto epoch = ParseNumber<uint32_t>(name);
  return epoch > EpochKeys::kDerived ? epoch : std::nullopt;
}

constexpr uint32_t kMostAhead = 1000;

// Behind the key the number of its look, 8 bytes; an earlier idkiosk left it out.
constexpr size_t kSizeWithLook = Crypto::kKeySize + sizeof(uint64_t);

}  // namespace

EpochKeys::EpochKeys(SecureStorage& storage, Entropy& entropy, SecretBytes derived)
    : storage_(storage), entropy_(entropy) {
  keys_.emplace(kDerived, Key{std::move(derived), 0});
}

Status EpochKeys::Load() {
  const auto info = storage_.Describe();
  if (!info) return std::unexpected(info.error());
  for (const std::string& name : info->names) {
    const auto epoch = EpochOf(name);
    if (!epoch) continue;
    auto key = storage_.Get(name);
    if (!key) return std::unexpected(key.error());
    if (key->size() != Crypto::kKeySize && key->size() != kSizeWithLook) {
      return Fail(ErrorCode::kCorrupt,
                  "the vault's '{}' is not a key: bring the vault back that "
                  "wrote it",
                  name);
    }
    const ByteSpan look = key->view().subspan(Crypto::kKeySize);
    keys_.insert_or_assign(*epoch, Key{SecretBytes::CopyOf(key->view().first(Crypto::kKeySize)),
                                       look.empty() ? 0 : ReadUint64(look.first<8>())});
  }
  return {};
}

std::vector<uint32_t> EpochKeys::All() const {
  std::vector<uint32_t> epochs;
  for (const auto& [epoch, key] : keys_) epochs.push_back(epoch);
  return epochs;
}

const SecretBytes* EpochKeys::Find(uint32_t epoch) const {
  const auto found = keys_.find(epoch);
  return found == keys_.end() ? nullptr : &found->second.key;
}

uint64_t EpochKeys::LookOf(uint32_t epoch) const {
  const auto found = keys_.find(epoch);
  return found == keys_.end() ? 0 : found->second.look;
}

Status EpochKeys::Begin(uint64_t look, const std::set<uint32_t>& used) {
  SecretBytes key(Crypto::kKeySize);
  entropy_.Fill(key.mutable_view());
  // A number that is far ahead is damage.
  const auto behind = used.upper_bound(newest() + kMostAhead);
  const uint32_t epoch = std::max(newest(), behind == used.begin() ? 0 : *std::prev(behind)) + 1;
  Bytes number;
  AppendUint64(number, look);
  SecretBytes value(kSizeWithLook);
  std::ranges::copy(key.view(), value.mutable_view().begin());
  std::ranges::copy(number, value.mutable_view().begin() + Crypto::kKeySize);
  if (Status put = storage_.Put(NameOf(epoch), value); !put) return put;
  keys_.emplace(epoch, Key{std::move(key), look});
  return {};
}

Status EpochKeys::Forget(const std::set<uint32_t>& used, bool just_turned) {
  std::vector<uint32_t> gone;
  const bool keeps_two = just_turned && keys_.size() > 1;
  const uint32_t first_kept = keeps_two ? std::next(keys_.rbegin())->first : newest();
  for (const auto& [epoch, key] : keys_) {
    if (epoch != kDerived && epoch < first_kept && !used.contains(epoch)) gone.push_back(epoch);
  }
  for (const uint32_t epoch : gone) {
    if (Status removed = storage_.Remove(NameOf(epoch)); !removed) return removed;
    keys_.erase(epoch);
  }
  return {};
}

}  // namespace idkiosk
