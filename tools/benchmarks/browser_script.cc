#include "tools/benchmarks/browser_script.h"

#include <fmt/format.h>
#include <sys/wait.h>

#include <cstdio>

#include "tools/benchmarks/benchmark.h"

namespace idkiosk {
namespace {

// What a script ends with where there is no browser, and the shell where there is no node.
constexpr int kNoBrowser = 77;
constexpr int kNoNode = 127;

}  // namespace

std::optional<JsonDocument> RunBrowserScript(const std::string& script) {
  const std::string command = "node tests/web/" + script;
  FILE* const program = popen(command.c_str(), "r");
  if (program == nullptr) GiveUp("this cannot be started: " + command);
  std::string output;
  char part[4096];
  for (size_t count = 0; (count = fread(part, 1, sizeof part, program)) > 0;) {
    output.append(part, count);
  }
  const int status = pclose(program);
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  if (code == kNoBrowser || code == kNoNode) {
    fmt::print(stderr, "idkiosk-bench: not measured without node and Chromium: {}\n",
               script.substr(0, script.find(' ')));
    return std::nullopt;
  }
  if (code != 0) GiveUp("this failed: " + command);
  auto document = JsonDocument::Parse(output);
  if (!document) GiveUp(document.error().message);
  return std::move(*document);
}

std::vector<double> NumbersOf(const JsonDocument& document, std::string_view name) {
  std::vector<double> numbers;
  for (const JsonView each : document.root()[name].children()) {
    numbers.push_back(each.AsNumber().value_or(0));
  }
  if (numbers.empty()) GiveUp("the browser measured nothing");
  return numbers;
}

}  // namespace idkiosk
