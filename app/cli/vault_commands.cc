// vault, provision: the secrets, and how they get here. No secret is ever an argument.
#include "app/assembly/stop_deadline.h"
#include "app/cli/access/queue_access.h"
#include "app/cli/beside_vault.h"
#include "app/cli/call_report.h"
#include "app/cli/command_line.h"
#include "app/cli/two_operators.h"
#include "app/operator/ledger_export.h"
#include "app/queue/storage/attempt_ledger.h"
#include "app/queue/storage/call_files.h"
#include "app/results/webhook_signature.h"
#include "app/service/trial.h"
#include "app/session/staff/two_persons.h"
#include "app/settings/credential_store.h"
#include "app/settings/credentials.h"
#include "app/settings/provisioning.h"
#include "app/settings/settings_access.h"
#include "platform/base/json.h"

namespace idkiosk {
namespace {

CommandResult<ExitCode> Told(Components& components, const Status& done, std::string_view words) {
  if (!done) return StopWith(ExitCode::kConfiguration, done.error());
  components.terminal().Say(words);
  return ExitCode::kDone;
}

// A new vault cannot prove the ledger of the vault before. Left where it is, that ledger would hold
// every check.
CommandResult<ExitCode> BeginLedgerAnew(Components& components, const std::string& folder) {
  const auto aside = SetLedgerAside(folder, components.drivers().clock, components.drivers().files);
  if (!aside) {
    return StopWith(ExitCode::kConfiguration,
                    fmt::format("The ledger of another vault is still in {}/ledger ({}), and this "
                                "one proves none of it: nothing is sent before you have moved that "
                                "folder elsewhere, or accepted it ('idkiosk ledger accept').",
                                folder, aside.error().message));
  }
  if (!aside->empty()) {
    components.terminal().Say(fmt::format(
        "The earlier vault's ledger is kept in {}; nothing can prove it genuine any more. A new "
        "ledger begins; no call approved in the earlier one is sent.",
        *aside));
  }
  return ExitCode::kDone;
}

CommandResult<ExitCode> RunInit(Components& components, NoOptions&) {
  const auto vault = components.vault_administration();
  if (!vault) return std::unexpected(vault.error());
  const auto settings = components.settings_before_provisioning();
  const std::string& folder = (*settings)->state_folder;
  if (const std::string why = WhyNoVaultIn(folder); !why.empty()) {
    return StopWith(ExitCode::kConfiguration, fmt::format("No vault was made: {}", why));
  }
  // Its calls are sealed with keys of before; with a new vault nobody could open them.
  const bool there = (*components.vault())->Describe().has_value();
  // Nobody delivers before the ledger of before is out of the way. On a new board there is no
  // folder.
  const auto turn = LockCalls(folder, components.drivers().files);
  if (!there && !turn && turn.error().code == ErrorCode::kUnavailable) {
    return StopWith(ExitCode::kKept,
                    "The kiosk is running with the vault of before: stop it first ('systemctl stop "
                    "idkiosk').");
  }
  if (!there) {
    const auto left = CallFiles(folder, components.drivers().files);
    if (!left) return StopWith(ExitCode::kConfiguration, left.error());
    if (!left->empty()) {
      return StopWith(
          ExitCode::kConfiguration,
          fmt::format(
              "No vault was made: {} still holds files of calls, such as {}, that another "
              "vault sealed, and a new one opens none of them. 'idkiosk vault erase' erases "
              "them. If that vault is only away, bring its folder back instead.",
              folder, left->front()));
    }
  }
  const auto made = (*vault)->Init();
  const auto info = (*components.vault())->Describe();
  if (!made && made.error().code == ErrorCode::kFailedPrecondition && info) {
    components.terminal().Say(
        fmt::format("There is a vault already: nothing was changed. {}", info->protection));
    return ExitCode::kDone;
  }
  if (!made) return StopWith(ExitCode::kConfiguration, made.error());
  if (!info) return StopWith(ExitCode::kConfiguration, info.error());
  (*components.audit())->Note(AuditEvent::kVaultMade, UserName(), "");
  components.terminal().Say(fmt::format("The vault is made. {}", info->protection));
  return BeginLedgerAnew(components, folder);
}

struct SetOptions {
  std::string name;
  std::string file;
  OperatorPins pins;

