#ifndef IDKIOSK_PLATFORM_POSIX_POSIX_TERMINAL_H_
#define IDKIOSK_PLATFORM_POSIX_POSIX_TERMINAL_H_

#include "platform/api/terminal.h"

namespace idkiosk {

// The process's standard streams.
class PosixTerminal final : public Terminal {
 public:
  PosixTerminal();
  ~PosixTerminal() override;

  void Print(std::string_view line) override;
  void Say(std::string_view line) override;
  void ShowProgress(std::string_view line) override;
  [[nodiscard]] Result<SecretBytes> AskSecret(std::string_view question) override;
  [[nodiscard]] Result<SecretBytes> ReadAll(size_t max_size) override;
  [[nodiscard]] bool interactive() const override { return input_is_terminal_; }
  [[nodiscard]] bool Confirm(std::string_view question) override;

  // Leaves out Say and ShowProgress.
  void set_quiet(bool quiet) { quiet_ = quiet; }

  // Whether something that was printed was not taken: a full disk behind standard output.
  [[nodiscard]] bool lost_data() const { return lost_data_; }

 private:
  void EndProgress();

  const bool input_is_terminal_;
  const bool data_is_terminal_;
  const bool words_are_terminal_;
  bool quiet_ = false;
  bool in_progress_ = false;
  bool lost_data_ = false;
};

}  // namespace idkiosk

#endif  // IDKIOSK_PLATFORM_POSIX_POSIX_TERMINAL_H_
