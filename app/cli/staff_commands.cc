// staff, pin: who may sign in on the page. A PIN is never an argument.
#include <algorithm>

#include "app/cli/call_report.h"
#include "app/cli/command_line.h"
#include "app/cli/two_operators.h"
#include "app/session/staff/pin_tries.h"
#include "app/session/staff/staff_list.h"
#include "app/settings/credentials.h"

namespace idkiosk {
namespace {

Staff KindOf(std::string_view word) {
  return word == Name(Staff::kClerk) ? Staff::kClerk : Staff::kOperator;
}

// Where the PINs come from of a command that gives somebody one.
struct PinSources {
  std::string file;     // the new one; empty: typed, or a line of standard input
  OperatorPins agreed;  // of who agrees, before it

  void AddTo(std::vector<Argument>& arguments) {
    arguments.push_back({.name = "--file",
                         .target = &file,
                         .type = "FILE",
                         .help = "Read the PIN from a file of mode 0600"});
    agreed.AddTo(arguments);
  }
};

// What a command needs to change who is staff.
struct Desk {
  const Settings& settings;
  SecureStorage& vault;
  std::vector<StaffMember> staff;
};

CommandResult<Desk> OpenDesk(Components& components) {
  const auto settings = components.settings_before_provisioning();
  if (!settings) return std::unexpected(settings.error());
  const auto vault = components.vault();
  if (!vault) return std::unexpected(vault.error());
  auto staff = ReadStaff(**vault);
  if (!staff) return StopWith(ExitCode::kConfiguration, staff.error());
  return Desk{**settings, **vault, std::move(*staff)};
}

// The texts whose numbers a thief knows.
std::vector<SecretBytes> NumbersOfAccount(const Desk& desk) {
  std::vector<SecretBytes> numbers;
  for (const std::string_view name : {kUserIdSecret, kLoginSecret}) {
    if (auto text = desk.vault.Get(name)) numbers.push_back(std::move(*text));
  }
  numbers.push_back(SecretBytes::CopyOf(desk.settings.service.test_nin));
  return numbers;
}

// Typed twice by somebody at a terminal: nobody sees what was typed.
CommandResult<SecretBytes> NewPin(Components& components, const Desk& desk, const std::string& name,
                                  Staff kind, const std::string& file) {
  auto typed = components.SecretFrom(file, fmt::format("New PIN of {}", name));
  if (!typed) return typed;
  Status good = CheckNewPin(*typed, NumbersOfAccount(desk));
  if (good) {
    good = CheckPinOfNobodyElse(*typed, name, kind, desk.staff, components.drivers().crypto);
  }
  if (!good) return StopWith(ExitCode::kUsage, good.error());
  if (!file.empty() || !components.terminal().interactive()) return typed;
  const auto again = components.terminal().AskSecret("The same PIN again");
  if (!again) return StopWith(ExitCode::kUsage, again.error());
  if (!typed->Equals(again->view())) {
    return StopWith(ExitCode::kUsage, "these are two different PINs: nothing was changed");
  }
  return typed;
}

// Whoever has a new PIN begins without wrong tries.
Status ForgetTries(Components& components, const Desk& desk, const StaffMember& member) {
  const Drivers& drivers = components.drivers();
  auto names = NamesOf(desk.staff, member.staff);
  names.push_back(member.name);
  PinTries tries({desk.vault, drivers.files, drivers.crypto}, member.staff,
                 desk.settings.state_folder);
  return tries.Forgive(names, member.name);
}

// Returns in whose names somebody of this kind is changed.
CommandResult<std::string> ChangedBy(Components& components, Staff kind, const OperatorPins& agreed,
                                     AuditEvent event) {
  if (kind == Staff::kClerk) return UserName();
  return OperatorsChangedBy(components, agreed, event);
}

// Gives somebody a PIN, which `event` tells.
CommandResult<ExitCode> SetPin(Components& components, const Desk& desk, const std::string& name,
                               Staff kind, const PinSources& pins, AuditEvent event) {
  const auto by = ChangedBy(components, kind, pins.agreed, event);
  if (!by) return std::unexpected(by.error());
  const auto pin = NewPin(components, desk, name, kind, pins.file);
  if (!pin) return std::unexpected(pin.error());
  const Drivers& drivers = components.drivers();
  const StaffMember member{name, kind,
                           MakePinRecord(*pin, MeasureIterations(drivers.crypto, drivers.clock),
                                         drivers.crypto, drivers.entropy)};
  const std::string what =
      event == AuditEvent::kPinSet ? name : fmt::format("{} {}", Name(kind), name);
  const Status kept =
      (*components.audit())->Do(event, *by, what, [&] { return PutMember(desk.vault, member); });
  if (!kept) return StopWith(ExitCode::kConfiguration, kept.error());
  if (const Status forgotten = ForgetTries(components, desk, member); !forgotten) {
    return StopWith(ExitCode::kConfiguration, forgotten.error());
  }
  return ExitCode::kDone;
}

struct PinOptions {
  std::string staff;
  PinSources pins;

