#ifndef IDKIOSK_APP_FLEET_FLEET_SETTINGS_H_
#define IDKIOSK_APP_FLEET_FLEET_SETTINGS_H_

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "platform/api/file_system.h"
#include "platform/base/error.h"

namespace idkiosk {

// What idkiosk-fleet is told by its own file (config/fleet/fleet.jsonc.in). It reads nothing of
// idkiosk's own.
struct FleetSettings {
  std::string host = {};  // the broker's, as its certificate names it
  uint16_t port = 0;
  bool plain = false;            // without TLS: on this machine alone
  std::string tenant = {};       // whose kiosks these are: "bank"
  std::string kiosk = {};        // this one's name, as its certificate has it
  std::string ca_file = {};      // who signs the broker's certificate
  std::string certificate = {};  // this kiosk's own, and its key
  std::string key = {};
  // Where that certificate is asked for by EST; empty: people bring it.
  std::string est = {};
  std::string claim = {};         // a file of what the first one is asked for by
  std::string api_socket = {};    // idkiosk's api.socket
  std::string state_folder = {};  // of this program alone
  // Over how long kiosks that lost the broker together come back.
  std::chrono::seconds reconnect_within{60};
};

// Errors: kInvalid, "FILE:LINE: KEY: what is wrong, and the mend"; FileSystem's.
[[nodiscard]] Result<FleetSettings> LoadFleetSettings(FileSystem& files, const std::string& path);

// The same of the file's text. Errors: kInvalid.
[[nodiscard]] Result<FleetSettings> ParseFleetSettings(std::string_view text,
                                                       const std::string& path);

// Whether the files that they name can be used for TLS; --check says so before a broker is asked. A
// certificate that is asked for by EST may not be there yet.
// Errors: kInvalid (it holds no certificate), FileSystem's; each names the key and the file.
[[nodiscard]] Status CheckTlsFiles(FileSystem& files, const FleetSettings& settings);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_FLEET_FLEET_SETTINGS_H_
