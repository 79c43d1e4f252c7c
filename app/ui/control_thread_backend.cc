#include "app/ui/control_thread_backend.h"

#include <atomic>
#include <future>
#include <memory>
#include <string>
#include <utility>

namespace idkiosk {
namespace {

// Who comes first: the control thread, to begin, or the server's, to give up.
enum class Asked { kNotYet, kBegun, kGivenUp };

std::unexpected<Error> Busy() { return Fail(ErrorCode::kUnavailable, "the program is busy"); }

}  // namespace

template <typename Answer, typename Question>
Result<Answer> ControlThreadBackend::Ask(Question question) {
  std::promise<Answer> promise;
  std::future<Answer> answer = promise.get_future();
  const auto asked = std::make_shared<std::atomic<Asked>>(Asked::kNotYet);
  control_.Post([asked, ask = std::move(question), promise = std::move(promise)]() mutable {
    // Whoever was told that it was not done must not find it done later.
    auto not_yet = Asked::kNotYet;
    if (!asked->compare_exchange_strong(not_yet, Asked::kBegun)) return;
    ask([promise = std::move(promise)](Answer given) mutable {
      promise.set_value(std::move(given));
    });
  });
  if (answer.wait_for(longest_) == std::future_status::ready) return answer.get();
  auto not_yet = Asked::kNotYet;
  if (asked->compare_exchange_strong(not_yet, Asked::kGivenUp)) return Busy();
  return Fail(ErrorCode::kTimeout, "it takes longer than usual: the page shows what comes of it");
}

CommandReply ControlThreadBackend::Command(JsonDocument body) {
  auto reply = Ask<CommandReply>([this, document = std::move(body)](Reply then) {
    const JsonView root = document.root();
    const auto session = root["session"].AsString();
    const auto name = root["do"].AsString();
    if (session && name) return page_.Do(*session, *name, root, std::move(then));
    then({Fail(ErrorCode::kInvalid, "a command has the members session and do, both texts")});
  });
  if (reply) return std::move(*reply);
  CommandReply none{std::unexpected(reply.error())};
  none.under_way = reply.error().code == ErrorCode::kTimeout;
  return none;
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
