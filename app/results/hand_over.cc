#include "app/results/hand_over.h"

#include <algorithm>

#include "app/results/spool.h"
#include "app/results/webhook.h"
#include "platform/base/log.h"

namespace idkiosk {
namespace {

constexpr std::string_view kKeyLabel = "idkiosk/results/1";

}  // namespace

HandOver::HandOver(const Dependencies& deps, SecretBytes key)
    : key_(std::move(key)),
      policy_(deps.settings.queue, deps.entropy),
      writer_({.queue = deps.queue,
               .profile = deps.profile,
               .settings = deps.settings.results,
               .crypto = deps.crypto,
               .key = key_}) {
  const ResultsSettings& results = deps.settings.results;
  if (!results.spool.empty()) {
    auto spool = std::make_unique<Spool>(results.spool, deps.settings.state_folder, deps.files);
    if (const Status good = spool->Check(); !good) {
      LogWarning("{}; until that is mended, results wait", good.error().message);
    }
    Add(std::move(spool), deps);
  }
  if (!results.webhook.empty() && deps.http != nullptr) {
    Add(std::make_unique<Webhook>(Webhook::Dependencies{.address = results.webhook,
                                                        .http = *deps.http,
                                                        .vault = deps.vault,
                                                        .crypto = deps.crypto,
                                                        .clock = deps.clock}),
        deps);
  }
}

void HandOver::Add(std::unique_ptr<Destination> destination, const Dependencies& deps) {
  destinations_.push_back(std::move(destination));
  Destination& added = *destinations_.back();
  outboxes_.push_back(std::make_unique<Outbox>(Outbox::Dependencies{
      .queue = deps.queue,
      .writer = writer_,
      .destination = added,
      .cursor =
          OutboxCursorFile(deps.settings.state_folder, added.name(), deps.crypto, key_, deps.files),
      .policy = policy_,
      .audit = deps.audit,
      .clock = deps.clock}));
}

Result<std::unique_ptr<HandOver>> HandOver::Make(const Dependencies& deps) {
  auto key = deps.vault.DeriveKey(kKeyLabel);
  if (!key) return std::unexpected(key.error());
  return std::unique_ptr<HandOver>(new HandOver(deps, std::move(*key)));
}

MonotonicTime HandOver::Step() {
  MonotonicTime next = MonotonicTime::max();
  for (const auto& each : outboxes_) next = std::min(next, each->Step());
  return next;
}

Result<std::vector<HandOverStanding>> ReadHandOver(const Settings& settings, SecureStorage& vault,
                                                   const Crypto& crypto, FileSystem& files,
                                                   DurableQueue& queue) {
  std::vector<HandOverStanding> standings;
  if (!HandOver::IsConfigured(settings.results)) return standings;
  const auto key = vault.DeriveKey(kKeyLabel);
  if (!key) return std::unexpected(key.error());
  for (const auto& [name, target] :
       {std::pair<std::string_view, const std::string&>("spool", settings.results.spool),
        {"webhook", settings.results.webhook}}) {
    if (target.empty()) continue;
    const OutboxCursorFile file(settings.state_folder, name, crypto, *key, files);
    const auto cursor = file.Load();
    if (!cursor && cursor.error().code != ErrorCode::kCorrupt) {
      return std::unexpected(cursor.error());
    }
    HandOverStanding& standing = standings.emplace_back();
    standing.destination = name;
    // Without one nothing was promised yet; of a damaged one everything is.
    if (cursor && !*cursor) continue;
    const OutboxCursor known = cursor ? **cursor : OutboxCursor();
    const auto ends = queue.Ends(known.place, 1);
    if (!ends) return std::unexpected(ends.error());
    standing.waiting = ends->count;
    if (!ends->first.empty()) standing.oldest = ends->first.front().ended_at;
    standing.gone = known.gone;
    standing.trouble = known.trouble;
  }
  return standings;
}

}  // namespace idkiosk
