#include "app/session/staff/staff_list.h"

#include <algorithm>

#include "app/settings/operator_name.h"
#include "platform/base/text/letter_case.h"

// Somebody lies in the vault as the secret "staff." and the name in small letters: a line of text,
// "staff/1 ", the kind of work, a space and the name, and behind its end the record of the PIN.
// Nobody has two names that differ by capitals alone.
//
// The one clerk and the one operator of a kiosk where people have no names of their own lie where
// an idkiosk without names put them, as the secrets "clerk_pin" and "operator_pin": the record
// alone.

namespace idkiosk {
namespace {

constexpr std::string_view kPrefix = "staff.";
constexpr std::string_view kListMagic = "staff/1 ";
constexpr Staff kKinds[] = {Staff::kClerk, Staff::kOperator};

std::string SecretOf(const StaffMember& member) {
  if (IsUnnamed(member)) return std::string(PinSecret(member.staff));
  return fmt::format("{}{}", kPrefix, LowerCase(member.name));
}

std::string HeadOf(const StaffMember& member) {
  return fmt::format("{}{} {}\n", kListMagic, Name(member.staff), member.name);
}

// A damaged one opens nothing, and is somebody all the same: who has lost the PIN gets a new one.
StaffMember MemberOf(std::string_view secret, const SecretBytes& value) {
  for (const Staff kind : kKinds) {
    if (secret == PinSecret(kind)) return {std::string(Name(kind)), kind, value.Clone()};
  }
  StaffMember member{std::string(secret.substr(kPrefix.size())), Staff::kClerk, SecretBytes()};
  const std::string_view text = value.text();
  for (const Staff kind : kKinds) {
    const std::string begin = fmt::format("{}{} ", kListMagic, Name(kind));
    const size_t end = text.find('\n');
    if (!text.starts_with(begin) || end == std::string_view::npos) continue;
    member.name = text.substr(begin.size(), end - begin.size());
    member.staff = kind;
    member.record = SecretBytes::CopyOf(text.substr(end + 1));
  }
  return member;
}

bool IsOfStaff(std::string_view secret) {
  return secret.starts_with(kPrefix) ||
         std::ranges::any_of(kKinds, [&](Staff kind) { return secret == PinSecret(kind); });
}

}  // namespace

std::string StaffMember::Id() const {
  return fmt::format("{} {}", LowerCase(name), ToHex(PinSalt(record)));
}

Status CheckStaffName(std::string_view name) {
  if (name.empty()) return Fail(ErrorCode::kInvalid, "must not be empty");
  if (Status good = CheckOperatorName(name); !good) return good;
  const std::string lower = LowerCase(name);
  for (const Staff kind : kKinds) {
    if (lower != Name(kind)) continue;
    return Fail(ErrorCode::kInvalid,
                "is what somebody without a name is called: give a person's own name");
  }
  return {};
}

bool IsUnnamed(const StaffMember& member) { return member.name == Name(member.staff); }

Result<std::vector<StaffMember>> ReadStaff(SecureStorage& storage) {
  const auto info = storage.Describe();
  if (!info) return std::unexpected(info.error());
  std::vector<std::string_view> names;
  std::ranges::copy_if(info->names, std::back_inserter(names), IsOfStaff);
  if (names.empty()) return std::vector<StaffMember>();
  const auto values = storage.GetTogether(names);
  if (!values) return std::unexpected(values.error());
  std::vector<StaffMember> staff;
  for (size_t i = 0; i < names.size(); ++i) {
    if ((*values)[i]) staff.push_back(MemberOf(names[i], *(*values)[i]));
  }
  std::ranges::sort(staff, {}, [](const StaffMember& each) { return LowerCase(each.name); });
  return staff;
}

const StaffMember* FindMember(std::span<const StaffMember> staff, std::string_view name) {
  const auto found = std::ranges::find(
      staff, LowerCase(name), [](const StaffMember& each) { return LowerCase(each.name); });
  return found == staff.end() ? nullptr : &*found;
}

std::vector<std::string> NamesOf(std::span<const StaffMember> staff, Staff kind) {
  std::vector<std::string> names;
  for (const StaffMember& each : staff) {
    if (each.staff == kind) names.push_back(each.name);
  }
  return names;
}

std::vector<std::string> WhoMayAgree(std::vector<std::string> operators) {
  if (operators.size() > 1) std::erase(operators, Name(Staff::kOperator));
  return operators;
}

size_t CountOperators(std::span<const StaffMember> staff) {
  return WhoMayAgree(NamesOf(staff, Staff::kOperator)).size();
}

Status PutMember(SecureStorage& storage, const StaffMember& member) {
  if (IsUnnamed(member)) return storage.Put(SecretOf(member), member.record);
  const std::string head = HeadOf(member);
  SecretBytes value(head.size() + member.record.size());
  const auto to = std::ranges::copy(AsBytes(head), value.mutable_view().begin()).out;
  std::ranges::copy(member.record.view(), to);
  return storage.Put(SecretOf(member), value);
}

Status RemoveMember(SecureStorage& storage, const StaffMember& member) {
  return storage.Remove(SecretOf(member));
}

Status CheckPinOfNobodyElse(const SecretBytes& pin, std::string_view name, Staff kind,
                            std::span<const StaffMember> staff, const Crypto& crypto) {
  const StaffMember* const own = FindMember(staff, name);
  const bool keeps_operators = kind == Staff::kClerk && CountOperators(staff) >= 2;
  for (const StaffMember& each : staff) {
    if (&each == own || (keeps_operators && each.staff == Staff::kOperator)) continue;
    const auto fits = PinFits(each.record, pin, crypto);
    if (!fits || !*fits) continue;  // a damaged record opens nothing
    return Fail(ErrorCode::kInvalid, "this PIN cannot be told from somebody else's here: {}",
                kHowToChoosePin);
  }
  return {};
}

}  // namespace idkiosk
