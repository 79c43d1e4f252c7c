#ifndef IDKIOSK_TOOLS_HEADQUARTERS_DATABASE_H_
#define IDKIOSK_TOOLS_HEADQUARTERS_DATABASE_H_

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "platform/base/error.h"

struct pg_conn;

namespace idkiosk::headquarters {

// Rows as text; a null is empty.
using Rows = std::vector<std::vector<std::string>>;

// Where the database is, unless a command line says so: the environment's DATABASE, else
// "dbname=fleet".
[[nodiscard]] std::string DatabaseOfEnvironment();
constexpr std::string_view kDatabaseHelp =
    "PostgreSQL, as psql takes it; without it, what the environment's DATABASE says, else "
    "dbname=fleet. Everybody on this machine can read a command line: put a password into "
    "DATABASE";

// A connection to PostgreSQL, which is made again when it is lost. One thread.
//
// Errors of every function: kUnavailable (PostgreSQL does not answer, or has gone: try again),
// kInvalid (it refuses what was asked, with its own sentence).
class Database {
 public:
  // `where`: a connection string as psql takes it, "host=/run/postgresql dbname=fleet".
  explicit Database(std::string where) : where_(std::move(where)) {}

  // Runs a statement; `values` stand for $1, $2, ... of it.
  [[nodiscard]] Result<Rows> Run(const std::string& statement,
                                 const std::vector<std::string>& values = {});
  // Makes tables and functions; does no harm where they are there.
  [[nodiscard]] Status MakeSchema();

 private:
  [[nodiscard]] Status Connect();

  struct Close {
    void operator()(pg_conn* connection) const;
  };
  const std::string where_;
  std::unique_ptr<pg_conn, Close> connection_;
};

}  // namespace idkiosk::headquarters

#endif  // IDKIOSK_TOOLS_HEADQUARTERS_DATABASE_H_
