#include "tests/integration/kiosk_fixture.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>

namespace idkiosk {
namespace {

namespace fs = std::filesystem;

std::string ProgramFolder() {
  const char* folder = std::getenv("IDKIOSK_BIN");
  return folder == nullptr ? "build/bin" : folder;
}

std::string Repository() { return fs::current_path().string(); }

}  // namespace

KioskFixture::KioskFixture() : bin_(fs::absolute(ProgramFolder()).string()) {}

JsonDocument KioskFixture::Parse(const std::string& text) {
  auto document = JsonDocument::Parse(text);
  EXPECT_TRUE(document.has_value()) << document.error().message << ": " << text;
  return document ? std::move(*document) : JsonDocument();
}

std::string KioskFixture::Text(const JsonDocument& document, const std::string& pointer) {
  const JsonView value = document.root().At(pointer);
  if (const auto text = value.AsString()) return std::string(*text);
  return value.exists() ? value.Print() : "";
}

void KioskFixture::StartSandbox() {
  std::vector<std::string> command = {
      bin_ + "/idkiosk-sandbox", "serve",  "--state",
      folder_ / "sandbox",       "--port", std::to_string(sandbox_port_)};
  command.insert(command.end(), sandbox_options_.begin(), sandbox_options_.end());
  sandbox_ = std::make_unique<Process>(command);
  ASSERT_TRUE(sandbox_->AwaitOut("\n")) << sandbox_->err();
  const JsonDocument ready = Parse(sandbox_->out());
  const std::string address = Text(ready, "/base_url");
  ASSERT_NE(address, "");
  sandbox_port_ = std::stoi(address.substr(address.rfind(':') + 1));
}

void KioskFixture::StopSandbox() {
  sandbox_->Signal(SIGTERM);
  EXPECT_EQ(sandbox_->Wait().exit_code, 0);
  sandbox_.reset();
}

void KioskFixture::Provision(const std::string& more) {
  fs::copy_file(Repository() + "/config/kiosk.jsonc", config(),
                fs::copy_options::overwrite_existing);
  WriteFile(folder_ / "kiosk.local.jsonc",
            fmt::format(R"({{ "state_folder": "{}", {}
  "service": {{ {} "profile": "{}/sandbox.jsonc" }} }})",
                        state(), more, service_settings_, ProfileFolder()));
  const Finished onboarded =
      Sandbox({"onboard", "--environment", environment_, "--out", folder_ / "onboarding.json"});
  ASSERT_EQ(onboarded.exit_code, 0) << onboarded.err;
  if (!told_address_.empty()) TellAddress(folder_ / "onboarding.json");
  const Finished made = Kiosk({"vault", "init"});
  ASSERT_EQ(made.exit_code, 0) << made.err;
  const Finished provisioned = Kiosk({"provision", "--onboarding", folder_ / "onboarding.json"});
  ASSERT_EQ(provisioned.exit_code, 0) << provisioned.err;
  const JsonDocument message = Parse(ReadFile(folder_ / "onboarding.json"));
  test_nin_ = Text(message, "/test_nin");
  secrets_ = {{"api_key", Text(message, "/api_key")},
              {"password", Text(message, "/login/password")}};
  if (!kept_message_.empty()) {
    fs::copy_file(folder_ / "onboarding.json", kept_message_, fs::copy_options::overwrite_existing);
  }
  fs::remove(folder_ / "onboarding.json");
}

// Production takes no profile by the name of the sandbox's, and calls nothing that is not shown.
std::string KioskFixture::ProfileFolder() const {
  const std::string shipped = Repository() + "/config/profiles";
  if (environment_ == "sandbox") return shipped;
  std::string profile = ReadFile(shipped + "/sandbox.jsonc");
  for (const auto& [from, to] :
       std::map<std::string, std::string>{{R"("name": "sandbox")", R"("name": "customer")"},
                                          {R"("documented": false)", R"("documented": true)"}}) {
    for (size_t at = 0; (at = profile.find(from, at)) != std::string::npos;) {
      profile.replace(at, from.size(), to);
    }
  }
  WriteFile(folder_ / "sandbox.jsonc", profile);
  return folder_.path();
}

void KioskFixture::TellAddress(const std::string& onboarding) const {
  std::string text = ReadFile(onboarding);
  const std::string base_url = Text(Parse(text), "/base_url");
  const size_t at = text.find(base_url);
  ASSERT_TRUE(!base_url.empty() && at != std::string::npos) << "the message names no address";
  const size_t scheme = base_url.find("://") + 3;
  const size_t path = std::min(base_url.find('/', scheme), base_url.size());
  WriteFile(onboarding, text.replace(at + scheme, path - scheme, told_address_));
}

std::vector<std::string> KioskFixture::KioskCommand(std::vector<std::string> arguments) const {
  std::vector<std::string> command = {bin_ + "/idkiosk", "--config", config()};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return command;
}

Finished KioskFixture::Kiosk(std::vector<std::string> arguments, const std::string& input) {
  return RunProgram(KioskCommand(std::move(arguments)), input);
}

Finished KioskFixture::Sandbox(std::vector<std::string> arguments) {
  std::vector<std::string> command = {bin_ + "/idkiosk-sandbox"};
  command.insert(command.end(), arguments.begin(), arguments.end());
  command.insert(command.end(), {"--state", folder_ / "sandbox"});
  return RunProgram(command);
}

// Taken once for this build of the program: a capture goes at the pace of a camera.
const std::string& KioskFixture::pictures() {
  static const std::string folder = [this] {
    const auto built = fs::last_write_time(bin_ + "/idkiosk").time_since_epoch().count();
    std::string kept = fmt::format("{}/../test-pictures-{}", bin_, built);
    if (fs::exists(kept)) return kept;
    const std::string fresh = fmt::format("{}-{}", kept, getpid());
    const Finished taken =
        RunProgram({bin_ + "/idkiosk", "capture", "--camera", "synthetic", "--out", fresh});
    EXPECT_EQ(taken.exit_code, 0) << taken.err;
    std::error_code another_was_quicker;
    fs::rename(fresh, kept, another_was_quicker);
    if (another_was_quicker) fs::remove_all(fresh);
    return kept;
  }();
  return folder;
}

std::vector<std::string> KioskFixture::VerifyCommand(std::vector<std::string> more) const {
  std::vector<std::string> arguments = {"verify", "--nin", "-", "--reason", "ACCOUNT_OPENING"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  if (std::ranges::find(more, "--wait") == more.end()) {
    arguments.insert(arguments.end(), {"--wait", kAsLongAsItTakes});
  }
  return KioskCommand(arguments);
}

Finished KioskFixture::Verify(const std::string& nin, std::vector<std::string> more) {
  more.insert(more.begin(), {"--pictures", pictures()});
  return RunProgram(VerifyCommand(more), nin + "\n");
}

int KioskFixture::BilledRows() {
  const JsonDocument ledger = Parse(Sandbox({"ledger", "--json", "--limit", "0"}).out);
  return std::stoi(Text(ledger, "/sum/count"));
}

int KioskFixture::Posts(const std::string& nin) {
  const JsonDocument requests =
      Parse(Sandbox({"requests", "--nin", nin, "--json", "--limit", "0"}).out);
  return std::stoi(Text(requests, "/count/posts"));
}

}  // namespace idkiosk
