#ifndef IDKIOSK_TESTS_FAULTS_RUNNING_KIOSK_H_
#define IDKIOSK_TESTS_FAULTS_RUNNING_KIOSK_H_

#include <string>
#include <vector>

#include "tests/faults/fault_kiosk.h"

namespace idkiosk::faults {

// `idkiosk run` with the drawn sitter, on the state folder of a row's kiosk.
class RunningKiosk {
 public:
  // `variables` (NAME=VALUE) are added to its environment. `kiosk` must outlive this.
  explicit RunningKiosk(FaultKiosk& kiosk, const std::vector<std::string>& variables = {});

  // Waits until its page can be reached. False if it ended before.
  [[nodiscard]] bool AwaitReady();
  // Waits until no call is pending any more. False if it ended before.
  [[nodiscard]] bool AwaitDelivered();
  // The port of its page on this machine.
  [[nodiscard]] int page_port() const;
  // The descriptors that it has open, and the most memory it had so far, in KiB.
  [[nodiscard]] size_t descriptors() const;
  [[nodiscard]] long peak_kib() const;

  [[nodiscard]] Process& process() { return process_; }
  // Ends it, and returns how it ended.
  Finished Stop();

 private:
  [[nodiscard]] bool Ended() const;

  FaultKiosk& kiosk_;
  const std::string start_page_;
  Process process_;
};

}  // namespace idkiosk::faults

#endif  // IDKIOSK_TESTS_FAULTS_RUNNING_KIOSK_H_