  std::vector<Argument> arguments() {
    std::vector<std::string> names;
    for (const CredentialTraits& each : kAllCredentials) names.emplace_back(each.name);
    names.emplace_back(kWebhookKey);
    std::vector<Argument> all = {
        {.name = "name",
         .target = &name,
         .type = "NAME",
         .help = fmt::format("{}", fmt::join(names, ", ")),
         .required = true,
         .choices = names},
        {.name = "--file",
         .target = &file,
         .type = "FILE",
         .help = "Read the secret from a file of mode 0600"},
    };
    pins.AddTo(all);
    return all;
  }
};

// A credential that is set belongs to the address in force. Those of another one go first.
CommandResult<bool> TakeForPresentAddress(Components& components, SecureStorage& vault) {
  const auto settings = components.settings_before_provisioning();
  if (!settings) return std::unexpected(settings.error());
  const std::string& base_url = (*settings)->service.base_url;
  if (base_url.empty()) return false;
  const auto address = AddressOf((*settings)->environment, base_url);
  const auto taken = TakeCredentialsOf(vault, address);
  if (!taken) return StopWith(ExitCode::kConfiguration, taken.error());
  if (*taken) {
    components.terminal().Say(fmt::format(
        "The credentials of another address were taken out of the vault: set all of {} anew.",
        Describe(address)));
  }
  return *taken;
}

// It belongs to the receiver of results, and to no address of the service.
CommandResult<ExitCode> SetWebhookKey(Components& components, SecureStorage& vault,
                                      const SecretBytes& key) {
  if (auto fits = ParseWebhookKey(key); !fits) {
    return StopWith(ExitCode::kUsage, fits.error().Within(kWebhookKey));
  }
  const auto put = (*components.audit())->Do(AuditEvent::kSecretSet, UserName(), kWebhookKey, [&] {
    return PutWebhookKey(vault, key);
  });
  if (!put) return StopWith(ExitCode::kConfiguration, put.error());
  components.terminal().Say(fmt::format(
      "{} is in the vault. {}", kWebhookKey,
      *put ? "Results are signed with the previous key, too. Set the new one again to end that, "
             "once the receiver has it."
           : "Results are signed with it alone."));
  return ExitCode::kDone;
}

// Whether the kiosk would work for another account from then on.
bool IsOtherAccount(SecureStorage& vault, std::string_view name, const SecretBytes& value) {
  if (std::ranges::find(kAccountSecrets, name) == kAccountSecrets.end()) return false;
  const auto before = vault.Get(name);
  return before && !before->Equals(value.view());
}

CommandResult<ExitCode> RunSet(Components& components, SetOptions& options) {
  const auto vault = components.vault();
  if (!vault) return std::unexpected(vault.error());
  const auto secret = components.SecretFrom(options.file, options.name);
  if (!secret) return std::unexpected(secret.error());
  if (options.name == kWebhookKey) return SetWebhookKey(components, **vault, *secret);
  if (auto good = CheckCredential(options.name, *secret); !good) {
    return StopWith(ExitCode::kUsage, good.error().Within(options.name));
  }
  const auto by = IsOtherAccount(**vault, options.name, *secret)
                      ? AgreedBy(components, options.pins, AuditEvent::kSecretSet)
                      : CommandResult<std::string>(UserName());
  if (!by) return std::unexpected(by.error());
  if (auto taken = TakeForPresentAddress(components, **vault); !taken) {
    return std::unexpected(taken.error());
  }
  const Status put = (*components.audit())->Do(AuditEvent::kSecretSet, *by, options.name, [&] {
    return (*vault)->Put(options.name, *secret);
  });
  return Told(components, put, fmt::format("{} is in the vault, and was read back.", options.name));
}

// Who may erase the vault, or point the kiosk elsewhere.
std::string DangerousThings(SecureStorage& vault, const Settings& settings) {
  const auto staff = ReadStaff(vault);
  if (!staff) return "not known: the vault does not open";
  const size_t operators = CountOperators(*staff);
  if (!NeedsSecondOperator(settings.staff.two_persons, operators)) {
    return operators == 1
               ? "one operator alone can erase it on the page, or point the kiosk elsewhere"
               : "nobody is asked before it is erased, or the kiosk pointed elsewhere";
  }
  return "two operators must agree before it is erased, or the kiosk pointed elsewhere";
}

void PrintStatus(Terminal& terminal, const SecureStorage::RootKey& root,
                 const Result<SecureStorage::Info>& info, const std::string& dangerous) {
  terminal.Print(fmt::format("{:<9} {}", "key", root.place));
  terminal.Print(fmt::format("{:<9} {}", "state", root.state));
  terminal.Print(fmt::format("{:<9} {}", "", root.text));
  if (!root.mend.empty()) terminal.Print(fmt::format("{:<9} -> {}", "", root.mend));
  if (info) {
    terminal.Print(fmt::format("{:<9} {}{}", "changes", info->generation,
                               info->repaired ? "; a damaged copy was written again" : ""));
    terminal.Print(fmt::format("{:<9} {}", "secrets", fmt::join(info->names, ", ")));
    terminal.Print(fmt::format("{:<9} {}", "staff", dangerous));
  }
  if (root.threats.empty()) return;
  terminal.Print("");
  terminal.Print(fmt::format("{:<60} {:<9} {}", "if ...", "the vault", "because"));
  for (const SecureStorage::Threat& each : root.threats) {
    terminal.Print(
        fmt::format("{:<60} {:<9} {}", each.what, each.is_met ? "is safe" : "is LOST", each.why));
  }
}

std::string StatusJson(const SecureStorage::RootKey& root,
                       const Result<SecureStorage::Info>& info) {
  JsonWriter json;
  json.BeginObject()
      .Field("key", root.place)
      .Field("state", root.state)
      .Field("text", root.text)
      .Field("mend", root.mend)
      .Key("threats")
      .BeginArray();
  for (const SecureStorage::Threat& each : root.threats) {
    json.BeginObject()
        .Field("what", each.what)
        .Field("safe", each.is_met)
        .Field("why", each.why)
        .EndObject();
  }
  json.EndArray();
  if (info) {
    json.Field("protection", info->protection)
        .Field("generation", info->generation)
        .Field("repaired", info->repaired)
        .Key("secrets")
        .BeginArray();
    for (const std::string& name : info->names) json.Value(name);
    json.EndArray();
  }
  return json.EndObject().text();
}

// Whatever is wrong with the vault, it says what guards its key.
CommandResult<ExitCode> RunStatus(Components& components, NoOptions&) {
  const auto vault = components.vault();
  if (!vault) return std::unexpected(vault.error());
  const SecureStorage::RootKey root = (*vault)->DescribeRootKey();
  const auto info = (*vault)->Describe();
  if (components.json()) {
    components.terminal().Print(StatusJson(root, info));
  } else {
    PrintStatus(components.terminal(), root, info,
                DangerousThings(**vault, **components.settings_before_provisioning()));
  }
  if (!info) return StopWith(ExitCode::kConfiguration, info.error());
  return ExitCode::kDone;
}

struct ProtectOptions {
  bool tpm = false;
  bool file = false;

