#ifndef IDKIOSK_APP_QUEUE_MEND_MARKS_H_
#define IDKIOSK_APP_QUEUE_MEND_MARKS_H_

#include <optional>
#include <string>

#include "app/queue/call_record.h"
#include "platform/api/crypto.h"
#include "platform/api/secure_storage.h"

namespace idkiosk {

// Fingerprints of what a hold waits for: while they stay the same, asking again would cost another
// request and bring the same answer.
class MendMarks {
 public:
  // All must outlive this. `base_url`: service.base_url. `key`: so that a mark tells nobody what it
  // was made of.
  MendMarks(const ServiceProfile& profile, const std::string& base_url, SecureStorage& storage,
            const Crypto& crypto, const SecretBytes& key)
      : profile_(profile), base_url_(base_url), storage_(storage), crypto_(crypto), key_(key) {}

  // Whether a change of address, profile or credentials mends a hold of this reason; else it takes
  // a person, or the hold is over by itself.
  [[nodiscard]] static bool CanMend(HoldReason reason);

  // Returns the mark for a hold of this reason, and endpoint if it has one: of the service's
  // address and the endpoint's part of the profile; of the credentials, too, unless the address
  // alone is wrong. Errors: SecureStorage's, where the vault cannot say whether there is one.
  [[nodiscard]] Result<Crypto::Digest> Of(HoldReason reason,
                                          std::optional<Endpoint> endpoint) const;

 private:
  const ServiceProfile& profile_;
  const std::string& base_url_;
  SecureStorage& storage_;
  const Crypto& crypto_;
  const SecretBytes& key_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_QUEUE_MEND_MARKS_H_
