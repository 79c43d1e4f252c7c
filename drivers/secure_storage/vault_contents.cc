#include "drivers/secure_storage/vault_contents.h"

#include <algorithm>

namespace idkiosk {
namespace {

constexpr std::string_view kNameCharacters = "abcdefghijklmnopqrstuvwxyz0123456789._-";

bool IsName(std::string_view name) {
  return !name.empty() && name.size() <= VaultContents::kMaxNameSize &&
         name.find_first_not_of(kNameCharacters) == std::string_view::npos;
}

// Takes `size` bytes off the front of `bytes`; nothing if there are fewer.
std::optional<ByteSpan> Take(ByteSpan& bytes, size_t size) {
  if (bytes.size() < size) return std::nullopt;
  const ByteSpan front = bytes.first(size);
  bytes = bytes.subspan(size);
  return front;
}

// Copies `bytes` to the front of `out` and moves `out` behind them.
void Append(MutableByteSpan& out, ByteSpan bytes) {
  std::ranges::copy(bytes, out.begin());
  out = out.subspan(bytes.size());
}

}  // namespace

VaultContents VaultContents::Fresh(Entropy& entropy) {
  SecretBytes root(kRootSize);
  entropy.Fill(root.mutable_view());
  return VaultContents(std::move(root));
}

Result<VaultContents> VaultContents::Decode(SecretBytes bytes) {
  VaultContents contents(std::move(bytes));
  if (!contents.Parse()) return Fail(ErrorCode::kCorrupt, "its contents make no sense");
  return contents;
}

std::optional<std::vector<VaultContents::Entry>> VaultContents::Parse() const {
  ByteSpan rest = bytes_.view();
  if (!Take(rest, kRootSize)) return std::nullopt;
  std::vector<Entry> entries;
  while (!rest.empty()) {
    const auto name_size = Take(rest, 1);
    const auto name = Take(rest, name_size->front());
    if (!name || !IsName(AsText(*name))) return std::nullopt;
    if (!entries.empty() && AsText(*name) <= entries.back().name) return std::nullopt;
    const auto value_size = Take(rest, 4);
    if (!value_size) return std::nullopt;
    const auto value = Take(rest, ReadUint32(value_size->first<4>()));
    if (!value) return std::nullopt;
    entries.push_back({AsText(*name), *value});
  }
  return entries;
}

SecretBytes VaultContents::Encode(ByteSpan root, const std::vector<Entry>& entries) {
  size_t size = root.size();
  for (const Entry& each : entries) size += 1 + each.name.size() + 4 + each.value.size();
  SecretBytes bytes(size);
  MutableByteSpan rest = bytes.mutable_view();
  Append(rest, root);
  for (const Entry& each : entries) {
    Append(rest, Bytes{static_cast<uint8_t>(each.name.size())});
    Append(rest, AsBytes(each.name));
    Bytes value_size;
    AppendUint32(value_size, static_cast<uint32_t>(each.value.size()));
    Append(rest, value_size);
    Append(rest, each.value);
  }
  return bytes;
}

std::optional<ByteSpan> VaultContents::Find(std::string_view name) const {
  for (const Entry& each : Entries()) {
    if (each.name == name) return each.value;
  }
  return std::nullopt;
}

std::vector<std::string> VaultContents::names() const {
  std::vector<std::string> names;
  for (const Entry& each : Entries()) names.emplace_back(each.name);
  return names;
}

Result<VaultContents> VaultContents::With(std::string_view name, const SecretBytes& value) const {
  if (!IsName(name)) {
    return Fail(ErrorCode::kInvalid,
                "'{}' cannot name a secret: use 1 to {} of a-z, 0-9, '.', '_' and '-'", name,
                kMaxNameSize);
  }
  if (value.size() > kMaxValueSize) {
    return Fail(ErrorCode::kInvalid, "the secret {} has {} bytes; {} are the most it may have",
                name, value.size(), kMaxValueSize);
  }
  auto entries = Entries();
  std::erase_if(entries, [&](const Entry& each) { return each.name == name; });
  entries.push_back({name, value.view()});
  std::ranges::sort(entries, {}, &Entry::name);
  VaultContents changed(Encode(root(), entries));
  if (changed.bytes_.size() > kMaxSize) {
    return Fail(ErrorCode::kExhausted, "the vault is full: it holds {} bytes at most", kMaxSize);
  }
  return changed;
}

VaultContents VaultContents::Without(std::string_view name) const {
  auto entries = Entries();
  std::erase_if(entries, [&](const Entry& each) { return each.name == name; });
  return VaultContents(Encode(root(), entries));
}

}  // namespace idkiosk