  std::vector<Argument> arguments() {
    return {{.name = "--tpm",
             .target = &tpm,
             .help = "Keep the root key in this board's TPM: the disk alone does not open the "
                     "vault, and most older copies of it are noticed"},
            {.name = "--file",
             .target = &file,
             .help = "Keep it in a file beside the vault, for example before a firmware update"}};
  }
};

CommandResult<ExitCode> RunProtect(Components& components, ProtectOptions& options) {
  const auto vault = components.vault_administration();
  if (!vault) return std::unexpected(vault.error());
  if (options.tpm == options.file) {
    return StopWith(ExitCode::kUsage, "say where the vault's key goes: --tpm or --file");
  }
  const RootKeyPlace place = options.tpm ? RootKeyPlace::kTpm : RootKeyPlace::kFile;
  const Status moved =
      (*components.audit())
          ->Do(AuditEvent::kVaultProtected, UserName(), options.tpm ? "tpm" : "file",
               [&] { return (*vault)->Protect(place); });
  return Told(components, moved,
              options.tpm
                  ? "The vault's key is in the TPM now, and its file was erased. Copies of "
                    "the state folder that were made before hold the old key: erase them."
                  : "The vault's key is in a file now. It protects neither against theft of "
                    "the disk nor against older copies: 'idkiosk vault protect --tpm' "
                    "moves it back.");
}

// The vault proves nothing before it is accepted, so the trail hears of it afterwards.
CommandResult<ExitCode> RunAccept(Components& components, NoOptions&) {
  const auto vault = components.vault_administration();
  if (!vault) return std::unexpected(vault.error());
  const Status accepted = (*vault)->AcceptRollback();
  if (accepted) (*components.audit())->Note(AuditEvent::kVaultAccepted, UserName(), "");
  return Told(components, accepted,
              "The vault opens again, as it was in the older copy. Nothing is sent before somebody "
              "has looked at the ledger: 'idkiosk ledger verify', then 'idkiosk ledger accept'.");
}

CommandResult<ExitCode> RunRotate(Components& components, NoOptions&) {
  const auto vault = components.vault_administration();
  if (!vault) return std::unexpected(vault.error());
  const Status rotated = (*components.audit())->Do(AuditEvent::kVaultRotated, UserName(), "", [&] {
    return (*vault)->Rotate();
  });
  return Told(components, rotated,
              "The vault has a new key. Secrets and waiting calls stay as they were.");
}

struct EraseOptions {
  bool yes = false;
  bool without_ledger = false;
  OperatorPins pins;

