#include "tests/app/headquarters/order_signer.h"

#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/x509.h>

#include <cstdlib>

#include "platform/base/json.h"

namespace idkiosk {

struct OrderSigner::Key {
  EVP_PKEY* key = EVP_EC_gen("P-256");
  ~Key() { EVP_PKEY_free(key); }
};

OrderSigner::OrderSigner(std::string name)
    : name_(std::move(name)), key_(std::make_shared<Key>()) {}

std::string OrderSigner::line() const {
  unsigned char* der = nullptr;
  const int size = i2d_PUBKEY(key_->key, &der);
  if (size <= 0) std::abort();
  std::string line = name_ + " " + ToBase64(ByteSpan(der, static_cast<size_t>(size)));
  OPENSSL_free(der);
  return line;
}

Bytes OrderSigner::Sign(std::string_view document) const {
  const std::string text = "idkiosk signed command, version 1\n" + std::string(document);
  const auto* const bytes = reinterpret_cast<const unsigned char*>(text.data());
  EVP_MD_CTX* const context = EVP_MD_CTX_new();
  size_t size = 0;
  if (EVP_DigestSignInit(context, nullptr, EVP_sha256(), nullptr, key_->key) != 1) std::abort();
  if (EVP_DigestSign(context, nullptr, &size, bytes, text.size()) != 1) std::abort();
  Bytes signature(size);
  if (EVP_DigestSign(context, signature.data(), &size, bytes, text.size()) != 1) std::abort();
  signature.resize(size);
  EVP_MD_CTX_free(context);
  return signature;
}

std::string Envelope(std::string_view document, const std::vector<GivenSignature>& signatures) {
  JsonWriter json;
  json.BeginObject().Field("format", "idkiosk-signed-command/1");
  json.Field("document", ToBase64(AsBytes(document))).Key("signatures").BeginArray();
  for (const GivenSignature& each : signatures) {
    json.BeginObject().Field("key", each.key);
    json.Field("signature", ToBase64(each.bytes)).EndObject();
  }
  return json.EndArray().EndObject().Take();
}

std::string SignedBy(std::string_view document, const std::vector<const OrderSigner*>& signers) {
  std::vector<GivenSignature> signatures;
  for (const OrderSigner* each : signers) {
    signatures.push_back({each->name(), each->Sign(document)});
  }
  return Envelope(document, signatures);
}

}  // namespace idkiosk
