// From the start of the program to the first analysed frame, and the memory it has then.
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "tools/benchmarks/benchmark.h"

namespace idkiosk {
namespace {

constexpr int kRuns = 15;

struct FirstFrame {
  double milliseconds = 0;  // from the spawn to its own line
  double resident_mb = 0;   // 2^20 bytes
  double most_mb = 0;       // the most until `linger` after that
};

// `field` is one of the kernel's: "VmRSS:" now, "VmHWM:" the most so far.
double ResidentMegabytes(pid_t process, std::string_view field) {
  std::ifstream status(fmt::format("/proc/{}/status", process));
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(field)) return std::stod(line.substr(6)) / 1024;
  }
  return 0;
}

// Runs a program until it has said `line` on standard error.
FirstFrame RunUntil(const std::vector<std::string>& arguments, const std::string& line,
                    std::chrono::seconds linger = {}) {
  int ends[2];
  if (pipe(ends) != 0) GiveUp("no pipe");
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
  posix_spawn_file_actions_addclose(&actions, ends[0]);
  std::vector<char*> argv;
  for (const std::string& each : arguments) argv.push_back(const_cast<char*>(each.c_str()));
  argv.push_back(nullptr);
  const auto start = std::chrono::steady_clock::now();
  pid_t child = 0;
  if (posix_spawn(&child, argv[0], &actions, nullptr, argv.data(), environ) != 0) {
    GiveUp("cannot start " + arguments[0]);
  }
  close(ends[1]);
  std::string said;
  char buffer[4096];
  FirstFrame first;
  while (!said.contains(line)) {
    const ssize_t count = read(ends[0], buffer, sizeof(buffer));
    if (count <= 0) GiveUp(fmt::format("{} ended without '{}': {}", arguments[0], line, said));
    said.append(buffer, static_cast<size_t>(count));
  }
  first.milliseconds =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  first.resident_mb = ResidentMegabytes(child, "VmRSS:");
  std::this_thread::sleep_for(linger);
  first.most_mb = ResidentMegabytes(child, "VmHWM:");
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  close(ends[0]);
  posix_spawn_file_actions_destroy(&actions);
  return first;
}

}  // namespace

void MeasureProcess(std::vector<Figure>& figures) {
  const std::string folder = ProgramFolder() + "/../bench-process";
  std::filesystem::create_directories(folder);
  const std::string config = folder + "/kiosk.jsonc";
  std::ofstream(config) << fmt::format(
      R"({{ "state_folder": "state", "log": {{ "level": "debug" }},
            "service": {{ "profile": "{}/config/profiles/sandbox.jsonc" }} }})",
      std::filesystem::current_path().string());
  const std::string program = ProgramFolder() + "/idkiosk";
  std::vector<double> times;
  std::vector<double> floors;
  std::vector<double> memory;
  for (int i = 0; i < kRuns; ++i) {
    floors.push_back(RunUntil({program, "--no-such-option"}, "--help' for all").milliseconds);
    const FirstFrame first = RunUntil(
        {program, "--config", config, "capture", "--camera", "synthetic", "--out", folder + "/out"},
        "first frame analysed");
    times.push_back(first.milliseconds);
    memory.push_back(first.resident_mb);
  }
  // Three of the four seconds that a capture takes: selfie, challenges, and most pictures kept.
  const FirstFrame open = RunUntil(
      {program, "--config", config, "capture", "--camera", "synthetic", "--out", folder + "/out"},
      "first frame analysed", std::chrono::seconds(3));
  std::filesystem::remove_all(folder);
  Figure start;
  start.name = "start of the process to first analysed frame";
  start.unit = "ms";
  start.value = Median(times);
  start.p99 = Percentile(times, 99);
  start.floor = Median(floors);
  start.ratio = start.value / *start.floor;
  start.goal = "at most 100 ms";
  start.met = start.value <= 100;
  start.note = "the same program, refusing its command line: loading and linking alone";
  figures.push_back(start);
  Figure resident;
  resident.name = "resident memory at the first analysed frame";
  resident.unit = "MB";
  resident.value = Median(memory);
  resident.goal = "at most 40 MB";
  resident.met = resident.value <= 40;
  figures.push_back(resident);
  figures.push_back(
      ToFigure("resident memory with the camera open, at most", open.most_mb, "MB", 45));
}

}  // namespace idkiosk
