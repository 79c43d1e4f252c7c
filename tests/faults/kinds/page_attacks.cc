#include "tests/faults/kinds/page_attacks.h"

#include <fmt/format.h>

#include <memory>

#include "tests/app/ui/raw_client.h"
#include "tests/faults/fault_kiosk.h"
#include "tests/faults/running_kiosk.h"

namespace idkiosk::faults {
namespace {

constexpr std::string_view kScript = "<script>alert(1)</script>";

// The kiosk's own browser, on the page of a kiosk that runs.
class Browser {
 public:
  explicit Browser(const std::string& start_page)
      : start_(start_page),
        port_(start_.port),
        host_(start_.host),
        cookie_(CookieIn(start_.Post())) {}

  [[nodiscard]] const std::string& host() const { return host_; }
  [[nodiscard]] const std::string& cookie() const { return cookie_; }
  // What it came in by, and is used up.
  [[nodiscard]] const StartPage& start() const { return start_; }

  // Sends these bytes over a connection of their own; the whole answer, but of a stream the head.
  [[nodiscard]] std::string Send(const std::string& bytes) const {
    RawClient client(port_);
    (void)client.Send(bytes);
    std::string answer = client.ReadUntil("\r\n\r\n");
    const bool has_end = !answer.contains("text/event-stream") && !answer.contains("multipart/");
    return has_end ? answer + client.ReadAll() : answer;
  }

  static std::string Get(const std::string& path, const std::string& host,
                         const std::string& cookie, const std::string& more = "") {
    return fmt::format("GET {} HTTP/1.1\r\nHost: {}\r\n{}{}Connection: close\r\n\r\n", path, host,
                       cookie.empty() ? "" : "Cookie: " + cookie + "\r\n", more);
  }

  // A command as the page sends it, but for what is changed: `lines` stand for its own headers.
  [[nodiscard]] std::string Post(const std::string& body, const std::string& lines) const {
    return fmt::format("POST /command HTTP/1.1\r\nHost: {}\r\nCookie: {}\r\n{}\r\n{}", host_,
                       cookie_, lines, body);
  }
  [[nodiscard]] std::string Post(const std::string& body) const {
    return Post(body, Origin("http://" + host_) + kJson + Length(body) + "Connection: close\r\n");
  }
  static std::string Origin(const std::string& origin) { return "Origin: " + origin + "\r\n"; }
  static std::string Length(const std::string& body) {
    return fmt::format("Content-Length: {}\r\n", body.size());
  }
  // What leaves the first screen.
  [[nodiscard]] std::string StartCommand() const {
    return fmt::format(R"({{"session":"{}","do":"start","language":"en"}})", Member("session"));
  }

  // A text member of the newest snapshot.
  [[nodiscard]] std::string Member(const std::string& name) const {
    const JsonDocument snapshot = Snapshot();
    return std::string(snapshot.root()[name].AsString().value_or(""));
  }

  static constexpr const char* kJson = "Content-Type: application/json\r\n";

 private:
  [[nodiscard]] JsonDocument Snapshot() const {
    std::string stream;
    std::unique_ptr<RawClient> page;
    // A page that has gone keeps its place until the kiosk has something to tell it.
    do {
      page = std::make_unique<RawClient>(port_);
      (void)page->Send(
          fmt::format("GET /events HTTP/1.1\r\nHost: {}\r\nCookie: {}\r\n\r\n", host_, cookie_));
      stream = page->ReadUntil("data: ");
    } while (StatusOf(stream) == 503);
    const size_t begin = stream.find("data: ") + 6;
    if (stream.find('\n', begin) == std::string::npos) stream += page->ReadUntil("\n");
    auto parsed = JsonDocument::Parse(stream.substr(begin, stream.find('\n', begin) - begin));
    EXPECT_TRUE(parsed) << stream;
    return parsed ? std::move(*parsed) : std::move(*JsonDocument::Parse("{}"));
  }

