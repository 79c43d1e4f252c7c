#ifndef IDKIOSK_TESTS_INTEGRATION_PROCESS_H_
#define IDKIOSK_TESTS_INTEGRATION_PROCESS_H_

#include <sys/types.h>

#include <chrono>
#include <string>
#include <vector>

#include "tests/fakes/scratch_folder.h"

namespace idkiosk {

// What a program left behind.
struct Finished {
  int exit_code = -1;  // 128 + N where signal N ended it
  std::string out;
  std::string err;
};

// A program that runs beside the test, its output in files of its own. Killed when it goes.
class Process {
 public:
  // `input` is its whole standard input.
  Process(const std::vector<std::string>& arguments, const std::string& input = "");
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  [[nodiscard]] pid_t id() const { return id_; }
  // What it has written so far.
  [[nodiscard]] std::string out() const;
  [[nodiscard]] std::string err() const;

  void Signal(int number) const;
  // Waits for its end, at most `limit`; then it is killed, and the exit code is 137.
  Finished Wait(std::chrono::milliseconds limit = std::chrono::seconds(60));

 private:
  pid_t id_ = -1;
  ScratchFolder folder_;
  bool reaped_ = false;
};

[[nodiscard]] Finished RunProgram(const std::vector<std::string>& arguments,
                                  const std::string& input = "");

[[nodiscard]] std::string ReadFile(const std::string& path);
void WriteFile(const std::string& path, const std::string& text);

}  // namespace idkiosk

#endif  // IDKIOSK_TESTS_INTEGRATION_PROCESS_H_
