#include "app/queue/storage/sqlite_database.h"

#include <sqlite3.h>

#include <utility>

#include "platform/base/text/printable.h"

namespace idkiosk {
namespace {

// Another process of ours holds the lock for the time of one commit.
constexpr int kBusyTimeout = 10'000;  // milliseconds

ErrorCode CodeOf(int result) {
  // The index of the write-ahead log does not fit: a full disk, though SQLite calls it an I/O
  // error.
  if (result == SQLITE_IOERR_SHMSIZE) return ErrorCode::kExhausted;
  switch (result & 0xff) {
    case SQLITE_FULL:
    case SQLITE_NOMEM:
    case SQLITE_TOOBIG:
      return ErrorCode::kExhausted;
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return ErrorCode::kCorrupt;
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
    case SQLITE_IOERR:
      return ErrorCode::kUnavailable;
    case SQLITE_PERM:
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
    case SQLITE_AUTH:
      return ErrorCode::kForbidden;
    default:
      return ErrorCode::kInternal;
  }
}

std::unexpected<Error> FailWith(sqlite3* database, int result) {
  const char* file = sqlite3_db_filename(database, "main");
  const ErrorCode code = CodeOf(result);
  // SQLite quotes what a damaged file holds.
  return Fail(
      code, "{}: {}", file == nullptr ? "the queue's file" : file,
      code == ErrorCode::kExhausted ? "the disk is full" : Printable(sqlite3_errmsg(database)));
}

}  // namespace

SqliteQuery::SqliteQuery(sqlite3* database, sqlite3_stmt* statement)
    : database_(database), statement_(statement) {}

SqliteQuery::SqliteQuery(SqliteQuery&& other) noexcept
    : database_(other.database_),
      statement_(std::exchange(other.statement_, nullptr)),
      next_parameter_(other.next_parameter_),
      bind_error_(other.bind_error_) {}

SqliteQuery::~SqliteQuery() {
  if (statement_ == nullptr) return;
  sqlite3_reset(statement_);
  sqlite3_clear_bindings(statement_);
}

SqliteQuery& SqliteQuery::Bind(int64_t value) {
  bind_error_ |= sqlite3_bind_int64(statement_, next_parameter_++, value);
  return *this;
}

SqliteQuery& SqliteQuery::Bind(std::string_view text) {
  bind_error_ |=
      sqlite3_bind_text64(statement_, next_parameter_++, text.data() == nullptr ? "" : text.data(),
                          text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
  return *this;
}

SqliteQuery& SqliteQuery::Bind(ByteSpan bytes) {
  bind_error_ |= sqlite3_bind_blob64(statement_, next_parameter_++,
                                     bytes.empty() ? AsBytes("x").data() : bytes.data(),
                                     bytes.size(), SQLITE_TRANSIENT);
  return *this;
}

SqliteQuery& SqliteQuery::BindNull() {
  bind_error_ |= sqlite3_bind_null(statement_, next_parameter_++);
  return *this;
}

Result<bool> SqliteQuery::Next() {
  if (bind_error_ != SQLITE_OK) return FailWith(database_, bind_error_);
  const int result = sqlite3_step(statement_);
  if (result == SQLITE_ROW) return true;
  if (result == SQLITE_DONE) return false;
  return FailWith(database_, result);
}

Status SqliteQuery::Run() {
  for (;;) {
    const auto more = Next();
    if (!more) return std::unexpected(more.error());
    if (!*more) return {};
  }
}

int64_t SqliteQuery::Integer(int column) const { return sqlite3_column_int64(statement_, column); }

std::optional<int64_t> SqliteQuery::OptionalInteger(int column) const {
  if (IsNull(column)) return std::nullopt;
  return Integer(column);
}

std::string SqliteQuery::Text(int column) const {
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
  if (text == nullptr) return "";
  return {text, static_cast<size_t>(sqlite3_column_bytes(statement_, column))};
}

ByteSpan SqliteQuery::Blob(int column) const {
  const auto* bytes = static_cast<const uint8_t*>(sqlite3_column_blob(statement_, column));
  if (bytes == nullptr) return {};
  return {bytes, static_cast<size_t>(sqlite3_column_bytes(statement_, column))};
}

bool SqliteQuery::IsNull(int column) const {
  return sqlite3_column_type(statement_, column) == SQLITE_NULL;
}

Result<std::unique_ptr<SqliteDatabase>> SqliteDatabase::Open(const std::string& path,
                                                             const std::string& vfs) {
  return OpenWith(SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, path, vfs);
}

Result<std::unique_ptr<SqliteDatabase>> SqliteDatabase::OpenToRead(const std::string& path,
                                                                   const std::string& vfs) {
  auto database = OpenWith(SQLITE_OPEN_READONLY, path, vfs);
  if (!database) return database;
  sqlite3_db_config((*database)->database_, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
  return database;
}

Result<std::unique_ptr<SqliteDatabase>> SqliteDatabase::OpenWith(int flags, const std::string& path,
                                                                 const std::string& vfs) {
  flags |= SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE | SQLITE_OPEN_EXRESCODE;
  sqlite3* handle = nullptr;
  const int result =
      sqlite3_open_v2(path.c_str(), &handle, flags, vfs.empty() ? nullptr : vfs.c_str());
  std::unique_ptr<SqliteDatabase> database(new SqliteDatabase(handle));
  if (result != SQLITE_OK) {
    return Fail(CodeOf(result), "cannot open {}: {}", path, sqlite3_errstr(result));
  }
  sqlite3_busy_timeout(handle, kBusyTimeout);
  return database;
}

SqliteDatabase::~SqliteDatabase() {
  for (const auto& [sql, statement] : statements_) sqlite3_finalize(statement);
  sqlite3_close(database_);
}

Status SqliteDatabase::Execute(const char* sql) {
  const int result = sqlite3_exec(database_, sql, nullptr, nullptr, nullptr);
  if (result != SQLITE_OK) return FailWith(database_, result);
  return {};
}

Result<SqliteQuery> SqliteDatabase::Prepare(const char* sql) {
  sqlite3_stmt*& statement = statements_[sql];
  if (statement == nullptr) {
    const int result =
        sqlite3_prepare_v3(database_, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
    if (result != SQLITE_OK) return FailWith(database_, result);
  }
  return SqliteQuery(database_, statement);
}

void SqliteDatabase::KeepCompanions() {
  int keep = 1;
  (void)sqlite3_file_control(database_, "main", SQLITE_FCNTL_PERSIST_WAL, &keep);
}

Status SqliteDatabase::CheckInPlace() const {
  int moved = 0;
  const int asked =
      sqlite3_file_control(database_, "main", SQLITE_FCNTL_HAS_MOVED, static_cast<void*>(&moved));
  if (asked != SQLITE_OK || moved == 0) return {};
  return Fail(ErrorCode::kUnavailable,
              "{} was removed or replaced while idkiosk uses it: start idkiosk anew",
              sqlite3_db_filename(database_, "main"));
}

int64_t SqliteDatabase::changes() const { return sqlite3_total_changes64(database_); }

int64_t SqliteDatabase::last_id() const { return sqlite3_last_insert_rowid(database_); }

Result<SqliteTransaction> SqliteTransaction::Begin(SqliteDatabase& database) {
  if (Status in_place = database.CheckInPlace(); !in_place) {
    return std::unexpected(in_place.error());
  }
  if (Status begun = database.Execute("BEGIN IMMEDIATE"); !begun) {
    return std::unexpected(begun.error());
  }
  return SqliteTransaction(database);
}

SqliteTransaction::SqliteTransaction(SqliteTransaction&& other) noexcept
    : database_(std::exchange(other.database_, nullptr)) {}

SqliteTransaction::~SqliteTransaction() {
  // Fails where SQLite has taken everything back by itself; both are what is wanted.
  if (database_ != nullptr) (void)database_->Execute("ROLLBACK");
}

Status SqliteTransaction::Commit() {
  Status committed = database_->Execute("COMMIT");
  if (committed) database_ = nullptr;
  return committed;
}

std::string SqliteVersion() { return fmt::format("SQLite {}", sqlite3_libversion()); }

}  // namespace idkiosk
