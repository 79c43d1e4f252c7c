#include "app/ui/control_thread_backend.h"

#include <chrono>
#include <future>
#include <string>
#include <utility>

namespace idkiosk {
namespace {

// The control thread waits for nothing, and its workers for a disk: this is far more than it takes.
constexpr auto kLongest = std::chrono::seconds(3);

std::unexpected<Error> Busy() { return Fail(ErrorCode::kUnavailable, "the program is busy"); }

}  // namespace

template <typename Answer, typename Question>
std::optional<Answer> ControlThreadBackend::Ask(Question question) {
  std::promise<Answer> promise;
  std::future<Answer> answer = promise.get_future();
  control_.Post([ask = std::move(question), promise = std::move(promise)]() mutable {
    ask([promise = std::move(promise)](Answer given) mutable {
      promise.set_value(std::move(given));
    });
  });
  if (answer.wait_for(kLongest) != std::future_status::ready) return std::nullopt;
  return answer.get();
}

CommandReply ControlThreadBackend::Command(JsonDocument body) {
  auto reply = Ask<CommandReply>([this, document = std::move(body)](Reply then) {
    const JsonView root = document.root();
    const auto session = root["session"].AsString();
    const auto name = root["do"].AsString();
    if (session && name) return page_.Do(*session, *name, root, std::move(then));
    then({Fail(ErrorCode::kInvalid, "a command has the members session and do, both texts")});
  });
  return reply ? std::move(*reply) : CommandReply{Busy()};
}

Status ControlThreadBackend::PageOpened() {
  if (!is_running_) return {};
  const auto ended = Ask<bool>([this](auto then) {
    page_.OnPageOpened();
    then(true);
  });
  return ended ? Status() : Busy();
}

Result<SecretBytes> ControlThreadBackend::Picture(std::string_view session, size_t index) {
  auto picture = Ask<Result<SecretBytes>>(
      [this, name = std::string(session), index](auto then) { then(page_.Picture(name, index)); });
  return picture ? std::move(*picture) : Busy();
}

Result<SecretBytes> ControlThreadBackend::AnswerPhoto(std::string_view session) {
  auto photo = Ask<Result<SecretBytes>>(
      [this, name = std::string(session)](auto then) { then(page_.AnswerPhoto(name)); });
  return photo ? std::move(*photo) : Busy();
}

}  // namespace idkiosk
