#ifndef IDKIOSK_APP_SESSION_STAFF_STAFF_LIST_H_
#define IDKIOSK_APP_SESSION_STAFF_STAFF_LIST_H_

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/session/staff/pin_record.h"
#include "platform/api/secure_storage.h"

// The people who may sign in on the page, each with a name, one kind of work and a PIN of their
// own.
namespace idkiosk {

struct StaffMember {
  std::string name;  // for people, as it was given
  Staff staff = Staff::kClerk;
  SecretBytes record;  // of the PIN

  // Stands for this name with this PIN: another PIN makes another one.
  [[nodiscard]] std::string Id() const;
};

inline constexpr size_t kMostOfOneKind = 64;

// Whether somebody may have this name: the operator's of settings/operator_name.h, and neither
// "clerk" nor "operator", which name the one person of a kiosk where people have no names of their
// own. Errors: kInvalid.
[[nodiscard]] Status CheckStaffName(std::string_view name);

// Whether it is one of those two: the ledger and the trail know nobody better.
[[nodiscard]] bool IsUnnamed(const StaffMember& member);

// Returns everybody, by their names. Errors: SecureStorage's.
[[nodiscard]] Result<std::vector<StaffMember>> ReadStaff(SecureStorage& storage);

// Returns who has this name, whatever its capitals; null: nobody. Must not outlive `staff`.
[[nodiscard]] const StaffMember* FindMember(std::span<const StaffMember> staff,
                                            std::string_view name);

// Returns the names of one kind.
[[nodiscard]] std::vector<std::string> NamesOf(std::span<const StaffMember> staff, Staff kind);

// Returns those of the operators' names that may agree where it takes two: a PIN without a name is
// known to whoever set the kiosk up, so it stands for nobody once operators have names.
[[nodiscard]] std::vector<std::string> WhoMayAgree(std::vector<std::string> operators);
// Returns how many they are: what depends on a second operator goes by this count alone.
[[nodiscard]] size_t CountOperators(std::span<const StaffMember> staff);

// Adds somebody, or replaces who has that name. Errors: SecureStorage's.
[[nodiscard]] Status PutMember(SecureStorage& storage, const StaffMember& member);
[[nodiscard]] Status RemoveMember(SecureStorage& storage, const StaffMember& member);

// Whether nobody but `name` has this PIN: who knows a PIN of two people could stand for both. Of a
// clerk's it is not told whether an operator has it where several may agree: whoever gives clerks
// their PINs alone would find that of the other operator by trying out. Takes as long as PinFits
// for each of the others. Errors: kInvalid; it does not say whose it is.
[[nodiscard]] Status CheckPinOfNobodyElse(const SecretBytes& pin, std::string_view name, Staff kind,
                                          std::span<const StaffMember> staff, const Crypto& crypto);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_SESSION_STAFF_STAFF_LIST_H_
