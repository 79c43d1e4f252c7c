#ifndef IDKIOSK_APP_OPERATOR_INSTALLATION_PROTOCOL_H_
#define IDKIOSK_APP_OPERATOR_INSTALLATION_PROTOCOL_H_

#include <string>
#include <vector>

#include "app/operator/finding.h"
#include "platform/api/file_system.h"

namespace idkiosk {

struct InstallationStep {
  std::string name;  // for people: "camera and light"
  Findings findings;
};

// What was found where a kiosk was set up, to be printed and signed. Holds nothing of the people
// who are checked there, and no secret.
struct InstallationProtocol {
  std::string version;  // of the program
  WallTime made_at;
  std::string kiosk;      // its name at headquarters; empty: it has none
  std::string service;    // "sandbox, https://..."; empty: the configuration cannot be read
  std::string signed_by;  // who installed it
  std::vector<InstallationStep> steps;

  // All that was found, in the order of the steps.
  [[nodiscard]] Findings findings() const;
};

// For paper: what was found, what is to be mended, and a line for a signature.
[[nodiscard]] std::string ProtocolText(const InstallationProtocol& protocol);
// The same for programs.
[[nodiscard]] std::string ProtocolJson(const InstallationProtocol& protocol);

// Writes both into `folder`, installation-TIME.txt and .json, mode 0600, of which the newest ten
// stay. Returns the first one's path. Errors: FileSystem's.
[[nodiscard]] Result<std::string> KeepProtocol(FileSystem& files, const std::string& folder,
                                               const InstallationProtocol& protocol);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_OPERATOR_INSTALLATION_PROTOCOL_H_
