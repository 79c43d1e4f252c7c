#ifndef IDKIOSK_APP_RESULTS_HAND_OVER_H_
#define IDKIOSK_APP_RESULTS_HAND_OVER_H_

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/results/outbox.h"
#include "platform/api/http_client.h"

namespace idkiosk {

// How the hand-over to one destination stands.
struct HandOverStanding {
  std::string destination;         // "webhook", "spool"
  int64_t waiting = 0;             // ends that were not handed over
  std::optional<WallTime> oldest;  // when the oldest of them ended
  bool gone = false;               // nothing is wanted there any more
  std::string trouble;             // why the next one was not handed over
};

// The hand-over of results to each destination that the settings name. One thread.
class HandOver {
 public:
  // All must outlive this.
  struct Dependencies {
    const Settings& settings;
    const ServiceProfile& profile;
    DurableQueue& queue;
    SecureStorage& vault;
    const Crypto& crypto;
    FileSystem& files;
    Entropy& entropy;
    AuditLog& audit;
    const Clock& clock;
    HttpClient* http = nullptr;  // for the webhook, where there is one
  };
  // Errors: SecureStorage's.
  [[nodiscard]] static Result<std::unique_ptr<HandOver>> Make(const Dependencies& deps);

  [[nodiscard]] static bool IsConfigured(const ResultsSettings& settings) {
    return !settings.webhook.empty() || !settings.spool.empty();
  }

  // Hands at most one end over to each destination, the quick one first. Returns when to come
  // again.
  [[nodiscard]] MonotonicTime Step();

 private:
  HandOver(const Dependencies& deps, SecretBytes key);
  void Add(std::unique_ptr<Destination> destination, const Dependencies& deps);

  const SecretBytes key_;
  const RetryPolicy policy_;
  const ResultWriter writer_;
  std::vector<std::unique_ptr<Destination>> destinations_;
  std::vector<std::unique_ptr<Outbox>> outboxes_;
};

// Returns how it stands, by what is on the disk: also for a program beside the one that hands over.
// Any thread. Errors: FileSystem's, SecureStorage's, DurableQueue's.
[[nodiscard]] Result<std::vector<HandOverStanding>> ReadHandOver(const Settings& settings,
                                                                 SecureStorage& vault,
                                                                 const Crypto& crypto,
                                                                 FileSystem& files,
                                                                 DurableQueue& queue);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_RESULTS_HAND_OVER_H_
