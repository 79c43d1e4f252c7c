#ifndef IDKIOSK_APP_UI_LOOPBACK_SERVER_H_
#define IDKIOSK_APP_UI_LOOPBACK_SERVER_H_

#include <sys/types.h>

#include <chrono>
#include <memory>
#include <optional>
#include <span>

#include "app/ui/brand_logo.h"
#include "app/ui/browser_login.h"
#include "app/ui/page_backend.h"
#include "app/ui/page_files.h"
#include "app/ui/snapshot_board.h"
#include "app/ui/voice_files.h"
#include "app/workers/heartbeat.h"
#include "app/workers/preview_slot.h"

namespace idkiosk {

// Serves the page to the kiosk's own browser, and to nobody else: on 127.0.0.1, to who has come in
// by the start page. README.md describes what it answers.
class LoopbackServer {
 public:
  struct Options {
    int port = 0;  // 0: a free one. A server that takes another's place has that one's
    // Who is served beside the user of this process; everybody else is cut off unheard.
    std::optional<uid_t> browser_user = std::nullopt;
    bool metrics = false;                          // for everybody on this machine
    std::chrono::milliseconds request_time{5000};  // to send a head, then to send the body
    std::chrono::milliseconds idle_time{30000};    // between two of one connection
  };
  // All must outlive the server.
  struct Dependencies {
    PageBackend& page;
    BrowserLogin& login;  // of the server before, too: its pages go on
    SnapshotBoard& snapshots;
    PreviewSlot& preview;
    Heartbeat& heartbeat;  // of the thread that takes connections
    std::span<const PageFile> files;
    const VoiceFiles* voice = nullptr;  // null: no sentence is spoken
    const BrandLogo* logo = nullptr;    // null: there is none
  };

  // Listens and serves, on threads of its own, and opens `login`. Errors: kUnavailable (the port is
  // taken); BrowserLogin::Open's.
  [[nodiscard]] static Result<std::unique_ptr<LoopbackServer>> Start(const Options& options,
                                                                     const Dependencies& deps);
  // Ends every stream, and gives the port back once the pages have noticed. Ends every connection.
  ~LoopbackServer();

  [[nodiscard]] int port() const;

 private:
  class Listener;
  explicit LoopbackServer(std::unique_ptr<Listener> listener);

  std::unique_ptr<Listener> listener_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_UI_LOOPBACK_SERVER_H_
