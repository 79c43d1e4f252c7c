#ifndef IDKIOSK_PLATFORM_API_POST_TASK_AND_REPLY_H_
#define IDKIOSK_PLATFORM_API_POST_TASK_AND_REPLY_H_

#include <utility>

#include "platform/api/task_runner.h"

namespace idkiosk {

// Asks on the storage thread, which may wait for the disk, and answers on the control thread. Both
// run none of their tasks after what `question` and `then` refer to is gone.
template <typename Question, typename Then>
void PostTaskAndReply(TaskRunner& keeper, TaskRunner& control, Question question, Then then) {
  keeper.Post([&control, ask = std::move(question), answer = std::move(then)]() mutable {
    control.Post(
        [answer = std::move(answer), result = ask()]() mutable { answer(std::move(result)); });
  });
}

}  // namespace idkiosk

#endif  // IDKIOSK_PLATFORM_API_POST_TASK_AND_REPLY_H_
