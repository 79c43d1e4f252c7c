#ifndef IDKIOSK_TOOLS_SANDBOX_STORE_STATE_FOLDER_H_
#define IDKIOSK_TOOLS_SANDBOX_STORE_STATE_FOLDER_H_

#include <functional>
#include <string>
#include <string_view>

#include "platform/base/error.h"

namespace idkiosk::sandbox {

// The folder that holds all of a sandbox (mode 0700): its database, certificates, secrets, and
// where its server is to be found. What is in it:
//   sandbox.db        accounts, ledger, request log, people
//   ca.pem, ca.key    the certificate authority made for this folder; clients are given ca.pem
//   server.pem, .key  the server's certificate
//   admin-token       bearer token of the control API
//   log-key           key of the digests in the request log
//   server.json       base address and port of the last server
//   server.lock       locked while a server runs
//   outbox/           onboarding messages of accounts that registered themselves
class StateFolder {
 public:
  // Makes the folder if it is missing.
  [[nodiscard]] static Result<StateFolder> Open(std::string path);
  ~StateFolder();
  StateFolder(StateFolder&& other) noexcept;
  StateFolder& operator=(StateFolder&&) = delete;

  [[nodiscard]] std::string File(std::string_view name) const;

  // The text of a secret file; the first time, what `make` makes is written to it (mode 0600).
  [[nodiscard]] Result<std::string> SecretFile(std::string_view name,
                                               const std::function<std::string()>& make) const;

  // Held until this object goes. Errors: kUnavailable while another server has it.
  [[nodiscard]] Status LockForServer();
  // Whether a server (of another process) runs on this folder.
  [[nodiscard]] bool ServerRuns() const;

 private:
  explicit StateFolder(std::string path) : path_(std::move(path)) {}
  std::string path_;
  int lock_ = -1;
};

// Reads a text file of at most 16 MiB. Errors: as errno says.
[[nodiscard]] Result<std::string> ReadTextFile(const std::string& path);

// Replaces `path` in one step by a file that only its owner can read.
[[nodiscard]] Status WritePrivateFile(const std::string& path, std::string_view text);

}  // namespace idkiosk::sandbox

#endif  // IDKIOSK_TOOLS_SANDBOX_STORE_STATE_FOLDER_H_
