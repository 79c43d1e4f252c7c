#include "tools/sandbox/application.h"

#include "tools/sandbox/control/control.h"
#include "tools/sandbox/dashboard/dashboard.h"
#include "tools/sandbox/service/service.h"
#include "tools/sandbox/store/certificate.h"
#include "tools/sandbox/store/digest.h"

namespace idkiosk::sandbox {
namespace {

constexpr size_t kSecretBytes = 32;

std::string MakeSecret() { return RandomHex(kSecretBytes); }

// The host of a URL: an IPv6 address goes in brackets, and "any address" is no address to go to.
std::string HostOf(const std::string& address) {
  if (address == "0.0.0.0" || address == "::") return "localhost";
  return address.find(':') == std::string::npos ? address : "[" + address + "]";
}

// The names that the dashboard answers to.
std::vector<std::string> HostsOf(const ApplicationOptions& options) {
  std::vector<std::string> hosts = {"localhost", "127.0.0.1", "[::1]", HostOf(options.address)};
  for (const std::string& name : options.more_names) hosts.push_back(HostOf(name));
  return hosts;
}

}  // namespace

// Declared in the order in which the parts need one another.
struct Application::State final : HttpHandler {
  State(StateFolder& folder, SandboxClock& the_clock, const ApplicationOptions& options,
        std::unique_ptr<Database> opened, std::unique_ptr<HttpServer> bound,
        ServerAddress the_address, const std::string& log_key, std::string token)
      : clock(the_clock),
        database(std::move(opened)),
        address(the_address),
        admin_token(token),
        settings(options.settings),
        accounts(*database),
        people(*database),
        ledger(*database, KeyedDigest(log_key)),
        faults(options.seed),
        onboarding(folder, std::move(the_address)),
        service({.clock = clock,
                 .settings = settings,
                 .accounts = accounts,
                 .people = people,
                 .ledger = ledger,
                 .tokens = tokens,
                 .faults = faults,
                 .onboarding = onboarding}),
        control({.clock = clock,
                 .settings = settings,
                 .accounts = accounts,
                 .people = people,
                 .ledger = ledger,
                 .tokens = tokens,
                 .faults = faults,
                 .onboarding = onboarding,
                 .admin_token = std::move(token)}),
        dashboard({.clock = clock,
                   .accounts = accounts,
                   .people = people,
                   .ledger = ledger,
                   .faults = faults,
                   .memberships = service.memberships(),
                   .access_tokens = tokens,
                   .base_url = address.base_url,
                   .hosts = HostsOf(options)}),
        server(std::move(bound)) {}

  std::optional<HttpAnswer> BeforeBody(const HttpRequest& request) override {
    return service.BeforeBody(request);
  }

  HttpAnswer Handle(const HttpRequest& request) override {
    if (Dashboard::Serves(request.path)) return dashboard.Handle(request);
    if (!request.path.starts_with("/sandbox/")) return service.Handle(request);
    HttpAnswer answer = control.Handle(request);
    answer.headers.emplace_back("Cache-Control", "no-store");
    return answer;
  }

  HttpAnswer Refuse(const HttpRequest& request, int status) override {
    return service.Refuse(request, status);
  }

  SandboxClock& clock;
  const std::unique_ptr<Database> database;
  const ServerAddress address;
  const std::string admin_token;
  CurrentSettings settings;
  Accounts accounts;
  People people;
  Ledger ledger;
  Tokens tokens;
  Faults faults;
  const Onboarding onboarding;
  Service service;
  Control control;
  Dashboard dashboard;
  const std::unique_ptr<HttpServer> server;
};

Application::Application(std::unique_ptr<State> state) : state_(std::move(state)) {}
Application::~Application() = default;
const std::string& Application::base_url() const { return state_->address.base_url; }
const std::string& Application::ca_file() const { return state_->address.ca_file; }
const std::string& Application::admin_token() const { return state_->admin_token; }
int Application::port() const { return state_->server->port(); }

Result<std::unique_ptr<Application>> Application::Start(StateFolder& folder, SandboxClock& clock,
                                                        const ApplicationOptions& options) {
  if (auto locked = folder.LockForServer(); !locked) return std::unexpected(locked.error());
  auto database = Database::Open(folder.File("sandbox.db"));
  if (!database) return std::unexpected(database.error());
  const auto log_key = folder.SecretFile("log-key", MakeSecret);
  if (!log_key) return std::unexpected(log_key.error());
  const auto admin_token = folder.SecretFile("admin-token", MakeSecret);
  if (!admin_token) return std::unexpected(admin_token.error());
  HttpServerOptions http{.address = options.address,
                         .port = options.port,
                         .certificate_file = {},
                         .key_file = {},
                         .max_body = options.max_body,
                         .clock = [&clock] { return clock.Now(); }};
  ServerAddress address;
  if (!options.plain_http) {
    const auto certificates = EnsureCertificates(folder, options.more_names);
    if (!certificates) return std::unexpected(certificates.error());
    http.certificate_file = certificates->certificate;
    http.key_file = certificates->key;
    address.ca_file = certificates->ca;
  }
  auto server = HttpServer::Bind(std::move(http));
  if (!server) return std::unexpected(server.error());
  address.port = (*server)->port();
  address.base_url = fmt::format("{}://{}:{}", options.plain_http ? "http" : "https",
                                 HostOf(options.address), address.port);
  auto state = std::make_unique<State>(folder, clock, options, std::move(*database),
                                       std::move(*server), address, *log_key, *admin_token);
  if (auto filled = state->people.EnsureSomebody(); !filled) {
    return std::unexpected(filled.error());
  }
  if (auto written = WriteServerAddress(folder, address); !written) {
    return std::unexpected(written.error());
  }
  state->server->Serve(*state);
  return std::unique_ptr<Application>(new Application(std::move(state)));
}

}  // namespace idkiosk::sandbox
