#ifndef IDKIOSK_APP_QUEUE_STORAGE_QUEUE_FILE_H_
#define IDKIOSK_APP_QUEUE_STORAGE_QUEUE_FILE_H_

#include <memory>
#include <string>
#include <vector>

#include "app/queue/storage/sqlite_database.h"
#include "platform/api/clock.h"
#include "platform/api/file_system.h"

namespace idkiosk {

// The queue's SQLite file, opened, checked and of this program's schema.
struct QueueFile {
  std::unique_ptr<SqliteDatabase> database;
  std::vector<std::string> notices;  // what a person should know of the opening, as sentences
  std::string set_aside;             // the damaged file that was in its place; empty: none was
};

struct QueueFileOptions {
  std::string path;
  std::string sqlite_vfs;       // empty: the system's
  bool may_set_aside = false;   // a damaged file is renamed and a new one begun
  int64_t log_bytes = 2 << 20;  // the log is written into the file when it is that large
};

// Within a transaction: from now on the file is of this program's schema.
[[nodiscard]] Status TellSchemaVersion(SqliteDatabase& database);

// The names of damaged files begin with that of the queue's file and this.
inline constexpr std::string_view kSetAsideMark = ".damaged-";

// Opens or makes it: WAL, synchronous FULL, what is deleted is overwritten.
// Errors: SqliteDatabase's; kCorrupt where a damaged file may not be set aside;
// kFailedPrecondition for a file of a newer program.
[[nodiscard]] Result<QueueFile> OpenQueueFile(const QueueFileOptions& options, FileSystem& files,
                                              const Clock& clock);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_QUEUE_STORAGE_QUEUE_FILE_H_
