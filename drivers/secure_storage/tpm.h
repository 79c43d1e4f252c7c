#ifndef IDKIOSK_DRIVERS_SECURE_STORAGE_TPM_H_
#define IDKIOSK_DRIVERS_SECURE_STORAGE_TPM_H_

#include <cstdint>
#include <string>
#include <vector>

#include "drivers/secure_storage/tpm_trouble.h"
#include "platform/base/bytes.h"
#include "platform/base/secret_bytes.h"

namespace idkiosk {

// A TPM 2.0, by tpm2-tss. Each call opens it and leaves nothing loaded in it. No secret is seen on
// the wire: each call has a session of its own, salted by the TPM's storage key, which encrypts
// what is secret of it with AES-128, and proves both ends to each other. One thread.
//
// It uses the storage hierarchy with an empty owner password, and ECC P-256 as its storage key.
class Tpm {
 public:
  // `device`: "/dev/tpmrm0", or a transmission of tpm2-tss ("swtpm:path=...").
  explicit Tpm(std::string device) : device_(std::move(device)) {}

  // A secret that only the TPM that made it opens, while its registers are as they were then.
  struct Sealed {
    uint32_t pcrs = 0;       // a bit for each register of the SHA-256 bank
    Bytes storage_name;      // of the storage key: another one after the TPM was cleared
    Bytes endorsement_name;  // of a key of the TPM itself: another one in another TPM
    Bytes public_area;
    Bytes private_area;
  };

  [[nodiscard]] TpmResult<Sealed> Seal(const SecretBytes& secret, const SecretBytes& auth,
                                       uint32_t pcrs);
  // A wrong `auth` counts towards no lockout, nor does a power cut; a lockout that others caused
  // does not keep it from opening.
  [[nodiscard]] TpmResult<SecretBytes> Unseal(const Sealed& sealed, const SecretBytes& auth);

  // A counter of the TPM's, which nothing sets back. `index`: 0x01800000 to 0x01bfffff.
  struct Counter {
    uint32_t index = 0;
    SecretBytes auth;
  };
  // Makes it, in place of one of the same index, and returns its value, which is higher than that
  // of any counter that this TPM ever had.
  [[nodiscard]] TpmResult<uint64_t> MakeCounter(const Counter& counter);
  [[nodiscard]] TpmResult<uint64_t> ReadCounter(const Counter& counter);
  // Adds one. The TPM keeps it in memory that wears out: not once a call.
  [[nodiscard]] TpmResult<void> StepCounter(const Counter& counter);
  // Does nothing where there is none.
  [[nodiscard]] TpmResult<void> RemoveCounter(uint32_t index);

  [[nodiscard]] const std::string& device() const { return device_; }

 private:
  const std::string device_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_DRIVERS_SECURE_STORAGE_TPM_H_
