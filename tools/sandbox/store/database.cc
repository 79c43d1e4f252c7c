#include "tools/sandbox/store/database.h"

#include <sqlite3.h>
#include <sys/stat.h>

#include <string>

namespace idkiosk::sandbox {
namespace {

constexpr int kSchemaVersion = 2;
constexpr int kBusyMilliseconds = 10'000;

// Times are milliseconds since 1970, money is in the hundredth of the currency.
constexpr const char* kSchema = R"(
CREATE TABLE account(
  id INTEGER PRIMARY KEY,
  user_id TEXT NOT NULL UNIQUE,
  email TEXT NOT NULL UNIQUE COLLATE NOCASE,
  name TEXT NOT NULL,
  password_hash TEXT NOT NULL,
  level TEXT NOT NULL,
  environment TEXT NOT NULL,
  trainer INTEGER NOT NULL,
  created INTEGER NOT NULL);

CREATE TABLE api_key(
  id INTEGER PRIMARY KEY,
  account INTEGER NOT NULL REFERENCES account(id),
  name TEXT NOT NULL,
  hash TEXT NOT NULL UNIQUE,
  ending TEXT NOT NULL,
  created INTEGER NOT NULL,
  revoked INTEGER);
CREATE INDEX api_key_account ON api_key(account);

CREATE TABLE request(
  id INTEGER PRIMARY KEY,
  time INTEGER NOT NULL,
  account INTEGER,
  endpoint TEXT NOT NULL,
  method TEXT NOT NULL,
  path TEXT NOT NULL,
  status INTEGER NOT NULL,
  message TEXT NOT NULL,
  fault TEXT NOT NULL,
  billed INTEGER NOT NULL,
  body_bytes INTEGER NOT NULL,
  body_read INTEGER NOT NULL,
  subject TEXT NOT NULL,
  content TEXT NOT NULL,
  attempt_id TEXT NOT NULL DEFAULT '');
CREATE INDEX request_subject ON request(subject) WHERE subject <> '';

CREATE TABLE billing(
  id INTEGER PRIMARY KEY,
  time INTEGER NOT NULL,
  account INTEGER NOT NULL,
  endpoint TEXT NOT NULL,
  status INTEGER NOT NULL,
  outcome TEXT NOT NULL,
  reference TEXT NOT NULL,
  amount INTEGER NOT NULL,
  subject TEXT NOT NULL,
  attempt_id TEXT NOT NULL DEFAULT '');
CREATE INDEX billing_account ON billing(account);

CREATE TABLE person(
  nin TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  phone TEXT NOT NULL UNIQUE,
  born TEXT NOT NULL,
  gender TEXT NOT NULL,
  face_matches INTEGER NOT NULL);
)";

constexpr const char* kFromVersion1 = R"(
ALTER TABLE request ADD COLUMN attempt_id TEXT NOT NULL DEFAULT '';
ALTER TABLE billing ADD COLUMN attempt_id TEXT NOT NULL DEFAULT '';
)";

ErrorCode CodeOf(int result) {
  switch (result & 0xff) {
    case SQLITE_CONSTRAINT:
      return ErrorCode::kFailedPrecondition;
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return ErrorCode::kCorrupt;
    case SQLITE_FULL:
      return ErrorCode::kExhausted;
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return ErrorCode::kUnavailable;
    case SQLITE_PERM:
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
      return ErrorCode::kForbidden;
    default:
      return ErrorCode::kInternal;
  }
}

int Bind(sqlite3_stmt* statement, int index, const SqlValue& value) {
  if (const auto* number = std::get_if<int64_t>(&value)) {
    return sqlite3_bind_int64(statement, index, *number);
  }
  if (const auto* text = std::get_if<std::string_view>(&value)) {
    const char* from = text->data() == nullptr ? "" : text->data();
    return sqlite3_bind_text(statement, index, from, static_cast<int>(text->size()), SQLITE_STATIC);
  }
  return sqlite3_bind_null(statement, index);
}

}  // namespace

int64_t SqlRow::Integer(int column) const { return sqlite3_column_int64(statement_, column); }

std::string SqlRow::Text(int column) const {
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
  if (text == nullptr) return {};
  return {text, static_cast<size_t>(sqlite3_column_bytes(statement_, column))};
}

bool SqlRow::IsNull(int column) const {
  return sqlite3_column_type(statement_, column) == SQLITE_NULL;
}

void Database::CloseDatabase::operator()(sqlite3* database) const { sqlite3_close_v2(database); }
void Database::Finalize::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

Database::~Database() { statements_.clear(); }

