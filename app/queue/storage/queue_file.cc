#include "app/queue/storage/queue_file.h"

#include <algorithm>
#include <utility>

namespace idkiosk {
namespace {

constexpr int64_t kSchemaVersion = 7;
// The last one that held the ledger; the queue itself takes that over.
constexpr int64_t kVersionWithLedger = 3;

// Before the first table of a file that is made. It writes, so it is asked for only then.
constexpr const char* kNewFile = "PRAGMA auto_vacuum=INCREMENTAL;";

// Holds for one connection. EXTRA is FULL in WAL, and as safe where a file system does not know
// WAL.
constexpr const char* kConnection =
    "PRAGMA journal_mode=WAL;"
    "PRAGMA synchronous=EXTRA;"
    // What is deleted was sealed with a key that goes with it: it is overwritten where that costs
    // no write of its own, and not else.
    "PRAGMA secure_delete=FAST;"
    // No copy of a call in a file outside of the state folder, which is out of reach anyway.
    "PRAGMA temp_store=MEMORY;"
    "PRAGMA cell_size_check=ON;"
    "PRAGMA trusted_schema=OFF;";

// Version 7. accepted_at, ended_at and since are wall times, milliseconds since 1970; due_at,
// age_at and until are the queue's own time (policy/queue_clock.h). Words are those of the code:
// Name(CallState), Name(Endpoint), ... `mac` is the HMAC-SHA-256 of a row's lasting columns: a row
// that was changed by anything else does not pass for a call.
//
// call       one call. due_at: when it may be sent; null where that is a person's decision.
//            age_at: when its age next changes something (expiry, erasure, removal).
//            accepted_at 0: accepted while the clock was not trusted.
//            sealed_key: the call's key, wrapped; empty once everything sealed is erased. Version 1
//            had one epoch, and no number of it here (payload_seal.cc).
//            allowed_attempts: the billed attempts that a person has granted; 0: nobody was asked.
//            made_for: the service that it is for (made_for.h); empty: accepted before version 5.
//            means: by which its pictures were taken; empty: it has none, or accepted before
//            version 6.
//            case_id: the asker's own number for it. request: how a request that comes again finds
//            it (call_store.h). Both empty: it was not asked by another program, or before
//            version 7.
//            question_mac: epoch (4, big endian) and HMAC, by a key of that epoch, of who is asked
//            about and what. Earlier idkiosks wrote an HMAC alone.
// chunk      what is sealed; of a call that has not waited yet nothing: that is in its copy alone.
//            id = call's id * 65536 + field * 256 + number of the chunk.
// hold       what must be mended before calls of an endpoint ('' for all) go out.
// tally      number of calls by state and endpoint, so that nothing ever counts rows.
// setting    single numbers and byte strings: pace, breaker, key check, the newest record of the
//            ledger (attempt_ledger.h) that this file knows.
constexpr const char* kSchema = R"(
CREATE TABLE call(
  id INTEGER PRIMARY KEY,
  reference TEXT NOT NULL UNIQUE,
  state TEXT NOT NULL,
  endpoint TEXT NOT NULL,
  operator TEXT NOT NULL,
  person_waits INTEGER NOT NULL,
  accepted_at INTEGER NOT NULL,
  due_at INTEGER,
  age_at INTEGER,
  ended_at INTEGER,
  attempts INTEGER NOT NULL,
  billed_attempts INTEGER NOT NULL,
  allowed_attempts INTEGER NOT NULL,
  rung INTEGER NOT NULL,
  verdict TEXT NOT NULL,
  outcome TEXT NOT NULL,
  http_status INTEGER NOT NULL,
  engineer TEXT NOT NULL,
  has_payload INTEGER NOT NULL,
  has_answer INTEGER NOT NULL,
  sealed_key BLOB NOT NULL,
  question_mac BLOB NOT NULL,
  mac BLOB NOT NULL,
  made_for TEXT NOT NULL DEFAULT '',
  means TEXT NOT NULL DEFAULT '',
  case_id TEXT NOT NULL DEFAULT '',
  request BLOB NOT NULL DEFAULT x''
) STRICT;
CREATE INDEX call_due ON call(state, endpoint, person_waits, made_for, due_at);
CREATE INDEX call_age ON call(age_at) WHERE age_at IS NOT NULL;
CREATE INDEX call_question ON call(question_mac) WHERE question_mac != x'';
CREATE INDEX call_request ON call(request) WHERE request != x'';
CREATE TABLE chunk(id INTEGER PRIMARY KEY, sealed BLOB NOT NULL) STRICT;
CREATE TABLE hold(
  scope TEXT NOT NULL,
  reason TEXT NOT NULL,
  since INTEGER NOT NULL,
  until INTEGER,
  detail TEXT NOT NULL,
  PRIMARY KEY(scope, reason)
) STRICT;
CREATE TABLE tally(
  state TEXT NOT NULL,
  endpoint TEXT NOT NULL,
  calls INTEGER NOT NULL,
  PRIMARY KEY(state, endpoint)
) STRICT;
CREATE TRIGGER tally_insert AFTER INSERT ON call BEGIN
  INSERT INTO tally VALUES(NEW.state, NEW.endpoint, 1)
    ON CONFLICT DO UPDATE SET calls = calls + 1;
END;
CREATE TRIGGER tally_delete AFTER DELETE ON call BEGIN
  UPDATE tally SET calls = calls - 1 WHERE state = OLD.state AND endpoint = OLD.endpoint;
END;
CREATE TRIGGER tally_update AFTER UPDATE OF state ON call WHEN OLD.state != NEW.state BEGIN
  UPDATE tally SET calls = calls - 1 WHERE state = OLD.state AND endpoint = OLD.endpoint;
  INSERT INTO tally VALUES(NEW.state, NEW.endpoint, 1)
    ON CONFLICT DO UPDATE SET calls = calls + 1;
END;
CREATE TABLE setting(name TEXT PRIMARY KEY, value ANY) STRICT;
PRAGMA application_id=1768188785;
)";

Status CreateSchema(SqliteDatabase& database) {
  auto transaction = SqliteTransaction::Begin(database);
  if (!transaction) return std::unexpected(transaction.error());
  // Another process may have been quicker.
  const auto version = database.Number("PRAGMA user_version");
  if (!version) return std::unexpected(version.error());
  if (*version != 0) return {};
  const auto tables = database.Number("SELECT count(*) FROM sqlite_schema");
  if (!tables) return std::unexpected(tables.error());
  if (tables->value_or(0) != 0) {
    return Fail(ErrorCode::kCorrupt, "its version is missing");
  }
  if (Status created = database.Execute(kSchema); !created) return created;
  if (Status told = TellSchemaVersion(database); !told) return told;
  return transaction->Commit();
}

// Version 2 has the tables of version 1: what was sealed before stays readable, and what is sealed
// from then on is not for an older idkiosk. Version 3 counts caps of spending by a time of its own,
// which goes on from where the wall clock's numbers end. Version 4 holds no table of attempts.
// Version 5 says of each call which service it was made for; a file that has the table of attempts
// keeps version 3 until the queue has taken that over. Version 6 says of each call by what means
// its pictures were taken, and may have the pictures in the copies alone. Version 7 says which
// request of another program it was accepted by.
constexpr const char* kFromVersion2 = R"(
ALTER TABLE attempt ADD COLUMN board_at INTEGER NOT NULL DEFAULT 0;
UPDATE attempt SET board_at = started_at;
DROP INDEX attempt_billed;
CREATE INDEX attempt_board ON attempt(board_at) WHERE billed != 'no';
PRAGMA user_version=3;
)";

