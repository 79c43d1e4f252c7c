#ifndef IDKIOSK_APP_QUEUE_STORAGE_SQLITE_DATABASE_H_
#define IDKIOSK_APP_QUEUE_STORAGE_SQLITE_DATABASE_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "platform/base/bytes.h"
#include "platform/base/error.h"

struct sqlite3;
struct sqlite3_stmt;

namespace idkiosk {

// A prepared statement with its values, about to be run. Goes back to the database that lent it
// when it goes out of scope.
class SqliteQuery {
 public:
  SqliteQuery(sqlite3* database, sqlite3_stmt* statement);
  ~SqliteQuery();
  SqliteQuery(SqliteQuery&& other) noexcept;
  SqliteQuery(const SqliteQuery&) = delete;
  SqliteQuery& operator=(const SqliteQuery&) = delete;

  // In the order of the question marks. Text and bytes are copied.
  SqliteQuery& Bind(int64_t value);
  SqliteQuery& Bind(int value) { return Bind(static_cast<int64_t>(value)); }
  SqliteQuery& Bind(std::string_view text);
  SqliteQuery& Bind(ByteSpan bytes);
  SqliteQuery& BindNull();
  template <typename T>
  SqliteQuery& Bind(const std::optional<T>& value) {
    return value ? Bind(*value) : BindNull();
  }

  // The next row; false when there is none left.
  [[nodiscard]] Result<bool> Next();
  // Runs it to its end.
  [[nodiscard]] Status Run();

  // Reads a column of the row that Next found; columns count from 0. A value of another type reads
  // as SQLite converts it. Views are valid until the next call of Next.
  [[nodiscard]] int64_t Integer(int column) const;
  [[nodiscard]] std::optional<int64_t> OptionalInteger(int column) const;
  [[nodiscard]] std::string Text(int column) const;
  [[nodiscard]] ByteSpan Blob(int column) const;
  [[nodiscard]] bool IsNull(int column) const;

 private:
  sqlite3* database_;
  sqlite3_stmt* statement_;
  int next_parameter_ = 1;
  int bind_error_ = 0;
};

// One connection to an SQLite file. One thread at a time.
//
// Errors of every function: kExhausted (disk full), kCorrupt (not a database, or damaged),
// kUnavailable (another process keeps it busy, or the disk fails), kForbidden, kInternal (bad SQL).
class SqliteDatabase {
 public:
  // Opens or makes the file; its companions (-wal, -shm) get its mode. `vfs`: a registered one;
  // empty: the system's.
  [[nodiscard]] static Result<std::unique_ptr<SqliteDatabase>> Open(const std::string& path,
                                                                    const std::string& vfs);
  // Opens a file that is there, and leaves it and its log as they are.
  [[nodiscard]] static Result<std::unique_ptr<SqliteDatabase>> OpenToRead(const std::string& path,
                                                                          const std::string& vfs);
  ~SqliteDatabase();
  SqliteDatabase(const SqliteDatabase&) = delete;
  SqliteDatabase& operator=(const SqliteDatabase&) = delete;

  // Leaves the log and its index, emptied, where they are when the file is closed: the next start
  // makes no file, for which a disk may have no inode.
  void KeepCompanions();

  // Statements that give no rows and hold no values.
  [[nodiscard]] Status Execute(const char* sql);

  // `sql` is a literal: its statement is prepared once and kept.
  [[nodiscard]] Result<SqliteQuery> Prepare(const char* sql);
  template <typename... Args>
  [[nodiscard]] Result<SqliteQuery> Query(const char* sql, const Args&... args) {
    auto query = Prepare(sql);
    if (query) (query->Bind(args), ...);
    return query;
  }
  template <typename... Args>
  [[nodiscard]] Status Run(const char* sql, const Args&... args) {
    auto query = Query(sql, args...);
    if (!query) return std::unexpected(query.error());
    return query->Run();
  }
  // The first column of the first row; nothing if there is no row or it is null.
  template <typename... Args>
  [[nodiscard]] Result<std::optional<int64_t>> Number(const char* sql, const Args&... args) {
    auto query = Query(sql, args...);
    if (!query) return std::unexpected(query.error());
    const auto found = query->Next();
    if (!found) return std::unexpected(found.error());
    return *found ? query->OptionalInteger(0) : std::nullopt;
  }

  // kUnavailable: the file was removed, or its name is another file's: what is written is found by
  // nobody. Each transaction asks it when it begins.
  [[nodiscard]] Status CheckInPlace() const;

  // How many rows were changed by this connection so far.
  [[nodiscard]] int64_t changes() const;

  // Row number of the last INSERT.
  [[nodiscard]] int64_t last_id() const;

 private:
  explicit SqliteDatabase(sqlite3* database) : database_(database) {}
  [[nodiscard]] static Result<std::unique_ptr<SqliteDatabase>> OpenWith(int flags,
                                                                        const std::string& path,
                                                                        const std::string& vfs);

  sqlite3* const database_;
  std::unordered_map<const char*, sqlite3_stmt*> statements_;
};

// Everything between its making and Commit, or nothing. Holds the write lock from the start.
class SqliteTransaction {
 public:
  [[nodiscard]] static Result<SqliteTransaction> Begin(SqliteDatabase& database);
  // Takes everything back unless it was committed.
  ~SqliteTransaction();
  SqliteTransaction(SqliteTransaction&& other) noexcept;
  SqliteTransaction(const SqliteTransaction&) = delete;
  SqliteTransaction& operator=(const SqliteTransaction&) = delete;

  // On the disk once this returns. After an error nothing has happened.
  [[nodiscard]] Status Commit();

 private:
  explicit SqliteTransaction(SqliteDatabase& database) : database_(&database) {}
  SqliteDatabase* database_;
};

// "SQLite 3.40.1"
[[nodiscard]] std::string SqliteVersion();

}  // namespace idkiosk

#endif  // IDKIOSK_APP_QUEUE_STORAGE_SQLITE_DATABASE_H_
