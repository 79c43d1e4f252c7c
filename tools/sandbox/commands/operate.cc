// The commands that change a running sandbox, through its control API.
#include <memory>
#include <ranges>

#include "tools/sandbox/commands/commands.h"
#include "tools/sandbox/commands/control_client.h"
#include "tools/sandbox/service/endpoint.h"
#include "tools/sandbox/service/faults.h"
#include "tools/sandbox/store/state_folder.h"

namespace idkiosk::sandbox {
namespace {

Argument StateArgument(std::string& state) {
  return {.name = "--state",
          .target = &state,
          .type = "DIR",
          .help = "The server's folder; the server must be running, or start within 5 seconds",
          .required = true};
}

void Print(const std::string& json) { fmt::print("{}\n", json); }

struct OnboardArguments {
  std::string state;
  std::string out;
  std::string email;
  std::string name = "Sandbox customer";
  std::string level = "full";
  std::string environment = "sandbox";
  bool no_key = false;
};

void RunOnboard(const OnboardArguments& arguments) {
  auto client = OrGiveUp(ControlClient::Open(arguments.state));
  const std::string message =
      OrGiveUp(client.Post("/sandbox/onboard", JsonWriter()
                                                   .BeginObject()
                                                   .Field("email", arguments.email)
                                                   .Field("name", arguments.name)
                                                   .Field("level", arguments.level)
                                                   .Field("environment", arguments.environment)
                                                   .Field("key", !arguments.no_key)
                                                   .EndObject()
                                                   .text()));
  if (arguments.out.empty()) {
    Print(message);
  } else if (auto written = WritePrivateFile(arguments.out, message + "\n"); !written) {
    GiveUp(written.error());
  }
}

struct FaultArguments {
  std::string state;
  std::string kind;
  std::string endpoint = "any";
  std::optional<int> status;
  std::optional<int64_t> delay_ms;
  std::optional<int64_t> retry_after;
  std::optional<int64_t> count;
  std::optional<int64_t> every;
  std::optional<double> probability;
  std::optional<bool> billed;
  bool retry_after_as_date = false;
  std::string id;
};

std::string FaultJson(const FaultArguments& arguments) {
  JsonWriter json;
  json.BeginObject().Field("kind", arguments.kind).Field("endpoint", arguments.endpoint);
  const auto add = [&](const char* key, const auto& value) {
    if (value) json.Field(key, *value);
  };
  add("status", arguments.status);
  add("delay_ms", arguments.delay_ms);
  add("retry_after", arguments.retry_after);
  add("count", arguments.count);
  add("every", arguments.every);
  add("probability", arguments.probability);
  add("billed", arguments.billed);
  if (arguments.retry_after_as_date) json.Field("retry_after_as_date", true);
  return json.EndObject().Take();
}

// A line each: its name, and how it looks from outside.
std::string ExplainedFaultKinds() {
  std::string text;
  for (const FaultKindRow& each : FaultKinds()) {
    text += fmt::format("{}{:<18}{}", text.empty() ? "" : "\n", each.name, each.text);
  }
  return text;
}

Command FaultAddCommand() {
  std::vector<std::string> kinds;
  for (const FaultKindRow& each : FaultKinds()) kinds.emplace_back(each.name);
  auto arguments = std::make_shared<FaultArguments>();
  return {
      .name = "add",
      .summary = "Switch a fault on; prints its number",
      .arguments = {StateArgument(arguments->state),
                    {.name = "--kind",
                     .target = &arguments->kind,
                     .help = "What goes wrong",
                     .required = true,
                     .choices = kinds},
                    {.name = "--endpoint",
                     .target = &arguments->endpoint,
                     .help = fmt::format(
                         "any, or one of {}",
                         fmt::join(Endpoints() | std::views::transform(&EndpointRow::name), ", ")),
                     .show_default = true},
                    {.name = "--status",
                     .target = &arguments->status,
                     .help = "The HTTP status, for --kind status (default: 500)"},
                    {.name = "--delay-ms",
                     .target = &arguments->delay_ms,
                     .help = "Milliseconds to wait before the answer, with any kind"},
                    {.name = "--retry-after",
                     .target = &arguments->retry_after,
                     .help = "Seconds for the Retry-After header, for --kind status (default: 1 "
                             "with 429, else no header)"},
                    {.name = "--retry-after-as-date",
                     .target = &arguments->retry_after_as_date,
                     .help = "Give Retry-After as a date"},
                    {.name = "--count",
                     .target = &arguments->count,
                     .help = "How many requests it hits (default: 1; 0: until it is cleared)"},
                    {.name = "--every",
                     .target = &arguments->every,
                     .help = "Only every n-th request of that endpoint"},
                    {.name = "--probability",
                     .target = &arguments->probability,
                     .help = "The chance that it hits a request, 0 to 1"},
                    {.name = "--billed",
                     .target = &arguments->billed,
                     .help = "Whether such a request is billed (default: as its answer would be)"}},
      .footer = ExplainedFaultKinds(),
      .action = [arguments] {
        auto client = OrGiveUp(ControlClient::Open(arguments->state));
        Print(OrGiveUp(client.Post("/sandbox/faults", FaultJson(*arguments))));
      }};
}

Command FaultClearCommand() {
  auto arguments = std::make_shared<FaultArguments>();
  return {.name = "clear",
          .summary = "Switch all faults off, or one",
          .arguments = {StateArgument(arguments->state),
                        {.name = "--id",
                         .target = &arguments->id,
                         .help = "The number of the fault to switch off"}},
          .action = [arguments] {
            auto client = OrGiveUp(ControlClient::Open(arguments->state));
            const std::string which =
                arguments->id.empty() ? "" : "?id=" + EncodeQuery(arguments->id);
            Print(OrGiveUp(client.Delete("/sandbox/faults" + which)));
          }};
}

struct PersonArguments {
  std::string state;
  std::string nin;
  std::string name;
  std::string phone;
  std::string born = "1990-01-01";
  std::string gender = "female";
  bool face_differs = false;
};

Command PersonAddCommand() {
  auto arguments = std::make_shared<PersonArguments>();
  return {.name = "add",
          .summary = "Add a made-up person",
          .arguments = {StateArgument(arguments->state),
                        {.name = "--nin",
                         .target = &arguments->nin,
                         .help = "11 digits; not a real one",
                         .required = true},
                        {.name = "--name",
                         .target = &arguments->name,
                         .help = "Full name",
                         .required = true},
                        {.name = "--phone",
                         .target = &arguments->phone,
                         .help = "Such as 07000000009",
                         .required = true},
                        {.name = "--born",
                         .target = &arguments->born,
                         .help = "Date of birth",
                         .show_default = true},
                        {.name = "--gender",
                         .target = &arguments->gender,
                         .help = "female or male",
                         .show_default = true},
                        {.name = "--face-differs",
                         .target = &arguments->face_differs,
                         .help = "Pictures sent for this person never match"}},
          .action = [arguments] {
            auto client = OrGiveUp(ControlClient::Open(arguments->state));
            Print(OrGiveUp(
                client.Post("/sandbox/people", JsonWriter()
                                                   .BeginObject()
                                                   .Field("nin", arguments->nin)
                                                   .Field("name", arguments->name)
                                                   .Field("phone", arguments->phone)
                                                   .Field("born", arguments->born)
                                                   .Field("gender", arguments->gender)
                                                   .Field("face_matches", !arguments->face_differs)
                                                   .EndObject()
                                                   .text())));
          }};
}

Command PersonRemoveCommand() {
  auto arguments = std::make_shared<PersonArguments>();
  return {.name = "remove",
          .summary = "Remove a made-up person",
          .arguments = {StateArgument(arguments->state),
                        {.name = "--nin",
                         .target = &arguments->nin,
                         .help = "The NIN of the person to remove",
                         .required = true}},
          .action = [arguments] {
            auto client = OrGiveUp(ControlClient::Open(arguments->state));
            Print(OrGiveUp(client.Delete("/sandbox/people?nin=" + EncodeQuery(arguments->nin))));
          }};
}

// A command that only reads.
Command ReadCommand(std::string name, std::string summary, const char* path) {
  auto state = std::make_shared<std::string>();
  return {.name = std::move(name),
          .summary = std::move(summary),
          .arguments = {StateArgument(*state)},
          .action = [state, path] {
            auto client = OrGiveUp(ControlClient::Open(*state));
            Print(OrGiveUp(client.Get(path)));
          }};
}

struct LevelArguments {
  std::string state;
  std::string email;
  std::string level;
};

Command AccountLevelCommand() {
  auto arguments = std::make_shared<LevelArguments>();
  return {
      .name = "level",
      .summary = "Give an account an access level",
      .arguments = {StateArgument(arguments->state),
                    {.name = "--email",
                     .target = &arguments->email,
                     .help = "The account's e-mail address",
                     .required = true},
                    {.name = "--level",
                     .target = &arguments->level,
                     .help = "basic, standard or full",
                     .required = true}},
      .action = [arguments] {
        auto client = OrGiveUp(ControlClient::Open(arguments->state));
        Print(OrGiveUp(client.Post("/sandbox/accounts/level", JsonWriter()
                                                                  .BeginObject()
                                                                  .Field("email", arguments->email)
                                                                  .Field("level", arguments->level)
                                                                  .EndObject()
                                                                  .text())));
      }};
}

}  // namespace

Command OnboardCommand() {
  auto arguments = std::make_shared<OnboardArguments>();
  return {
      .name = "onboard",
      .summary = "Make a customer's account and write its onboarding message (JSON)",
      .arguments =
          {StateArgument(arguments->state),
           {.name = "--out",
            .target = &arguments->out,
            .type = "FILE",
            .help = "File for the message (mode 0600); else it is printed"},
           {.name = "--email", .target = &arguments->email, .help = "Default: a made-up address"},
           {.name = "--name",
            .target = &arguments->name,
            .help = "The customer's name",
            .show_default = true},
           {.name = "--level",
            .target = &arguments->level,
            .help = "Access level: basic, standard or full",
            .show_default = true},
           {.name = "--environment",
            .target = &arguments->environment,
            .help = "sandbox or production behaviour",
            .show_default = true},
           {.name = "--no-key",
            .target = &arguments->no_key,
            .help = "Make no API key; it is made in the dashboard, as with the real service"}},
      .action = [arguments] { RunOnboard(*arguments); }};
}

Command FaultCommands() {
  return {
      .name = "fault",
      .summary = "Switch faults on and off",
      .commands = {FaultAddCommand(),
                   ReadCommand("list", "List the faults that are on, and how often each has hit",
                               "/sandbox/faults"),
                   FaultClearCommand()}};
}

Command PeopleCommands() {
  return {.name = "people",
          .summary = "Manage the registry of made-up people",
          .commands = {ReadCommand("list", "List everybody in the registry", "/sandbox/people"),
                       PersonAddCommand(), PersonRemoveCommand()}};
}

Command AccountCommands() {
  return {.name = "account",
          .summary = "Manage the customers' accounts",
          .commands = {ReadCommand("list", "List the customers' accounts", "/sandbox/accounts"),
                       AccountLevelCommand()}};
}

}  // namespace idkiosk::sandbox
