#include "tests/fleet/headquarters.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>

#include "platform/base/bytes.h"

namespace idkiosk {
namespace {

namespace fs = std::filesystem;

void MustRun(const std::vector<std::string>& command) {
  const Finished done = RunProgram(command);
  ASSERT_EQ(done.exit_code, 0) << command.front() << ": " << done.err << done.out;
}

// The newest release's programs; empty where there is none.
std::string PostgresPrograms() {
  std::vector<std::string> folders;
  std::error_code ignored;
  for (const auto& each : fs::directory_iterator("/usr/lib/postgresql", ignored)) {
    if (fs::exists(each.path() / "bin/initdb")) folders.push_back(each.path() / "bin");
  }
  return folders.empty() ? "" : std::ranges::max(folders);
}

int FreePort() {
  const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  EXPECT_EQ(bind(socket, reinterpret_cast<const sockaddr*>(&address), size), 0);
  EXPECT_EQ(getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size), 0);
  close(socket);
  return ntohs(address.sin_port);
}

void Replace(std::string& text, const std::string& from, const std::string& to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

}  // namespace

bool Postgres::IsInstalled() { return !PostgresPrograms().empty(); }

std::vector<std::string> Postgres::AsItsUser(std::vector<std::string> command) {
  if (geteuid() != 0) return command;
  std::vector<std::string> all = {"setpriv", "--reuid=postgres", "--regid=postgres",
                                  "--init-groups"};
  all.insert(all.end(), command.begin(), command.end());
  return all;
}

Postgres::Postgres() {
  const std::string data = folder_ / "data";
  fs::create_directory(data);
  EXPECT_EQ(chmod(folder_.path().c_str(), 0777), 0);
  if (geteuid() == 0) MustRun({"chown", "postgres", data});
  MustRun(AsItsUser({PostgresPrograms() + "/initdb", "--pgdata", data, "--username", "fleet",
                     "--auth", "trust", "--no-sync", "-E", "UTF8", "--locale", "C.UTF-8"}));
  Start();
}

Postgres::~Postgres() { Kill(); }

void Postgres::Start() {
  process_ = std::make_unique<Process>(AsItsUser(
      {PostgresPrograms() + "/postgres", "-D", folder_ / "data", "-c", "listen_addresses=", "-c",
       "unix_socket_directories=" + folder_.path(), "-c", "unix_socket_permissions=0777"}));
  ASSERT_TRUE(process_->AwaitErr("ready to accept connections")) << process_->err();
}

// Its children end by themselves once they notice; a new one waits for them.
void Postgres::Kill() {
  if (!process_) return;
  process_->Signal(SIGQUIT);
  process_->Wait();
  process_.reset();
}

std::string Postgres::where() const {
  return "host=" + folder_.path() + " user=fleet dbname=postgres";
}

std::string Postgres::Ask(const std::string& statement) const {
  const Finished done = RunProgram(
      {"psql", where(), "--no-psqlrc", "-t", "-A", "-v", "ON_ERROR_STOP=1", "-c", statement});
  EXPECT_EQ(done.exit_code, 0) << done.err;
  return done.out.substr(0, done.out.find_last_not_of('\n') + 1);
}

// What is found first by that name is meant.
void Postgres::StopClockAt(const std::string& time) const {
  (void)Ask(
      fmt::format("create function public.now() returns timestamptz language sql stable as "
                  "$$ select timestamptz '{}' $$; "
                  "alter role fleet set search_path = public, pg_catalog",
                  time));
}

bool Broker::IsInstalled() {
  return fs::exists("/usr/sbin/mosquitto") || fs::exists("/usr/bin/mosquitto");
}

Broker::Broker() {
  fs::create_directory(folder_ / "ca");
  MustRun({"openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
           "-nodes", "-days", "2", "-subj", "/CN=fleet CA", "-keyout", folder_ / "ca/ca.key",
           "-out", ca()});
  Enrol("broker", "IP:127.0.0.1");
  MustRun({"openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
           "-nodes", "-days", "2", "-subj", "/CN=headquarters", "-keyout", key("headquarters"),
           "-out", certificate("headquarters")});
}

std::string Broker::certificate(const std::string& name) const {
  return folder_ / ("ca/" + name + ".pem");
}

std::string Broker::key(const std::string& name) const { return folder_ / ("ca/" + name + ".key"); }

void Broker::Enrol(const std::string& name, const std::string& subject,
                   const std::string& alternative, KeyKind kind) {
  const bool is_rsa = kind == KeyKind::kRsa;
  const std::string request = folder_ / ("ca/" + name + ".csr");
  MustRun({"openssl", "req", "-newkey", is_rsa ? "rsa" : "ec", "-pkeyopt",
           is_rsa ? "rsa_keygen_bits:2048" : "ec_paramgen_curve:P-256", "-nodes", "-keyout",
           key(name), "-subj", subject, "-addext", "subjectAltName=" + alternative, "-out",
           request});
  MustRun({"openssl", "x509", "-req", "-in", request, "-CA", ca(), "-CAkey", folder_ / "ca/ca.key",
           "-CAcreateserial", "-days", "2", "-copy_extensions", "copy", "-out", certificate(name)});
}

void Broker::Revoke(const std::string& name) {
  const std::string rules = folder_ / "ca/rules.cnf";
  const std::string list = folder_ / "ca/revoked.pem";
  if (!has_revoked_) WriteFile(folder_ / "ca/index.txt", "");
  has_revoked_ = true;
  WriteFile(rules, fmt::format("[ca]\ndefault_ca = fleet\n[fleet]\ndatabase = {0}/ca/index.txt\n"
                               "default_md = sha256\ndefault_crl_days = 2\ncertificate = {1}\n"
                               "private_key = {0}/ca/ca.key\n",
                               folder_.path(), ca()));
  MustRun({"openssl", "ca", "-config", rules, "-revoke", certificate(name)});
  MustRun({"openssl", "ca", "-config", rules, "-gencrl", "-out", list});
}

void Broker::Stop() {
  process_->Signal(SIGTERM);
  process_->Wait();
  process_.reset();
}

void Broker::Start(const std::string& suite) {
  const fs::path shipped = fs::path(FLEET_CONFIG);
  for (const char* name : {"mosquitto.conf", "mosquitto.acl"}) {
    std::string text = ReadFile(shipped / name);
    Replace(text, "@FOLDER@", folder_.path());
    Replace(text, "@TENANT@", kTenant);
    // The same port at each start, as kiosks know it; another one where somebody else has it by
    // now.
    if (port_ == 0) port_ = FreePort();
    while (headquarters_port_ == 0 || headquarters_port_ == port_) headquarters_port_ = FreePort();
    Replace(text, "@PORT@", port());
    Replace(text, "@HEADQUARTERS_PORT@", headquarters_port());
    if (has_revoked_) Replace(text, "#crlfile", "crlfile");
    if (sessions_share_) Replace(text, "use_username_as_clientid true", "");
    if (!suite.empty()) {
      Replace(text, "tls_version tlsv1.2", "tls_version tlsv1.2\nciphers " + suite);
    }
    WriteFile(folder_ / name, text);
    EXPECT_EQ(chmod((folder_ / name).c_str(), 0600), 0);
  }
  std::vector<std::string> variables;
  if (!suite.empty()) {  // Mosquitto's own settings end no version of TLS
    const std::string rules = folder_ / "openssl.cnf";
    WriteFile(rules,
              "openssl_conf = all\n[all]\nssl_conf = tls\n[tls]\nsystem_default = every\n[every]\n"
              "MaxProtocol = TLSv1.2\n");
    variables = {"OPENSSL_CONF=" + rules};
  }
  process_ = std::make_unique<Process>(
      std::vector<std::string>{"mosquitto", "-c", folder_ / "mosquitto.conf"}, "", variables);
  ASSERT_TRUE(process_->AwaitErr(" running")) << process_->err();
}

void Broker::StartWithOnly(const std::string& suite) {
  Kill();
  Start(suite);
}

}  // namespace idkiosk
