#ifndef IDKIOSK_APP_SESSION_STAFF_PIN_RECORD_H_
#define IDKIOSK_APP_SESSION_STAFF_PIN_RECORD_H_

#include <cstdint>
#include <span>
#include <string_view>

#include "platform/api/clock.h"
#include "platform/api/crypto.h"
#include "platform/api/entropy.h"

namespace idkiosk {

// The kinds of staff that have a PIN.
enum class Staff {
  kClerk,     // the desk of a branch, a field agent's handheld
  kOperator,  // the operator's console
};

// "clerk", "operator".
[[nodiscard]] std::string_view Name(Staff staff);
// The vault's name for the PIN's record: "clerk_pin", "operator_pin".
[[nodiscard]] std::string_view PinSecret(Staff staff);

// Ends a sentence that refuses a PIN.
inline constexpr std::string_view kHowToChoosePin =
    "choose digits that follow no rule, are no date, and open nothing else of yours";

// Whether a PIN is worth having: 6 to 12 digits, and nothing that is tried first (a repetition, a
// run, pairs, a mirror image, a date, years, a part of one of the account's numbers). `account`:
// texts of which the digits are such numbers. Errors: kInvalid; the message says what is wrong and
// how to choose, and does not repeat the PIN.
[[nodiscard]] Status CheckNewPin(const SecretBytes& pin, std::span<const SecretBytes> account = {});

// Returns how many iterations of stretching take about 100 ms here: so long the owner waits, and
// so long a thief of the record needs for each guess.
[[nodiscard]] uint32_t MeasureIterations(const Crypto& crypto, const Clock& clock);

// The stored record of a PIN; the format is described in the source.
[[nodiscard]] SecretBytes MakePinRecord(const SecretBytes& pin, uint32_t iterations,
                                        const Crypto& crypto, Entropy& entropy);

// Returns what tells this record from every other one, that of the same PIN too; empty: it is none.
[[nodiscard]] ByteSpan PinSalt(const SecretBytes& record);

// Whether this is the record's PIN; takes as long for a wrong one. Errors: kCorrupt (no record of
// ours, or of a newer program).
[[nodiscard]] Result<bool> PinFits(const SecretBytes& record, const SecretBytes& pin,
                                   const Crypto& crypto);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_SESSION_STAFF_PIN_RECORD_H_
