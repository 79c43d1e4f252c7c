#include "tests/faults/kinds/certificates.h"

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

// Somebody whom the authority trusts to sign for servers.
CertificateForm Intermediate(const std::string& name = "intermediate") {
  return {.what = "an intermediate",
          .name = name,
          .names = "",
          .usage = "",
          .constraints = "critical,CA:TRUE",
          .key_usage = "critical,keyCertSign"};
}

CertificateForm Changed(CertificateForm form, void (*change)(CertificateForm&)) {
  change(form);
  return form;
}

// What is wrong is who signed it.
std::vector<CertificateForm> BadChains() {
  return {
      {.what = "signed by a server's certificate",
       .between = {{.what = "a server", .name = "server"}}},
      {.what = "signed by an intermediate that expired",
       .between = {Changed(Intermediate(),
                           [](auto& form) {
                             form.to_days = -1;
                             form.from_days = -9;
                           })}},
      {.what = "signed by an intermediate that may sign no certificate",
       .between = {Changed(Intermediate(),
                           [](auto& form) { form.key_usage = "critical,cRLSign"; })}},
      {.what = "signed by an intermediate with an RSA key of 1024 bits",
       .between = {Changed(Intermediate(), [](auto& form) { form.rsa_bits = 1024; })}},
      {.what = "signed by an intermediate that was signed over SHA-1",
       .between = {Changed(Intermediate(), [](auto& form) { form.digest = "SHA1"; })}},
      {.what = "signed by an intermediate that may sign for clients alone",
       .between = {Changed(Intermediate(), [](auto& form) { form.usage = "clientAuth"; })}},
      {.what = "signed by an intermediate that may sign for other names alone",
       .between = {Changed(
           Intermediate(),
           [](auto& form) { form.name_constraints = "permitted;DNS:other.example"; })}},
      {.what = "signed by more intermediates than the first allows",
       .between = {Changed(Intermediate("first"),
                           [](auto& form) { form.constraints = "critical,CA:TRUE,pathlen:0"; }),
                   Intermediate("second")}},
      {.what = "signed by an intermediate that is not shown",
       .chain_is_kept = true,
       .between = {Intermediate()}},
      {.what = "signed by a stranger's intermediate",
       .signer = Signer::kStranger,
       .between = {Intermediate()}},
  };
}

std::vector<CertificateForm> GoodForms() {
  return {{.what = "good"},
          {.what = "good, on P-384", .curve = "P-384"},
          {.what = "good, RSA of 2048 bits", .rsa_bits = 2048},
          {.what = "good, RSA of 3072 bits over SHA-384", .rsa_bits = 3072, .digest = "SHA384"},
          {.what = "good, by an intermediate", .between = {Intermediate()}},
          {.what = "good, by one that may sign for servers and clients",
           .between = {Changed(Intermediate(),
                               [](auto& form) { form.usage = "serverAuth,clientAuth"; })}},
          {.what = "good, by two", .between = {Intermediate("first"), Intermediate("second")}}};
}

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
      {.what = "for an address in the form of IPv6", .names = "IP:::ffff:127.0.0.1"},
      {.what = "for clients only", .usage = "clientAuth"},
      {.what = "for programs", .usage = "codeSigning"},
      {.what = "of a key that may sign no handshake", .key_usage = "critical,keyCertSign"},
      {.what = "with an RSA key of 1024 bits", .rsa_bits = 1024},
      {.what = "with an RSA key of 1536 bits", .rsa_bits = 1536},
      {.what = "with a key on a short curve", .curve = "P-192"},
      {.what = "signed over SHA-1", .digest = "SHA1"},
      {.what = "with a critical extension that nobody knows", .unknown_extension = true},
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
void Refuse(FaultKiosk& kiosk, const CertificateForm& form, Protocol protocol, bool with_pictures,
            const std::string& authority = "sandbox") {
  Tally& tally = kiosk.tally();
  const int port = kiosk.TakeNetworkAway();
  {
    const TlsServer server(port, kiosk.folder_ / authority, form, protocol);
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
void Trust(FaultKiosk& kiosk, Protocol protocol = Protocol::kTls13,
           const CertificateForm& good = {.what = "good"},
           const std::string& authority = "sandbox") {
  const int port = kiosk.TakeNetworkAway();
  {
    const TlsServer server(port, kiosk.folder_ / authority, good, protocol);
    (void)AskThere(kiosk, false);
    if (server.request_bytes() == 0) {
      kiosk.tally().Break(fmt::format("a certificate that is {} is refused, too", good.what));
    }
  }
  kiosk.BringNetworkBack();
}

}  // namespace

void ShowBadCertificates(Tally& tally) {
  FaultKiosk kiosk(tally);
  if (!kiosk.Begin(kImpatient)) return;
  // The sandbox's own authority lets nobody sign under it.
  const std::string authority = "authority";
  std::filesystem::create_directory(kiosk.folder_ / authority);
  if (!AddAuthority(kiosk.folder_ / authority, kiosk.folder_ / "sandbox/ca.pem")) {
    return tally.Break("no authority is made");
  }
  for (const CertificateForm& form : GoodForms()) {
    Trust(kiosk, Protocol::kTls13, form, authority);
  }
  for (int i = 0; i < tally.Rounds(1, 40); ++i) {
    for (const auto& forms : {BadForms(), BadChains()}) {
      for (const CertificateForm& form : forms)
        Refuse(kiosk, form, Protocol::kTls13, i % 2 == 1, authority);
    }
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
  Trust(kiosk, Protocol::kTls12Forward, {.what = "good, RSA", .rsa_bits = 2048});
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
