#include "tools/headquarters/tls_files.h"

#include <mosquitto.h>

#include "platform/base/certificate_file.h"
#include "platform/base/tls_suites.h"
#include "platform/posix/posix_file_system.h"

namespace idkiosk::headquarters {
namespace {

constexpr size_t kLargestKey = 64 << 10;
constexpr int kVerifyPeer = 1;  // SSL_VERIFY_PEER of OpenSSL

Status HoldsCertificate(std::string_view option, const std::string& path) {
  const auto bytes = PosixFileSystem().Read(path, kLargestCertificateFile);
  const Status good = CheckCertificateFile(path, bytes);
  return good ? good : std::unexpected(good.error().Within(option));
}

}  // namespace

Status CheckTlsFiles(const Subscriber::Options& where) {
  if (where.ca_file.empty()) {
    if (!where.certificate.empty() || !where.key.empty()) {
      return Fail(ErrorCode::kInvalid,
                  "--certificate and --key go with --ca: without it there is no TLS");
    }
    if (where.host == "localhost" || where.host == "127.0.0.1" || where.host == "::1") return {};
    return Fail(
        ErrorCode::kInvalid,
        "--ca: name the file of the CA that signed the certificate of {}; only a broker on this "
        "machine is reached without TLS",
        where.host);
  }
  if (where.certificate.empty() != where.key.empty()) {
    return Fail(ErrorCode::kInvalid, "--certificate and --key go together");
  }
  if (Status good = HoldsCertificate("--ca", where.ca_file); !good) return good;
  if (where.certificate.empty()) return {};
  if (Status good = HoldsCertificate("--certificate", where.certificate); !good) return good;
  const auto key = PosixFileSystem().Read(where.key, kLargestKey);
  return key ? Status() : std::unexpected(key.error().Within("--key"));
}

Status UseTlsFiles(mosquitto* handle, const Subscriber::Options& where) {
  if (where.ca_file.empty()) return {};
  int code = mosquitto_tls_set(handle, where.ca_file.c_str(), nullptr, where.certificate.c_str(),
                               where.key.c_str(), nullptr);
  if (code == MOSQ_ERR_SUCCESS) {
    code = mosquitto_tls_opts_set(handle, kVerifyPeer, nullptr, kTlsSuites);
  }
  if (code == MOSQ_ERR_SUCCESS) return {};
  return Fail(ErrorCode::kInvalid, "CA, certificate or key cannot be used: {}",
              mosquitto_strerror(code));
}

}  // namespace idkiosk::headquarters
