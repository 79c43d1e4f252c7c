#ifndef IDKIOSK_APP_FLEET_OPENSSL_POINTERS_H_
#define IDKIOSK_APP_FLEET_OPENSSL_POINTERS_H_

#include <openssl/bio.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/pkcs7.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <memory>

namespace idkiosk {

// Gives back what OpenSSL, which libmosquitto brings along, has made.
struct FreeOfOpenssl {
  void operator()(BIO* each) const { BIO_free_all(each); }
  void operator()(EVP_PKEY* each) const { EVP_PKEY_free(each); }
  void operator()(PKCS7* each) const { PKCS7_free(each); }
  void operator()(SSL_CTX* each) const { SSL_CTX_free(each); }
  void operator()(X509* each) const { X509_free(each); }
  void operator()(X509_EXTENSION* each) const { X509_EXTENSION_free(each); }
  void operator()(X509_REQ* each) const { X509_REQ_free(each); }
  void operator()(char* each) const { OPENSSL_free(each); }
  void operator()(STACK_OF(CONF_VALUE) * each) const {
    sk_CONF_VALUE_pop_free(each, X509V3_conf_free);
  }
};

template <typename Type>
using Openssl = std::unique_ptr<Type, FreeOfOpenssl>;

}  // namespace idkiosk

#endif  // IDKIOSK_APP_FLEET_OPENSSL_POINTERS_H_
