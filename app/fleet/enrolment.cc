#include "app/fleet/enrolment.h"

#include <openssl/bio.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <array>
#include <ctime>
#include <memory>

#include "platform/base/log.h"
#include "platform/base/secret_bytes.h"

// libmosquitto brings OpenSSL along, which reads the key when it connects.

namespace idkiosk {
namespace {

constexpr size_t kLargest = 64 << 10;

struct Free {
  void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
  void operator()(BIO* file) const { BIO_free(file); }
  void operator()(X509* certificate) const { X509_free(certificate); }
  void operator()(X509_REQ* request) const { X509_REQ_free(request); }
  void operator()(X509_EXTENSION* extension) const { X509_EXTENSION_free(extension); }
};
using Key = std::unique_ptr<EVP_PKEY, Free>;
using Memory = std::unique_ptr<BIO, Free>;
using Request = std::unique_ptr<X509_REQ, Free>;

Memory Reading(ByteSpan bytes) {
  return Memory(BIO_new_mem_buf(bytes.data(), static_cast<int>(bytes.size())));
}

ByteSpan Written(BIO* memory) {
  char* text = nullptr;
  const long size = BIO_get_mem_data(memory, &text);
  return {reinterpret_cast<const uint8_t*>(text), static_cast<size_t>(size)};
}

bool IsOfP256(EVP_PKEY* key) {
  std::array<char, 64> curve{};
  size_t size = 0;
  return key != nullptr &&
         EVP_PKEY_get_utf8_string_param(key, OSSL_PKEY_PARAM_GROUP_NAME, curve.data(), curve.size(),
                                        &size) == 1 &&
         std::string_view(curve.data(), size) == "prime256v1";
}

Result<Key> ReadKey(FileSystem& files, const std::string& path) {
  const auto text = files.ReadSecret(path, kLargest);
  if (!text) return std::unexpected(text.error());
  const Memory memory = Reading(text->view());
  Key key(PEM_read_bio_PrivateKey(memory.get(), nullptr, nullptr, nullptr));
  if (IsOfP256(key.get())) return key;
  return Fail(ErrorCode::kInvalid, "key: {} holds no private key of the curve P-256", path);
}

Result<Key> MakeKey(FileSystem& files, const std::string& path) {
  Key key(EVP_EC_gen("P-256"));
  const Memory memory(BIO_new(BIO_s_secmem()));
  if (!key || !memory ||
      PEM_write_bio_PrivateKey(memory.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr) !=
          1) {
    return Fail(ErrorCode::kInternal, "OpenSSL makes no key");
  }
  if (Status written = files.WriteDurably(path, Written(memory.get()), FileAccess::kOwnerOnly);
      !written) {
    return std::unexpected(written.error());
  }
  return key;
}

bool Fill(X509_REQ* request, EVP_PKEY* key, const std::string& kiosk) {
  X509_NAME* const name = X509_REQ_get_subject_name(request);
  const auto* const text = reinterpret_cast<const unsigned char*>(kiosk.c_str());
  if (X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_UTF8, text, -1, -1, 0) != 1) return false;
  const std::string alternative = "DNS:" + kiosk;
  const std::unique_ptr<X509_EXTENSION, Free> extension(
      X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name, alternative.c_str()));
  if (!extension) return false;
  STACK_OF(X509_EXTENSION)* const extensions = sk_X509_EXTENSION_new_null();
  sk_X509_EXTENSION_push(extensions, extension.get());
  const bool added = X509_REQ_add_extensions(request, extensions) == 1;
  sk_X509_EXTENSION_free(extensions);
  return added && X509_REQ_set_pubkey(request, key) == 1 &&
         X509_REQ_sign(request, key, EVP_sha256()) > 0;
}

Result<Request> MakeRequest(FileSystem& files, const FleetSettings& settings) {
  if (settings.plain) {
    return Fail(ErrorCode::kFailedPrecondition, "broker: without TLS there is no certificate");
  }
  auto key = ReadKey(files, settings.key);
  if (!key && key.error().code == ErrorCode::kNotFound) key = MakeKey(files, settings.key);
  if (!key) return std::unexpected(key.error());
  Request request(X509_REQ_new());
  if (request && Fill(request.get(), key->get(), settings.kiosk)) return request;
  return Fail(ErrorCode::kInternal, "OpenSSL makes no request");
}

Result<Bytes> ToDer(X509_REQ* request) {
  const Memory memory(BIO_new(BIO_s_mem()));
  if (!memory || i2d_X509_REQ_bio(memory.get(), request) != 1) {
    return Fail(ErrorCode::kInternal, "OpenSSL makes no request");
  }
  const ByteSpan der = Written(memory.get());
  return Bytes(der.begin(), der.end());
}

// The broker knows a kiosk by the name that its certificate's subject has.
Status RequireName(const std::string& pem, const std::string& kiosk) {
  const Memory memory = Reading(AsBytes(pem));
  const std::unique_ptr<X509, Free> certificate(
      PEM_read_bio_X509(memory.get(), nullptr, nullptr, nullptr));
  std::array<char, 256> name{};
  if (certificate) {
    X509_NAME_get_text_by_NID(X509_get_subject_name(certificate.get()), NID_commonName, name.data(),
                              static_cast<int>(name.size()));
  }
  if (name.data() == kiosk) return {};
  return Fail(ErrorCode::kInvalid, "the certificate that came names \"{}\", and not {}",
              name.data(), kiosk);
}

}  // namespace

