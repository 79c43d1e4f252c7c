// vault, provision: the secrets, and how they get here. No secret is ever an argument.
#include "app/cli/command_line.h"
#include "app/settings/provisioning.h"
#include "platform/base/json.h"

namespace idkiosk {
namespace {

Attempt<ExitCode> Told(Kiosk& kiosk, const Status& done, std::string_view words) {
  if (!done) return StopWith(ExitCode::kConfiguration, done.error());
  kiosk.terminal().Say(words);
  return ExitCode::kDone;
}

Attempt<ExitCode> RunInit(Kiosk& kiosk, NoOptions&) {
  const auto vault = kiosk.vault_administration();
  if (!vault) return std::unexpected(vault.error());
  if (auto made = (*vault)->Init(); !made) return StopWith(ExitCode::kConfiguration, made.error());
  const auto info = (*kiosk.vault())->Describe();
  if (!info) return StopWith(ExitCode::kConfiguration, info.error());
  kiosk.terminal().Say(fmt::format("The vault is made. {}", info->protection));
  return ExitCode::kDone;
}

struct SetOptions {
  std::string name;
  std::string file;
};

Attempt<ExitCode> RunSet(Kiosk& kiosk, SetOptions& options) {
  const auto vault = kiosk.vault();
  if (!vault) return std::unexpected(vault.error());
  const auto secret = kiosk.SecretFrom(options.file, options.name);
  if (!secret) return std::unexpected(secret.error());
  if (auto good = CheckCredential(options.name, *secret); !good) {
    return StopWith(ExitCode::kUsage, good.error().Within(options.name));
  }
  return Told(kiosk, (*vault)->Put(options.name, *secret),
              fmt::format("{} is in the vault, and was read back.", options.name));
}

Attempt<ExitCode> RunStatus(Kiosk& kiosk, NoOptions&) {
  const auto vault = kiosk.vault();
  if (!vault) return std::unexpected(vault.error());
  const auto info = (*vault)->Describe();
  if (!info) return StopWith(ExitCode::kConfiguration, info.error());
  JsonWriter json(kiosk.json() ? 0 : 2);
  json.BeginObject()
      .Field("protection", info->protection)
      .Field("generation", info->generation)
      .Field("repaired", info->repaired)
      .Key("secrets")
      .BeginArray();
  for (const std::string& name : info->names) json.Value(name);
  kiosk.terminal().Print(json.EndArray().EndObject().text());
  return ExitCode::kDone;
}

Attempt<ExitCode> RunRotate(Kiosk& kiosk, NoOptions&) {
  const auto vault = kiosk.vault_administration();
  if (!vault) return std::unexpected(vault.error());
  return Told(kiosk, (*vault)->Rotate(),
              "The vault has a new key. Secrets and waiting calls stay as they were.");
}

struct EraseOptions {
  bool yes = false;
};

Attempt<ExitCode> RunErase(Kiosk& kiosk, EraseOptions& options) {
  const auto vault = kiosk.vault_administration();
  if (!vault) return std::unexpected(vault.error());
  const std::string warning =
      "This erases every secret, and with them every call that waits to be sent.";
  if (!options.yes && !kiosk.terminal().Confirm(warning)) {
    return StopWith(ExitCode::kUsage,
                    warning + " Nothing was erased. To go on: idkiosk vault erase --yes");
  }
  const auto erased = (*vault)->Erase();
  if (!erased) return StopWith(ExitCode::kConfiguration, erased.error());
  kiosk.terminal().Say(*erased);
  return ExitCode::kDone;
}

struct ProvisionOptions {
  std::string onboarding;
};

// What the message does not say is asked for.
Attempt<Onboarding> CompleteOnboarding(Kiosk& kiosk, const std::string& path) {
  auto onboarding = ReadOnboarding(kiosk.drivers().files, path);
  if (!onboarding) return StopWith(ExitCode::kConfiguration, onboarding.error());
  for (Onboarding::Credential& credential : onboarding->credentials) {
    if (!credential.value.empty()) continue;
    auto typed = kiosk.terminal().AskSecret(credential.what);
    if (!typed) return StopWith(ExitCode::kConfiguration, typed.error().Within(credential.what));
    credential.value = std::move(*typed);
  }
  return std::move(*onboarding);
}

Attempt<ExitCode> RunProvision(Kiosk& kiosk, ProvisionOptions& options) {
  const auto vault = kiosk.vault();
  if (!vault) return std::unexpected(vault.error());
  const auto onboarding = CompleteOnboarding(kiosk, options.onboarding);
  if (!onboarding) return std::unexpected(onboarding.error());
  const auto done = Provision(kiosk.drivers().files, **vault, kiosk.config_path(), *onboarding);
  if (!done) return StopWith(ExitCode::kConfiguration, done.error());
  kiosk.ForgetSettings();
  kiosk.terminal().Say(fmt::format(
      "Address and credentials are in place. {} still holds the credentials: delete it.",
      options.onboarding));

  // Unbilled, and it proves them: the list of reasons also serves later, without a network.
  if (const auto reasons = kiosk.reasons(); !reasons) {
    kiosk.terminal().Say(
        fmt::format("The service could not be asked yet ({}). Run 'idkiosk reasons' when it can.",
                    reasons.error().message));
    return reasons.error().code;
  }
  kiosk.terminal().Say("The service knows them, and its request reasons are kept.");
  return ExitCode::kDone;
}

}  // namespace

void AddVaultCommands(CommandLine& line) {
  CLI::App& vault = line.AddGroup("vault", "The secrets: API key, user ID, login, password");
  line.Add<NoOptions>(vault, "init", "Make the vault and its key", &RunInit);
  {
    auto [command, options] = line.Add<SetOptions>(
        vault, "set", "Put one secret into the vault: typed, or a line of standard input", &RunSet);
    command->add_option("name", options.name, "api_key, user_id, login or password")
        ->type_name("NAME")
        ->required()
        ->check(CLI::IsMember({"api_key", "user_id", "login", "password"}));
    command->add_option("--file", options.file, "Read it from a file of mode 0600")
        ->type_name("FILE");
  }
  line.Add<NoOptions>(vault, "status", "What is in it, never the values", &RunStatus);
  line.Add<NoOptions>(vault, "rotate", "Give it a new key; secrets and waiting calls stay",
                      &RunRotate);
  {
    auto [command, options] = line.Add<EraseOptions>(
        vault, "erase", "Erase every secret, and with them every waiting call", &RunErase);
    command->add_flag("--yes", options.yes, "Do not ask");
  }
  {
    auto [command, options] = line.Add<ProvisionOptions>(
        line.app(), "provision",
        "Put the service's onboarding message into configuration and vault", &RunProvision);
    command->add_option("--onboarding", options.onboarding, "A JSON file of mode 0600")
        ->type_name("FILE")
        ->required();
  }
}

}  // namespace idkiosk
