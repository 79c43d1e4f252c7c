#ifndef IDKIOSK_APP_RESULTS_RESULT_MESSAGE_H_
#define IDKIOSK_APP_RESULTS_RESULT_MESSAGE_H_

#include <string>

#include "app/queue/durable_queue.h"
#include "app/settings/settings.h"
#include "platform/api/crypto.h"

namespace idkiosk {

// What other programs are told of one end of a call.
struct ResultMessage {
  std::string id;  // the same whenever this end is handed over, and no other end's: "res_..."
  uint64_t place = 0;
  CallReference reference;
  SecretBytes body;          // JSON, as app/api/openapi.json describes it: CheckEnded
  bool is_personal = false;  // a number or an answer is in it
};

// Writes them from what ledger and queue say now: of a call that was erased meanwhile the asker's
// case, and what is personal, is missing. Any thread.
class ResultWriter {
 public:
  // All must outlive this. `key`: derived from the vault's root.
  struct Dependencies {
    DurableQueue& queue;
    const ServiceProfile& profile;
    const ResultsSettings& settings;
    const Crypto& crypto;
    const SecretBytes& key;
  };
  explicit ResultWriter(const Dependencies& deps) : deps_(deps) {}

  [[nodiscard]] std::string IdOf(const CallEnd& end) const;
  // Errors: DurableQueue's.
  [[nodiscard]] Result<ResultMessage> Write(const CallEnd& end) const;

 private:
  const Dependencies deps_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_RESULTS_RESULT_MESSAGE_H_