Status UpgradeSchema(SqliteDatabase& database) {
  auto transaction = SqliteTransaction::Begin(database);
  if (!transaction) return std::unexpected(transaction.error());
  const auto version = database.Number("PRAGMA user_version");
  if (!version) return std::unexpected(version.error());
  if (*version >= kVersionWithLedger) return {};
  if (Status upgraded = database.Execute(kFromVersion2); !upgraded) return upgraded;
  return transaction->Commit();
}

// Columns that a file of before may lack, in their order.
struct AddedColumn {
  const char* name;
  const char* add;
};
constexpr AddedColumn kAddedColumns[] = {
    {"made_for", R"(
ALTER TABLE call ADD COLUMN made_for TEXT NOT NULL DEFAULT '';
DROP INDEX call_due;
CREATE INDEX call_due ON call(state, endpoint, person_waits, made_for, due_at);
)"},
    {"means", "ALTER TABLE call ADD COLUMN means TEXT NOT NULL DEFAULT ''"},
    {"case_id", "ALTER TABLE call ADD COLUMN case_id TEXT NOT NULL DEFAULT ''"},
    {"request", R"(
ALTER TABLE call ADD COLUMN request BLOB NOT NULL DEFAULT x'';
CREATE INDEX call_request ON call(request) WHERE request != x'';
)"},
};

