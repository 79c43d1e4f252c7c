// idkiosk-faults: brings about each fault that idkiosk must survive, and counts what it did.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <random>
#include <thread>

#include "platform/base/command_line/command.h"
#include "platform/base/mutex.h"
#include "tests/fakes/scratch_folder.h"
#include "tests/faults/report.h"
#include "tests/faults/rows.h"
#include "tests/integration/process.h"

namespace idkiosk::faults {
namespace {

// What CTest takes for a test that is skipped.
constexpr int kNothingRan = 77;

struct Options {
  std::vector<std::string> rows;
  std::string json;
  std::string report;
  uint64_t seed = 1;
  bool seed_given = false;
  bool night = false;
  bool list = false;
  int jobs = 1;
};

std::string WrongRow(const std::string& text) {
  for (const Row& row : Rows()) {
    if (text == std::to_string(row.number)) return "";
  }
  return fmt::format("{} is no row: 1 to {}", text, Rows().back().number);
}

Command Arguments(Options& options) {
  return {.name = "idkiosk-faults",
          .summary = "Brings about the faults that idkiosk must survive, and counts what it does.",
          .arguments = {
              {.name = "--row",
               .target = &options.rows,
               .type = "N",
               .help = "Only this row; may be given several times",
               .check = &WrongRow},
              {.name = "--night", .target = &options.night, .help = "The long form, for hours"},
              {.name = "--seed",
               .target = &options.seed,
               .help = "The faults follow from it. By day always 1, each night another one",
               .given = &options.seed_given},
              {.name = "--jobs",
               .target = &options.jobs,
               .help = "So many rows beside each other, each in a program of its own",
               .show_default = true,
               .range = NumberRange{1, 64}},
              {.name = "--list", .target = &options.list, .help = "List the rows, and run none"},
              {.name = "--json",
               .target = &options.json,
               .type = "FILE",
               .help = "Write the results there, too"},
              {.name = "--report",
               .target = &options.report,
               .type = "FILE",
               .help = "Write the table there, as config/FAULTS.md shows it"}}};
}

bool IsChosen(const Row& row, const Options& options) {
  return options.rows.empty() ||
         std::ranges::find(options.rows, std::to_string(row.number)) != options.rows.end();
}

RowResult RunRow(const Row& row, const Options& options) {
  RowResult result{.row = &row, .tally = Tally(row.number, options.seed, options.night)};
  const auto begin = std::chrono::steady_clock::now();
  row.run(result.tally);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  // What the fixtures shared with the tests say, they say to GoogleTest.
  static int told = 0;
  const int failures = testing::UnitTest::GetInstance()->ad_hoc_test_result().total_part_count();
  if (failures > told) result.tally.Break("a step that the row takes failed, see above");
  told = failures;
  if (result.tally.injections() == 0 && result.tally.needs().empty()) {
    result.tally.Break("not one fault was brought about");
  }
  return result;
}

// The same in a program of its own, which rows beside each other need.
RowResult RunElsewhere(const Row& row, const Options& options) {
  RowResult result{.row = &row, .tally = Tally(row.number, options.seed, options.night)};
  const ScratchFolder folder;
  std::vector<std::string> command = {"/proc/self/exe",
                                      "--row",
                                      std::to_string(row.number),
                                      "--seed",
                                      std::to_string(options.seed),
                                      "--json",
                                      folder / "json"};
  if (options.night) command.emplace_back("--night");
  const Finished finished = RunProgram(command);
  fmt::print(stderr, "{}", finished.err);
  // What the fixtures shared with the tests say of a step that failed.
  if (finished.out.contains("Failure")) fmt::print(stderr, "{}", finished.out);
  const auto json = JsonDocument::Parse(ReadFile(folder / "json"));
  const JsonView counted = json ? json->root().At("/rows/0") : JsonView();
  if (!result.tally.TakeOver(counted)) result.tally.Break("it ended before its end");
  result.seconds = counted["seconds"].AsNumber().value_or(0);
  return result;
}

// All of these, `options.jobs` at a time; each is printed once it is there.
std::vector<RowResult> RunAll(const std::vector<const Row*>& rows, const Options& options) {
  std::vector<std::optional<RowResult>> done(rows.size());
  std::atomic<size_t> next = 0;
  Mutex printing;
  const auto work = [&] {
    for (size_t i = next++; i < rows.size(); i = next++) {
      RowResult one =
          options.jobs == 1 ? RunRow(*rows[i], options) : RunElsewhere(*rows[i], options);
      const MutexLock lock(printing);
      fmt::print("{}\n", TableLine(one));
      (void)std::fflush(stdout);
      done[i].emplace(std::move(one));
    }
  };
  std::vector<std::jthread> others;
  for (int i = 1; i < options.jobs; ++i) others.emplace_back(work);
  work();
  others.clear();
  std::vector<RowResult> results;
  for (auto& each : done) results.push_back(std::move(*each));
  return results;
}

int List() {
  for (const Row& row : Rows()) {
    fmt::print("{:>3}  {}: {}\n", row.number, row.fault, row.means);
  }
  return 0;
}

bool Write(const std::string& file, const std::string& text) {
  if (file.empty()) return true;
  std::ofstream out(file, std::ios::binary);
  out << text;
  out.close();
  if (out.good()) return true;
  fmt::print(stderr, "{} cannot be written\n", file);
  return false;
}

int RunRows(const Options& options) {
  fmt::print("seed {}{}\n{}\n", options.seed, options.night ? ", long form" : "", TableHead());
  std::vector<const Row*> rows;
  for (const Row& row : Rows()) {
    if (IsChosen(row, options)) rows.push_back(&row);
  }
  const std::vector<RowResult> results = RunAll(rows, options);
  const bool written = Write(options.json, ToJson(results, options.seed, options.night)) &&
                       Write(options.report, ToMarkdown(results, options.night));
  const bool nothing = std::ranges::all_of(
      results, [](const RowResult& each) { return !each.tally.needs().empty(); });
  if (!written || std::ranges::any_of(results, &Failed)) return 1;
  return nothing ? kNothingRan : 0;
}

bool SaysYes(const char* variable) {
  const char* const said = std::getenv(variable);
  return said != nullptr && std::string_view(said) == "1";
}

int Main(int argc, char** argv) {
  Options options;
  options.night = SaysYes("IDKIOSK_NIGHT");
  const Command program = Arguments(options);
  if (const auto parsed = ParseCommandLine(program, argc, argv); !parsed) return parsed.error();
  if (options.list) return List();
  if (!options.seed_given) {
    const char* const given = std::getenv("IDKIOSK_SEED");
    if (given != nullptr) {
      options.seed = std::strtoull(given, nullptr, 10);
    } else if (options.night) {
      options.seed = std::random_device()();
    }
  }
  return RunRows(options);
}

}  // namespace
}  // namespace idkiosk::faults

int main(int argc, char** argv) { return idkiosk::faults::Main(argc, argv); }
