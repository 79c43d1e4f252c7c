#ifndef IDKIOSK_APP_UI_CONTROL_THREAD_BACKEND_H_
#define IDKIOSK_APP_UI_CONTROL_THREAD_BACKEND_H_

#include <atomic>
#include <functional>
#include <optional>

#include "app/session/page_controller.h"
#include "app/ui/page_backend.h"
#include "platform/api/task_runner.h"

namespace idkiosk {

// Hands what the page asks to the page controller on the control thread, and waits for its answer.
class ControlThreadBackend final : public PageBackend {
 public:
  // All must outlive this. `metrics` is called on the server's threads.
  ControlThreadBackend(TaskRunner& control, PageController& page,
                       std::function<std::string()> metrics)
      : control_(control), page_(page), metrics_(std::move(metrics)) {
    control_.Post([this] { is_running_ = true; });
  }

  [[nodiscard]] CommandReply Command(JsonDocument body) override;
  [[nodiscard]] Status PageOpened() override;
  [[nodiscard]] Result<SecretBytes> Picture(std::string_view session, size_t index) override;
  [[nodiscard]] Result<SecretBytes> AnswerPhoto(std::string_view session) override;
  [[nodiscard]] std::string Metrics() override { return metrics_(); }

 private:
  // Returns the value that `question` passes to its callback; nothing if that takes too long.
  template <typename Answer, typename Question>
  [[nodiscard]] std::optional<Answer> Ask(Question question);

  TaskRunner& control_;
  PageController& page_;
  const std::function<std::string()> metrics_;
  std::atomic<bool> is_running_ = false;  // the control thread; before that nobody was here
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_UI_CONTROL_THREAD_BACKEND_H_