Status AddColumn(SqliteDatabase& database, const AddedColumn& column) {
  const auto there = database.Number("SELECT count(*) FROM pragma_table_info('call') WHERE name=?",
                                     std::string_view(column.name));
  if (!there) return std::unexpected(there.error());
  return there->value_or(0) != 0 ? Status() : database.Execute(column.add);
}

// Reads the version again: another process may have been quicker.
Status AddColumns(SqliteDatabase& database) {
  auto transaction = SqliteTransaction::Begin(database);
  if (!transaction) return std::unexpected(transaction.error());
  const auto version = database.Number("PRAGMA user_version");
  if (!version) return std::unexpected(version.error());
  if (*version >= kSchemaVersion) return {};
  for (const AddedColumn& each : kAddedColumns) {
    if (Status added = AddColumn(database, each); !added) return added;
  }
  if (*version != kVersionWithLedger) {
    if (Status told = TellSchemaVersion(database); !told) return told;
  }
  return transaction->Commit();
}

// The text of the schema, without its spaces: what SQLite believes without looking again. Only what
// is made by name is in it.
Result<std::string> SchemaOf(SqliteDatabase& database) {
  auto query = database.Query(
      "SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE "
      "'\\' ORDER BY type, name");
  if (!query) return std::unexpected(query.error());
  std::string schema;
  for (;;) {
    const auto more = query->Next();
    if (!more) return std::unexpected(more.error());
    if (!*more) break;
    for (int column = 0; column < 4; ++column) schema += query->Text(column) + '|';
  }
  std::erase_if(schema, [](char c) { return c == ' ' || c == '\n'; });
  return schema;
}

// A wrong letter in it is no damage to SQLite, but every question may fail for it.
Status CheckSchema(SqliteDatabase& database) {
  auto fresh = SqliteDatabase::Open(":memory:", "");
  if (!fresh) return std::unexpected(fresh.error());
  if (Status made = (*fresh)->Execute(kSchema); !made) return made;
  const auto expected = SchemaOf(**fresh);
  const auto found = SchemaOf(database);
  if (!expected || !found) return std::unexpected((expected ? found : expected).error());
  if (*expected == *found) return {};
  return Fail(ErrorCode::kCorrupt, "its schema is not the one that idkiosk writes");
}

// What SQLite finds wrong with the file; empty if nothing.
Result<std::string> FindDamage(SqliteDatabase& database) {
  auto query = database.Query("PRAGMA integrity_check(1)");
  if (!query) return std::unexpected(query.error());
  const auto row = query->Next();
  if (!row) return std::unexpected(row.error());
  std::string found = *row ? query->Text(0) : "nothing could be read";
  return found == "ok" ? "" : found;
}

// Its rows may be older than the place in the ledger that it names, as where an older file was
// put beside a newer log: without one the whole ledger is held against it (repair/reconcile.cc).
// Without the count of commits a process that has it open begins anew.
constexpr const char* kForgetPlace = "DELETE FROM setting WHERE name IN ('ledger', 'commits')";

// All or nothing.
Status BuildIndexes(SqliteDatabase& database) {
  auto transaction = SqliteTransaction::Begin(database);
  if (!transaction) return std::unexpected(transaction.error());
  if (Status built = database.Execute("REINDEX"); !built) return built;
  const auto left = FindDamage(database);
  if (!left) return std::unexpected(left.error());
  if (!left->empty()) return Fail(ErrorCode::kCorrupt, "{}", *left);
  if (Status forgotten = database.Execute(kForgetPlace); !forgotten) return forgotten;
  return transaction->Commit();
}

Status CheckIntegrity(SqliteDatabase& database, std::vector<std::string>& notices) {
  const auto damage = FindDamage(database);
  if (!damage) return std::unexpected(damage.error());
  if (damage->empty()) return {};
  if (!BuildIndexes(database)) return Fail(ErrorCode::kCorrupt, "{}", *damage);
  notices.push_back(
      "an index of the queue's file was damaged and has been built again. Part of the file may be "
      "an older copy, so all that the ledger knows is compared with it");
  return {};
}