Result<std::unique_ptr<Database>> Database::Open(const std::string& path) {
  sqlite3* raw = nullptr;
  const int opened =
      sqlite3_open_v2(path.c_str(), &raw, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr);
  std::unique_ptr<Database> database(new Database(raw));
  if (opened != SQLITE_OK) {
    const MutexLock lock(database->mutex_);
    return database->FailNow("cannot open " + path);
  }
  (void)chmod(path.c_str(), 0600);
  sqlite3_busy_timeout(raw, kBusyMilliseconds);
  if (auto ready = database->BringToThisVersion(); !ready) {
    return std::unexpected(ready.error().Within(path));
  }
  return database;
}

Status Database::BringToThisVersion() {
  constexpr const char* kSettings =
      "PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF; PRAGMA foreign_keys=ON;"
      "PRAGMA temp_store=MEMORY; PRAGMA secure_delete=ON;";
  {
    const MutexLock lock(mutex_);
    auto set = Execute(kSettings,
                       "not a database of the sandbox; move it away to start with an empty one");
    if (!set) return set;
  }
  return InTransaction([this](Transaction& transaction) -> Status {
    mutex_.AssertHeld();
    int64_t version = 0;
    const auto read = transaction.Run("PRAGMA user_version", {},
                                      [&](const SqlRow& row) { version = row.Integer(0); });
    if (!read) return read;
    if (version == kSchemaVersion) return {};
    if (version != 0 && version != 1) {
      return Fail(ErrorCode::kCorrupt,
                  "made by another version of the sandbox ({}, this one is {}); use a new folder",
                  version, kSchemaVersion);
    }
    const char* const sql = version == 0 ? kSchema : kFromVersion1;
    if (auto made = Execute(sql, "cannot make the tables"); !made) return made;
    return transaction.Run("PRAGMA user_version=2", {});
  });
}

Status Database::Execute(const char* sql, std::string_view when_it_fails) {
  const int result = sqlite3_exec(database_.get(), sql, nullptr, nullptr, nullptr);
  return result == SQLITE_OK ? Status() : FailNow(when_it_fails);
}

std::unexpected<Error> Database::FailNow(std::string_view what) const {
  const int result = sqlite3_extended_errcode(database_.get());
  return Fail(CodeOf(result), "{}: {}", what, sqlite3_errmsg(database_.get()));
}

Result<sqlite3_stmt*> Database::Prepare(const char* sql) {
  auto& statement = statements_[sql];
  if (statement == nullptr) {
    sqlite3_stmt* raw = nullptr;
    if (sqlite3_prepare_v3(database_.get(), sql, -1, SQLITE_PREPARE_PERSISTENT, &raw, nullptr) !=
        SQLITE_OK) {
      return FailNow("the sandbox's own SQL");
    }
    statement.reset(raw);
  }
  return statement.get();
}

Status Database::Run(const char* sql, std::initializer_list<SqlValue> values, const OnRow& on_row) {
  const MutexLock lock(mutex_);
  return RunLocked(sql, values, on_row);
}

Status Database::RunLocked(const char* sql, std::initializer_list<SqlValue> values,
                           const OnRow& on_row) {
  const auto statement = Prepare(sql);
  if (!statement) return std::unexpected(statement.error());
  int index = 0;
  for (const SqlValue& value : values) (void)Bind(*statement, ++index, value);
  int result = SQLITE_ROW;
  while ((result = sqlite3_step(*statement)) == SQLITE_ROW) {
    if (on_row) on_row(SqlRow(*statement));
  }
  Status status;
  if (result != SQLITE_DONE) status = FailNow("the sandbox's database");
  (void)sqlite3_reset(*statement);
  (void)sqlite3_clear_bindings(*statement);
  return status;
}

Status Database::InTransaction(const std::function<Status(Transaction&)>& work) {
  const MutexLock lock(mutex_);
  if (auto begun = RunLocked("BEGIN IMMEDIATE", {}); !begun) return begun;
  Transaction transaction(*this);
  Status done = work(transaction);
  if (done) done = RunLocked("COMMIT", {});
  if (!done) (void)RunLocked("ROLLBACK", {});
  return done;
}

Status Database::Transaction::Run(const char* sql, std::initializer_list<SqlValue> values,
                                  const OnRow& on_row) {
  database_.mutex_.AssertHeld();
  return database_.RunLocked(sql, values, on_row);
}

int64_t Database::Transaction::last_row() const {
  database_.mutex_.AssertHeld();
  return sqlite3_last_insert_rowid(database_.database_.get());
}

int64_t Database::Transaction::changed_rows() const {
  database_.mutex_.AssertHeld();
  return sqlite3_changes64(database_.database_.get());
}

}  // namespace idkiosk::sandbox
