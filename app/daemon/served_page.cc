#include "app/daemon/served_page.h"

#include <utility>

#include "app/ui/peer_user.h"

namespace idkiosk {

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
                   .visit_over = deps.visit_over,
                   .become_first = deps.become_first,
                   .is_page_open = [this] { return host_.snapshots.is_watched(); }}),
      backend_(*host_.control, controller_, deps.metrics) {}

Status ServedPage::Serve(LoopbackServer::Options options, const VoiceFiles* voice,
                         const BrandLogo* logo) {
  const auto user = BrowserUser(settings_.browser_user);
  if (!user) return std::unexpected(user.error());
  options.browser_user = *user;
  options.port = settings_.port;
  auto server =
      LoopbackServer::Start(options, {backend_, login_, host_.snapshots, host_.preview,
                                      host_.server_heartbeat, EmbeddedPage(), voice, logo});
  if (!server) return std::unexpected(server.error());
  host_.server = std::move(*server);
  return {};
}

}  // namespace idkiosk
