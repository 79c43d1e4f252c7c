#include "tools/headquarters/database.h"

#include <libpq-fe.h>

#include <cstdlib>

#include "tools/headquarters/files.h"

namespace idkiosk::headquarters {
namespace {

struct Clear {
  void operator()(PGresult* result) const { PQclear(result); }
};
using Answer = std::unique_ptr<PGresult, Clear>;

// PostgreSQL's sentences end with a line end, and may have several lines.
std::string Sentence(const char* message) {
  std::string text = message == nullptr ? "" : message;
  while (!text.empty() && text.back() == '\n') text.pop_back();
  for (char& each : text) each = each == '\n' ? ' ' : each;
  return text;
}

}  // namespace

std::string DatabaseOfEnvironment() {
  const char* const where = std::getenv("DATABASE");
  return where == nullptr || *where == '\0' ? "dbname=fleet" : where;
}

void Database::Close::operator()(pg_conn* connection) const { PQfinish(connection); }

Status Database::Connect() {
  if (connection_ && PQstatus(connection_.get()) == CONNECTION_OK) return {};
  connection_.reset(PQconnectdb(where_.c_str()));
  if (PQstatus(connection_.get()) != CONNECTION_OK) {
    const std::string why = Sentence(PQerrorMessage(connection_.get()));
    connection_.reset();
    return Fail(ErrorCode::kUnavailable, "PostgreSQL: {}", why);
  }
  // Notices, such as "already exists, skipping", are no news.
  PQsetNoticeProcessor(connection_.get(), [](void*, const char*) {}, nullptr);
  return {};
}

Result<Rows> Database::Run(const std::string& statement, const std::vector<std::string>& values) {
  if (Status connected = Connect(); !connected) return std::unexpected(connected.error());
  std::vector<const char*> given;
  for (const std::string& each : values) given.push_back(each.c_str());
  // Several statements in one text take no values.
  const Answer answer(values.empty() ? PQexec(connection_.get(), statement.c_str())
                                     : PQexecParams(connection_.get(), statement.c_str(),
                                                    static_cast<int>(given.size()), nullptr,
                                                    given.data(), nullptr, nullptr, 0));
  const ExecStatusType status = PQresultStatus(answer.get());
  if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK) {
    const std::string why = Sentence(PQerrorMessage(connection_.get()));
    if (PQstatus(connection_.get()) != CONNECTION_OK) {
      connection_.reset();
      return Fail(ErrorCode::kUnavailable, "PostgreSQL: {}", why);
    }
    // What is short of something now is not wrong: class 53 of its codes, and 57 where it stops.
    const char* const code = PQresultErrorField(answer.get(), PG_DIAG_SQLSTATE);
    const std::string_view kind = code == nullptr ? "" : code;
    const bool is_passing =
        kind.starts_with("53") || kind.starts_with("57") || kind.starts_with("40");
    return Fail(is_passing ? ErrorCode::kUnavailable : ErrorCode::kInvalid, "PostgreSQL: {}", why);
  }
  Rows rows(static_cast<size_t>(PQntuples(answer.get())));
  for (size_t row = 0; row < rows.size(); ++row) {
    for (int column = 0; column < PQnfields(answer.get()); ++column) {
      rows[row].emplace_back(PQgetvalue(answer.get(), static_cast<int>(row), column));
    }
  }
  return rows;
}

Status Database::MakeSchema() {
  const auto made = Run(std::string(SchemaSql()));
  return made ? Status() : std::unexpected(made.error());
}

}  // namespace idkiosk::headquarters
