#ifndef IDKIOSK_APP_UI_CONTROL_DESK_H_
#define IDKIOSK_APP_UI_CONTROL_DESK_H_

#include <functional>

#include "app/session/session_controller.h"
#include "app/ui/page_desk.h"
#include "platform/api/task_runner.h"

namespace idkiosk {

// Hands what the page asks to the session on the control thread, and waits for its answer.
class ControlDesk final : public PageDesk {
 public:
  // All must outlive this. `metrics` is called on the server's threads.
  ControlDesk(TaskRunner& control, SessionController& session, std::function<std::string()> metrics)
      : control_(control), session_(session), metrics_(std::move(metrics)) {}

  [[nodiscard]] Status Command(JsonDocument body) override;
  [[nodiscard]] Result<SecretBytes> Picture(std::string_view session, size_t index) override;
  [[nodiscard]] std::string Metrics() override { return metrics_(); }

 private:
  template <typename Answer, typename Question>
  [[nodiscard]] Answer Ask(Question question);

  TaskRunner& control_;
  SessionController& session_;
  const std::function<std::string()> metrics_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_UI_CONTROL_DESK_H_
