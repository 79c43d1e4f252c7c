#ifndef IDKIOSK_TESTS_FLEET_HEADQUARTERS_H_
#define IDKIOSK_TESTS_FLEET_HEADQUARTERS_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tests/fakes/scratch_folder.h"
#include "tests/integration/process.h"

namespace idkiosk {

// A real PostgreSQL in a folder of its own, on a socket file.
class Postgres {
 public:
  // Whether this machine has what it takes; tools/setup installs it.
  [[nodiscard]] static bool IsInstalled();

  Postgres();
  ~Postgres();

  // As libpq takes it.
  [[nodiscard]] std::string where() const;
  // Returns what psql prints, a row a line, fields between '|'.
  [[nodiscard]] std::string Ask(const std::string& statement) const;
  // Makes its now() this time ("2026-03-15 12:00:00Z") for each connection that is made later.
  void StopClockAt(const std::string& time) const;
  void Start();
  // Ends it at once, as a power cut would.
  void Kill();

 private:
  // Starts a program as a user that PostgreSQL accepts.
  [[nodiscard]] static std::vector<std::string> AsItsUser(std::vector<std::string> command);

  const ScratchFolder folder_;
  std::unique_ptr<Process> process_;
};

// A real Mosquitto with TLS and the rules that are shipped, a CA for it and its kiosks, and a
// certificate of headquarters.
class Broker {
 public:
  [[nodiscard]] static bool IsInstalled();
  enum class KeyKind : uint8_t { kEllipticCurve, kRsa };

  Broker();

  // Where kiosks connect, and where headquarters do.
  [[nodiscard]] std::string port() const { return std::to_string(port_); }
  [[nodiscard]] std::string headquarters_port() const { return std::to_string(headquarters_port_); }
  [[nodiscard]] std::string ca() const { return folder_ / "ca/ca.pem"; }
  [[nodiscard]] std::string ca_folder() const { return folder_ / "ca"; }
  [[nodiscard]] std::string certificate(const std::string& name) const;
  [[nodiscard]] std::string key(const std::string& name) const;
  // Makes both for a name, signed by the CA.
  void Enrol(const std::string& name, const std::string& alternative) {
    Enrol(name, "/CN=" + name, alternative);
  }
  void Enrol(const std::string& name, const std::string& subject, const std::string& alternative,
             KeyKind kind = KeyKind::kEllipticCurve);

  // From the next start on the certificate of that name opens nothing.
  void Revoke(const std::string& name);

  // For a crowd of kiosks, where a certificate each would take minutes: no session is tied to its
  // certificate then.
  void LetSessionsShareACertificate() { sessions_share_ = true; }

  void Start() { Start(""); }
  // Starts it, or another one in its place, with TLS 1.2 and that suite (of OpenSSL) alone.
  void StartWithOnly(const std::string& suite);
  void Kill() { process_.reset(); }
  void Signal(int number) { process_->Signal(number); }
  // Ends it as whoever looks after it does: it keeps what it has not handed on.
  void Stop();

  static constexpr const char* kTenant = "bank";

 private:
  void Start(const std::string& suite);  // "": its own rules alone

  const ScratchFolder folder_;
  int port_ = 0;
  int headquarters_port_ = 0;
  bool sessions_share_ = false;
  bool has_revoked_ = false;
  std::unique_ptr<Process> process_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_TESTS_FLEET_HEADQUARTERS_H_
