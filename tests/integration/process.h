#ifndef IDKIOSK_TESTS_INTEGRATION_PROCESS_H_
#define IDKIOSK_TESTS_INTEGRATION_PROCESS_H_

#include <sys/types.h>

#include <string>
#include <thread>
#include <vector>

#include "platform/base/mutex.h"

namespace idkiosk {

// The end of a program.
struct Finished {
  int exit_code = -1;  // 128 + N where signal N ended it
  std::string out;
  std::string err;
};

// A program (looked up in the PATH) that runs beside the test and is killed when this goes, or the
// test does. Nothing here gives up by itself: CTest's limit ends a test that waits for what never
// comes.
class Process {
 public:
  // `input` is its whole standard input; `variables` (NAME=VALUE) are added to the environment.
  explicit Process(const std::vector<std::string>& arguments, const std::string& input = "",
                   const std::vector<std::string>& variables = {});
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  [[nodiscard]] pid_t id() const { return id_; }
  // Returns everything written so far.
  [[nodiscard]] std::string out() const;
  [[nodiscard]] std::string err() const;

  // Whether it writes nothing any more: it has ended.
  [[nodiscard]] bool ended() const;

  // Waits until it has written `text` to standard output or standard error. False if it ended
  // without.
  [[nodiscard]] bool AwaitOut(const std::string& text) {
    MutexLock lock(mutex_);
    return Await(lock, out_, text);
  }
  [[nodiscard]] bool AwaitErr(const std::string& text) {
    MutexLock lock(mutex_);
    return Await(lock, err_, text);
  }

  void Signal(int number) const;
  // Waits for its end.
  Finished Wait();

 private:
  struct Stream {
    int from = -1;
    std::string text;
    bool ended = false;
  };

  void Read();
  bool Await(MutexLock& lock, const Stream& stream, const std::string& text) REQUIRES(mutex_);

  pid_t id_ = -1;
  bool reaped_ = false;
  mutable Mutex mutex_;
  ConditionVariable changed_;
  Stream out_ GUARDED_BY(mutex_);
  Stream err_ GUARDED_BY(mutex_);
  std::jthread reader_;
};

[[nodiscard]] Finished RunProgram(const std::vector<std::string>& arguments,
                                  const std::string& input = "",
                                  const std::vector<std::string>& variables = {});

[[nodiscard]] std::string ReadFile(const std::string& path);
void WriteFile(const std::string& path, const std::string& text);

}  // namespace idkiosk

#endif  // IDKIOSK_TESTS_INTEGRATION_PROCESS_H_
