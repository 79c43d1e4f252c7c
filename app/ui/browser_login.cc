#include "app/ui/browser_login.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cctype>
#include <filesystem>
#include <utility>

#include "app/ui/start_page.h"
#include "platform/base/bytes.h"
#include "platform/base/log.h"

namespace idkiosk {
BrowserLogin::BrowserLogin(Entropy& entropy, FileSystem& files, std::string page)
    : entropy_(entropy),
      files_(files),
      page_(std::filesystem::absolute(page).lexically_normal().string()),
      proof_(RandomWord().text()),
      token_(RandomWord()),
      cookie_(RandomWord()) {}

BrowserLogin::~BrowserLogin() {
  const MutexLock lock(mutex_);
  if (is_there_ && CheckStartPagePlace(files_, page_)) (void)files_.Remove(page_);
}

SecretBytes BrowserLogin::RandomWord() {
  std::array<uint8_t, 16> bytes;
  entropy_.Fill(bytes);
  std::string word = ToHex(bytes);
  Wipe(bytes);
  return SecretBytes::Take(word);
}

Status BrowserLogin::Open(int port) {
  const MutexLock lock(mutex_);
  if (is_written_ && port == port_) return {};
  const int before = std::exchange(port_, port);
  Status written = WritePage();
  if (!written) port_ = before;
  return written;
}

Status BrowserLogin::Wait() {
  const MutexLock lock(mutex_);
  is_written_ = false;
  return Write(WaitingPageText());
}

Status BrowserLogin::WritePage() {
  std::string text = StartPageText(port_, token_.text());
  Status written = Write(text);
  Wipe(text);
  is_written_ = written.has_value();
  return written;
}

Status BrowserLogin::Write(std::string_view text) {
  Status written = CheckStartPagePlace(files_, page_);
  if (written) written = files_.WriteDurably(page_, AsBytes(text), FileAccess::kFolderGroup);
  if (!written) return std::unexpected(written.error().Within("the browser's start page"));
  is_there_ = true;
  return {};
}

int BrowserLogin::port() const {
  const MutexLock lock(mutex_);
  return port_;
}

std::string BrowserLogin::address() const {
  std::string address = "file://";
  for (const char each : page_) {
    const auto byte = static_cast<unsigned char>(each);
    const bool is_plain = std::isalnum(byte) != 0 || std::string_view("/-._~").contains(each);
    address += is_plain ? std::string(1, each) : fmt::format("%{:02X}", byte);
  }
  return address;
}

std::optional<std::string> BrowserLogin::Redeem(std::string_view token) {
  const MutexLock lock(mutex_);
  const bool is_good = token_.Equals(AsBytes(token));
  if (is_good) {
    ++taken_;
    token_ = RandomWord();
    cookie_ = RandomWord();
    is_written_ = false;
    LogInfo("page: a browser was let in by the start page; what the one before had is void");
  } else if (std::has_single_bit(++refused_)) {
    // Not a line each: who tries them all would push everything else out of the log.
    LogWarning(
        "page: a start token was refused, because it was used before or was never given; "
        "refused so far: {}",
        refused_);
  }
  // A full disk may have kept the last one from being written.
  if (!is_written_) {
    if (const Status written = WritePage(); !written) {
      LogError("{}; a browser that starts now does not get in", written.error().message);
    }
  }
  if (!is_good) return std::nullopt;
  return std::string(cookie_.text());
}

bool BrowserLogin::IsCookie(std::string_view value) const {
  const MutexLock lock(mutex_);
  return cookie_.Equals(AsBytes(value));
}

uint64_t BrowserLogin::taken() const {
  const MutexLock lock(mutex_);
  return taken_;
}

uint64_t BrowserLogin::refused() const {
  const MutexLock lock(mutex_);
  return refused_;
}

}  // namespace idkiosk
