#include "tests/integration/page_fixture.h"

#include <fmt/format.h>

namespace idkiosk {

std::string SnapshotStream::Next() {
  constexpr std::string_view kMark = "data: ";
  for (;;) {
    const size_t begin = received_.find(kMark);
    const size_t end = begin == std::string::npos ? begin : received_.find("\n\n", begin);
    if (end != std::string::npos) {
      std::string text = received_.substr(begin + kMark.size(), end - begin - kMark.size());
      received_.erase(0, end);
      return text;
    }
    const std::string more = client_.ReadSome();
    if (more.empty()) return more;
    received_ += more;
  }
}

bool SnapshotStream::AwaitSign() {
  const std::string more = client_.ReadSome();
  received_ += more;
  return !more.empty();
}

void PageFixture::Run() {
  // The reasons are known from the beginning, and not once the kiosk has asked for them.
  ASSERT_EQ(Kiosk({"reasons"}).exit_code, 0);
  service_ = std::make_unique<Process>(
      KioskCommand({"run", "--camera", "synthetic", "--start-page", StartFile()}));
  ASSERT_TRUE(service_->AwaitErr("ready: ")) << service_->err();
  const StartPage start(ReadFile(StartFile()));
  host_ = start.host;
  port_ = start.port;
  cookie_ = CookieIn(start.Post());
  ASSERT_FALSE(cookie_.empty()) << service_->err();
}

std::string PageFixture::RequestOf(const std::string& line, const std::string& more,
                                   const std::string& body) const {
  return fmt::format("{} HTTP/1.1\r\nHost: {}\r\nCookie: {}\r\n{}\r\n{}", line, host_, cookie_,
                     more, body);
}

std::string PageFixture::Ask(const std::string& line, const std::string& more,
                             const std::string& body) const {
  RawClient client(port_);
  client.Send(RequestOf(line, "Connection: close\r\n" + more, body));
  return client.ReadAll();
}

SnapshotStream PageFixture::Snapshots() const { return {port_, RequestOf("GET /events")}; }

JsonDocument PageFixture::Await(const std::string& pointer, const std::string& value) {
  SnapshotStream stream = Snapshots();
  std::string last;
  for (std::string text = stream.Next(); !text.empty(); text = stream.Next()) {
    JsonDocument snapshot = Parse(text);
    session_ = Text(snapshot, "/session");
    if (Text(snapshot, pointer) == value) return snapshot;
    last = text;
    // Nothing follows this one by itself.
    if (Text(snapshot, "/screen") == "stopped") break;
  }
  ADD_FAILURE() << pointer << " never became " << value << "; last: " << last << "\n"
                << service_->err();
  return {};
}

std::string PageFixture::CommandOf(const std::string& command, const std::string& arguments) const {
  const std::string body =
      fmt::format(R"({{"session":"{}","do":"{}"{}}})", session_, command, arguments);
  return RequestOf("POST /command",
                   fmt::format("Origin: http://{}\r\nContent-Type: application/json\r\n"
                               "Content-Length: {}\r\n",
                               host_, body.size()),
                   body);
}

int PageFixture::Do(const std::string& command, const std::string& arguments) const {
  const auto send = [&](RawClient& client) {
    client.Send(CommandOf(command, arguments));
    return StatusOf(client.ReadUntil("\r\n\r\n"));
  };
  if (connection_) return send(*connection_);
  RawClient client(port_);
  return send(client);
}

void PageFixture::AskAbout(const std::string& nin, Visit visit, const std::function<void()>& look) {
  AwaitScreen("welcome");
  EXPECT_EQ(Do("start", R"(,"language":"ha")"), 204);
  EXPECT_EQ(Do("agree"), 204);
  EXPECT_EQ(Do("number", fmt::format(R"(,"digits":"{}")", nin)), 204);
  EXPECT_EQ(Do("next"), 204);
  EXPECT_EQ(Do("reason", R"(,"code":"ACCOUNT_OPENING")"), 204);
  if (visit == Visit::kAgain) {
    AwaitScreen("repeated");
    EXPECT_EQ(Do("go_on"), 204);
  }
  AwaitScreen("look");
  if (look) look();
  EXPECT_EQ(Do("send"), 204);
}

}  // namespace idkiosk