  std::vector<Argument> arguments() {
    std::vector<Argument> all = {
        {.name = "who",
         .target = &staff,
         .type = "WHO",
         .help = "clerk (a branch's desk, a field agent's handheld) or operator",
         .required = true,
         .choices = {"clerk", "operator"}}};
    pins.AddTo(all);
    return all;
  }
};

// Of the one person of a kind, where people have no names.
CommandResult<ExitCode> RunPinSet(Components& components, PinOptions& options) {
  const auto desk = OpenDesk(components);
  if (!desk) return std::unexpected(desk.error());
  const Staff kind = KindOf(options.staff);
  const auto names = NamesOf(desk->staff, kind);
  if (!names.empty() && FindMember(desk->staff, options.staff) == nullptr) {
    return StopWith(ExitCode::kUsage,
                    fmt::format("Here each {} has a name and a PIN of their own: 'idkiosk staff "
                                "pin NAME' sets it, 'idkiosk staff list' shows the names.",
                                options.staff));
  }
  const auto done =
      SetPin(components, *desk, options.staff, kind, options.pins, AuditEvent::kPinSet);
  if (done) {
    components.terminal().Say(fmt::format("The {} has a new PIN from now on.", options.staff));
  }
  return done;
}

struct AddOptions {
  std::string name;
  std::string role;
  PinSources pins;

  std::vector<Argument> arguments() {
    std::vector<Argument> all = {
        {.name = "name",
         .target = &name,
         .type = "NAME",
         .help = "The person's name: letters, digits, - _ and .",
         .required = true},
        {.name = "--role",
         .target = &role,
         .type = "ROLE",
         .help = "clerk (a branch's desk, a field agent's handheld) or operator",
         .required = true,
         .choices = {"clerk", "operator"}}};
    pins.AddTo(all);
    return all;
  }
};

CommandResult<ExitCode> RunAdd(Components& components, AddOptions& options) {
  if (const Status good = CheckStaffName(options.name); !good) {
    return StopWith(ExitCode::kUsage, good.error().Within("the name"));
  }
  const auto desk = OpenDesk(components);
  if (!desk) return std::unexpected(desk.error());
  const Staff kind = KindOf(options.role);
  if (const StaffMember* const same = FindMember(desk->staff, options.name)) {
    return StopWith(ExitCode::kUsage,
                    fmt::format("{} is here already, as {}: 'idkiosk staff pin {}' gives them a "
                                "new PIN, and who does both needs two names",
                                same->name, Name(same->staff), same->name));
  }
  const auto names = NamesOf(desk->staff, kind);
  if (names.size() >= kMostOfOneKind) {
    return StopWith(ExitCode::kUsage, fmt::format("there are {} of them already, which is as many "
                                                  "as can be: remove somebody first",
                                                  names.size()));
  }
  const auto done =
      SetPin(components, *desk, options.name, kind, options.pins, AuditEvent::kStaffAdded);
  if (!done) return done;
  components.terminal().Say(
      fmt::format("{} may sign in as {} from now on.", options.name, Name(kind)));
  if (FindMember(desk->staff, options.role) != nullptr) {
    components.terminal().Say(
        fmt::format("The PIN without a name still works, and names nobody: once everybody has "
                    "their own, end it with 'idkiosk staff remove {}'.",
                    options.role));
  }
  return done;
}

struct NameOptions {
  std::string name;

  std::vector<Argument> arguments() {
    return {{.name = "name",
             .target = &name,
             .type = "NAME",
             .help = "As 'idkiosk staff list' names the person",
             .required = true}};
  }
};

struct NewPinOptions : NameOptions {
  PinSources pins;

