#include "tests/faults/kinds/answers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "tests/faults/fault_kiosk.h"
#include "tests/faults/victims.h"
#include "tests/integration/exit_codes.h"

namespace idkiosk::faults {
namespace {

const FaultKiosk::Settings kWithoutTls{.plain = true};
const std::vector<std::vector<std::string>> kLiftHolds = {{"hold", "lift"}};

// How far the billed ones among the last calls may go, which all fail: as far as the breaker lets
// them.
constexpr int kBreakerAfter = 3;

struct Answer {
  const char* what;
  std::string bytes;
};

std::string Json(const std::string& text) {
  return AnswerOf("200 OK", "Content-Type: application/json\r\n", text);
}

std::vector<Answer> Nonsense() {
  const std::string good = R"({"status":"success","message":"","data":{"verified":)";
  return {
      {"a page", AnswerOf("200 OK", "Content-Type: text/html\r\n", "<html>Log in</html>")},
      {"nothing", Json("")},
      {"null", Json("null")},
      {"a list", Json("[" + good + "true}}]")},
      {"a member twice", Json(good + R"(true,"verified":false}})")},
      {"a member twice, equal but for its escape", Json(good + R"(false,"verif\u0069ed":true}})")},
      {"the data twice", Json(good + R"(false},"data":{"verified":true}})")},
      {"a word for yes", Json(good + R"("yes"}})")},
      {"a number for yes", Json(good + "1}}")},
      {"a text for yes", Json(good + R"("true"}})")},
      {"null for yes", Json(good + "null}}")},
      {"an object for yes", Json(good + "{}}}")},
      {"two answers", Json(good + "true}}" + good + "false}}")},
      {"a comment", Json("/**/" + good + "true}} // yes")},
      {"a comma too many", Json(good + "true,}}")},
      {"an end too early", Json(good + "true}")},
      {"a NUL", Json(good + std::string("true}}\0", 7))},
      {"UTF-16", Json(std::string("\xff\xfe{\0}\0", 6))},
      {"no content", AnswerOf("204 No Content", "", "")},
      {"a part", AnswerOf("206 Partial Content", "", good + "true}}")},
      {"no status line", good + "true}}"},
      {"another protocol", "SSH-2.0-OpenSSH_9.2\r\n"},
      {"two lengths",
       "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 90\r\n\r\n" + good + "true}}"},
      {"a length that is none", "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n" + good + "true}}"},
      {"a longer length", "HTTP/1.1 200 OK\r\nContent-Length: 9000\r\n\r\n" + good + "true}}"},
      {"broken chunks", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n" + good},
  };
}

std::vector<Answer> Endless() {
  const size_t much = 24U << 20;
  const std::string gzip = "\x1f\x8b\x08" + std::string(7, '\0') + std::string(1 << 16, '\xff');
  return {
      {"10 GB announced",
       "HTTP/1.1 200 OK\r\nContent-Length: 10000000000\r\n\r\n" + std::string(much, 'x')},
      {"no length", "HTTP/1.1 200 OK\r\n\r\n" + std::string(much, '{')},
      {"a packed one",
       AnswerOf("200 OK", "Content-Encoding: gzip\r\nContent-Type: application/json\r\n", gzip)},
      {"a deep one", Json(std::string(1 << 20, '['))},
      {"deep objects", Json([] {
         std::string deep;
         for (int i = 0; i < 100'000; ++i) deep += R"({"data":)";
         return deep;
       }())},
      {"one long header", "HTTP/1.1 200 OK\r\nX: " + std::string(much, 'x')},
      {"headers without end", "HTTP/1.1 200 OK\r\n" +
                                  [] {
                                    std::string lines;
                                    for (int i = 0; i < 400'000; ++i) lines += "X-Line: 1\r\n";
                                    return lines;
                                  }()},
      {"a chunk without end", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n7fffffff\r\n" +
                                  std::string(much, 'x')},
      {"go on, and on",
       [] {
         std::string lines;
         for (int i = 0; i < 100'000; ++i) lines += "HTTP/1.1 100 Continue\r\n\r\n";
         return lines;
       }()},
  };
}

// The next call gets this answer, after the service has carried it out and billed it.
Finished AskAndAnswer(FaultKiosk& kiosk, const Answer& answer) {
  kiosk.answers().Set([&](const std::string&) { return answer.bytes; });
  Finished asked = kiosk.Ask();
  if (kiosk.answers().changed() > 0) kiosk.tally().Inject();
  kiosk.answers().Heal();
  return asked;
}

// The next call, and the most memory that the program had, in KiB.
Finished AskAndMeasure(FaultKiosk& kiosk, long& peak) {
  const std::string file = kiosk.folder_ / "peak";
  std::filesystem::remove(file);
  Finished asked = kiosk.Note(
      RunProgram(kiosk.CheckCommand(), kiosk.NextNin() + "\n",
                 {std::string("LD_PRELOAD=") + FAULTS_MODULE, "FAULTS_PEAK_FILE=" + file}));
  peak = std::strtol(ReadFile(file).c_str(), nullptr, 10);
  return asked;
}

// No more calls reach a service that answers all of them so than the breaker lets through: neither
// of those that waited out an outage, nor of new ones.
void Storm(Tally& tally, std::vector<std::string> fault) {
  FaultKiosk kiosk(tally);
  if (!kiosk.Begin({.billing = fmt::format(R"("breaker_after": {})", kBreakerAfter)})) return;
  kiosk.mends = kLiftHolds;
  fault.insert(fault.end(), {"--endpoint", "check", "--count", "0"});
  const auto count = [&](int times, const std::function<void()>& send) {
    const int before = kiosk.BilledRows();
    kiosk.Misbehave(fault);
    for (int i = 0; i < times; ++i) {
      tally.Inject();
      send();
    }
    kiosk.Behave();
    const int billed = kiosk.BilledRows() - before;
    tally.Check(billed <= kBreakerAfter, Invariant::kPaid,
                fmt::format("{} were billed of a service that fails with {}", billed, fault[1]));
    (void)kiosk.Do({"hold", "lift"});
    (void)kiosk.Do({"queue", "deliver", "--wait", FaultKiosk::kAsLongAsItTakes});
  };
  for (int i = 0; i < tally.Rounds(1, 40); ++i) {
    kiosk.LetWait(8);
    count(3, [&] { (void)kiosk.Do({"queue", "deliver", "--wait", "0"}); });
    count(2 * kBreakerAfter, [&] { (void)kiosk.Ask(); });
  }
  kiosk.Judge();
}

// Refused until the service behaves again: nothing is billed, and everything is kept.
void Refuse(FaultKiosk& kiosk, const std::vector<std::string>& fault, bool with_pictures) {
  Tally& tally = kiosk.tally();
  const int before = kiosk.BilledRows();
  kiosk.Misbehave(fault);
  const Invocation call = CallVictims()[with_pictures ? 1 : 0].prepare(kiosk);
  tally.Inject();
  const Finished refused = kiosk.Note(RunProgram(call.arguments, call.input));
  tally.Check(refused.exit_code == kNeedsPerson, Invariant::kBack,
              fmt::format("a refusal ends with {}: {}", refused.exit_code, refused.err));
  tally.Check(kiosk.BilledRows() == before, Invariant::kPaid, "a refused call was billed");
  kiosk.Behave();
  (void)kiosk.Do({"hold", "lift"});
}

}  // namespace

// Nobody follows it, and no request goes to the other place.
void Redirect(Tally& tally) {
  FaultKiosk kiosk(tally);
  if (!kiosk.Begin(kWithoutTls)) return;
  const ScriptedServer elsewhere([](const std::string&) {
    return ScriptedServer::Reaction{.answer = Json("{}"), .close = true};
  });
  const char* const kinds[] = {"301 Moved", "302 Found", "303 See Other", "307 Temporary",
                               "308 Permanent"};
  for (int i = 0; i < tally.Rounds(5, 200); ++i) {
    kiosk.answers().AnswerInstead(
        AnswerOf(kinds[i % std::size(kinds)],
                 fmt::format("Location: {}\r\n", elsewhere.url("/v1/verify")), ""));
    (void)kiosk.Ask();
    if (kiosk.answers().changed() > 0) tally.Inject();
    kiosk.answers().Heal();
    (void)kiosk.Do({"hold", "lift"});
  }
  tally.Check(elsewhere.requests().empty(), Invariant::kSealed, "a redirect was followed");
  kiosk.mends = kLiftHolds;
  kiosk.Judge();
}

void RejectEverything(Tally& tally) {
  const std::vector<std::vector<std::string>> storms = {
      {"--kind", "status", "--status", "400"},
      {"--kind", "status", "--status", "404"},
      {"--kind", "status", "--status", "500"},
      {"--kind", "drop-after-body"},
      {"--kind", "html"},
      {"--kind", "cut"},
  };
  for (const auto& each : storms) Storm(tally, each);
}

void RefuseAccess(Tally& tally) {
  FaultKiosk kiosk(tally);
  if (!kiosk.Begin()) return;
  kiosk.mends = kLiftHolds;
  for (int i = 0; i < tally.Rounds(2, 100); ++i) {
    for (const bool with_pictures : {false, true}) {
      const std::string endpoint = with_pictures ? "verify" : "check";
      Refuse(kiosk, {"--endpoint", endpoint, "--kind", "status", "--status", "403", "--count", "0"},
             with_pictures);
      Refuse(kiosk, {"--endpoint", endpoint, "--kind", "status", "--status", "401", "--count", "0"},
             with_pictures);
    }
    // One that a new login mends by itself.
    kiosk.Misbehave({"--endpoint", "verify", "--kind", "stale-token"});
    const Invocation call = CallVictims()[1].prepare(kiosk);
    tally.Inject();
    const Finished asked = kiosk.Note(RunProgram(call.arguments, call.input));
    tally.Check(asked.exit_code <= 1, Invariant::kBack,
                fmt::format("a stale token ends with {}: {}", asked.exit_code, asked.err));
    kiosk.Behave();
  }
  kiosk.Judge();
}

// However long it asks for: the call is kept, is not sent meanwhile, and goes out within an hour.
void AskForARest(Tally& tally) {
  FaultKiosk kiosk(tally);
  if (!kiosk.Begin(kWithoutTls)) return;
  const char* const rests[] = {"0",
                               "-1",
                               "1000000000",
                               "99999999999999999999",
                               "soon",
                               "",
                               "Wed, 21 Oct 2099 07:28:00 GMT",
                               "Wed, 21 Oct 1970 07:28:00 GMT"};
  for (int i = 0; i < tally.Rounds(1, 30); ++i) {
    for (const char* rest : rests) {
      for (const char* status : {"429 Too Many Requests", "503 Service Unavailable"}) {
        kiosk.answers().AnswerInstead(
            AnswerOf(status, fmt::format("Retry-After: {}\r\n", rest), "{}"));
        tally.Inject();
        const Finished asked = kiosk.Ask();
        tally.Check(
            asked.exit_code == kKept || asked.exit_code == kNeedsPerson, Invariant::kBack,
            fmt::format("{} with '{}' ends with {}: {}", status, rest, asked.exit_code, asked.err));
        kiosk.answers().Heal();
      }
    }
    tally.Check(kiosk.BilledRows() == 0, Invariant::kPaid, "something was sent during the rest");
  }
  kiosk.Pass(2 * 3600);
  kiosk.Judge();
}

void FailAtTheServer(Tally& tally) {
  FaultKiosk kiosk(tally);
  if (!kiosk.Begin()) return;
  const char* const statuses[] = {"500", "502", "503", "504", "599"};
  for (int i = 0; i < tally.Rounds(5, 300); ++i) {
    kiosk.Misbehave({"--endpoint", "check", "--kind", "status", "--status",
                     statuses[i % std::size(statuses)], "--billed", "true"});
    tally.Inject();
    const Finished asked = kiosk.Ask();
    tally.Check(asked.exit_code == kNeedsPerson || asked.exit_code == kKept, Invariant::kBack,
                fmt::format("a {} ends with {}: {}", statuses[i % std::size(statuses)],
                            asked.exit_code, asked.err));
    kiosk.Behave();
  }
  kiosk.Judge();
}

// None of it is an answer, so nobody is verified or refused by it; and nobody pays again.
void AnswerNonsense(Tally& tally) {
  FaultKiosk kiosk(tally);
  if (!kiosk.Begin(kWithoutTls)) return;
  kiosk.mends = kLiftHolds;
  for (int i = 0; i < tally.Rounds(1, 30); ++i) {
    for (const Answer& answer : Nonsense()) {
      const Finished asked = AskAndAnswer(kiosk, answer);
      tally.Check(asked.exit_code == kNeedsPerson, Invariant::kKept,
                  fmt::format("{} ends with {}: {}", answer.what, asked.exit_code, asked.err));
      (void)kiosk.Do({"hold", "lift"});
    }
  }
  kiosk.Judge();
}

void AnswerWithoutEnd(Tally& tally) {
  FaultKiosk kiosk(tally);
  if (!kiosk.Begin(kWithoutTls)) return;
  kiosk.mends = kLiftHolds;
  long usual = 0;
  (void)AskAndMeasure(kiosk, usual);
  // What an answer may take, four times over: 4 MiB by service.max_answer_bytes.
  constexpr long kMore = 4L * (4L << 10);
  for (int i = 0; i < tally.Rounds(1, 30); ++i) {
    for (const Answer& answer : Endless()) {
      long peak = 0;
      kiosk.answers().Set([&](const std::string&) { return answer.bytes; });
      const Finished asked = AskAndMeasure(kiosk, peak);
      if (kiosk.answers().changed() > 0) tally.Inject();
      kiosk.answers().Heal();
      if (peak == 0 || usual == 0) tally.Break("the program's memory was not measured");
      tally.Check(asked.exit_code == kNeedsPerson, Invariant::kKept,
                  fmt::format("{} ends with {}: {}", answer.what, asked.exit_code, asked.err));
      tally.Check(peak <= usual + kMore, Invariant::kBounded,
                  fmt::format("{} takes {} KiB, where {} are usual", answer.what, peak, usual));
      (void)kiosk.Do({"hold", "lift"});
    }
  }
  kiosk.Judge();
}

}  // namespace idkiosk::faults
