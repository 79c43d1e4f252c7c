#include "app/ui/control_desk.h"

#include <chrono>
#include <future>
#include <string>
#include <utility>

namespace idkiosk {
namespace {

// The control thread waits for nothing, so this is far more than it takes.
constexpr auto kLongest = std::chrono::seconds(3);

}  // namespace

template <typename Answer, typename Question>
Answer ControlDesk::Ask(Question question) {
  std::promise<Answer> promise;
  std::future<Answer> answer = promise.get_future();
  control_.Post([ask = std::move(question), promise = std::move(promise)]() mutable {
    promise.set_value(ask());
  });
  if (answer.wait_for(kLongest) != std::future_status::ready) {
    return Fail(ErrorCode::kUnavailable, "the program is busy");
  }
  return answer.get();
}

Status ControlDesk::Command(JsonDocument body) {
  return Ask<Status>([this, document = std::move(body)]() -> Status {
    const JsonView root = document.root();
    const auto session = root["session"].AsString();
    const auto name = root["do"].AsString();
    if (!session || !name) {
      return Fail(ErrorCode::kInvalid, "a command has the members session and do, both texts");
    }
    return session_.Do(*session, *name, root);
  });
}

Result<SecretBytes> ControlDesk::Picture(std::string_view session, size_t index) {
  return Ask<Result<SecretBytes>>(
      [this, name = std::string(session), index] { return session_.Picture(name, index); });
}

}  // namespace idkiosk
