// The commands that change a running sandbox, through its control API.
#include <CLI/CLI.hpp>
#include <memory>

#include "tools/sandbox/commands/commands.h"
#include "tools/sandbox/commands/control_client.h"
#include "tools/sandbox/store/state_folder.h"

namespace idkiosk::sandbox {
namespace {

void AddState(CLI::App* command, std::string& state) {
  command->add_option("--state", state, "The folder of the server, which must run")
      ->required()
      ->type_name("DIR")
      ->check(CLI::ExistingDirectory);
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

void AddFaultAdd(CLI::App* family) {
  auto arguments = std::make_shared<FaultArguments>();
  auto* add = family->add_subcommand("add", "Switch a fault on; prints its number");
  AddState(add, arguments->state);
  add->add_option("--kind", arguments->kind, "What goes wrong")
      ->required()
      ->check(CLI::IsMember({"status", "delay", "drop-before-body", "drop-after-body", "reset",
                             "cut", "html", "wrong-type", "stale-token"}));
  add->add_option("--endpoint", arguments->endpoint,
                  "check, reasons, verify, lookup_phone, lookup_nin, lookup_nin_phone, login, "
                  "register, change_password or any")
      ->capture_default_str();
  add->add_option("--status", arguments->status, "Of kind status (default: 500)");
  add->add_option("--delay-ms", arguments->delay_ms, "Wait before the answer, with any kind");
  add->add_option("--retry-after", arguments->retry_after, "Seconds, told with status 429");
  add->add_flag("--retry-after-as-date", arguments->retry_after_as_date, "Tell it as a date");
  add->add_option("--count", arguments->count, "How often (default: 1; 0: until it is cleared)");
  add->add_option("--every", arguments->every, "Only every n-th request of that endpoint");
  add->add_option("--probability", arguments->probability, "Only with this chance, 0 to 1");
  add->add_option("--billed", arguments->billed,
                  "Whether such a request is billed (default: as its answer would be)");
  add->footer(
      "drop-before-body  the connection closes when the headers are there; nothing is billed\n"
      "drop-after-body   the request is carried out and billed, then the connection closes\n"
      "reset             the same with a TCP reset\n"
      "cut               the headers and half of the body\n"
      "html              200 with a page, as a captive portal gives\n"
      "wrong-type        JSON with text where numbers belong, and the other way round\n"
      "stale-token       the access token dies before it is looked at: 401");
  add->callback([arguments] {
    auto client = OrGiveUp(ControlClient::Open(arguments->state));
    Print(OrGiveUp(client.Post("/sandbox/faults", FaultJson(*arguments))));
  });
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

void AddPeopleChanges(CLI::App* family) {
  auto arguments = std::make_shared<PersonArguments>();
  auto* add = family->add_subcommand("add", "Add a made-up person");
  AddState(add, arguments->state);
  add->add_option("--nin", arguments->nin, "11 digits; not a real one")->required();
  add->add_option("--name", arguments->name, "Full name")->required();
  add->add_option("--phone", arguments->phone, "Such as 07000000009")->required();
  add->add_option("--born", arguments->born, "Date of birth")->capture_default_str();
  add->add_option("--gender", arguments->gender, "female or male")->capture_default_str();
  add->add_flag("--face-differs", arguments->face_differs, "Pictures sent never match");
  add->callback([arguments] {
    auto client = OrGiveUp(ControlClient::Open(arguments->state));
    Print(
        OrGiveUp(client.Post("/sandbox/people", JsonWriter()
                                                    .BeginObject()
                                                    .Field("nin", arguments->nin)
                                                    .Field("name", arguments->name)
                                                    .Field("phone", arguments->phone)
                                                    .Field("born", arguments->born)
                                                    .Field("gender", arguments->gender)
                                                    .Field("face_matches", !arguments->face_differs)
                                                    .EndObject()
                                                    .text())));
  });
  auto* remove = family->add_subcommand("remove", "Remove somebody");
  AddState(remove, arguments->state);
  remove->add_option("--nin", arguments->nin, "Whom")->required();
  remove->callback([arguments] {
    auto client = OrGiveUp(ControlClient::Open(arguments->state));
    Print(OrGiveUp(client.Delete("/sandbox/people?nin=" + EncodeQuery(arguments->nin))));
  });
}

// One more command that only reads.
void AddReader(CLI::App* family, const char* name, const char* about, const char* path) {
  auto state = std::make_shared<std::string>();
  auto* command = family->add_subcommand(name, about);
  AddState(command, *state);
  command->callback([state, path] {
    auto client = OrGiveUp(ControlClient::Open(*state));
    Print(OrGiveUp(client.Get(path)));
  });
}

}  // namespace

void AddOnboard(CLI::App& app) {
  auto arguments = std::make_shared<OnboardArguments>();
  auto* command = app.add_subcommand(
      "onboard", "Make a customer's account and write its onboarding message (JSON)");
  AddState(command, arguments->state);
  command
      ->add_option("--out", arguments->out, "File for the message (mode 0600); else it is printed")
      ->type_name("FILE");
  command->add_option("--email", arguments->email, "Default: a made-up address");
  command->add_option("--name", arguments->name, "Of the customer")->capture_default_str();
  command->add_option("--level", arguments->level, "Access level: basic, standard or full")
      ->capture_default_str();
  command->add_option("--environment", arguments->environment, "sandbox or production behaviour")
      ->capture_default_str();
  command->add_flag("--no-key", arguments->no_key,
                    "No API key: it is made in the dashboard, as with the real service");
  command->callback([arguments] { RunOnboard(*arguments); });
}

void AddFault(CLI::App& app) {
  auto* family = app.add_subcommand("fault", "Switch faults on and off");
  family->require_subcommand(1);
  AddFaultAdd(family);
  AddReader(family, "list", "The faults that are on, with how often each has hit",
            "/sandbox/faults");
  auto arguments = std::make_shared<FaultArguments>();
  auto* clear = family->add_subcommand("clear", "Switch all faults off, or one");
  AddState(clear, arguments->state);
  clear->add_option("--id", arguments->id, "Number of the one");
  clear->callback([arguments] {
    auto client = OrGiveUp(ControlClient::Open(arguments->state));
    const std::string which = arguments->id.empty() ? "" : "?id=" + EncodeQuery(arguments->id);
    Print(OrGiveUp(client.Delete("/sandbox/faults" + which)));
  });
}

void AddPeople(CLI::App& app) {
  auto* family = app.add_subcommand("people", "The registry of made-up people");
  family->require_subcommand(1);
  AddReader(family, "list", "Everybody in it", "/sandbox/people");
  AddPeopleChanges(family);
}

void AddAccount(CLI::App& app) {
  auto* family = app.add_subcommand("account", "The customers' accounts");
  family->require_subcommand(1);
  AddReader(family, "list", "All of them", "/sandbox/accounts");
  struct Arguments {
    std::string state, email, level;
  };
  auto arguments = std::make_shared<Arguments>();
  auto* level = family->add_subcommand("level", "Give an account an access level");
  AddState(level, arguments->state);
  level->add_option("--email", arguments->email, "Whose")->required();
  level->add_option("--level", arguments->level, "basic, standard or full")->required();
  level->callback([arguments] {
    auto client = OrGiveUp(ControlClient::Open(arguments->state));
    Print(OrGiveUp(client.Post("/sandbox/accounts/level", JsonWriter()
                                                              .BeginObject()
                                                              .Field("email", arguments->email)
                                                              .Field("level", arguments->level)
                                                              .EndObject()
                                                              .text())));
  });
}

}  // namespace idkiosk::sandbox
