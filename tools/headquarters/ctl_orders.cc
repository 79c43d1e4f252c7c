// The commands of idkiosk-fleetctl that sign, send and look after orders.
#include "tools/headquarters/ctl_orders.h"

#include <chrono>
#include <filesystem>
#include <fstream>

#include "platform/base/text/printable.h"
#include "tools/headquarters/orders.h"
#include "tools/headquarters/publisher.h"
#include "tools/headquarters/signing.h"

namespace idkiosk::headquarters {
namespace {

constexpr int kNotAll = 1;

WallTime Now() { return std::chrono::floor<WallTime::duration>(std::chrono::system_clock::now()); }

int Write(const SignedFile& file, const std::string& path) {
  const std::string text = PrintSigned(file);
  if (path.empty()) {
    fmt::print("{}", text);
    return std::fflush(stdout) == 0 ? 0 : 5;
  }
  // The signatures before this one stay where there is no room for it.
  std::error_code failed;
  const auto there = std::filesystem::status(path, failed);
  const bool is_device = std::filesystem::exists(there) && !std::filesystem::is_regular_file(there);
  const std::string beside = is_device ? path : path + ".new";
  std::ofstream out(beside, std::ios::trunc);
  out << text << std::flush;
  out.close();
  failed.clear();
  if (out && !is_device) std::filesystem::rename(beside, path, failed);
  if (out && !failed) return 0;
  if (!is_device) std::filesystem::remove(beside, failed);
  return Complain({ErrorCode::kInvalid, fmt::format("{} cannot be written", path)});
}

// What no kiosk would take is not signed: nobody hears of it again until a roll-out stops.
int SignAll(const OrderOptions& options, SignedFile file, const std::string& path) {
  if (Status good = CheckDocument(file.document); !good) return Complain(good.error());
  // Before a key is asked for its PIN: whoever reads something else can stop here.
  fmt::print(stderr, "{}\n", file.document);
  for (const std::string& key : options.keys) {
    if (Status added = AddSignature(file, key); !added) return Complain(added.error());
  }
  return Write(file, path);
}

int SignNew(const OrderOptions& options) {
  auto document = WriteDocument(options.draft, Now());
  if (!document) return Complain(document.error());
  return SignAll(options, {.document = std::move(*document), .signatures = {}}, options.out);
}

int SignToo(const OrderOptions& options) {
  auto file = ReadSigned(options.file);
  if (!file) return Complain(file.error());
  return SignAll(options, std::move(*file), options.file);
}

int PrintKeyLine(const OrderOptions& options) {
  const auto line = KeyLine(options.name, options.file);
  if (!line) return Complain(line.error());
  fmt::print("{}\n", *line);
  return 0;
}

// A signed command, and those that it goes to.
struct Job {
  Order order;
  std::vector<std::string> kiosks;
};

Result<Job> JobOf(const OrderOptions& options, Database& database) {
  const auto file = ReadSigned(options.file);
  if (!file) return std::unexpected(file.error());
  const auto order = OrderOf(*file);
  if (!order) return std::unexpected(order.error());
  auto kiosks = options.to.empty() ? Addressed(database, *order)
                                   : Result<std::vector<std::string>>(options.to);
  if (!kiosks) return std::unexpected(kiosks.error());
  if (kiosks->empty()) {
    return Fail(ErrorCode::kNotFound,
                "no kiosk has said that it is of the group {}: name them with --to", order->group);
  }
  return Job{*order, std::move(*kiosks)};
}

int SendIt(const OrderOptions& options) {
  Database database(options.database);
  const auto job = JobOf(options, database);
  if (!job) return Complain(job.error());
  const auto publish = [&options](const auto& messages) {
    return PublishAll(options.broker, messages);
  };
  if (Status sent = Send(database, publish, job->order, job->kiosks); !sent) {
    return Complain(sent.error());
  }
  fmt::print("sent to {} kiosks; 'drift' and 'commands' say what became of it\n",
             job->kiosks.size());
  return 0;
}

int RollItOut(const OrderOptions& options) {
  Database database(options.database);
  const auto job = JobOf(options, database);
  if (!job) return Complain(job.error());
  const auto publish = [&options](const auto& messages) {
    return PublishAll(options.broker, messages);
  };
  const auto all = RollOutTo(database, publish, job->order, job->kiosks,
                             {.steps = options.steps,
                              .patience = std::chrono::seconds(options.wait),
                              .say = [](const std::string& line) {
                                fmt::print("{}\n", line);
                                std::fflush(stdout);
                              }});
  if (!all) return Complain(all.error());
  return *all ? 0 : kNotAll;
}

int ListDrift(const OrderOptions& options) {
  Database database(options.database);
  const auto drifts = FindDrift(database);
  if (!drifts) return Complain(drifts.error());
  Rows table = {{"TENANT", "KIOSK", "SETTING", "ORDERED", "ACTUAL", "IT SAID"}};
  for (const Drift& each : *drifts) {
    table.push_back({each.tenant, each.kiosk, each.key, each.ordered, each.actual, each.why});
  }
  PrintTable(table);
  return drifts->empty() ? 0 : kNotAll;
}

int ListCommands(const OrderOptions& options) {
  Database database(options.database);
  auto rows = database.Run(
      "select to_char(sent at time zone 'utc', 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"'), tenant, kiosk, "
      "action, revision, state, signed_by, reason from command order by sent desc, kiosk limit "
      "200");
  if (!rows) return Complain(rows.error());
  rows->insert(rows->begin(),
               {"SENT", "TENANT", "KIOSK", "ACTION", "REVISION", "STATE", "SIGNED BY", "WHY"});
  PrintTable(*rows);
  return 0;
}

int PrintLog(const OrderOptions& options) {
  Database database(options.database);
  const auto rows = database.Run(
      "select jsonb_array_elements_text(log) from (select log from command where kiosk = $1 and "
      "log is not null order by settled desc limit 1) as newest",
      {options.name});
  if (!rows) return Complain(rows.error());
  if (rows->empty()) {
    return Complain({ErrorCode::kNotFound,
                     fmt::format("{} has sent no log: sign and send a send_log", options.name)});
  }
  for (const auto& row : *rows) fmt::print("{}\n", Printable(row[0]));
  return 0;
}

std::vector<Argument> DraftArguments(OrderOptions& options) {
  Draft& draft = options.draft;
  return {
      {.name = "--tenant",
       .target = &draft.tenant,
       .help = "Whose kiosks",
       .required = true,
       .check = &TroubleWithName},
      {.name = "--kiosk",
       .target = &draft.kiosk,
       .help = "The one that it is for",
       .check = &TroubleWithName},
      {.name = "--group",
       .target = &draft.group,
       .help = "Or the group that it is for",
       .check = &TroubleWithName},
      {.name = "--action",
       .target = &draft.action,
       .required = true,
       .choices = {"settings", "hold_sending", "release_sending", "retry_holds", "restart",
                   "send_log", "give_up", "discard", "erase"}},
      {.name = "--set",
       .target = &draft.settings,
       .type = "KEY=VALUE",
       .help = "A setting, such as ui.idle='60 s'; null: the kiosk's own configuration decides"},
      {.name = "--healthy-within",
       .target = &draft.healthy_within,
       .type = "SECONDS",
       .help = "A kiosk that is not well by then takes the settings back",
       .range = NumberRange{5, 600}},
      {.name = "--reference",
       .target = &draft.reference,
       .help = "Of give_up and discard: the call"},
      {.name = "--why", .target = &draft.why, .help = "Of hold_sending: what staff are told"},
      {.name = "--expires-in",
       .target = &draft.minutes,
       .type = "MINUTES",
       .help = "Minutes until the command expires",
       .show_default = true,
       .range = NumberRange{1, 31 * 24 * 60}},
      {.name = "--revision",
       .target = &draft.revision,
       .help = "Higher than any earlier command's; default: the time, in milliseconds"},
      {.name = "--key",
       .target = &options.keys,
       .type = "NAME=FILE",
       .help = "Signer's name and private key (PEM); dangerous actions need two",
       .required = true},
      {.name = "--out", .target = &options.out, .type = "FILE", .help = "Where to write it"}};
}

std::vector<Argument> BrokerArguments(OrderOptions& options) {
  return {
      {.name = "file",
       .target = &options.file,
       .help = "The command, as 'sign' wrote it",
       .required = true},
      {.name = "--to",
       .target = &options.to,
       .type = "KIOSK",
       .help = "Only these, in this order; default: every kiosk it is addressed to",
       .check = &TroubleWithName},
      {.name = "--broker", .target = &options.broker.host, .type = "HOST", .show_default = true},
      {.name = "--port",
       .target = &options.broker.port,
       .show_default = true,
       .range = NumberRange{1, 65535}},
      {.name = "--ca",
       .target = &options.broker.ca_file,
       .type = "FILE",
       .help = "The broker's CA; without one, no TLS"},
      {.name = "--certificate",
       .target = &options.broker.certificate,
       .type = "FILE",
       .help = "Headquarters' certificate"},
      {.name = "--broker-key",
       .target = &options.broker.key,
       .type = "FILE",
       .help = "And its key"}};
}

std::vector<Argument> RollOutArguments(OrderOptions& options) {
  std::vector<Argument> arguments = BrokerArguments(options);
  arguments.push_back({.name = "--step",
                       .target = &options.steps,
                       .type = "SHARE",
                       .help = "How many kiosks each step reaches in all, such as 1, 10%",
                       .show_default = true,
                       .check = &TroubleWithStep});
  arguments.push_back({.name = "--wait",
                       .target = &options.wait,
                       .type = "SECONDS",
                       .help = "Wait so long for each step",
                       .show_default = true,
                       .range = NumberRange{1, 7 * 24 * 3600}});
  return arguments;
}

std::vector<Argument> KeyLineArguments(OrderOptions& options) {
  return {{.name = "name",
           .target = &options.name,
           .help = "Whose key it is: the NAME of --key",
           .required = true,
           .check = &TroubleWithName},
          {.name = "file",
           .target = &options.file,
           .help = "The public key, as PEM",
           .required = true}};
}

std::vector<Argument> CountersignArguments(OrderOptions& options) {
  return {{.name = "file",
           .target = &options.file,
           .help = "The command, as 'sign' wrote it",
           .required = true},
          {.name = "--key",
           .target = &options.keys,
           .type = "NAME=FILE",
           .help = "Who signs, and the private key (PEM)",
           .required = true}};
}

}  // namespace

std::vector<Command> OrderCommands(OrderOptions& options, std::function<int()>& act) {
  options.broker.host = "localhost";
  const auto does = [&options, &act](int (*what)(const OrderOptions&)) {
    return [&options, &act, what] { act = [&options, what] { return what(options); }; };
  };
  return {{.name = "key-line",
           .summary = "Prints a public key as a kiosk's headquarters.keys takes it",
           .arguments = KeyLineArguments(options),
           .action = does(&PrintKeyLine)},
          {.name = "sign",
           .summary = "Writes a command and signs it; needs neither database nor network",
           .arguments = DraftArguments(options),
           .action = does(&SignNew)},
          {.name = "countersign",
           .summary = "Shows a signed command, and adds a signature to its file",
           .arguments = CountersignArguments(options),
           .action = does(&SignToo)},
          {.name = "send",
           .summary = "Sends a signed command",
           .arguments = BrokerArguments(options),
           .action = does(&SendIt)},
          {.name = "roll-out",
           .summary = "Sends a command to a few kiosks, then more; stops when one does not do it",
           .arguments = RollOutArguments(options),
           .action = does(&RollItOut)},
          {.name = "commands",
           .summary = "The newest commands, and what each kiosk said to them",
           .action = does(&ListCommands)},
          {.name = "log",
           .summary = "The newest log that a kiosk sent after a send_log command",
           .arguments = {{.name = "kiosk",
                          .target = &options.name,
                          .help = "As 'list' names it",
                          .required = true}},
           .action = does(&PrintLog)},
          {.name = "drift",
           .summary = "Settings that are not as they were ordered; exit code 1 where there are any",
           .action = does(&ListDrift)}};
}

}  // namespace idkiosk::headquarters
