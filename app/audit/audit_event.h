#ifndef IDKIOSK_APP_AUDIT_AUDIT_EVENT_H_
#define IDKIOSK_APP_AUDIT_AUDIT_EVENT_H_

#include <span>
#include <string_view>

namespace idkiosk {

// What people do to a kiosk that an auditor asks about later.
enum class AuditEvent {
  kStarted,
  kVaultMade,
  kVaultRotated,
  kVaultProtected,
  kVaultAccepted,
  kVaultErased,
  kSecretSet,
  kServiceSet,
  kPasswordChanged,
  kAccountRegistered,
  kPinSet,
  kStaffAdded,
  kStaffRemoved,
  kSignedIn,
  kSignInRefused,
  kConfirmed,
  kCallAsked,
  kCallSentAgain,
  kCallGivenUp,
  kCallSettled,
  kCallCancelled,
  kCallDiscarded,
  kPersonErased,
  kFileSalvaged,
  kAnswerOpened,
  kNumberShown,
  kHoldLifted,
  kLedgerAccepted,
  kFleetCommand,
  kFleetRefused,
  kFleetKept,
  kFleetRolledBack,
  kNotDone,
  kTrailBegun,
  kTrailDamaged,
};

// A row of the catalogue.
struct AuditEventTraits {
  AuditEvent event;
  std::string_view name;     // as it stands in the trail: "pin.set". Never changed once it is used
  std::string_view meaning;  // what happened, for people
  std::string_view what;     // what the entry says besides; empty: nothing
};

// All of them, in the order of the enumeration. config/AUDIT.md is the same for people.
[[nodiscard]] std::span<const AuditEventTraits> AllAuditEvents();
[[nodiscard]] std::string_view Name(AuditEvent event);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_AUDIT_AUDIT_EVENT_H_
