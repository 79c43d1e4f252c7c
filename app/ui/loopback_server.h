#ifndef IDKIOSK_APP_UI_LOOPBACK_SERVER_H_
#define IDKIOSK_APP_UI_LOOPBACK_SERVER_H_

#include <sys/types.h>

#include <chrono>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "app/ui/brand_logo.h"
#include "app/ui/page_backend.h"
#include "app/ui/page_files.h"
#include "app/ui/snapshot_board.h"
#include "app/ui/voice_files.h"
#include "app/workers/heartbeat.h"
#include "app/workers/preview_slot.h"
#include "platform/api/entropy.h"

namespace idkiosk {

// Serves the page to the kiosk's own browser, and to nobody else: on 127.0.0.1, by a start address
// that holds a random token of 128 bits. README.md describes what it answers.
class LoopbackServer {
 public:
  // How the browser knows a server.
  struct Identity {
    int port = 0;
    std::string token;   // of the start address
    std::string cookie;  // what the browser got for it
  };
  struct Options {
    int port = 0;  // 0: a free one
    // Takes the place of a server that this process had before: its pages go on. Else a new one.
    std::optional<Identity> identity = std::nullopt;
    // Who is served beside the user of this process; everybody else is cut off unheard.
    std::optional<uid_t> browser_user = std::nullopt;
    bool metrics = false;                          // for everybody on this machine
    std::chrono::milliseconds request_time{5000};  // to send a head, then to send the body
    std::chrono::milliseconds idle_time{30000};    // between two of one connection
  };
  // All must outlive the server.
  struct Dependencies {
    PageBackend& page;
    SnapshotBoard& snapshots;
    PreviewSlot& preview;
    Heartbeat& heartbeat;  // of the thread that takes connections
    std::span<const PageFile> files;
    const VoiceFiles* voice = nullptr;  // null: no sentence is spoken
    const BrandLogo* logo = nullptr;    // null: there is none
  };

  // Listens and serves, on threads of its own. Errors: kUnavailable (the port is taken).
  [[nodiscard]] static Result<std::unique_ptr<LoopbackServer>> Start(const Options& options,
                                                                     const Dependencies& deps,
                                                                     Entropy& entropy);
  // Ends every connection.
  ~LoopbackServer();

  [[nodiscard]] int port() const;
  // For the server that takes this one's place, and for nobody else.
  [[nodiscard]] Identity identity() const;
  // "http://127.0.0.1:PORT/?token=...": anybody who has it is taken for the kiosk's browser.
  [[nodiscard]] const std::string& start_address() const { return start_address_; }

 private:
  class Listener;
  LoopbackServer(std::unique_ptr<Listener> listener, std::string start_address);

  std::unique_ptr<Listener> listener_;
  const std::string start_address_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_UI_LOOPBACK_SERVER_H_
