#include "tests/faults/strace.h"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <sstream>

namespace idkiosk::faults {
namespace {

constexpr int kKilled = 137;

// "1234  fsync(7) = 0": the number of the thread, then the call. Nothing of a call that is told in
// two lines is counted twice.
bool TellsCall(const std::string& line) {
  return line.contains('(') && !line.contains(" resumed>") && !line.contains("+++") &&
         !line.contains("---");
}

std::string NameOf(const std::string& line) {
  const size_t begin = line.find_first_not_of("0123456789 ");
  return line.substr(begin, line.find('(') - begin);
}

std::string CallOf(const std::string& line) {
  const size_t begin = line.find_first_not_of("0123456789 ");
  return line.substr(begin, line.find_first_of(")<", begin) - begin + 1);
}

}  // namespace

bool Strace::IsThere(Tally& tally) {
  const Finished tried = RunProgram({"strace", "-f", "-qqq", "-o", "/dev/null", "true"});
  if (tried.exit_code == 0) return true;
  const char* const without = std::getenv("IDKIOSK_WITHOUT_STRACE");
  if (without != nullptr && std::string_view(without) == "1") {
    tally.CannotRun("strace");
  } else {
    tally.Break(
        "strace does not work here (IDKIOSK_WITHOUT_STRACE=1 lets the rows out that need it): " +
        tried.err);
  }
  return false;
}

std::vector<Strace::Call> Strace::List(const std::string& names,
                                       const Invocation& invocation) const {
  (void)RunProgram(Command(names, {}, invocation), invocation.input);
  std::stringstream log(TakeLog());
  std::vector<Call> calls;
  std::map<std::string, size_t> numbers;
  std::string thread;
  bool opened = false;
  for (std::string line; std::getline(log, line);) {
    if (!TellsCall(line)) continue;
    const std::string number = line.substr(0, line.find(' '));
    if (thread.empty()) thread = number;
    if (number != thread) continue;
    const std::string name = NameOf(line);
    const size_t count = ++numbers[name];
    if (!opened && line.contains("kiosk.jsonc")) {
      calls.clear();
      opened = true;
    }
    calls.push_back({name, count});
  }
  return calls;
}

std::string Strace::Record(const std::string& names, const Invocation& invocation) const {
  (void)RunProgram(Command(names, {"-y"}, invocation), invocation.input);
  return TakeLog();
}

// strace counts the calls of each name by themselves.
Strace::Struck Strace::Run(const Injection& injection, const Invocation& invocation) const {
  std::vector<std::string> options;
  std::string names;
  for (const Call& call : injection.calls) {
    names += (names.empty() ? "" : ",") + call.name;
    options.insert(options.end(),
                   {"-e", fmt::format("inject={}:{}:when={}{}", call.name, injection.effect,
                                      call.number, injection.lasts ? "+" : "")});
  }
  Struck struck{.finished = RunProgram(Command(names, options, invocation), invocation.input),
                .call = ""};
  std::stringstream log(TakeLog());
  std::string last;
  for (std::string line; std::getline(log, line);) {
    if (TellsCall(line)) last = line;
    if (line.contains("(INJECTED)")) {
      struck.call = CallOf(TellsCall(line) ? line : last);
      break;
    }
  }
  if (struck.call.empty() && struck.finished.exit_code == kKilled) struck.call = CallOf(last);
  return struck;
}

std::vector<std::string> Strace::Command(const std::string& names,
                                         const std::vector<std::string>& more,
                                         const Invocation& invocation) const {
  // Without the bytes that are written: -s 0.
  std::vector<std::string> command = {"strace",        "-f", "-qq",           "-s", "0", "-o",
                                      folder_ / "log", "-e", "trace=" + names};
  command.insert(command.end(), more.begin(), more.end());
  command.insert(command.end(), invocation.arguments.begin(), invocation.arguments.end());
  return command;
}

std::string Strace::TakeLog() const {
  const std::string text = ReadFile(folder_ / "log");
  std::filesystem::remove(folder_ / "log");
  return text;
}

}  // namespace idkiosk::faults
