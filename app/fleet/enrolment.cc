#include "app/fleet/enrolment.h"

#include <openssl/bio.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <memory>

#include "app/fleet/openssl_pointers.h"
#include "platform/base/log.h"
#include "platform/base/secret_bytes.h"

// libmosquitto brings OpenSSL along, which reads the key when it connects.

namespace idkiosk {
namespace {

constexpr size_t kLargest = 64 << 10;

using Key = Openssl<EVP_PKEY>;
using Memory = Openssl<BIO>;
using Request = Openssl<X509_REQ>;

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
    return Fail(ErrorCode::kInternal, "OpenSSL could not make a key");
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
  const Openssl<X509_EXTENSION> extension(
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
  return Fail(ErrorCode::kInternal, "OpenSSL could not make the request for a certificate");
}

Result<Bytes> ToDer(X509_REQ* request) {
  const Memory memory(BIO_new(BIO_s_mem()));
  if (!memory || i2d_X509_REQ_bio(memory.get(), request) != 1) {
    return Fail(ErrorCode::kInternal, "OpenSSL could not make the request for a certificate");
  }
  const ByteSpan der = Written(memory.get());
  return Bytes(der.begin(), der.end());
}

std::optional<WallTime> ToWallTime(const ASN1_TIME* time) {
  std::tm parts{};
  if (ASN1_TIME_to_tm(time, &parts) != 1) return std::nullopt;
  return std::chrono::floor<WallTime::duration>(
      std::chrono::system_clock::from_time_t(timegm(&parts)));
}

// Whether there is no certificate, or one that a disk has damaged.
bool IsNone(const Result<Lifetime>& lifetime) {
  return !lifetime && (lifetime.error().code == ErrorCode::kNotFound ||
                       lifetime.error().code == ErrorCode::kInvalid);
}

// How long before its end it is renewed.
Duration RenewalOf(const Lifetime& lifetime) {
  return std::min<Duration>(kRenewBefore, (lifetime.end - lifetime.begin) / 3);
}

// The broker knows a kiosk by the name that its certificate's subject has.
Status RequireName(const std::string& pem, const std::string& kiosk) {
  const Memory memory = Reading(AsBytes(pem));
  const Openssl<X509> certificate(PEM_read_bio_X509(memory.get(), nullptr, nullptr, nullptr));
  std::array<char, 256> name{};
  if (certificate) {
    X509_NAME_get_text_by_NID(X509_get_subject_name(certificate.get()), NID_commonName, name.data(),
                              static_cast<int>(name.size()));
  }
  if (name.data() == kiosk) return {};
  return Fail(ErrorCode::kInvalid, "the certificate that came names \"{}\", and not {}",
              name.data(), kiosk);
}

// What the request is sent with.
Result<EstRequest> PrepareEnrolment(FileSystem& files, const FleetSettings& settings,
                                    WallTime now) {
  EstRequest est{.url = settings.est,
                 .ca_file = settings.ca_file,
                 .claim = {},
                 .certificate = settings.certificate,
                 .key = settings.key};
  const std::string probe = settings.certificate + ".try";
  Status writable = files.WriteDurably(probe, AsBytes("?"), FileAccess::kEverybody);
  if (writable) writable = files.Remove(probe);
  if (!writable) return std::unexpected(writable.error().Within("certificate"));
  const auto lifetime = LifetimeOfCertificate(files, settings);
  if (lifetime && lifetime->end > now) return est;
  if (settings.claim.empty()) {
    return Fail(ErrorCode::kFailedPrecondition,
                "est: there is no valid certificate, and no claim to get one with: set claim to a "
                "file with NAME:PASSWORD");
  }
  auto claim = files.ReadSecret(settings.claim, kLargest);
  if (!claim) return std::unexpected(claim.error().Within("claim"));
  while (!claim->empty() && claim->text().ends_with('\n')) claim->Truncate(claim->size() - 1);
  if (!claim->text().contains(':') || claim->text().contains('\n')) {
    return Fail(ErrorCode::kInvalid, "claim: {} is not one line NAME:PASSWORD", settings.claim);
  }
  est.claim = std::move(*claim);
  return est;
}

}  // namespace

Result<std::string> CertificateRequest(FileSystem& files, const FleetSettings& settings) {
  const auto request = MakeRequest(files, settings);
  if (!request) return std::unexpected(request.error());
  const Memory memory(BIO_new(BIO_s_mem()));
  if (!memory || PEM_write_bio_X509_REQ(memory.get(), request->get()) != 1) {
    return Fail(ErrorCode::kInternal, "OpenSSL could not make the request for a certificate");
  }
  return std::string(AsText(Written(memory.get())));
}

Status CheckEnrolment(FileSystem& files, const FleetSettings& settings, WallTime now) {
  const auto est = PrepareEnrolment(files, settings, now);
  return est ? Status() : std::unexpected(est.error());
}

Status Enrol(FileSystem& files, const FleetSettings& settings, WallTime now, const AskEst& ask) {
  const auto est = PrepareEnrolment(files, settings, now);
  if (!est) return std::unexpected(est.error());
  const auto request = MakeRequest(files, settings);
  if (!request) return std::unexpected(request.error());
  const auto der = ToDer(request->get());
  if (!der) return std::unexpected(der.error());
  const auto pem = ask(*est, *der);
  if (!pem) return std::unexpected(pem.error().Within("est"));
  if (Status named = RequireName(*pem, settings.kiosk); !named) {
    return std::unexpected(named.error().Within("est"));
  }
  Status written = files.WriteDurably(settings.certificate, AsBytes(*pem), FileAccess::kEverybody);
  if (!written) return std::unexpected(written.error().Within("certificate"));
  if (est->claim.empty()) return {};
  if (Status erased = files.Erase(settings.claim); !erased) {
    LogWarning("the claim was used but is not erased: {}", erased.error().message);
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
  return settings_.est.empty() || !IsNone(LifetimeOfCertificate(files_, settings_));
}

Duration CertificateKeeper::Pause(Duration longest) const {
  const auto lifetime = LifetimeOfCertificate(files_, settings_);
  if (!lifetime) return longest;
  const Duration tenth = (lifetime->end - lifetime->begin) / 10;
  return std::clamp<Duration>(tenth, std::chrono::minutes(1), longest);
}

bool CertificateKeeper::Step() {
  const MonotonicTime now = clock_.Now();
  if (settings_.est.empty() || now < next_) return false;
  const auto lifetime = LifetimeOfCertificate(files_, settings_);
  const bool none = IsNone(lifetime);
  const bool is_due = lifetime && lifetime->end - clock_.WallNow() <= RenewalOf(*lifetime);
  if (!none && !is_due) {
    next_ = now + Pause(kLook);
    return false;
  }
  if (!none && !std::exchange(waits_, true)) {
    next_ = now + std::min(patience_.Next(), Pause(kLook));
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
    next_ = clock_.Now() + Pause(std::chrono::days(1));
    return true;
  }
  next_ = clock_.Now() + patience_.Next();
  if (enrolled.error().message != said_) {
    said_ = enrolled.error().message;
    LogWarning("no certificate for this kiosk: {}; asked again within {}", said_,
               FormatDuration(patience_.longest()));
  }
  return false;
}

Result<Lifetime> LifetimeOfCertificate(FileSystem& files, const FleetSettings& settings) {
  const auto text = files.Read(settings.certificate, kLargest);
  if (!text) return std::unexpected(text.error());
  const Memory memory = Reading(*text);
  const Openssl<X509> certificate(PEM_read_bio_X509(memory.get(), nullptr, nullptr, nullptr));
  const auto begin =
      certificate ? ToWallTime(X509_get0_notBefore(certificate.get())) : std::nullopt;
  const auto end = certificate ? ToWallTime(X509_get0_notAfter(certificate.get())) : std::nullopt;
  if (!begin || !end) {
    return Fail(ErrorCode::kInvalid, "certificate: {} holds none", settings.certificate);
  }
  return Lifetime{*begin, *end};
}

std::optional<CertificateTrouble> TroubleOf(const Lifetime& lifetime, WallTime now,
                                            bool comes_by_est) {
  const WallTime end = lifetime.end;
  const Duration told = comes_by_est ? RenewalOf(lifetime) / 2 : Duration(kRenewBefore);
  if (end - now > told) return std::nullopt;
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