  std::vector<Argument> arguments() {
    std::vector<Argument> all = {{.name = "--yes", .target = &yes, .help = "Do not ask first"},
                                 {.name = "--without-ledger",
                                  .target = &without_ledger,
                                  .help = "Do not write the ledger out first"}};
    pins.AddTo(all);
    return all;
  }
};

// Writes every attempt into a file of its own, while the vault still proves them. A vault that
// does not open proves nothing.
Status WriteOut(Components& components, SecureStorage& vault, const std::string& folder) {
  const auto& drivers = components.drivers();
  if (!drivers.files.Exists(folder + "/ledger").value_or(false)) return {};
  auto key = vault.DeriveKey(AttemptLedger::kKeyLabel);
  AttemptLedger ledger(folder, drivers.crypto, key ? std::move(*key) : SecretBytes(), drivers.files,
                       vault);
  const Status loaded = key ? ledger.Load({}) : std::unexpected(key.error());
  if (!loaded) {
    components.terminal().Say(fmt::format("The ledger is not written out, as nothing proves it: {}",
                                          loaded.error().message));
    return {};
  }
  const std::vector<LedgerRow> rows = ledger.attempts().List(std::nullopt);
  const auto profile = components.profile();
  const auto written = WriteLedgerOut({ledger.verdict(), rows, profile ? (*profile)->currency : ""},
                                      folder, drivers.clock, drivers.files, drivers.crypto);
  if (!written) return std::unexpected(written.error());
  if (!written->empty()) components.terminal().Say(*written);
  return {};
}

// Nothing else names a call that was never sent, once it is erased.
void SayWhatWaits(Components& components) {
  const auto queue = OpenQueue(components, QueueNeed::kLook);
  if (!queue) return;  // nothing opens them, with or without this
  const auto waiting = (*queue)->List(/*only_open=*/true);
  if (!waiting || waiting->empty()) return;
  std::string names;
  for (const CallSummary& call : *waiting) {
    names += fmt::format("{}{} ({})", names.empty() ? "" : ", ", Spaced(call.reference),
                         StateWord(call));
  }
  components.terminal().Say(
      fmt::format("Calls that have not ended, and end with the vault: {}.", names));
}

CommandResult<ExitCode> RunErase(Components& components, EraseOptions& options) {
  const auto vault = components.vault_administration();
  if (!vault) return std::unexpected(vault.error());
  const std::string warning =
      "This erases every secret, and every call that waits to be sent. Nothing proves the ledger "
      "then, so it is written out into a file first.";
  SayWhatWaits(components);
  components.CloseQueue();  // its files are overwritten soon
  if (!options.yes && !components.terminal().Confirm(warning)) {
    return StopWith(ExitCode::kUsage,
                    warning + " Nothing was erased. To go on: idkiosk vault erase --yes");
  }
  const auto by = AgreedBy(components, options.pins, AuditEvent::kVaultErased);
  if (!by) return std::unexpected(by.error());
  const std::string folder = (*components.settings_before_provisioning())->state_folder;
  // It would go on sending while the ledger is written out, and nothing would prove what it sent.
  if (!options.without_ledger && DurableQueue::IsInUse(folder, components.drivers().files)) {
    return StopWith(
        ExitCode::kKept,
        "Nothing was erased: the kiosk or another command is running, and what it sends "
        "meanwhile would be missing in the ledger's file. Stop it first ('systemctl stop "
        "idkiosk'), or erase on the kiosk's page, or without that file: idkiosk vault erase "
        "--yes --without-ledger");
  }
  if (const auto proves = components.vault(); proves && !options.without_ledger) {
    if (Status written = WriteOut(components, **proves, folder); !written) {
      return StopWith(ExitCode::kConfiguration,
                      fmt::format("Nothing was erased, as the ledger cannot be written out: {}. To "
                                  "erase without it: idkiosk vault erase --yes --without-ledger",
                                  written.error().message));
    }
  }
  // A vault that is damaged, and proves nothing, is erased all the same.
  (*components.audit())->Note(AuditEvent::kVaultErased, *by, "");
  const auto erased = (*vault)->Erase();
  const auto files = EraseBesideVault(folder, components.drivers().files);
  // A vault that is gone already may have left the files of a kiosk that ran.
  if (!erased && files.value_or(0) == 0) {
    return StopWith(ExitCode::kConfiguration, erased.error());
  }
  if (erased) components.terminal().Say(*erased);
  if (!files) {
    return StopWith(
        ExitCode::kKept,
        fmt::format("The files of waiting calls are still there: {}. Nothing opens them "
                    "any more; 'idkiosk vault erase' again erases them, too.",
                    files.error().message));
  }
  components.terminal().Say(fmt::format(
      "Files of calls that were overwritten and removed: {}. The ledger and the audit trail stay "
      "(they name nobody), but no vault proves them any more: 'idkiosk vault init' begins new ones "
      "beside them.",
      *files));
  return ExitCode::kDone;
}

struct ProvisionOptions {
  std::string onboarding;
  OperatorPins pins;

