#ifndef IDKIOSK_TESTS_FAKES_PROCESS_TREE_H_
#define IDKIOSK_TESTS_FAKES_PROCESS_TREE_H_

#include <poll.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "platform/base/file_descriptor.h"

namespace idkiosk {

// The processes that `parent` started and that have not ended.
[[nodiscard]] inline std::vector<pid_t> ChildrenOf(pid_t parent) {
  std::vector<pid_t> children;
  for (const auto& each : std::filesystem::directory_iterator("/proc")) {
    std::stringstream stat;
    stat << std::ifstream(each.path() / "stat").rdbuf();
    const std::string text = stat.str();
    const size_t name_end = text.rfind(')');
    if (name_end == std::string::npos) continue;
    char state = 0;
    int of = 0;
    if (std::sscanf(text.c_str() + name_end + 1, " %c %d", &state, &of) != 2) continue;
    if (of == parent && state != 'Z') children.push_back(std::stoi(each.path().filename()));
  }
  return children;
}

// Waits for the end of a process, which need not be one's own.
inline void AwaitEndOf(pid_t process) {
  const FileDescriptor there(static_cast<int>(syscall(SYS_pidfd_open, process, 0)));
  pollfd ended{.fd = there.get(), .events = POLLIN, .revents = 0};
  if (there.valid()) (void)poll(&ended, 1, -1);
}

}  // namespace idkiosk

#endif  // IDKIOSK_TESTS_FAKES_PROCESS_TREE_H_
