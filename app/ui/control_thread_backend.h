#ifndef IDKIOSK_APP_UI_CONTROL_THREAD_BACKEND_H_
#define IDKIOSK_APP_UI_CONTROL_THREAD_BACKEND_H_

#include <atomic>
#include <chrono>
#include <functional>

#include "app/session/page_controller.h"
#include "app/ui/page_backend.h"
#include "platform/api/task_runner.h"

namespace idkiosk {

// Hands what the page asks to the page controller on the control thread, and waits for its answer.
class ControlThreadBackend final : public PageBackend {
 public:
  // The control thread waits for nothing, and its workers for a disk: this is far more than it
  // takes, but for what asks the network, or a machine under load.
  static constexpr auto kLongest = std::chrono::seconds(3);

  // All must outlive this. `metrics` is called on the server's threads, none of which waits longer
  // than `longest`.
  ControlThreadBackend(TaskRunner& control, PageController& page,
                       std::function<std::string()> metrics,
                       std::chrono::milliseconds longest = kLongest)
      : control_(control), page_(page), metrics_(std::move(metrics)), longest_(longest) {
    control_.Post([this] { is_running_ = true; });
  }

  [[nodiscard]] CommandReply Command(JsonDocument body) override;
  [[nodiscard]] Status PageOpened() override;
  [[nodiscard]] Result<SecretBytes> Picture(std::string_view session, size_t index) override;
  [[nodiscard]] Result<SecretBytes> AnswerPhoto(std::string_view session) override;
  [[nodiscard]] std::string Metrics() override { return metrics_(); }

 private:
  // Returns the value that `question` passes to its callback. Errors: kUnavailable (it was not
  // asked in time, and will not be), kTimeout (it was asked, and goes on).
  template <typename Answer, typename Question>
  [[nodiscard]] Result<Answer> Ask(Question question);

  TaskRunner& control_;
  PageController& page_;
  const std::function<std::string()> metrics_;
  const std::chrono::milliseconds longest_;
  std::atomic<bool> is_running_ = false;  // the control thread; before that nobody was here
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_UI_CONTROL_THREAD_BACKEND_H_