  std::vector<Argument> arguments() {
    std::vector<Argument> all = {{.name = "--onboarding",
                                  .target = &onboarding,
                                  .type = "FILE",
                                  .help = "A JSON file of mode 0600; - is standard input",
                                  .required = true}};
    pins.AddTo(all);
    return all;
  }
};

Result<Onboarding> OnboardingFromInput(Components& components) {
  const auto message = components.terminal().ReadAll(kLongestOnboarding);
  if (!message) return std::unexpected(message.error());
  return ParseOnboarding(components.drivers().files, message->text(), "standard input");
}

// What the message does not say is asked for.
CommandResult<Onboarding> CompleteOnboarding(Components& components, const std::string& path) {
  auto onboarding = path == "-" ? OnboardingFromInput(components)
                                : ReadOnboarding(components.drivers().files, path);
  if (!onboarding) return StopWith(ExitCode::kConfiguration, onboarding.error());
  for (Onboarding::Credential& credential : onboarding->credentials) {
    if (!credential.value.empty()) continue;
    auto typed = components.terminal().AskSecret(credential.what);
    if (!typed) {
      return StopWith(ExitCode::kConfiguration,
                      fmt::format("{}; write it into the message, or type it: {}",
                                  typed.error().message, MissingCredentials(*onboarding)));
    }
    credential.value = std::move(*typed);
  }
  return std::move(*onboarding);
}

// Calls that waited for credentials that the service accepts.
void LiftHoldsOfCredentials(Components& components) {
  // Where nothing was asked yet, no queue is made.
  const std::string& folder = (*components.settings())->state_folder;
  if (const auto there = CallFiles(folder, components.drivers().files); !there || there->empty()) {
    return;
  }
  const auto queue = OpenQueue(components, QueueNeed::kLook);
  const auto stats = queue ? (*queue)->Stats() : Result<QueueStats>(QueueStats());
  if (!stats) return;
  for (const Hold& hold : stats->holds) {
    if (hold.reason != HoldReason::kCredentials) continue;
    const Status lifted = (*queue)->Lift(HoldId(hold));
    components.terminal().Say(
        lifted
            ? fmt::format("The hold {} is lifted: one call goes first.", HoldId(hold))
            : fmt::format("The hold {} is not lifted: {}.", HoldId(hold), lifted.error().message));
  }
}

// Whether the message replaces credentials, which may work.
bool ReplacesCredentials(SecureStorage& vault) {
  return std::ranges::any_of(kAllCredentials, [&vault](const CredentialTraits& each) {
    return vault.Get(each.name).has_value();
  });
}

// Asks the service whether it takes the message's credentials, before they replace others. Whatever
// cannot be tried now, such as without a network, stands in no way.
CommandResult<void> TryBeforeReplacing(Components& components, SecureStorage& vault,
                                       const Onboarding& onboarding, const Settings& after) {
  if (!ReplacesCredentials(vault)) return {};
  const auto profile = LoadProfile(components.drivers().files, after.service.profile);
  if (!profile) return StopWith(ExitCode::kConfiguration, profile.error());
  Settings soon = after;
  soon.service.connect_timeout = std::min(soon.service.connect_timeout, kTrialTimeout);
  soon.service.total_timeout = std::min(soon.service.total_timeout, kTrialTimeout);
  const auto http = components.drivers().make_http_client(soon.service);
  if (!http) return StopWith(ExitCode::kConfiguration, http.error());
  const StopDeadline stoppable(components, ExitCode::kKept);
  const Status tried =
      TryOnboarding(onboarding, soon, *profile, **http, components.drivers().clock);
  if (tried || tried.error().code != ErrorCode::kUnauthenticated) return {};
  return StopWith(ExitCode::kConfiguration,
                  fmt::format("The previous credentials stay: {}", tried.error().message));
}

CommandResult<ExitCode> RunProvision(Components& components, ProvisionOptions& options) {
  const auto vault = components.vault();
  if (!vault) return std::unexpected(vault.error());
  const auto onboarding = CompleteOnboarding(components, options.onboarding);
  if (!onboarding) return std::unexpected(onboarding.error());
  const auto before = components.settings_before_provisioning();
  const auto after =
      SettingsAfter(components.drivers().files, components.config_path(), *onboarding);
  if (!after) return StopWith(ExitCode::kConfiguration, after.error());
  const auto elsewhere = WhatPointsElsewhere(**vault, **before, *after, *onboarding);
  if (!elsewhere) return StopWith(ExitCode::kConfiguration, elsewhere.error());
  const auto by = elsewhere->empty() ? CommandResult<std::string>(UserName())
                                     : AgreedBy(components, options.pins, AuditEvent::kServiceSet);
  if (!by) return std::unexpected(by.error());
  if (const auto tried = TryBeforeReplacing(components, **vault, *onboarding, *after); !tried) {
    return std::unexpected(tried.error());
  }
  const std::string change =
      ChangeOfService((*before)->service.base_url, onboarding->base_url, *elsewhere);
  const Status done = (*components.audit())->Do(AuditEvent::kServiceSet, *by, change, [&] {
    return Provision(components.drivers().files, **vault, components.config_path(), *onboarding);
  });
  if (!done) return StopWith(ExitCode::kConfiguration, done.error());
  components.ForgetSettings();
  components.terminal().Say(
      options.onboarding == "-"
          ? "Address and credentials are in place."
          : fmt::format(
                "Address and credentials are in place. {} still holds the credentials: delete it.",
                options.onboarding));

  for (const std::string_view each : NoLongerSet(**before, *after)) {
    components.terminal().Say(fmt::format(
        "{} is no longer set: it was of the address before, and the message names none. If it is "
        "of the new one too, put it into the message and run 'idkiosk provision' again.",
        each));
  }

  // Unbilled, and it proves them: the list of reasons also serves later, without a network.
  if (const auto reasons = components.fresh_reasons(); !reasons) {
    const Failure& why = reasons.error();
    components.terminal().Say(
        why.code == ExitCode::kKept
            ? fmt::format("The service could not check them yet ({}). Run 'idkiosk reasons' later "
                          "to try again.",
                          why.message)
            : fmt::format("The credentials do not work yet ({}). Correct what is named there. If "
                          "it is a credential, run 'idkiosk provision' again with the service's "
                          "message, or 'idkiosk vault set NAME'.",
                          why.message));
    // All is stored. What nobody could try yet is no failure; what the service refused is one.
    return why.code == ExitCode::kKept ? ExitCode::kDone : why.code;
  }
  components.terminal().Say(
      "The service accepts the credentials, and its request reasons are stored.");
  LiftHoldsOfCredentials(components);
  return ExitCode::kDone;
}

}  // namespace

void AddVaultCommands(CommandLine& line) {
  line.AddGroup(
      "vault", "Manage the secrets: API key, user ID, login, password",
      {line.Make("init", "Create the vault and its key", &RunInit),
       line.Make("set", "Put one secret into the vault, typed or from a line of standard input",
                 &RunSet),
       line.Make("status", "Show what protects the secrets from whom, and which are there",
                 &RunStatus),
       line.Make("protect", "Move the vault's key into the board's TPM, or back into a file",
                 &RunProtect),
       line.Make("accept", "Go on with an older copy of the vault, after somebody looked at it",
                 &RunAccept),
       line.Make("rotate", "Give the vault a new key; secrets and waiting calls stay", &RunRotate),
       line.Make("erase", "Erase every secret, and every waiting call", &RunErase)});
  line.Add(line.Make("provision", "Set this kiosk up from the service's onboarding message",
                     &RunProvision));
}

}  // namespace idkiosk
