#include "app/audit/audit_event.h"

#include "platform/base/enum_rows.h"

namespace idkiosk {
namespace {

using enum AuditEvent;

constexpr AuditEventTraits kEvents[] = {
    {kStarted, "kiosk.started", "`idkiosk run` started", "version, and the service's address"},
    {kVaultMade, "vault.made", "The vault was made", ""},
    {kVaultRotated, "vault.rotated", "The vault was given a new key", ""},
    {kVaultProtected, "vault.protected", "The vault's key was moved", "where to: tpm or file"},
    {kVaultAccepted, "vault.accepted", "An older copy of the vault was taken for the newest", ""},
    {kVaultErased, "vault.erased", "Every secret is erased; nothing later proves this trail", ""},
    {kSecretSet, "secret.set", "A secret was put into the vault", "its name"},
    {kServiceSet, "service.set", "Address and credentials of the service were set",
     "the address before, and the one from then on"},
    {kPasswordChanged, "account.password_changed", "The account's password was changed", ""},
    {kAccountRegistered, "account.registered", "An account was registered at the service", ""},
    {kPinSet, "pin.set", "A PIN was set", "whose: clerk or operator, or a name"},
    {kStaffAdded, "staff.added", "Somebody may sign in from now on", "as what, and the name"},
    {kStaffRemoved, "staff.removed", "Somebody may not sign in any more", "as what, and the name"},
    {kSignedIn, "staff.signed_in", "Somebody signed in on the page", "as whom"},
    {kSignInRefused, "staff.refused", "Somebody was not let in on the page", "as whom, and why"},
    {kConfirmed, "staff.confirmed", "A second operator agreed to the next entry", "to which event"},
    {kCallAsked, "call.asked", "Another program asked for a check through the local API",
     "its reference"},
    {kCallSentAgain, "call.sent_again",
     "A call is sent again, which may bill it again; what held its kind is lifted with it",
     "its reference"},
    {kCallGivenUp, "call.given_up", "An unknown call was ended without an answer", "its reference"},
    {kCallSettled, "call.settled", "The service's operator's word on an attempt in doubt was taken",
     "the call's reference, the attempt, and what was said"},
    {kCallCancelled, "call.cancelled", "A call was ended before it was sent", "its reference"},
    {kCallDiscarded, "call.discarded", "A damaged file, or a damaged or lost call, was ended",
     "the file, or the call's reference"},
    {kPersonErased, "person.erased", "Everything kept of a person was erased on request",
     "the reference of each call; \"nothing was found\" where there is none"},
    {kFileSalvaged, "queue.salvaged", "Calls were taken over from a damaged file", "the file"},
    {kAnswerOpened, "answer.opened", "Somebody read a sealed answer, which holds personal data",
     "the call's reference"},
    {kNumberShown, "number.shown", "Staff had the whole number of a call shown on the page",
     "the call's reference"},
    {kHoldLifted, "hold.lifted", "A hold was lifted", "which"},
    {kLedgerAccepted, "ledger.accepted", "A ledger that was not genuine was accepted",
     "what was wrong with it"},
    {kFleetCommand, "fleet.command", "A signed command of headquarters is carried out",
     "its action, its revision, and what it is about"},
    {kFleetRefused, "fleet.refused",
     "Something that should be a command of headquarters was refused",
     "which, and why; or how many more were"},
    {kFleetKept, "fleet.kept", "Settings of a command stay, as the kiosk is well with them",
     "the command's revision, and the keys"},
    {kFleetRolledBack, "fleet.rolled_back", "Settings of a command were taken back",
     "the command's revision, and what was wrong"},
    {kNotDone, "not_done", "What the same person's previous entry says was not done",
     "which event, and why not"},
    {kTrailBegun, "trail.begun",
     "A new vault proves nothing of the trail before, which is kept beside this one", ""},
    {kTrailDamaged, "trail.damaged", "This trail was found damaged, and goes on",
     "what `idkiosk audit verify` said then"},
};

static_assert(HasEachRow(kEvents, &AuditEventTraits::event));

}  // namespace

std::span<const AuditEventTraits> AllAuditEvents() { return kEvents; }

std::string_view Name(AuditEvent event) { return kEvents[static_cast<size_t>(event)].name; }

}  // namespace idkiosk
