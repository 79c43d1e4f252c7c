#ifndef IDKIOSK_TESTS_INTEGRATION_SOFTWARE_TPM_H_
#define IDKIOSK_TESTS_INTEGRATION_SOFTWARE_TPM_H_

#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "platform/base/bytes.h"
#include "platform/base/mutex.h"
#include "tests/fakes/scratch_folder.h"
#include "tests/integration/process.h"

namespace idkiosk {

// A real swtpm, on a socket in a folder of its own.
class SoftwareTpm {
 public:
  // Whether this machine has swtpm; tools/setup installs it.
  [[nodiscard]] static bool IsInstalled();

  SoftwareTpm() { Start(); }

  // As tpm2-tss is told of it.
  [[nodiscard]] std::string device() const { return "swtpm:path=" + path(); }
  [[nodiscard]] std::string path() const { return folder_ / "tpm"; }

  void PowerOff() { process_.reset(); }
  void Start();
  // What is not in its permanent memory is gone then.
  void CyclePower() {
    PowerOff();
    Start();
  }
  // Another TPM in its place.
  void Replace();
  // TPM2_Clear, as the firmware's menu does.
  void Clear();
  // Extends a register of the SHA-256 bank, as other firmware would.
  void Extend(uint32_t pcr);
  // It takes no authorization that counts towards a lockout from now on.
  void LockOut();

 private:
  // Sends a command to it, whose return code must be good.
  void Command(const std::string& hex);

  const ScratchFolder folder_;
  std::unique_ptr<Process> process_;
};

// Stands between a program and a SoftwareTpm: keeps what crossed the wire, and cuts it where it is
// told to.
class TpmProxy {
 public:
  explicit TpmProxy(const SoftwareTpm& tpm);
  ~TpmProxy();
  TpmProxy(const TpmProxy&) = delete;
  TpmProxy& operator=(const TpmProxy&) = delete;

  [[nodiscard]] std::string device() const { return "swtpm:path=" + folder_ / "tpm"; }

  // Every command and answer so far, one after the other.
  [[nodiscard]] Bytes wire();
  [[nodiscard]] size_t commands();

  // The command `count` from now (1: the next) does not reach the TPM, or its answer is lost; and
  // nothing else crosses until Heal. `then` is called before the program learns of it.
  enum class Cut { kCommand, kAnswer };
  void CutAt(size_t count, Cut cut, std::function<void()> then = {});
  void Heal();
  // Answers TPM2_Unseal with this code from now on; 0: lets it through.
  void RefuseUnseal(uint32_t code);
  [[nodiscard]] bool was_cut();

 private:
  void Serve();
  void CarryCommand(int program);
  void CarryControl(int program);

  const std::string tpm_;
  const ScratchFolder folder_;
  int listener_ = -1;
  int control_ = -1;
  int stop_ = -1;
  Mutex mutex_;
  Bytes wire_ GUARDED_BY(mutex_);
  size_t commands_ GUARDED_BY(mutex_) = 0;
  size_t cut_at_ GUARDED_BY(mutex_) = 0;  // 0: nowhere
  Cut cut_ GUARDED_BY(mutex_) = Cut::kCommand;
  uint32_t refused_ GUARDED_BY(mutex_) = 0;
  bool is_dead_ GUARDED_BY(mutex_) = false;
  std::function<void()> then_ GUARDED_BY(mutex_);
  std::jthread thread_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_TESTS_INTEGRATION_SOFTWARE_TPM_H_
