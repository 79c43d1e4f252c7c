// idkiosk-fleetctl: what people at headquarters ask about their kiosks, and a page that shows it.
#include <httplib.h>

#include <algorithm>

#include "platform/base/command_line/command.h"
#include "platform/base/text/printable.h"
#include "tools/headquarters/ctl_orders.h"
#include "tools/headquarters/files.h"
#include "tools/headquarters/fleet_view.h"
#include "tools/headquarters/page_names.h"

namespace idkiosk::headquarters {
namespace {

constexpr int kMostAlarms = 200;

struct Asked {
  std::string database = DatabaseOfEnvironment();
  std::string silent_after = "15 minutes";
  std::string tenant;
  std::string month;
  std::string kiosk;
  std::string journal;
  std::vector<std::string> names;
  int port = 0;
};

}  // namespace

int Complain(const Error& error) {
  fmt::print(stderr, "idkiosk-fleetctl: {}\n", error.message);
  return error.code == ErrorCode::kUnavailable ? 4 : 2;
}

void PrintTable(const Rows& rows) {
  std::vector<size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  for (const auto& row : rows) {
    std::string line;
    for (size_t i = 0; i < row.size(); ++i) {
      line += fmt::format("{:{}}  ", Printable(row[i]), widths[i]);
    }
    fmt::print("{}\n", line.substr(0, line.find_last_not_of(' ') + 1));
  }
}

namespace {

int List(const Asked& asked, bool silent_alone) {
  Database database(asked.database);
  const auto kiosks = Kiosks(database, asked.silent_after);
  if (!kiosks) return Complain(kiosks.error());
  Rows table = {
      {"TENANT", "KIOSK", "HEALTH", "LAST HEARD", "VERSION", "WAIT", "DECIDE", "TODAY", ""}};
  for (const KioskRow& each : *kiosks) {
    if (silent_alone && each.health != "silent" && each.health != "gone") continue;
    table.push_back({each.tenant, each.kiosk, each.health, each.heard, each.version, each.waiting,
                     each.need_person, each.today, each.complaint});
  }
  PrintTable(table);
  return silent_alone && table.size() > 1 ? 1 : 0;
}

int ListAlarms(const Asked& asked) {
  Database database(asked.database);
  auto alarms = Alarms(database, kMostAlarms, kMostAlarms);
  if (!alarms) return Complain(alarms.error());
  alarms->insert(alarms->begin(), {"TIME", "TENANT", "KIOSK", "WHAT"});
  PrintTable(*alarms);
  return 0;
}

int Ledger(const Asked& asked) {
  Database database(asked.database);
  const auto csv = LedgerCsv(database, asked.tenant, asked.month);
  if (!csv) return Complain(csv.error());
  fmt::print("{}", *csv);
  return std::fflush(stdout) == 0 ? 0 : 5;
}

int Accept(const Asked& asked) {
  Database database(asked.database);
  const auto done =
      database.Run("select accept_journal($1, $2, $3)", {asked.tenant, asked.kiosk, asked.journal});
  if (!done) return Complain(done.error());
  if (done->front()[0] == "t") {
    fmt::print("A new life of that journal begins: its records come again from the first on.\n");
    return 0;
  }
  return Complain(Error{ErrorCode::kNotFound,
                        fmt::format("no {} of {} waits to be accepted: 'alarms' lists what does",
                                    asked.journal, asked.kiosk)});
}

// Answers nothing to a browser that was led here by another name: a page of elsewhere would be read
// as that name's own (DNS rebinding).
void RefuseOtherNames(httplib::Server& server, const int& port,
                      const std::vector<std::string>& names) {
  server.set_pre_routing_handler(
      [&port, &names](const httplib::Request& request, httplib::Response& response) {
        if (request.get_header_value_count("Host") == 1 &&
            IsNameOfPage(request.get_header_value("Host"), port, names)) {
          return httplib::Server::HandlerResponse::Unhandled;
        }
        response.status = 421;
        response.set_content(
            fmt::format("Ask for http://127.0.0.1:{}/ instead. Where this page has another name, "
                        "behind a web server or a tunnel, have it started with --name HOST.\n",
                        port),
            "text/plain; charset=utf-8");
        return httplib::Server::HandlerResponse::Handled;
      });
}

// `asked` must outlive the server.
void AnswerQuestions(httplib::Server& server, const Asked& asked) {
  // One question at a time: a page asks every few seconds.
  const auto answer = [&asked](auto ask, const char* type) {
    return [&asked, ask, type](const auto&, httplib::Response& response) {
      Database database(asked.database);
      const auto text = ask(database);
      if (!text) {
        response.status = 503;
        response.set_content(text.error().message, "text/plain; charset=utf-8");
        return;
      }
      response.set_content(*text, type);
    };
  };
  server.Get("/fleet.json",
             answer([&](Database& from) { return FleetJson(from, asked.silent_after); },
                    "application/json"));
  server.Get("/metrics",
             answer([](Database& from) { return MetricsText(from); }, "text/plain; version=0.0.4"));
}

int Serve(const Asked& asked) {
  if (Status good = CheckNames(asked.names); !good) return Complain(good.error());
  httplib::Server server;
  int port = -1;
  RefuseOtherNames(server, port, asked.names);
  server.set_default_headers({{"Cache-Control", "no-store"},
                              {"X-Content-Type-Options", "nosniff"},
                              {"Content-Security-Policy",
                               "default-src 'none'; script-src 'self'; "
                               "style-src 'self'; connect-src 'self'; frame-ancestors 'none'; "
                               "base-uri 'none'; form-action 'none'"}});
  for (const PageFile& each : PageFiles()) {
    server.Get(std::string(each.path), [&each](const auto&, httplib::Response& response) {
      response.set_content(each.text.data(), each.text.size(), std::string(each.type));
    });
  }
  AnswerQuestions(server, asked);
  port = asked.port == 0                                ? server.bind_to_any_port("127.0.0.1")
         : server.bind_to_port("127.0.0.1", asked.port) ? asked.port
                                                        : -1;
  if (port < 0) {
    return Complain(Error{ErrorCode::kInvalid, fmt::format("port {} is taken", asked.port)});
  }
  fmt::print("http://127.0.0.1:{}/\n", port);
  std::fflush(stdout);
  server.listen_after_bind();
  return 0;
}

std::vector<Argument> AcceptArguments(Asked& asked) {
  return {
      {.name = "tenant", .target = &asked.tenant, .help = "As 'list' names it", .required = true},
      {.name = "kiosk", .target = &asked.kiosk, .help = "As 'list' names it", .required = true},
      {.name = "journal",
       .target = &asked.journal,
       .help = "Which one has the break",
       .required = true,
       .choices = {"ledger", "audit"}}};
}

std::vector<Argument> LedgerArguments(Asked& asked) {
  return {{.name = "--month",
           .target = &asked.month,
           .type = "MONTH",
           .help = "Like 2026-11, in UTC",
           .required = true},
          {.name = "--tenant", .target = &asked.tenant, .help = "Of these kiosks alone"}};
}

std::vector<Argument> ServeArguments(Asked& asked, const Argument& silent) {
  return {silent,
          {.name = "--port",
           .target = &asked.port,
           .help = "0: any that is free",
           .show_default = true,
           .range = NumberRange{0, 65535}},
          {.name = "--name",
           .target = &asked.names,
           .type = "HOST",
           .help = "Another host name for this page, with any port, such as that of a web server "
                   "before it; may be repeated"}};
}

// Those that ask the database. The chosen one puts what is to be done into `act`; `asked` and `act`
// must outlive them.
std::vector<Command> ViewCommands(Asked& asked, std::function<int()>& act) {
  const Argument silent = {.name = "--silent-after",
                           .target = &asked.silent_after,
                           .type = "TIME",
                           .help = "How long without news counts as silent",
                           .show_default = true};
  const auto does = [&asked, &act](auto what) {
    return [&asked, &act, what] { act = [&asked, what] { return what(asked); }; };
  };
  return {{.name = "list",
           .summary = "Every kiosk: the worst first",
           .arguments = {silent},
           .action = does([](const Asked& question) { return List(question, false); })},
          {.name = "silent",
           .summary = "Kiosks without news of late; exit code 1 if there are any",
           .arguments = {silent},
           .action = does([](const Asked& question) { return List(question, true); })},
          {.name = "alarms",
           .summary = "Refused messages, broken ledgers and audit trails; the newest first",
           .action = does(&ListAlarms)},
          {.name = "accept",
           .summary = "Accepts a ledger or audit trail with a break in it, once you know why",
           .arguments = AcceptArguments(asked),
           .action = does(&Accept)},
          {.name = "ledger",
           .summary = "Every attempt of a month, of all kiosks, as CSV",
           .arguments = LedgerArguments(asked),
           .action = does(&Ledger)},
          {.name = "serve",
           .summary = "A page of the fleet on 127.0.0.1, and /metrics for Prometheus",
           .arguments = ServeArguments(asked, silent),
           .action = does(&Serve)}};
}

int Run(int argc, char** argv) {
  Asked asked;
  std::function<int()> act;
  OrderOptions orders;
  Command program = {
      .name = "idkiosk-fleetctl",
      .summary = "Shows headquarters the state of its kiosks, and sends them signed commands.",
      .arguments = {{.name = "--database",
                     .target = &asked.database,
                     .type = "WHERE",
                     .help = std::string(kDatabaseHelp)}},
      .commands = ViewCommands(asked, act)};
  for (Command& each : OrderCommands(orders, act)) program.commands.push_back(std::move(each));
  const auto command = ParseCommandLine(program, argc, argv);
  if (!command) return command.error();
  orders.database = asked.database;
  (*command)->action();
  return act();
}

}  // namespace
}  // namespace idkiosk::headquarters

int main(int argc, char** argv) { return idkiosk::headquarters::Run(argc, argv); }