  std::vector<Argument> arguments() {
    auto all = NameOptions::arguments();
    pins.AddTo(all);
    return all;
  }
};

struct RemoveOptions : NameOptions {
  OperatorPins agreed;

  std::vector<Argument> arguments() {
    auto all = NameOptions::arguments();
    agreed.AddTo(all);
    return all;
  }
};

CommandResult<const StaffMember*> MemberNamed(const Desk& desk, const std::string& name) {
  const StaffMember* const found = FindMember(desk.staff, name);
  if (found != nullptr) return found;
  // What was typed may be anything, such as a person's number.
  return StopWith(ExitCode::kUsage, "nobody here has this name: 'idkiosk staff list' shows them");
}

CommandResult<ExitCode> RunNewPin(Components& components, NewPinOptions& options) {
  const auto desk = OpenDesk(components);
  if (!desk) return std::unexpected(desk.error());
  const auto member = MemberNamed(*desk, options.name);
  if (!member) return std::unexpected(member.error());
  const std::string& name = (*member)->name;
  const auto done =
      SetPin(components, *desk, name, (*member)->staff, options.pins, AuditEvent::kPinSet);
  if (done) {
    components.terminal().Say(fmt::format(
        "{} has a new PIN from now on. Where they are signed in, they are asked for it.", name));
  }
  return done;
}

CommandResult<ExitCode> RunRemove(Components& components, RemoveOptions& options) {
  const auto desk = OpenDesk(components);
  if (!desk) return std::unexpected(desk.error());
  const auto member = MemberNamed(*desk, options.name);
  if (!member) return std::unexpected(member.error());
  const auto& [name, kind, record] = **member;
  const size_t left = NamesOf(desk->staff, kind).size() - 1;
  if (kind == Staff::kOperator && left == 0) {
    return StopWith(ExitCode::kUsage,
                    fmt::format("{0} is the last operator, and nobody could open the console: add "
                                "another one first, or give {0} a new PIN",
                                name));
  }
  const auto by = ChangedBy(components, kind, options.agreed, AuditEvent::kStaffRemoved);
  if (!by) return std::unexpected(by.error());
  const Status removed =
      (*components.audit())
          ->Do(AuditEvent::kStaffRemoved, *by, fmt::format("{} {}", Name(kind), name),
               [&] { return RemoveMember(desk->vault, **member); });
  if (!removed) return StopWith(ExitCode::kConfiguration, removed.error());
  components.terminal().Say(
      fmt::format("{} may not sign in any more. Where they are signed in, they are out within "
                  "seconds, or once the person before them is done.",
                  name));
  if (left == 0) {
    components.terminal().Say("There is no clerk any more: a desk or a handheld stays locked.");
  }
  return ExitCode::kDone;
}

CommandResult<ExitCode> RunStaffList(Components& components, NoOptions&) {
  const auto desk = OpenDesk(components);
  if (!desk) return std::unexpected(desk.error());
  for (const StaffMember& each : desk->staff) {
    if (components.json()) {
      components.terminal().Print(JsonWriter()
                                      .BeginObject()
                                      .Field("name", each.name)
                                      .Field("role", Name(each.staff))
                                      .Field("named", !IsUnnamed(each))
                                      .EndObject()
                                      .text());
    } else {
      components.terminal().Print(fmt::format("{:<9} {}{}", Name(each.staff), each.name,
                                              IsUnnamed(each) ? " (a PIN without a name)" : ""));
    }
  }
  if (desk->staff.empty()) {
    components.terminal().Say("Nobody may sign in: 'idkiosk staff add NAME --role operator'.");
  }
  return ExitCode::kDone;
}

}  // namespace

void AddStaffCommands(CommandLine& line) {
  line.AddGroup(
      "staff", "Say who may sign in on the page, each with a name and a PIN",
      {line.Make("add", "Add somebody, with a PIN that is typed, or a line of standard input",
                 &RunAdd),
       line.Make("list", "Show who may sign in, and as what", &RunStaffList),
       line.Make("pin", "Give somebody a new PIN", &RunNewPin),
       line.Make("remove", "No longer let somebody sign in", &RunRemove)});
  line.AddGroup(
      "pin", "Set the PINs of clerk and operator, where people have no names of their own",
      {line.Make("set", "Set a PIN of 6 to 12 digits, typed or from a line of standard input",
                 &RunPinSet)});
}

}  // namespace idkiosk
