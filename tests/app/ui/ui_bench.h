#ifndef IDKIOSK_TESTS_APP_UI_UI_BENCH_H_
#define IDKIOSK_TESTS_APP_UI_UI_BENCH_H_

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/ui/loopback_server.h"
#include "platform/base/mutex.h"
#include "platform/posix/system_clock.h"
#include "tests/app/ui/raw_client.h"
#include "tests/fakes/fake_entropy.h"
#include "tests/fakes/fake_file_system.h"

namespace idkiosk {

// A program behind the page, played by the test.
class FakePageDesk final : public PageBackend {
 public:
  CommandReply Command(JsonDocument body) override {
    MutexLock lock(mutex_);
    changed_.Wait(lock, [this]() REQUIRES(mutex_) { return !held_; });
    commands_.push_back(body.root().Print());
    return answer_;
  }
  Status PageOpened() override {
    const MutexLock lock(mutex_);
    ++opened_;
    return {};
  }
  Result<SecretBytes> Picture(std::string_view session, size_t index) override {
    if (session != "S1" || index > 4) return Fail(ErrorCode::kNotFound, "there is no such picture");
    return SecretBytes::CopyOf(fmt::format("picture {}", index));
  }
  Result<SecretBytes> AnswerPhoto(std::string_view session) override {
    if (session != "S1") return Fail(ErrorCode::kNotFound, "there is no such picture");
    return SecretBytes::CopyOf("\x89PNG\r\n\x1a\n of a record");
  }
  std::string Metrics() override { return "idkiosk_up 1\n"; }

  [[nodiscard]] int opened() {
    const MutexLock lock(mutex_);
    return opened_;
  }
  [[nodiscard]] std::vector<std::string> commands() {
    const MutexLock lock(mutex_);
    return commands_;
  }
  // Commands wait from now on, until they are let go.
  void Hold() {
    const MutexLock lock(mutex_);
    held_ = true;
  }
  void LetGo() {
    const MutexLock lock(mutex_);
    held_ = false;
    changed_.NotifyAll();
  }
  void AnswerFromNowOn(CommandReply answer) {
    const MutexLock lock(mutex_);
    answer_ = std::move(answer);
  }

 private:
  Mutex mutex_;
  int opened_ GUARDED_BY(mutex_) = 0;
  ConditionVariable changed_;
  bool held_ GUARDED_BY(mutex_) = false;
  std::vector<std::string> commands_ GUARDED_BY(mutex_);
  CommandReply answer_ GUARDED_BY(mutex_);
};

inline constexpr PageFile kTestPage[] = {
    {"/", "text/html; charset=utf-8", "<p>the page</p>", false},
    {"/page.js", "text/javascript; charset=utf-8", "let x;", false},
};

// The real server on a real socket.
class UiBench : public testing::Test {
 protected:
  void Serve(LoopbackServer::Options options = {}) {
    server_.reset();
    cookie_.clear();
    ServeAgain(options, login_.emplace(entropy_, disk_, kStartPage));
    // A machine that stands still for longer than a request may take is asked again.
    while (cookie_.empty()) cookie_ = CookieIn(Start().Post());
  }
  // In the place of a server that had this login, or of none.
  void ServeAgain(LoopbackServer::Options options, BrowserLogin& login) {
    auto started = LoopbackServer::Start(
        options, {desk_, login, snapshots_, preview_, heartbeat_, kTestPage, &voice_, logo_});
    ASSERT_TRUE(started) << started.error().message;
    server_ = std::move(*started);
    host_ = fmt::format("127.0.0.1:{}", server_->port());
  }

  // The start page as it is now.
  StartPage Start() const { return StartPage(AsText(disk_.Content(kStartPage))); }

  // Sends these bytes on a new connection; the whole answer.
  std::string Send(std::string_view bytes) const {
    RawClient client(server_->port());
    client.Send(bytes);
    return client.ReadAll();
  }

  // A request as the kiosk's own browser sends it, until a test changes a part of it.
  struct Asked {
    std::string method = "GET";
    std::string path = "/";
    std::string host = "";  // empty: the right one
    std::string cookie = "own";
    std::string more = "";  // headers, each with its line end
    std::string body = "";
  };
  std::string Write(Asked asked) const {
    if (asked.host.empty()) asked.host = host_;
    std::string text =
        fmt::format("{} {} HTTP/1.1\r\nHost: {}\r\n", asked.method, asked.path, asked.host);
    if (asked.cookie == "own") asked.cookie = cookie_;
    if (!asked.cookie.empty()) text += fmt::format("Cookie: {}\r\n", asked.cookie);
    return text + asked.more + "\r\n" + asked.body;
  }
  std::string Ask(Asked asked) const {
    asked.more += kClose;
    return Send(Write(std::move(asked)));
  }

  // A command as the page sends it, but for `more` headers in place of its own.
  Asked Command(std::string body = R"({"session":"S1","do":"agree"})") const {
    return {.method = "POST",
            .path = "/command",
            .host = {},
            .cookie = "own",
            .more = fmt::format("Origin: http://{}\r\nSec-Fetch-Site: same-origin\r\n"
                                "Content-Type: application/json\r\nContent-Length: {}\r\n",
                                host_, body.size()),
            .body = std::move(body)};
  }

  static constexpr const char* kStartPage = "/start.html";
  static constexpr const char* kClose = "Connection: close\r\n";

  SystemClock clock_;
  Heartbeat heartbeat_{clock_};
  FakePageDesk desk_;
  SnapshotBoard snapshots_;
  PreviewSlot preview_;
  FakeEntropy entropy_;
  FakeFileSystem disk_;
  const VoiceFiles voice_{disk_, {"/voice"}};
  const BrandLogo* logo_ = nullptr;
  std::optional<BrowserLogin> login_;
  std::unique_ptr<LoopbackServer> server_;
  std::string host_;
  std::string cookie_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_TESTS_APP_UI_UI_BENCH_H_
