#include "app/daemon/service_link.h"

#include <optional>
#include <utility>

#include "app/session/offered_reasons.h"
#include "platform/base/log.h"

namespace idkiosk {
namespace {

// The list of reasons is asked for now and then, also to see whether the service is in reach.
constexpr Duration kAskReasonsOnline = std::chrono::minutes(10);
constexpr Duration kAskReasonsOffline = std::chrono::seconds(30);

// Nothing where the attempt says nothing about the network.
std::optional<bool> InReach(const Outcome& outcome) {
  if (outcome.http_status != 0) return true;
  const bool away =
      outcome.kind == OutcomeKind::kUnreachable || outcome.kind == OutcomeKind::kCertificate;
  return away ? std::optional(false) : std::nullopt;
}

}  // namespace

ServiceLink::ServiceLink(const Dependencies& deps)
    : deps_(deps),
      reasons_(deps.files, deps.clock, deps.settings.state_folder + "/request-reasons.json"),
      loop_({.worker = deps.worker,
             .clock = deps.clock,
             .heartbeat = heartbeat_,
             .longest_exchange = deps.settings.service.total_timeout,
             .report = [this](const auto& step) { Report(step); },
             .chore = [this] { return AskReasons(); },
             .give_up = deps.give_up}) {}

void ServiceLink::Tell(PageController& page) {
  page_ = &page;
  // The ones that are kept serve until the service has been asked.
  if (Status loaded = reasons_.Load(); loaded) {
    page.SetReasons(reasons_.list());
  } else {
    LogInfo("request reasons: {}", loaded.error().message);
  }
}

void ServiceLink::Report(const DeliveryWorker::Step& step) {
  if (step.outcome) {
    deps_.metrics.CountAttempt(step.outcome->kind);
    if (const auto in_reach = InReach(*step.outcome)) TellOnline(*in_reach);
  }
  deps_.changed(*step.reference);
  deps_.control.Post([this, reference = *step.reference] { page_->OnCallChanged(reference); });
}

MonotonicTime ServiceLink::AskReasons() {
  auto fetched = deps_.client.FetchReasons();
  TellOnline(fetched || fetched.error().code != ErrorCode::kUnavailable);
  if (fetched) {
    if (Status kept = reasons_.Replace(std::move(*fetched)); !kept) {
      LogWarning("request reasons: {}", kept.error().message);
    }
    if (const Status offered = CheckOffered(deps_.settings, reasons_.list()); !offered) {
      LogWarning("{}", offered.error().message);
    }
    deps_.control.Post([this, list = reasons_.list()] { page_->SetReasons(list); });
  } else {
    LogWarning("request reasons: {}", fetched.error().message);
  }
  return deps_.clock.Now() + (online_ ? kAskReasonsOnline : kAskReasonsOffline);
}

void ServiceLink::TellOnline(bool online) {
  if (online != online_) LogInfo("the service is {}", online ? "in reach" : "out of reach");
  online_ = online;
  deps_.control.Post([this, online] { page_->SetOnline(online); });
}

}  // namespace idkiosk
