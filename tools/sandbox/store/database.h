#ifndef IDKIOSK_TOOLS_SANDBOX_STORE_DATABASE_H_
#define IDKIOSK_TOOLS_SANDBOX_STORE_DATABASE_H_

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <variant>

#include "platform/base/error.h"
#include "platform/base/mutex.h"
#include "platform/base/time.h"

struct sqlite3;
struct sqlite3_stmt;

namespace idkiosk::sandbox {

// Of an account, a key or a person, in bytes.
inline constexpr size_t kLongestName = 100;

// A time as a row holds it: milliseconds since 1970.
[[nodiscard]] inline WallTime TimeOf(int64_t number) {
  return WallTime(std::chrono::milliseconds(number));
}
[[nodiscard]] inline int64_t NumberOf(WallTime time) { return time.time_since_epoch().count(); }

// A value for a `?` in a statement. Text is borrowed for the call.
using SqlValue = std::variant<std::nullptr_t, int64_t, std::string_view>;

// A row of an answer, valid inside the callback that gets it.
class SqlRow {
 public:
  explicit SqlRow(sqlite3_stmt* statement) : statement_(statement) {}
  [[nodiscard]] int64_t Integer(int column) const;
  [[nodiscard]] std::string Text(int column) const;
  [[nodiscard]] bool IsNull(int column) const;

 private:
  sqlite3_stmt* statement_;
};

// The sandbox's SQLite file, in WAL mode. Any thread; one at a time is let in. Another process (a
// command beside the server) may have the file open too.
//
// Syncing is left out (synchronous=OFF): a commit survives the end of the process, not a power
// failure. This is a stand-in that has to count thousands of calls a second, not a bank.
class Database {
 public:
  // Makes the file and brings its tables to this version.
  // Errors: kCorrupt for a file that is no database or a newer one; others as the disk gives them.
  [[nodiscard]] static Result<std::unique_ptr<Database>> Open(const std::string& path);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  using OnRow = std::function<void(const SqlRow&)>;

  // Runs one statement. Prepared once for each `sql`, which is therefore a literal.
  // Errors: kFailedPrecondition for a broken constraint; others as SQLite gives them.
  [[nodiscard]] Status Run(const char* sql, std::initializer_list<SqlValue> values,
                           const OnRow& on_row = nullptr);

  class Transaction;
  // All of `work`, or nothing of it when it ends in an error. Meanwhile nobody else is let in:
  // `work` asks the Transaction that it gets, never the Database.
  [[nodiscard]] Status InTransaction(const std::function<Status(Transaction&)>& work);

 private:
  struct CloseDatabase {
    void operator()(sqlite3* database) const;
  };
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };

  explicit Database(sqlite3* database) : database_(database) {}
  [[nodiscard]] Status BringToThisVersion();
  [[nodiscard]] Status Execute(const char* sql, std::string_view when_it_fails) REQUIRES(mutex_);
  [[nodiscard]] Status RunLocked(const char* sql, std::initializer_list<SqlValue> values,
                                 const OnRow& on_row = nullptr) REQUIRES(mutex_);
  [[nodiscard]] Result<sqlite3_stmt*> Prepare(const char* sql) REQUIRES(mutex_);
  [[nodiscard]] std::unexpected<Error> FailNow(std::string_view what) const REQUIRES(mutex_);

  Mutex mutex_;
  std::unique_ptr<sqlite3, CloseDatabase> database_ GUARDED_BY(mutex_);
  std::map<const char*, std::unique_ptr<sqlite3_stmt, Finalize>> statements_ GUARDED_BY(mutex_);
};

// What may be done with a database that is locked; lives as long as InTransaction runs.
class Database::Transaction {
 public:
  // As Database::Run.
  [[nodiscard]] Status Run(const char* sql, std::initializer_list<SqlValue> values,
                           const OnRow& on_row = nullptr);
  // Of the row that the last statement inserted.
  [[nodiscard]] int64_t last_row() const;
  // The number of rows that the last statement changed.
  [[nodiscard]] int64_t changed_rows() const;

 private:
  friend class Database;
  explicit Transaction(Database& database) : database_(database) {}

  Database& database_;
};

}  // namespace idkiosk::sandbox

#endif  // IDKIOSK_TOOLS_SANDBOX_STORE_DATABASE_H_
