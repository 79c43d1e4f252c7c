#ifndef IDKIOSK_TESTS_APP_HEADQUARTERS_ORDER_SIGNER_H_
#define IDKIOSK_TESTS_APP_HEADQUARTERS_ORDER_SIGNER_H_

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "platform/base/bytes.h"

namespace idkiosk {

// Somebody at headquarters with a key of the curve P-256, by OpenSSL; the kiosk checks by mbedTLS.
class OrderSigner {
 public:
  explicit OrderSigner(std::string name);

  [[nodiscard]] const std::string& name() const { return name_; }
  // As headquarters.keys takes it.
  [[nodiscard]] std::string line() const;
  // The signature of a command's document.
  [[nodiscard]] Bytes Sign(std::string_view document) const;

 private:
  struct Key;
  std::string name_;
  std::shared_ptr<Key> key_;
};

struct GivenSignature {
  std::string key;
  Bytes bytes;
};
// The text that is sent.
[[nodiscard]] std::string Envelope(std::string_view document,
                                   const std::vector<GivenSignature>& signatures);
[[nodiscard]] std::string SignedBy(std::string_view document,
                                   const std::vector<const OrderSigner*>& signers);

}  // namespace idkiosk

#endif  // IDKIOSK_TESTS_APP_HEADQUARTERS_ORDER_SIGNER_H_