Result<std::string> CertificateRequest(FileSystem& files, const FleetSettings& settings) {
  const auto request = MakeRequest(files, settings);
  if (!request) return std::unexpected(request.error());
  const Memory memory(BIO_new(BIO_s_mem()));
  if (!memory || PEM_write_bio_X509_REQ(memory.get(), request->get()) != 1) {
    return Fail(ErrorCode::kInternal, "OpenSSL makes no request");
  }
  return std::string(AsText(Written(memory.get())));
}

Status Enrol(FileSystem& files, const FleetSettings& settings, WallTime now, const AskEst& ask) {
  const auto request = MakeRequest(files, settings);
  if (!request) return std::unexpected(request.error());
  const auto der = ToDer(request->get());
  if (!der) return std::unexpected(der.error());
  EstRequest est{.url = settings.est,
                 .ca_file = settings.ca_file,
                 .claim = {},
                 .certificate = settings.certificate,
                 .key = settings.key};
  const auto end = EndOfCertificate(files, settings);
  const bool by_claim = !end || *end <= now;
  if (by_claim && settings.claim.empty()) {
    return Fail(ErrorCode::kFailedPrecondition,
                "est: there is no certificate that lasts, and no claim to ask for one by: name the "
                "file of a claim (NAME:PASSWORD)");
  }
  if (by_claim) {
    auto claim = files.ReadSecret(settings.claim, kLargest);
    if (!claim) return std::unexpected(claim.error().Within("claim"));
    while (!claim->empty() && claim->text().ends_with('\n')) claim->Truncate(claim->size() - 1);
    if (!claim->text().contains(':') || claim->text().contains('\n')) {
      return Fail(ErrorCode::kInvalid, "claim: {} is not one line NAME:PASSWORD", settings.claim);
    }
    est.claim = std::move(*claim);
  }
  const auto pem = ask(est, *der);
  if (!pem) return std::unexpected(pem.error().Within("est"));
  if (Status named = RequireName(*pem, settings.kiosk); !named) {
    return std::unexpected(named.error().Within("est"));
  }
  Status written = files.WriteDurably(settings.certificate, AsBytes(*pem), FileAccess::kEverybody);
  if (!written) return std::unexpected(written.error().Within("certificate"));
  if (!by_claim) return {};
  if (Status erased = files.Erase(settings.claim); !erased) {
    LogWarning("the claim was of use and is not erased: {}", erased.error().message);
  }
  return {};
}

CertificateKeeper::CertificateKeeper(FileSystem& files, const FleetSettings& settings,
                                     const Clock& clock, Entropy& entropy, AskEst ask)
    : files_(files),
      settings_(settings),
      clock_(clock),
      ask_(std::move(ask)),
      patience_(entropy, settings.reconnect_within) {}

bool CertificateKeeper::has_certificate() const {
  return settings_.est.empty() || files_.Exists(settings_.certificate).value_or(true);
}

bool CertificateKeeper::IsDue(WallTime end) const { return end - clock_.WallNow() <= kRenewBefore; }

bool CertificateKeeper::Step() {
  const MonotonicTime now = clock_.Now();
  if (settings_.est.empty() || now < next_) return false;
  const auto end = EndOfCertificate(files_, settings_);
  const bool none = !end && end.error().code == ErrorCode::kNotFound;
  if (!none && !(end && IsDue(*end))) {
    next_ = now + kLook;
    return false;
  }
  if (!none && !std::exchange(waits_, true)) {
    next_ = now + patience_.Next();
    return false;
  }
  return Ask();
}

bool CertificateKeeper::Ask() {
  const Status enrolled = Enrol(files_, settings_, clock_.WallNow(), ask_);
  if (enrolled) {
    LogInfo("headquarters' CA has signed this kiosk's certificate, by {}", settings_.est);
    patience_.Succeeded();
    waits_ = false;
    said_.clear();
    // A clock that is ahead would ask for one after the other.
    next_ = clock_.Now() + std::chrono::days(1);
    return true;
  }
  next_ = clock_.Now() + patience_.Next();
  if (enrolled.error().message != said_) {
    said_ = enrolled.error().message;
    LogWarning("no certificate for this kiosk: {}; asked again within {}", said_,
               FormatDuration(Reconnect::kLongest));
  }
  return false;
}

Result<WallTime> EndOfCertificate(FileSystem& files, const FleetSettings& settings) {
  const auto text = files.Read(settings.certificate, kLargest);
  if (!text) return std::unexpected(text.error());
  const Memory memory = Reading(*text);
  const std::unique_ptr<X509, Free> certificate(
      PEM_read_bio_X509(memory.get(), nullptr, nullptr, nullptr));
  std::tm end{};
  if (!certificate || ASN1_TIME_to_tm(X509_get0_notAfter(certificate.get()), &end) != 1) {
    return Fail(ErrorCode::kInvalid, "certificate: {} holds none", settings.certificate);
  }
  return std::chrono::floor<WallTime::duration>(
      std::chrono::system_clock::from_time_t(timegm(&end)));
}

std::optional<CertificateTrouble> TroubleOf(WallTime end, WallTime now, bool comes_by_est) {
  if (end - now > kRenewBefore) return std::nullopt;
  const bool is_over = end <= now;
  return CertificateTrouble{
      is_over,
      fmt::format("this kiosk's certificate for the broker {} {}", is_over ? "ended" : "ends",
                  FormatRfc3339(end)),
      comes_by_est
          ? "The kiosk asks for a new one by itself: where this stays, its log says what the "
            "EST server answers."
          : "Have a new one signed: 'idkiosk-fleet --csr' prints the request. Then restart "
            "idkiosk-fleet."};
}

}  // namespace idkiosk
