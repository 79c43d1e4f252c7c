#include "app/ui/loopback_server.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <thread>

#include "tests/app/ui/ui_bench.h"
#include "tests/fakes/loopback_listener.h"

namespace idkiosk {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class LoopbackServerTest : public UiBench {};

TEST_F(LoopbackServerTest, OpeningThePageEndsWhatItShowed) {
  Serve();
  const int before = desk_.opened();
  EXPECT_GE(before, 1) << "the browser has come in";
  (void)Ask({});
  EXPECT_EQ(desk_.opened(), before + 1);
  (void)Ask({.path = "/page.js"});
  (void)Ask({.cookie = "idkiosk=0123"});
  EXPECT_EQ(desk_.opened(), before + 1) << "a stranger ends nothing";
  (void)Start().Post();
  EXPECT_EQ(desk_.opened(), before + 2);
}

TEST_F(LoopbackServerTest, TheStartPageMakesABrowserTheKiosks) {
  Serve();
  const std::string start = Start().Post();
  EXPECT_EQ(StatusOf(start), 200);
  EXPECT_THAT(start, HasSubstr("; Path=/; HttpOnly; SameSite=Strict\r\n"));
  EXPECT_THAT(BodyOf(start), HasSubstr("<meta http-equiv=refresh content='0; url=/'>"));
  EXPECT_THAT(BodyOf(start), HasSubstr("<link rel=icon href=/icon.svg"))
      << "or a browser asks for /favicon.ico, which is not there";
  cookie_ = CookieIn(start);
  const std::string page = Ask({});
  EXPECT_EQ(StatusOf(page), 200);
  EXPECT_EQ(BodyOf(page), "<p>the page</p>");
  EXPECT_THAT(Ask({.path = "/page.js"}), HasSubstr("Content-Type: text/javascript"));
}

TEST_F(LoopbackServerTest, AStartTokenIsGoodOnce) {
  Serve();
  const StartPage copied = Start();
  EXPECT_EQ(StatusOf(copied.Post()), 200);
  EXPECT_EQ(login_->refused(), 0U);
  for (uint64_t i = 1; i <= 3; ++i) {
    const std::string again = copied.Post();
    EXPECT_EQ(StatusOf(again), 403);
    EXPECT_THAT(again, Not(HasSubstr("Set-Cookie")));
    EXPECT_THAT(BodyOf(again), HasSubstr("used already"));
    EXPECT_EQ(login_->refused(), i);
  }
  EXPECT_NE(Start().token, copied.token);
  EXPECT_EQ(StatusOf(Start().Post()), 200);
}

TEST_F(LoopbackServerTest, TheNextBrowserPutsTheOneBeforeOut) {
  Serve();
  snapshots_.Put(SecretBytes::CopyOf(std::string_view(R"({"revision":1})")), 1);
  preview_.Open();
  RawClient events(server_->port());
  events.Send(Write({.path = "/events"}));
  events.ReadUntil("\n\n");
  RawClient pictures(server_->port());
  pictures.Send(Write({.path = "/preview"}));
  while (!preview_.watched()) std::this_thread::yield();
  const std::string before = cookie_;
  cookie_ = CookieIn(Start().Post());
  EXPECT_EQ(StatusOf(Ask({.cookie = before})), 403);
  EXPECT_EQ(StatusOf(Ask({})), 200);
  // The streams that it opened end, and tell it nothing more.
  snapshots_.Put(SecretBytes::CopyOf(std::string_view(R"({"revision":2})")), 2);
  preview_.Put(SecretBytes::CopyOf(std::string_view("JPEG-1")));
  EXPECT_THAT(events.ReadAll(), Not(HasSubstr("revision")));
  EXPECT_THAT(pictures.ReadAll(), Not(HasSubstr("JPEG")));
}

TEST_F(LoopbackServerTest, AStartPageThatAFullDiskKeptAwayIsWrittenAtTheNextTry) {
  Serve();
  const StartPage first = Start();
  disk_.FailStep(1, ErrorCode::kExhausted);
  cookie_ = CookieIn(first.Post());
  EXPECT_EQ(StatusOf(Ask({})), 200);
  EXPECT_EQ(Start().token, first.token);
  EXPECT_EQ(StatusOf(first.Post()), 403);
  EXPECT_NE(Start().token, first.token);
  EXPECT_EQ(StatusOf(Ask({})), 200);
}

TEST_F(LoopbackServerTest, AStartPageThatCannotBeWrittenIsNamed) {
  BrowserLogin login(entropy_, disk_, kStartPage);
  disk_.FailStep(1, ErrorCode::kForbidden);
  const auto server =
      LoopbackServer::Start({}, {desk_, login, snapshots_, preview_, heartbeat_, kTestPage});
  ASSERT_FALSE(server);
  EXPECT_EQ(server.error().code, ErrorCode::kForbidden);
  EXPECT_THAT(server.error().message, HasSubstr("start page"));
}

TEST_F(LoopbackServerTest, TheStartPageGoesWithItsProgram) {
  Serve();
  EXPECT_THAT(disk_.paths(), ElementsAre(kStartPage));
  server_.reset();
  login_.reset();
  EXPECT_THAT(disk_.paths(), testing::IsEmpty());
}

TEST_F(LoopbackServerTest, TheStartPagesAddressHasNoSpaces) {
  EXPECT_EQ(BrowserLogin(entropy_, disk_, "/run/a kiosk/ü.html").address(),
            "file:///run/a%20kiosk/%C3%BC.html");
}

TEST_F(LoopbackServerTest, EveryAnswerIsLockedDown) {
  Serve();
  for (const Asked& asked : {Asked{}, Asked{.path = "/nothing"}, Asked{.cookie = ""}}) {
    const std::string answer = Ask(asked);
    EXPECT_THAT(answer, HasSubstr("Content-Security-Policy: default-src 'none';"));
    EXPECT_THAT(answer, HasSubstr("frame-ancestors 'none'"));
    EXPECT_THAT(answer, Not(HasSubstr("unsafe-")));
    EXPECT_THAT(answer, HasSubstr("Cache-Control: no-store\r\n"));
    EXPECT_THAT(answer, HasSubstr("X-Content-Type-Options: nosniff\r\n"));
    EXPECT_THAT(answer, Not(HasSubstr("Access-Control")));
  }
}

TEST_F(LoopbackServerTest, HandsCommandsOn) {
  Serve();
  EXPECT_EQ(StatusOf(Ask(Command())), 204);
  EXPECT_THAT(desk_.commands(), ElementsAre(R"({"session":"S1","do":"agree"})"));
  desk_.AnswerFromNowOn({Fail(ErrorCode::kFailedPrecondition, "this session is over")});
  EXPECT_EQ(StatusOf(Ask(Command())), 409);
  desk_.AnswerFromNowOn({Fail(ErrorCode::kInvalid, "digit must be one")});
  const std::string refused = Ask(Command());
  EXPECT_EQ(StatusOf(refused), 400);
  EXPECT_EQ(BodyOf(refused), R"({"error":"digit must be one"})");
  desk_.AnswerFromNowOn(
      {Fail(ErrorCode::kForbidden, "not now"), CommandProblem::kLockedOut, 30, "KD7Q2M"});
  const std::string forbidden = Ask(Command());
  EXPECT_EQ(StatusOf(forbidden), 403);
  EXPECT_EQ(BodyOf(forbidden),
            R"({"error":"not now","problem":"locked_out","seconds":30,"reference":"KD7Q2M"})");
  desk_.AnswerFromNowOn({.status = Fail(ErrorCode::kTimeout, "it goes on"), .under_way = true});
  const std::string later = Ask(Command());
  EXPECT_EQ(StatusOf(later), 202);
  EXPECT_EQ(BodyOf(later), R"({"error":"it goes on"})");
  desk_.AnswerFromNowOn({Fail(ErrorCode::kUnavailable, "busy")});
  EXPECT_EQ(StatusOf(Ask(Command())), 503);
}

TEST_F(LoopbackServerTest, GivesThePicturesOfTheSessionInForce) {
  Serve();
  EXPECT_EQ(BodyOf(Ask({.path = "/pictures/3?s=S1"})), "picture 3");
  EXPECT_EQ(StatusOf(Ask({.path = "/pictures/5?s=S1"})), 404);
  EXPECT_EQ(StatusOf(Ask({.path = "/pictures/0?s=S2"})), 404);
  EXPECT_EQ(StatusOf(Ask({.path = "/pictures/0"})), 404);
}

TEST_F(LoopbackServerTest, GivesThePhotoOfTheAnswerOnTheDeskInForce) {
  Serve();
  const std::string photo = Ask({.path = "/answer-photo?s=S1"});
  EXPECT_THAT(photo, HasSubstr("Content-Type: image/png"));
  EXPECT_THAT(BodyOf(photo), HasSubstr("of a record"));
  EXPECT_EQ(StatusOf(Ask({.path = "/answer-photo?s=S2"})), 404);
  EXPECT_EQ(StatusOf(Ask({.path = "/answer-photo"})), 404);
  EXPECT_EQ(StatusOf(Ask({.path = "/answer-photo?s=S1", .cookie = ""})), 403);
}

TEST_F(LoopbackServerTest, SpeaksItsSentencesToItsOwnBrowserAlone) {
  disk_.Put("/voice/en/idle.title.wav", AsBytes("RIFF....WAVE sound"));
  Serve();
  const std::string spoken = Ask({.path = "/voice/en/idle.title.wav"});
  EXPECT_EQ(BodyOf(spoken), "RIFF....WAVE sound");
  EXPECT_THAT(spoken, HasSubstr("Content-Type: audio/wav\r\n"));
  EXPECT_THAT(spoken, HasSubstr("Cache-Control: no-store\r\n"));
  EXPECT_EQ(StatusOf(Ask({.path = "/voice/en/idle.title.wav", .cookie = ""})), 403);
  // As a browser asks for sound.
  const std::string part =
      Ask({.path = "/voice/en/idle.title.wav", .more = "Range: bytes=0-3\r\n"});
  EXPECT_EQ(StatusOf(part), 206);
  EXPECT_EQ(BodyOf(part), "RIFF");
  for (const char* path :
       {"/voice/en/idle.text.wav", "/voice/de/idle.title.wav", "/voice/en/../en/idle.title.wav",
        "/voice/en/%2e%2e%2fidle.title.wav", "/voice/en/idle.title", "/voice/en//etc/passwd.wav"}) {
    EXPECT_EQ(StatusOf(Ask({.path = path})), 404) << path;
  }
}

TEST_F(LoopbackServerTest, ShowsTheLogoWhereThereIsOne) {
  Serve();
  EXPECT_EQ(StatusOf(Ask({.path = "/brand/logo"})), 404);
  server_.reset();
  const BrandLogo logo{"<svg/>", "image/svg+xml"};
  logo_ = &logo;
  Serve();
  const std::string shown = Ask({.path = "/brand/logo"});
  EXPECT_EQ(BodyOf(shown), "<svg/>");
  EXPECT_THAT(shown, HasSubstr("Content-Type: image/svg+xml\r\n"));
  EXPECT_THAT(shown, HasSubstr("Content-Security-Policy: default-src 'none';"));
  EXPECT_EQ(StatusOf(Ask({.path = "/brand/logo", .cookie = ""})), 403);
  server_.reset();
}

TEST_F(LoopbackServerTest, TellsEachPageTheNewestSnapshotAtOnceAndEveryChange) {
  Serve();
  snapshots_.Put(SecretBytes::CopyOf(std::string_view(R"({"revision":1})")), 1);
  RawClient first(server_->port());
  RawClient second(server_->port());
  for (RawClient* page : {&first, &second}) {
    page->Send(Write({.path = "/events"}));
    EXPECT_THAT(page->ReadUntil("\n\n"), HasSubstr("Content-Type: text/event-stream"));
  }
  snapshots_.Put(SecretBytes::CopyOf(std::string_view(R"({"revision":2})")), 2);
  EXPECT_THAT(first.ReadUntil(R"("revision":2})"), HasSubstr("data: {\"revision\":2}"));
  EXPECT_THAT(second.ReadUntil(R"("revision":2})"), HasSubstr("data: {\"revision\":2}"));
}

// By that a page knows a server that takes another's place from a program that took its port.
TEST_F(LoopbackServerTest, ProvesToEachStreamThatItIsTheSameProgram) {
  const auto proof = [this] {
    RawClient page(server_->port());
    page.Send(Write({.path = "/events"}));
    const std::string head = page.ReadUntil("\r\n\r\n");
    const size_t at = head.find("\r\nIdkiosk-Proof: ");
    return at == head.npos ? "" : head.substr(at, head.find("\r\n", at + 2) - at);
  };
  Serve();
  const std::string first = proof();
  EXPECT_GE(first.size(), 32U);
  EXPECT_EQ(proof(), first);
  server_.reset();
  ServeAgain({}, *login_);
  EXPECT_EQ(proof(), first);
  for (const char* path : {"/", "/page.js"}) {
    EXPECT_THAT(Ask({.path = path}), Not(HasSubstr("Proof"))) << path;
  }
  EXPECT_THAT(Ask({.path = "/events", .cookie = "idkiosk=0123"}), Not(HasSubstr("Proof")));
}

// A page that has a stream tells a PIN to whatever has the port.
TEST_F(LoopbackServerTest, GivesItsPortBackAfterTheLastStreamHasEnded) {
  Serve();
  const int port = server_->port();
  RawClient page(port);
  page.Send(Write({.path = "/events"}));
  page.ReadUntil("\r\n\r\n");
  const std::jthread ends([this] { server_.reset(); });
  while (LoopbackListener(port).port() != port) std::this_thread::yield();
  EXPECT_TRUE(page.HasEnded());
}

TEST_F(LoopbackServerTest, SaysWhetherAPageIsOpen) {
  Serve();
  EXPECT_FALSE(snapshots_.is_watched());
  {
    RawClient page(server_->port());
    page.Send(Write({.path = "/events"}));
    page.ReadUntil("\r\n\r\n");
    EXPECT_TRUE(snapshots_.is_watched());
  }
  while (snapshots_.is_watched()) std::this_thread::yield();
}

// Reloading again and again does not use the places up.
TEST_F(LoopbackServerTest, APageThatHasGoneLeavesItsPlace) {
  Serve();
  for (int i = 0; i < 20; ++i) {
    int status = 503;
    // A page that went is noticed by the next look at its connection.
    while (status == 503) {
      RawClient page(server_->port());
      page.Send(Write({.path = "/events"}));
      status = StatusOf(page.ReadUntil("\r\n\r\n"));
    }
    ASSERT_EQ(status, 200) << i;
  }
}

TEST_F(LoopbackServerTest, PassesTheCamerasPicturesOn) {
  Serve();
  EXPECT_EQ(StatusOf(Ask({.path = "/preview"})), 404);
  preview_.Open();
  RawClient page(server_->port());
  page.Send(Write({.path = "/preview"}));
  while (!preview_.watched()) std::this_thread::yield();
  preview_.Put(SecretBytes::CopyOf(std::string_view("JPEG-1")));
  EXPECT_THAT(page.ReadUntil("JPEG-1"), HasSubstr("multipart/x-mixed-replace; boundary="));
  preview_.Put(SecretBytes::CopyOf(std::string_view("JPEG-2")));
  EXPECT_THAT(page.ReadUntil("JPEG-2"), HasSubstr("Content-Length: 6"));
  preview_.Close();
  EXPECT_THAT(page.ReadAll(), Not(HasSubstr("JPEG")));
}

// A page that reads nothing: the camera's side goes on at its own pace.
TEST_F(LoopbackServerTest, ADeadBrowserSlowsNobody) {
  Serve();
  preview_.Open();
  RawClient dead(server_->port());
  dead.Send(Write({.path = "/preview"}));
  while (!preview_.watched()) std::this_thread::yield();
  RawClient deaf(server_->port());
  deaf.Send(Write({.path = "/events"}));
  const std::string large(100'000, 'x');
  // 20 MB for readers who take none: whoever waited for them would wait for ever.
  for (uint64_t i = 1; i <= 100; ++i) {
    preview_.Put(SecretBytes::CopyOf(large));
    snapshots_.Put(SecretBytes::CopyOf(large), i);
  }
  EXPECT_EQ(snapshots_.Next(0, 0ms)->revision, 100U);
  EXPECT_EQ(PreviewSlot::Watch(preview_).Next(0, 0ms)->number, 100U);
  EXPECT_EQ(StatusOf(Ask({})), 200);
}

TEST_F(LoopbackServerTest, MetricsHaveASwitchOfTheirOwn) {
  Serve();
  EXPECT_EQ(StatusOf(Ask({.path = "/metrics"})), 404);
  EXPECT_EQ(StatusOf(Ask({.path = "/metrics", .cookie = ""})), 403);
  server_.reset();
  Serve({.metrics = true});
  EXPECT_EQ(BodyOf(Ask({.path = "/metrics", .cookie = ""})), "idkiosk_up 1\n");
}

TEST_F(LoopbackServerTest, APortThatIsTakenIsNamed) {
  Serve();
  BrowserLogin login(entropy_, disk_, "/other.html");
  const auto second = LoopbackServer::Start(
      {.port = server_->port()}, {desk_, login, snapshots_, preview_, heartbeat_, kTestPage});
  ASSERT_FALSE(second);
  EXPECT_THAT(second.error().message, HasSubstr("ui.port"));
  EXPECT_THAT(second.error().message, HasSubstr(fmt::format(" ({}) has it", geteuid())));
}

TEST_F(LoopbackServerTest, EndsWithStreamsOpen) {
  Serve();
  RawClient page(server_->port());
  page.Send(Write({.path = "/events"}));
  page.ReadUntil("\r\n\r\n");
  RawClient silent(server_->port());
  server_.reset();
  page.ReadAll();
}

TEST_F(LoopbackServerTest, TheProgramsOwnPageIsWhole) {
  size_t bytes = 0;
  bool index = false;
  for (const PageFile& file : EmbeddedPage()) {
    bytes += file.bytes.size();
    index = index || file.path == "/";
    EXPECT_FALSE(file.bytes.empty()) << file.path;
  }
  EXPECT_TRUE(index);
  EXPECT_LT(bytes, 180'000U);
}

TEST_F(LoopbackServerTest, ServerThatTakesAnothersPlaceKnowsItsPages) {
  Serve();
  const std::string token = Start().token;
  const int port = server_->port();
  server_.reset();
  ServeAgain({}, *login_);
  EXPECT_EQ(server_->port(), port);
  EXPECT_EQ(Start().token, token);
  EXPECT_THAT(Ask({}), testing::StartsWith("HTTP/1.1 200"));
  EXPECT_THAT(Ask({.cookie = "idkiosk=00000000000000000000000000000000"}),
              testing::StartsWith("HTTP/1.1 40"));
}

}  // namespace
}  // namespace idkiosk
