#ifndef IDKIOSK_TOOLS_HEADQUARTERS_INGEST_H_
#define IDKIOSK_TOOLS_HEADQUARTERS_INGEST_H_

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/headquarters/database.h"

namespace idkiosk::headquarters {

// From which kiosk a message comes, and what it is: "state", "metrics", "reply",
// "settings", "ledger", "audit".
struct Origin {
  std::string tenant;
  std::string kiosk;
  std::string what;
};
// Reads "idkiosk/v1/TENANT/KIOSK/WHAT"; nothing for any other topic.
[[nodiscard]] std::optional<Origin> OriginOf(std::string_view topic);

struct Message {
  std::string topic;
  std::string payload;
};

// Puts messages into the database, and tells each kiosk what is kept of it, once it is committed.
class Ingest {
 public:
  static constexpr size_t kLargest = 256 << 10;  // bytes of a message

  // Sends `payload` to `topic`.
  using Tell = std::function<void(const std::string& topic, const std::string& payload)>;
  // Must outlive this.
  Ingest(Database& database, Tell tell) : database_(database), tell_(std::move(tell)) {}

  // Takes messages in their order, in one transaction, and each by itself where one of them cannot
  // be taken: that one stands in the table of alarms. Errors: kUnavailable, and then nothing of
  // them is taken, and all of them may be given again.
  [[nodiscard]] Status Take(const std::vector<Message>& messages);

  [[nodiscard]] uint64_t taken() const { return taken_; }

 private:
  struct Kept {
    Origin origin;
    std::string number;
    std::string mac;
  };
  [[nodiscard]] Status TakeAll(const std::vector<Message>& messages, std::vector<Kept>& kept);
  [[nodiscard]] Status TakeOne(const Origin& origin, const std::string& payload,
                               std::vector<Kept>& kept);
  [[nodiscard]] Status TakeAlone(const Message& message, std::vector<Kept>& kept);
  void TellKept(const std::vector<Kept>& kept);

  Database& database_;
  const Tell tell_;
  uint64_t taken_ = 0;
};

}  // namespace idkiosk::headquarters

#endif  // IDKIOSK_TOOLS_HEADQUARTERS_INGEST_H_
