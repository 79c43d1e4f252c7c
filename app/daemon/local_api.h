#ifndef IDKIOSK_APP_DAEMON_LOCAL_API_H_
#define IDKIOSK_APP_DAEMON_LOCAL_API_H_

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/api/api_server.h"
#include "app/daemon/page_host.h"
#include "app/session/visit/number_at_screen.h"
#include "app/workers/heartbeat.h"
#include "platform/base/mutex.h"

namespace idkiosk {

// The local API of a running kiosk: its server, and a face detector of its own for pictures that
// other programs give. Where api.socket is not set, it is for the kiosk's own user and root alone,
// at a socket of the state folder: the command line asks it there.
class LocalApi {
 public:
  // All must outlive this.
  struct Dependencies {
    PageHost& host;
    const Settings& settings;
    const ServiceProfile& profile;
    DurableQueue& queue;
    SecureStorage& vault;
    ConsentLog& consents;
    const ConsentTexts& consent_texts;
    std::function<void()> wake;
    std::function<bool()> online;
    std::function<std::string()> metrics;
    std::function<Findings()> others;  // as ApiBackend's
    Headquarters& headquarters;
    // Begins a visit at the screen, which answers by OnVisitBegun; any thread.
    std::function<void(std::shared_ptr<const VisitOrder> order)> begin_visit;
    const NumberAtScreen& at_screen;
    const std::atomic<bool>& is_visit;
  };
  explicit LocalApi(const Dependencies& deps);

  // Listens and serves. Errors, where api.socket is set: ApiServer::Start's; kInvalid, kNotFound
  // (the face detector). Without it, an error goes into the log.
  [[nodiscard]] Status Serve();
  // Ends the server; while the storage thread takes tasks.
  void End() {
    backend_.visits().Close();
    server_.reset();
  }

  // A call has changed; any thread.
  void TellChange(const CallReference& reference) { backend_.TellChange(reference); }
  // The screen has answered, or is done; any thread.
  void OnVisitBegun(const CallReference& reference, const Status& answer) {
    backend_.visits().Begun(reference, answer);
  }
  void OnOrderOver(const VisitEnd& end) { backend_.TellEnd(end); }
  // The parts that are not well, as /v1/health says; on the storage thread.
  [[nodiscard]] std::vector<std::string> Complaints();
  [[nodiscard]] const Heartbeat& heartbeat() const { return heartbeat_; }

 private:
  [[nodiscard]] Status Start(const ApiServer::Options& options);
  [[nodiscard]] Result<FacePictures> Gate(ApiBackend::GivenPictures pictures);

  Components& components_;
  const Settings& settings_;
  AuditTrail& audit_;
  Heartbeat heartbeat_;
  Mutex gate_;  // one bundle at a time is judged
  ApiBackend backend_;
  std::unique_ptr<ApiServer> server_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_DAEMON_LOCAL_API_H_
