#ifndef IDKIOSK_APP_API_API_BACKEND_H_
#define IDKIOSK_APP_API_API_BACKEND_H_

#include <array>
#include <functional>
#include <future>
#include <optional>
#include <string>
#include <utility>

#include "app/api/camera_visits.h"
#include "app/api/check_owners.h"
#include "app/api/event_hub.h"
#include "app/audit/audit_trail.h"
#include "app/consent/consent_texts.h"
#include "app/headquarters/headquarters.h"
#include "app/operator/finding.h"
#include "app/queue/durable_queue.h"
#include "app/service/endpoint_profile.h"
#include "app/service/verification_call.h"
#include "app/session/visit/number_at_screen.h"
#include "app/settings/settings.h"
#include "platform/api/clock.h"
#include "platform/api/entropy.h"
#include "platform/api/file_system.h"
#include "platform/api/secure_storage.h"
#include "platform/api/task_runner.h"

namespace idkiosk {

// The kiosk behind the local API, asked by the server's threads: each may wait, the storage thread
// does the work of queue, vault and files.
class ApiBackend {
 public:
  using GivenPictures = std::array<SecretBytes, 1 + FacePictures::kLivenessCount>;

  // All must outlive this; the storage thread takes tasks for longer than the server's threads ask.
  struct Dependencies {
    const Settings& settings;
    const ServiceProfile& profile;
    std::string config_path;
    DurableQueue& queue;
    SecureStorage& vault;
    AuditLog& audit;
    ConsentLog& consents;
    const ConsentTexts& consent_texts;
    FileSystem& files;
    const Clock& clock;
    Entropy& entropy;
    TaskRunner& storage_runner;
    // Tells the delivery that a call has come, or that a person has decided; any thread.
    std::function<void()> wake;
    // Whether the service was in reach when it was last asked; any thread.
    std::function<bool()> online;
    // The numbers of /v1/metrics; any thread.
    std::function<std::string()> metrics;
    // The audit trail's entries behind a number, so many of them at most. The storage thread.
    std::function<Result<std::vector<AuditEntry>>(uint64_t number, size_t limit)> audit_entries;
    // How the hand-over of results stands, and whatever else only the kiosk knows. The storage
    // thread.
    std::function<Findings()> others = [] { return Findings(); };
    // Null: this kiosk takes no commands of headquarters. The storage thread, but for MayLook.
    Headquarters* headquarters = nullptr;
    // Gates pictures that were taken elsewhere, the selfie first, as `verify --pictures` does. The
    // server's threads, one at a time. Errors: kRejected, kCorrupt, kForbidden, naming the picture.
    std::function<Result<FacePictures>(GivenPictures pictures)> gate;
    // CameraVisits'.
    std::function<void(std::shared_ptr<const VisitOrder> order)> begin_visit;
    const NumberAtScreen* at_screen = nullptr;  // null: nobody knows who is there
    // Whether somebody is before the kiosk's page; any thread.
    std::function<bool()> is_visit = [] { return false; };
  };
  explicit ApiBackend(Dependencies deps)
      : deps_(std::move(deps)), visits_(deps_.begin_visit), events_(deps_.entropy) {}

  [[nodiscard]] const Dependencies& deps() const { return deps_; }
  [[nodiscard]] EventHub& events() { return events_; }
  [[nodiscard]] CheckOwners& owners() { return owners_; }
  [[nodiscard]] CameraVisits& visits() { return visits_; }

  // Returns what `question` answers on the storage thread. On a server's thread, which waits.
  template <typename Question>
  [[nodiscard]] auto Ask(Question question) -> decltype(question()) {
    std::promise<decltype(question())> promise;
    auto answer = promise.get_future();
    deps_.storage_runner.Post([ask = std::move(question), told = std::move(promise)]() mutable {
      told.set_value(ask());
    });
    return answer.get();
  }

  // Tells whoever listens how a call stands now; any thread.
  void TellChange(const CallReference& reference);
  // Tells whoever listens that a person has come and sent nothing; any thread.
  void TellEnd(const VisitEnd& end);

  // Looks at each part, but at the camera, which may be in use; not more often than each few
  // seconds. On the storage thread.
  [[nodiscard]] const Findings& Health();

 private:
  const Dependencies deps_;
  CheckOwners owners_;
  CameraVisits visits_;
  EventHub events_;
  Findings health_;  // of the storage thread
  std::optional<MonotonicTime> health_at_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_API_API_BACKEND_H_
