#ifndef IDKIOSK_APP_SESSION_STAFF_PIN_RECORD_H_
#define IDKIOSK_APP_SESSION_STAFF_PIN_RECORD_H_

#include <cstdint>
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

// Whether a PIN is worth having: 6 to 12 digits, and nothing that is tried first (a repetition, a
// run, pairs, a mirror image, a date, years). Errors: kInvalid; the message says what is wrong and
// how to choose, and does not repeat the PIN.
[[nodiscard]] Status CheckNewPin(const SecretBytes& pin);

// Whether a PIN differs from that of the other kind of staff, of which this is the record. Takes as
// long as PinFits. Errors: kInvalid, as of CheckNewPin.
[[nodiscard]] Status CheckDiffers(const SecretBytes& pin, Staff other, const SecretBytes& record,
                                  const Crypto& crypto);

// Returns how many iterations of stretching take about 100 ms here: so long the owner waits, and
// so long a thief of the record needs for each guess.
[[nodiscard]] uint32_t MeasureIterations(const Crypto& crypto, const Clock& clock);

// The stored record of a PIN; the format is described in the source.
[[nodiscard]] SecretBytes MakePinRecord(const SecretBytes& pin, uint32_t iterations,
                                        const Crypto& crypto, Entropy& entropy);

// Whether this is the record's PIN; takes as long for a wrong one. Errors: kCorrupt (no record of
// ours, or of a newer program).
[[nodiscard]] Result<bool> PinFits(const SecretBytes& record, const SecretBytes& pin,
                                   const Crypto& crypto);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_SESSION_STAFF_PIN_RECORD_H_
