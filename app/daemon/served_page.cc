#include "app/daemon/served_page.h"

#include <utility>

#include "app/ui/peer_user.h"
#include "platform/base/log.h"

namespace idkiosk {
namespace {

constexpr Duration kOpenAgainAfter = std::chrono::seconds(2);

}  // namespace

ServedPage::ServedPage(const Dependencies& deps)
    : host_(deps.host),
      login_(deps.login),
      settings_(deps.settings.ui),
      controller_({.settings = deps.settings,
                   .profile = deps.profile,
                   .runner = *host_.control,
                   .storage_runner = *host_.storage_runner,
                   .clock = host_.clock,
                   .entropy = host_.components.drivers().entropy,
                   .camera = deps.camera,
                   .queue = deps.queue,
                   .files = host_.components.drivers().files,
                   .clerk_lock = host_.clerk_lock,
                   .operator_lock = host_.operator_lock,
                   .staff = host_.staff,
                   .user = host_.user,
                   .console = deps.console,
                   .publish =
                       [this, show = deps.show](const UiSnapshot& snapshot, uint64_t revision) {
                         host_.snapshots.Put(show(snapshot, revision), revision);
                       },
                   .look_at_camera = deps.look_at_camera,
                   .devices = deps.devices,
                   .consents = deps.consents,
                   .at_screen = deps.at_screen,
                   .order_over = deps.order_over,
                   .become_first = deps.become_first,
                   .is_page_open = [this] { return host_.snapshots.is_watched(); }}),
      backend_(*host_.control, controller_, deps.metrics) {}

Status ServedPage::Serve(LoopbackServer::Options options, const VoiceFiles* voice,
                         const BrandLogo* logo) {
  const auto user = BrowserUser(settings_.browser_user);
  if (!user) return std::unexpected(user.error());
  options.browser_user = *user;
  options.port = settings_.port;
  options_ = options;
  voice_ = voice;
  logo_ = logo;
  const Status served = TryToServe();
  if (served || served.error().code != ErrorCode::kUnavailable) return served;
  // Whoever holds the port keeps people from the page, and from nothing else.
  LogError("{}. Everything else goes on, and the page follows once it is free.",
           served.error().message);
  TryAgain();
  return login_.Wait();
}

Status ServedPage::TryToServe() {
  auto server =
      LoopbackServer::Start(options_, {backend_, login_, host_.snapshots, host_.preview,
                                       host_.server_heartbeat, EmbeddedPage(), voice_, logo_});
  if (server) host_.server = std::move(*server);
  const MutexLock lock(mutex_);
  why_not_ = server ? "" : server.error().message;
  return server ? Status() : std::unexpected(server.error());
}

void ServedPage::TryAgain() {
  next_try_ = ScopedTimer(*host_.control, host_.clock.Now() + kOpenAgainAfter, [this] {
    if (!TryToServe()) return TryAgain();
    LogInfo("the page is served: its port is free again");
  });
}

Findings ServedPage::Check() {
  const MutexLock lock(mutex_);
  if (why_not_.empty()) return {};
  return {{KioskPart::kScreen, FindingState::kBad, why_not_,
           "Do what this message says; the page follows by itself, and calls are sent meanwhile."}};
}

}  // namespace idkiosk
