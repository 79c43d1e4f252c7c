#include "tests/faults/certificates.h"

#include <fmt/format.h>

#include <filesystem>

#include "tests/faults/fault_kiosk.h"
#include "tests/faults/tls_server.h"
#include "tests/faults/victims.h"

namespace idkiosk::faults {
namespace {

using Signer = CertificateForm::Signer;

// A kiosk that soon gives a silent service up.
const FaultKiosk::Settings kImpatient{.service =
                                          R"("total_timeout": "2 s", "connect_timeout": "1 s",)"};

std::vector<CertificateForm> BadForms() {
  return {
      {.what = "expired", .from_days = -90, .to_days = -1},
      {.what = "not valid yet", .from_days = 2},
      {.what = "for another host", .names = "DNS:service.example"},
      {.what = "for another address", .names = "IP:127.0.0.2"},
      {.what = "with the address as a name", .names = "DNS:127.0.0.1"},
      {.what = "with a star for the address", .names = "DNS:*.0.0.1"},
      {.what = "with its host in the common name alone", .names = ""},
      {.what = "signed by itself", .signer = Signer::kItself},
      {.what = "of an authority that nobody knows", .signer = Signer::kStranger},
      {.what = "signed by a server's certificate", .signer = Signer::kLeaf},
      {.what = "for clients only", .usage = "clientAuth"},
      {.what = "with an RSA key of 1024 bits", .rsa_bits = 1024},
      {.what = "signed over SHA-1", .sha1 = true},
  };
}

// Asks once while `server` answers at the service's address; `variables` for the kiosk's
// environment.
Finished AskThere(FaultKiosk& kiosk, bool with_pictures,
                  const std::vector<std::string>& variables = {}) {
  const Invocation call = CallVictims()[with_pictures ? 1 : 0].prepare(kiosk);
  return kiosk.Note(RunProgram(call.arguments, call.input, variables));
}

// Nobody who shows this gets a byte of a request, and the call is kept.
void Refuse(FaultKiosk& kiosk, const CertificateForm& form, Protocol protocol, bool with_pictures) {
  Tally& tally = kiosk.tally();
  const int port = kiosk.TakeNetworkAway();
  {
    const TlsServer server(port, kiosk.folder_ / "sandbox", form, protocol);
    if (!server.good()) return tally.Break(fmt::format("no certificate {} is made", form.what));
    const Finished asked = AskThere(kiosk, with_pictures);
    if (server.connections() > 0) tally.Inject();
    tally.Check(server.request_bytes() == 0, Invariant::kSealed,
                fmt::format("{} bytes of a request went to a server whose certificate is {}",
                            server.request_bytes(), form.what));
    tally.Check(
        asked.exit_code == 4, Invariant::kBack,
        fmt::format("a certificate {} ends with {}: {}", form.what, asked.exit_code, asked.err));
  }
  kiosk.BringNetworkBack();
}

// The same server with nothing wrong gets the request: or the row would show nothing.
void Trust(FaultKiosk& kiosk, Protocol protocol = Protocol::kTls13, int rsa_bits = 0) {
  const int port = kiosk.TakeNetworkAway();
  {
    const CertificateForm good = {.what = "good", .rsa_bits = rsa_bits};
    const TlsServer server(port, kiosk.folder_ / "sandbox", good, protocol);
    (void)AskThere(kiosk, false);
    if (server.request_bytes() == 0) kiosk.tally().Break("a good certificate is refused, too");
  }
  kiosk.BringNetworkBack();
}

}  // namespace

void ShowBadCertificates(Tally& tally) {
  FaultKiosk kiosk(tally);
  if (!kiosk.Begin(kImpatient)) return;
  Trust(kiosk);
  for (int i = 0; i < tally.Rounds(1, 40); ++i) {
    for (const CertificateForm& form : BadForms())
      Refuse(kiosk, form, Protocol::kTls13, i % 2 == 1);
  }
  kiosk.Judge();
}

// Called by its address, a host proves that address; called by its name, that name.
void CallTheHostByAddress(Tally& tally) {
  for (const char* host : {"127.0.0.1", "localhost"}) {
    FaultKiosk kiosk(tally);
    FaultKiosk::Settings settings = kImpatient;
    settings.host = host;
    if (!kiosk.Begin(settings)) return;
    Trust(kiosk);
    const bool by_name = std::string_view(host) == "localhost";
    for (int i = 0; i < tally.Rounds(1, 40); ++i) {
      Refuse(kiosk,
             {.what = "for the other form", .names = by_name ? "IP:127.0.0.1" : "DNS:localhost"},
             Protocol::kTls13, i % 2 == 1);
      Refuse(kiosk, {.what = "for nobody", .name = "nobody", .names = "DNS:nobody"},
             Protocol::kTls13, i % 2 == 1);
    }
    kiosk.Judge();
  }
}

void SpeakOldProtocols(Tally& tally) {
  FaultKiosk kiosk(tally);
  if (!kiosk.Begin(kImpatient)) return;
  Trust(kiosk);
  Trust(kiosk, Protocol::kTls12Forward, 2048);
  const ScriptedServer proxy([](const std::string&) {
    return ScriptedServer::Reaction{.answer = "HTTP/1.1 200 OK\r\n\r\n", .close = true};
  });
  const std::string key_log = kiosk.folder_ / "keys";
  const std::string stranger = kiosk.folder_ / "sandbox/server.pem";
  std::vector<std::string> hostile = {"SSLKEYLOGFILE=" + key_log, "CURL_CA_BUNDLE=" + stranger,
                                      "SSL_CERT_FILE=" + stranger, "SSL_CERT_DIR=/nowhere"};
  for (const char* name : {"http_proxy", "https_proxy", "HTTPS_PROXY", "ALL_PROXY", "all_proxy"}) {
    hostile.push_back(fmt::format("{}={}", name, proxy.url("")));
  }
  for (int i = 0; i < tally.Rounds(2, 60); ++i) {
    for (const Protocol protocol : {Protocol::kTls10, Protocol::kTls11, Protocol::kPlain}) {
      Refuse(kiosk, {.what = "shown by an old protocol"}, protocol, i % 2 == 1);
    }
    Refuse(kiosk, {.what = "shown without forward secrecy", .rsa_bits = 2048},
           Protocol::kTls12Static, i % 2 == 1);
    // Whatever the environment says, it goes to the service, and to nobody else.
    tally.Inject();
    const Finished asked = AskThere(kiosk, i % 2 == 1, hostile);
    tally.Check(
        asked.exit_code <= 1, Invariant::kBack,
        fmt::format("with hostile variables it ends with {}: {}", asked.exit_code, asked.err));
    tally.Check(proxy.requests().empty(), Invariant::kSealed,
                "a proxy of the environment was used");
    tally.Check(!std::filesystem::exists(key_log), Invariant::kSealed,
                "TLS keys were written down");
  }
  kiosk.Judge();
}

}  // namespace idkiosk::faults
