#include "drivers/secure_storage/tpm_trouble.h"

#include "platform/base/enum_rows.h"

namespace idkiosk {
namespace {

using enum TpmTrouble;

constexpr TpmTroubleTraits kTroubles[] = {
    {kAbsent, "absent", ErrorCode::kUnavailable,
     "the vault's key is in a TPM, and there is none here",
     "See that the TPM is switched on in the board's firmware, and that tpm.device names it. "
     "Nothing is lost: the vault opens as soon as the TPM answers."},
    {kNoAccess, "no access", ErrorCode::kForbidden,
     "the vault's key is in a TPM, which this user may not open",
     "Put the program's user into the group of the TPM's device (tss), or run the command as that "
     "user."},
    {kLockedOut, "locked out", ErrorCode::kUnavailable,
     "the TPM is locked, because somebody tried wrong passwords on it",
     "Leave it running: it unlocks by itself, after minutes or hours as it was set. Whoever has "
     "the "
     "TPM's lockout password can unlock it at once (tpm2_dictionarylockout --clear-lockout). "
     "Nothing is lost."},
    {kCleared, "cleared", ErrorCode::kUnauthenticated,
     "the TPM was cleared, and the vault's key went with it",
     "Nobody can open this vault again. Keep a copy of the state folder for support. Then run "
     "'idkiosk vault erase' and 'idkiosk vault init', and set this kiosk up again."},
    {kExchanged, "exchanged", ErrorCode::kUnauthenticated,
     "this is not the TPM that holds the vault's key",
     "Put the disk back into its own board, or the board's own TPM back. If that one is lost, run "
     "'idkiosk vault erase' and 'idkiosk vault init', and set this kiosk up again."},
    {kChanged, "changed", ErrorCode::kForbidden,
     "the TPM does not give the vault's key, because this board was started in another way than "
     "when the key was put there (its firmware, or its Secure Boot keys)",
     "Undo that change. Before a wanted one, run 'idkiosk vault protect --file', and after it "
     "'idkiosk vault protect --tpm'."},
    {kWrongAuth, "wrong auth", ErrorCode::kForbidden,
     "the TPM does not take the authorization that is in vault.key, so that file was changed",
     "Put vault.key back from a backup. It is not tried again until then."},
    {kOwned, "owned", ErrorCode::kForbidden,
     "the TPM has an owner password, which idkiosk does not know",
     "Have the TPM's owner password removed (tpm2_changeauth -c owner), and try again."},
    {kNoCounter, "no counter", ErrorCode::kUnauthenticated,
     "the TPM does not have the counter of this vault's changes, so these files may be older ones "
     "that were put back",
     "Put the newest files of the vault back. If there are none, run 'idkiosk vault erase' and "
     "'idkiosk vault init', and set this kiosk up again."},
    {kRolledBack, "rolled back", ErrorCode::kUnauthenticated,
     "AN OLDER COPY OF THE VAULT WAS PUT BACK: the TPM has counted changes that it lacks. Nothing "
     "is "
     "sent",
     "Put the newest state folder back. If it is lost, find out who put the older one there; then "
     "run 'idkiosk vault accept', and decide about each waiting call, which may have been sent."},
    {kFailed, "failed", ErrorCode::kUnavailable, "the TPM could not do what it was asked",
     "Try again. If it stays so, restart the board, and have the TPM looked at."},
};

static_assert(HasEachRow(kTroubles, &TpmTroubleTraits::trouble));

}  // namespace

const TpmTroubleTraits& TraitsOf(TpmTrouble trouble) {
  return kTroubles[static_cast<size_t>(trouble)];
}

Error TpmError::ToError() const {
  const TpmTroubleTraits& traits = TraitsOf(trouble);
  return {traits.code, fmt::format("{} ({}). {}", traits.text, detail, traits.mend)};
}

}  // namespace idkiosk