Result<QueueFile> TryOpen(const QueueFileOptions& options) {
  QueueFile file;
  auto database = SqliteDatabase::Open(options.path, options.sqlite_vfs);
  if (!database) return std::unexpected(database.error());
  file.database = std::move(*database);
  file.database->KeepCompanions();
  const auto version = file.database->Number("PRAGMA user_version");
  if (!version) return std::unexpected(version.error());
  if (version->value_or(0) > kSchemaVersion) {
    return Fail(
        ErrorCode::kFailedPrecondition,
        "{} was written by a newer idkiosk (schema {}, this one reads {}): install that one",
        options.path, **version, kSchemaVersion);
  }
  if (version->value_or(0) == 0) {
    if (Status set = file.database->Execute(kNewFile); !set) return std::unexpected(set.error());
  }
  if (Status set = file.database->Execute(kConnection); !set) return std::unexpected(set.error());
  constexpr int64_t kPage = 4096;
  const std::string bounds =
      fmt::format("PRAGMA wal_autocheckpoint={};PRAGMA journal_size_limit={};",
                  std::max<int64_t>(options.log_bytes / kPage, 16), options.log_bytes);
  if (Status set = file.database->Execute(bounds.c_str()); !set) {
    return std::unexpected(set.error());
  }
  if (Status good = CheckIntegrity(*file.database, file.notices); !good) {
    return std::unexpected(good.error());
  }
  if (version->value_or(0) == kSchemaVersion) {
    if (Status same = CheckSchema(*file.database); !same) return std::unexpected(same.error());
  }
  if (version->value_or(0) == 0) {
    if (Status created = CreateSchema(*file.database); !created) {
      return std::unexpected(created.error());
    }
  }
  const bool older = version->value_or(0) != 0 && version->value_or(0) < kVersionWithLedger;
  if (Status upgraded = older ? UpgradeSchema(*file.database) : Status(); !upgraded) {
    return std::unexpected(upgraded.error());
  }
  const bool lacks_columns = version->value_or(0) != 0 && version->value_or(0) < kSchemaVersion;
  if (Status added = lacks_columns ? AddColumns(*file.database) : Status(); !added) {
    return std::unexpected(added.error());
  }
  return file;
}

Result<std::string> SetAside(const std::string& path, FileSystem& files, const Clock& clock) {
  std::string stamp = FormatRfc3339(clock.WallNow());
  std::erase_if(stamp, [](char c) { return c == ':' || c == '.'; });
  std::string aside = fmt::format("{}{}{}", path, kSetAsideMark, stamp);
  for (std::string_view part : {"", "-wal", "-shm"}) {
    const std::string from = path + std::string(part);
    const auto there = files.Exists(from);
    if (!there) return std::unexpected(there.error());
    if (!*there) continue;
    if (Status moved = files.Rename(from, aside + std::string(part)); !moved) {
      return std::unexpected(moved.error());
    }
  }
  return aside;
}

// Made here, so that it and what SQLite puts beside it are for the owner alone.
Status MakeEmptyFile(const std::string& path, FileSystem& files) {
  const auto there = files.Exists(path);
  if (!there) return std::unexpected(there.error());
  return *there ? Status() : files.WriteDurably(path, {}, FileAccess::kOwnerOnly);
}

}  // namespace

Status TellSchemaVersion(SqliteDatabase& database) {
  return database.Execute(fmt::format("PRAGMA user_version={}", kSchemaVersion).c_str());
}

Result<QueueFile> OpenQueueFile(const QueueFileOptions& options, FileSystem& files,
                                const Clock& clock) {
  if (Status made = MakeEmptyFile(options.path, files); !made) {
    return std::unexpected(made.error());
  }
  // What is asked is always the same: where SQLite calls it wrong, the file is.
  const auto open = [&options]() -> Result<QueueFile> {
    auto tried = TryOpen(options);
    if (!tried && tried.error().code == ErrorCode::kInternal) {
      tried.error().code = ErrorCode::kCorrupt;
    }
    return tried;
  };
  auto file = open();
  if (file || file.error().code != ErrorCode::kCorrupt) return file;
  if (!options.may_set_aside) {
    return Fail(
        ErrorCode::kCorrupt,
        "the queue's file {} is damaged ({}): start idkiosk, which sets it aside and begins "
        "a new one",
        options.path, file.error().message);
  }
  const std::string damage = file.error().message;
  const auto aside = SetAside(options.path, files, clock);
  if (!aside) return std::unexpected(aside.error());
  if (Status made = MakeEmptyFile(options.path, files); !made) {
    return std::unexpected(made.error());
  }
  file = open();
  if (!file) return file;
  file->set_aside = *aside;
  file->notices.push_back(
      fmt::format("THE QUEUE'S FILE WAS DAMAGED ({}). It has been set aside, complete, as {}.",
                  damage, *aside));
  return file;
}

}  // namespace idkiosk
