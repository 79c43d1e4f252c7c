#include "app/daemon/result_link.h"

#include <utility>

#include "app/operator/readiness.h"
#include "app/results/webhook.h"
#include "platform/base/address.h"
#include "platform/base/log.h"

namespace idkiosk {
namespace {

constexpr Duration kDisk = std::chrono::seconds(20);

}  // namespace

ResultLink::ResultLink(const Dependencies& deps)
    : deps_(deps), webhook_(deps.host.clock), spool_(deps.host.clock) {
  webhook_.settings = deps.settings;
  webhook_.settings.results.spool.clear();
  spool_.settings = deps.settings;
  spool_.settings.results.webhook.clear();
}

Status ResultLink::Start() {
  const ResultsSettings& results = deps_.settings.results;
  if (!HandOver::IsConfigured(results)) return {};
  if (!results.webhook.empty()) {
    auto http = deps_.host.components.drivers().make_http_client(WebhookTransport(deps_.settings));
    if (!http) return std::unexpected(http.error().Within("results.webhook"));
    http_ = std::move(*http);
  }
  for (Line* const each : {&webhook_, &spool_}) {
    if (Status started = Start(*each); !started) return started;
  }
  LogInfo("results go to {}{}{}", WithoutPath(results.webhook),
          results.webhook.empty() || results.spool.empty() ? "" : " and ", results.spool);
  return {};
}

Status ResultLink::Start(Line& line) {
  if (!HandOver::IsConfigured(line.settings.results)) return {};
  const Drivers& drivers = deps_.host.components.drivers();
  auto made = HandOver::Make({.settings = line.settings,
                              .profile = deps_.profile,
                              .queue = deps_.queue,
                              .vault = deps_.vault,
                              .crypto = drivers.crypto,
                              .files = drivers.files,
                              .entropy = drivers.entropy,
                              .audit = deps_.host.audit,
                              .clock = deps_.host.clock,
                              .http = http_.get()});
  if (!made) return std::unexpected(made.error().Within("results"));
  line.hand_over = std::move(*made);
  line.loop.Start([&line](const std::stop_token&) {
    line.heartbeat.Beat(Webhook::kDeadline + kDisk);
    return line.hand_over->Step();
  });
  return {};
}

void ResultLink::End() {
  webhook_.loop.End(std::chrono::milliseconds(0), [this] {
    if (http_) http_->Cancel();
  });
  spool_.loop.End(std::chrono::milliseconds(0), [] {});
}

void ResultLink::Wake() {
  webhook_.loop.Wake();
  spool_.loop.Wake();
}

std::vector<HandOverStanding> ResultLink::Standings() const {
  const Drivers& drivers = deps_.host.components.drivers();
  return ReadHandOver(deps_.settings, deps_.vault, drivers.crypto, drivers.files, deps_.queue)
      .value_or(std::vector<HandOverStanding>());
}

Findings ResultLink::Check() const {
  const Drivers& drivers = deps_.host.components.drivers();
  return CheckResults(deps_.settings, deps_.vault, drivers.crypto, drivers.files, deps_.queue,
                      deps_.host.clock);
}

}  // namespace idkiosk
