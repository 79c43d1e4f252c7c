#ifndef IDKIOSK_APP_QUEUE_STORAGE_QUEUE_STATE_STORE_H_
#define IDKIOSK_APP_QUEUE_STORAGE_QUEUE_STATE_STORE_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/queue/call_record.h"
#include "app/queue/policy/queue_clock.h"
#include "app/queue/storage/sqlite_database.h"

namespace idkiosk {

// The names of settings: what mends a hold (MendMarks), for which address calls ended in doubt, and
// what the breaker knows of an endpoint.
[[nodiscard]] std::string MendSetting(const Hold& hold);
[[nodiscard]] std::string DoubtSetting(Endpoint endpoint);
[[nodiscard]] std::string BreakerSetting(Endpoint endpoint);

// The tables `hold` and `setting`. The caller holds a transaction for every change. Errors:
// SqliteDatabase's.
class QueueStateStore {
 public:
  // `database` must outlive this.
  explicit QueueStateStore(SqliteDatabase& database) : database_(database) {}

  // Those that are not over now, those of the whole queue first.
  [[nodiscard]] Result<std::vector<Hold>> Active(const QueueClock& time);
  [[nodiscard]] Status Put(const QueueClock& time, const Hold& hold);
  [[nodiscard]] Status Remove(const Hold& hold);
  // Those under which nothing was sent, so that looking again costs nothing.
  [[nodiscard]] Status LiftUnsent();

  [[nodiscard]] Result<std::optional<Bytes>> Setting(std::string_view name);
  [[nodiscard]] Status SetSetting(std::string_view name, ByteSpan value);
  [[nodiscard]] Result<int64_t> Number(std::string_view name);  // 0 if it was never set
  [[nodiscard]] Status SetNumber(std::string_view name, int64_t value);

 private:
  SqliteDatabase& database_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_QUEUE_STORAGE_QUEUE_STATE_STORE_H_
