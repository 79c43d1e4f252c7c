#ifndef IDKIOSK_APP_RESULTS_DESTINATION_H_
#define IDKIOSK_APP_RESULTS_DESTINATION_H_

#include <optional>
#include <string>
#include <string_view>

#include "app/results/result_message.h"
#include "platform/base/time.h"

namespace idkiosk {

// What came of handing one message over.
struct Delivery {
  enum class Kind {
    kDone,   // it is there, and survives whatever happens here
    kLater,  // it may or may not be there
    kGone,   // nothing is wanted there any more: a person must look
  };
  Kind kind = Kind::kDone;
  std::string why;                      // a sentence for an engineer, where it is not done
  std::optional<Duration> retry_after;  // where it says so itself
};

// Where results go. One thread; the same message may come again.
class Destination {
 public:
  virtual ~Destination() = default;
  // A word for people and for the name of a file: "webhook".
  [[nodiscard]] virtual std::string_view name() const = 0;
  [[nodiscard]] virtual Delivery Deliver(const ResultMessage& message) = 0;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_RESULTS_DESTINATION_H_
