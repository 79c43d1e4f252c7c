#ifndef IDKIOSK_APP_UI_BROWSER_LOGIN_H_
#define IDKIOSK_APP_UI_BROWSER_LOGIN_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "platform/api/entropy.h"
#include "platform/api/file_system.h"
#include "platform/base/mutex.h"
#include "platform/base/secret_bytes.h"

namespace idkiosk {

// Lets one browser at a time in. The start page, a file that only the browser's user may read,
// posts a token that is good once. Who shows it gets a cookie; the cookie before is worth nothing
// from then on, and the file holds a new token. Any thread.
class BrowserLogin {
 public:
  // `page`: the file of the start page. It is readable for its owner, and in a folder that hands
  // its group on (setgid) for that group. `entropy` and `files` must outlive this.
  BrowserLogin(Entropy& entropy, FileSystem& files, std::string page);
  // Removes the start page.
  ~BrowserLogin();
  BrowserLogin(const BrowserLogin&) = delete;
  BrowserLogin& operator=(const BrowserLogin&) = delete;

  // Writes the start page of the server at this port. Errors: CheckStartPagePlace's,
  // FileSystem::WriteDurably's.
  [[nodiscard]] Status Open(int port);
  // Writes a page in its place that waits for Open: what an earlier program left there would lead a
  // browser to whoever has the port now. Errors: as of Open.
  [[nodiscard]] Status Wait();
  // Returns the port of Open: a server that takes another's place has the same. 0: none yet.
  [[nodiscard]] int port() const;
  // Returns the start page's own address, "file:///...".
  [[nodiscard]] std::string address() const;

  // Returns a new cookie for the token in force, which is used up by that. Returns nothing for any
  // other token, and counts it.
  [[nodiscard]] std::optional<std::string> Redeem(std::string_view token);
  [[nodiscard]] bool IsCookie(std::string_view value) const;

  // Returns what the server proves itself to the browser's pages by: the same for as long as this
  // lives, and told to nobody who has not the cookie.
  [[nodiscard]] const std::string& proof() const { return proof_; }

  // Returns how often a token was taken: what was opened under another number is another browser's.
  [[nodiscard]] uint64_t taken() const;
  // Returns how often a token was refused.
  [[nodiscard]] uint64_t refused() const;

 private:
  [[nodiscard]] SecretBytes RandomWord();
  [[nodiscard]] Status WritePage() REQUIRES(mutex_);
  [[nodiscard]] Status Write(std::string_view text) REQUIRES(mutex_);

  Entropy& entropy_;
  FileSystem& files_;
  const std::string page_;
  const std::string proof_;
  mutable Mutex mutex_;
  SecretBytes token_ GUARDED_BY(mutex_);
  SecretBytes cookie_ GUARDED_BY(mutex_);
  int port_ GUARDED_BY(mutex_) = 0;
  bool is_there_ GUARDED_BY(mutex_) = false;
  bool is_written_ GUARDED_BY(mutex_) = false;  // with the token in force
  uint64_t taken_ GUARDED_BY(mutex_) = 0;
  uint64_t refused_ GUARDED_BY(mutex_) = 0;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_UI_BROWSER_LOGIN_H_