  const StartPage start_;
  const int port_;
  const std::string host_;
  const std::string cookie_;
};

struct Attack {
  std::string name;
  std::string bytes;
};

std::vector<Attack> WithoutTheToken(const Browser& browser, const Browser& before) {
  const std::string& host = browser.host();
  std::vector<Attack> attacks;
  for (const std::string path : {"/", "/page.js", "/events", "/preview", "/pictures/0?s=1",
                                 "/?token=", "/?token=00000000000000000000000000000000"}) {
    attacks.push_back({"no token: " + path, Browser::Get(path, host, "")});
  }
  StartPage earlier = before.start();
  earlier.host = host;
  attacks.push_back({"the token of an earlier start", earlier.Request()});
  attacks.push_back({"the token that was used", browser.start().Request()});
  attacks.push_back(
      {"the token as a link", Browser::Get("/?token=" + browser.start().token, host, "")});
  attacks.push_back({"the cookie of an earlier start", Browser::Get("/", host, before.cookie())});
  attacks.push_back({"two cookies", Browser::Get("/", host, "idkiosk=0; " + browser.cookie())});
  std::string bare = browser.Post(browser.StartCommand());
  const size_t cookie = bare.find("Cookie: ");
  bare.erase(cookie, bare.find("\r\n", cookie) + 2 - cookie);
  attacks.push_back({"a command without the cookie", bare});
  return attacks;
}

std::vector<Attack> FromOtherSites(const Browser& browser) {
  const std::string command = browser.StartCommand();
  const std::string own = Browser::Origin("http://" + browser.host());
  const std::string length = Browser::Length(command) + "Connection: close\r\n";
  std::vector<Attack> attacks;
  for (const std::string host :
       {"evil.example", "localhost", "127.0.0.1", "127.0.0.1:1", "[::1]"}) {
    attacks.push_back({"rebound as " + host, Browser::Get("/", host, browser.cookie())});
    std::string bytes = browser.Post(command);
    attacks.push_back({"a command rebound as " + host,
                       bytes.replace(bytes.find(browser.host()), browser.host().size(), host)});
  }
  for (const std::string& origin :
       {std::string("http://evil.example"), "https://" + browser.host(), std::string("null"),
        "http://" + browser.host() + ".evil.example"}) {
    attacks.push_back(
        {"of " + origin, browser.Post(command, Browser::Origin(origin) + Browser::kJson + length)});
    attacks.push_back(
        {"read by " + origin,
         Browser::Get("/events", browser.host(), browser.cookie(), Browser::Origin(origin))});
  }
  attacks.push_back({"without an origin", browser.Post(command, Browser::kJson + length)});
  for (const std::string type : {"text/plain", "application/x-www-form-urlencoded"}) {
    attacks.push_back({"a form of " + type,
                       browser.Post(command, own + "Content-Type: " + type + "\r\n" + length)});
  }
  attacks.push_back({"cross-site", browser.Post(command, own + "Sec-Fetch-Site: cross-site\r\n" +
                                                             Browser::kJson + length)});
  return attacks;
}

std::vector<Attack> AroundTheServer(const Browser& browser) {
  const std::string& host = browser.host();
  const std::string command = browser.StartCommand();
  const std::string own = Browser::Origin("http://" + host) + Browser::kJson;
  const std::string inner = browser.Post(command);
  const std::string chunked = "Transfer-Encoding: chunked\r\n";
  std::vector<Attack> attacks;
  for (const std::string path :
       {"/../../etc/passwd", "/..%2f..%2fetc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "//etc/passwd",
        "/page.js/../../etc/passwd", "/page.js%00.html", "/.git/config", "/voice/../../etc/passwd",
        "/voice/en/..%2f..%2f..%2fetc%2fpasswd.wav", "/brand/logo/../../../etc/passwd",
        "/page.js%0d%0aSet-Cookie:%20idkiosk=1", "/command?session=S1&do=start"}) {
    attacks.push_back({"the path " + path, Browser::Get(path, host, browser.cookie())});
  }
  attacks.push_back(
      {"another path", Browser::Get("/" + std::string(kScript), host, browser.cookie())});
  const std::string length = Browser::Length(command);
  attacks.push_back(
      {"a length and chunks", browser.Post("0\r\n\r\n" + inner, own + length + chunked)});
  attacks.push_back(
      {"chunks and a length", browser.Post("0\r\n\r\n" + inner, own + chunked + length)});
  attacks.push_back(
      {"two lengths", browser.Post(command + inner, own + length + "Content-Length: 0\r\n")});
  attacks.push_back(
      {"a length that is none",
       browser.Post(command, own + "Content-Length: +" + std::to_string(command.size()) + "\r\n")});
  attacks.push_back({"a request in the body of another",
                     Browser::Get("/", host, browser.cookie(), Browser::Length(inner)) + inner});
  attacks.push_back(
      {"two hosts", Browser::Get("/", host, browser.cookie(), "Host: evil.example\r\n")});
  attacks.push_back(
      {"a folded origin", browser.Post(command, "Origin: http://evil.example\r\n " +
                                                    std::string(Browser::kJson) + length)});
  attacks.push_back({"no JSON", browser.Post(std::string(kScript))});
  return attacks;
}

// Each is refused without a word of it, and in the end the page stands where it stood.
void Send(Tally& tally, const Browser& browser, const std::vector<Attack>& attacks) {
  for (const Attack& attack : attacks) {
    const std::string answer = browser.Send(attack.bytes);
    tally.Inject();
    const int status = StatusOf(answer);
    tally.Check(status == 0 || status >= 400, Invariant::kSealed,
                fmt::format("{}: answered with {}", attack.name, status));
    tally.Check(!answer.contains("root:x:") && !answer.contains("Set-Cookie") &&
                    !answer.contains(kScript) && !answer.contains("Access-Control"),
                Invariant::kSealed, attack.name + ": the answer gives something away");
  }
  tally.Check(browser.Member("screen") == "welcome", Invariant::kPaid,
              fmt::format("the page has gone on by one of '{}' to '{}'", attacks.front().name,
                          attacks.back().name));
}

// What is typed comes back as text, or not at all.
void TypeScripts(Tally& tally, const Browser& browser) {
  const std::string session = browser.Member("session");
  for (const std::string_view input :
       {R"("do":"language","language":"{}")", R"("do":"number","digits":"{}")",
        R"("do":"reason","code":"{}")", R"("do":"{}")"}) {
    const std::string command = fmt::format(R"({{"session":"{}",)", session) +
                                fmt::format(fmt::runtime(input), kScript) + "}";
    const std::string answer = browser.Send(browser.Post(command));
    tally.Inject();
    const bool is_page = answer.contains("text/html");
    tally.Check(StatusOf(answer) >= 400 && !is_page && !BodyOf(answer).contains(kScript),
                Invariant::kSealed, fmt::format("{} comes back: {}", command, answer));
    const std::string page = browser.Send(Browser::Get("/", browser.host(), browser.cookie()));
    tally.Check(page.contains("Content-Security-Policy") && !page.contains(kScript),
                Invariant::kSealed, "the page itself holds what was typed");
  }
}

}  // namespace

void AttackThePage(Tally& tally) {
  FaultKiosk kiosk(tally);
  if (!kiosk.Begin()) return;
  RunningKiosk first(kiosk);
  if (!first.AwaitReady()) return tally.Break("the kiosk does not start: " + first.Stop().err);
  const std::string start_page = kiosk.folder_ / "start.html";
  const Browser before(ReadFile(start_page));
  (void)first.Stop();
  RunningKiosk running(kiosk);
  if (!running.AwaitReady()) return tally.Break("the kiosk does not start: " + running.Stop().err);
  const Browser browser(ReadFile(start_page));
  if (browser.cookie().empty() || browser.Member("screen") != "welcome") {
    return tally.Break("the kiosk's own browser is not let in");
  }
  for (int i = 0; i < tally.Rounds(1, 50); ++i) {
    Send(tally, browser, WithoutTheToken(browser, before));
    Send(tally, browser, FromOtherSites(browser));
    Send(tally, browser, AroundTheServer(browser));
    TypeScripts(tally, browser);
  }
  // None of them was refused for another reason than its own.
  tally.Check(StatusOf(browser.Send(browser.Post(browser.StartCommand()))) == 204 &&
                  browser.Member("screen") != "welcome",
              Invariant::kBack, "the kiosk's own browser is not heard any more");
  tally.Check(running.Stop().exit_code == 0, Invariant::kBack, "the kiosk does not end well");
  tally.Check(kiosk.BilledRows() == 0 && kiosk.States().empty(), Invariant::kPaid,
              "a call was accepted, or billed");
  kiosk.Judge();
}

}  // namespace idkiosk::faults
