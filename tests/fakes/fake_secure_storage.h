#ifndef IDKIOSK_TESTS_FAKES_FAKE_SECURE_STORAGE_H_
#define IDKIOSK_TESTS_FAKES_FAKE_SECURE_STORAGE_H_

#include <map>
#include <string>

#include "platform/api/secure_storage.h"

namespace idkiosk {

// A vault in memory that hides nothing. Several threads may read at once, as of a vault in a file;
// who writes is alone.
class FakeSecureStorage final : public SecureStorage {
 public:
  // Another `root` derives other keys.
  explicit FakeSecureStorage(uint8_t root = 1) : root_(root) {}

  [[nodiscard]] Result<SecretBytes> Get(std::string_view name) override {
    if (get_error_) return std::unexpected(*get_error_);
    const auto found = secrets_.find(name);
    if (found == secrets_.end()) {
      return Fail(ErrorCode::kNotFound, "no secret '{}': run 'idkiosk vault set {}'", name, name);
    }
    return SecretBytes::CopyOf(found->second);
  }

  [[nodiscard]] Result<std::vector<std::optional<SecretBytes>>> GetTogether(
      std::span<const std::string_view> names) override {
    std::vector<std::optional<SecretBytes>> values;
    for (const std::string_view name : names) {
      const auto found = secrets_.find(name);
      values.emplace_back();
      if (found != secrets_.end()) values.back() = SecretBytes::CopyOf(found->second);
    }
    return values;
  }

  [[nodiscard]] Status Put(std::string_view name, const SecretBytes& value) override {
    if (put_error_) return std::unexpected(*put_error_);
    secrets_.insert_or_assign(std::string(name), std::string(value.text()));
    return {};
  }

  [[nodiscard]] Status Remove(std::string_view name) override {
    const auto found = secrets_.find(name);
    if (found == secrets_.end()) return Fail(ErrorCode::kNotFound, "no secret '{}'", name);
    secrets_.erase(found);
    return {};
  }

  [[nodiscard]] Result<Info> Describe() override {
    if (describe_error_) return std::unexpected(*describe_error_);
    Info info;
    info.protection = "none: a fake";
    for (const auto& [name, value] : secrets_) info.names.push_back(name);
    return info;
  }

  [[nodiscard]] RootKey DescribeRootKey() override { return root_key_; }

  [[nodiscard]] Result<SecretBytes> DeriveKey(std::string_view label) override {
    SecretBytes key(32);
    uint64_t mixed = root_;
    for (char c : label) mixed = (mixed ^ static_cast<uint8_t>(c)) * 0x100000001b3U;
    for (uint8_t& each : key.mutable_view()) {
      mixed = mixed * 6364136223846793005U + 1442695040888963407U;
      each = static_cast<uint8_t>(mixed >> 56);
    }
    return key;
  }

  [[nodiscard]] Result<std::unique_ptr<SecureMark>> OpenMark() override {
    return std::make_unique<Mark>(*this);
  }

  // Each Get fails like this; nothing: it works again.
  void FailGet(std::optional<Error> error) { get_error_ = std::move(error); }
  void Set(std::string_view name, std::string_view value) {
    secrets_.insert_or_assign(std::string(name), std::string(value));
  }
  [[nodiscard]] const Bytes& mark() const { return mark_; }
  void set_mark(Bytes mark) { mark_ = std::move(mark); }
  // It is gone, and the vault knows that there was one.
  void LoseMark() {
    mark_.clear();
    is_mark_lost_ = true;
  }
  // Another file is put in its place while it is open.
  void ReplaceMark() { is_mark_replaced_ = true; }
  // How often the mark was renewed.
  [[nodiscard]] int renewals() const { return renewals_; }
  void set_root_key(RootKey root_key) { root_key_ = std::move(root_key); }
  // The next calls of Describe return this error.
  void set_describe_error(std::optional<Error> error) { describe_error_ = std::move(error); }
  // The next calls of Put, and of the mark's Set, return this error.
  void set_put_error(std::optional<Error> error) { put_error_ = std::move(error); }

 private:
  class Mark final : public SecureMark {
   public:
    explicit Mark(FakeSecureStorage& storage) : storage_(storage) {}
    [[nodiscard]] const Bytes& value() const override { return storage_.mark_; }
    [[nodiscard]] bool is_lost() const override { return storage_.is_mark_lost_; }
    [[nodiscard]] Status CheckInPlace() override {
      if (!storage_.is_mark_replaced_) return {};
      return Fail(ErrorCode::kUnavailable, "the mark was replaced");
    }
    [[nodiscard]] Status Set(ByteSpan value) override {
      storage_.is_mark_lost_ = false;
      if (Status in_place = CheckInPlace(); !in_place) return in_place;
      if (storage_.put_error_) return std::unexpected(*storage_.put_error_);
      storage_.mark_.assign(value.begin(), value.end());
      return {};
    }
    [[nodiscard]] Status Sync() override { return {}; }
    [[nodiscard]] Status Renew() override {
      ++storage_.renewals_;
      return {};
    }

   private:
    FakeSecureStorage& storage_;
  };

  uint8_t root_;
  RootKey root_key_{"file", "good", "none: a fake", "", {}};
  int renewals_ = 0;
  Bytes mark_;
  bool is_mark_lost_ = false;
  bool is_mark_replaced_ = false;
  std::map<std::string, std::string, std::less<>> secrets_;
  std::optional<Error> describe_error_;
  std::optional<Error> get_error_;
  std::optional<Error> put_error_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_TESTS_FAKES_FAKE_SECURE_STORAGE_H_
