#include "tests/fuzz/inputs.h"

#include <algorithm>
#include <string>

#include "app/headquarters/fleet_command.h"
#include "app/journal/journal.h"
#include "app/queue/storage/call_copies.h"
#include "app/service/answer_codec.h"
#include "app/settings/load_settings.h"
#include "app/settings/provisioning.h"
#include "drivers/secure_storage/file_vault.h"
#include "drivers/secure_storage/mbedtls_crypto.h"
#include "tests/app/service/service_fixture.h"
#include "tests/fakes/fake_entropy.h"
#include "tests/fakes/fake_file_system.h"

namespace idkiosk {
namespace {

const std::string kCopies = "/state/copies";
const std::string kLedger = "/state/ledger";
const std::string kLedgerFile = kLedger + "/000000000001.journal";
const std::string kVault = "/state/vault";
constexpr std::string_view kService = "https://host (sandbox)";

const std::vector<std::string_view> kJsonWords = {"{",  "}",    "[",       "]",     ",",  ":",
                                                  "\"", "null", "\\u0000", "1e999", "/*", "0.5"};

const MbedtlsCrypto& OurCrypto() {
  static const MbedtlsCrypto crypto;
  return crypto;
}

const SecretBytes& Key() {
  static const SecretBytes key(Crypto::kKeySize);
  return key;
}

Bytes BytesOf(std::string_view text) { return {text.begin(), text.end()}; }

// --- What the service says ---

Bytes UsualAnswer() { return BytesOf(kVerifiedAnswer); }

std::string_view ReadAnswers(ByteSpan bytes) {
  constexpr size_t kLongestReference = 64;
  constexpr size_t kLongestMessage = 300;
  static const ServiceProfile profile = SandboxProfile();
  for (const EndpointProfile& each : profile.endpoints) {
    const auto answer = ReadAnswer(each, bytes);
    if (!answer && answer.error().code != ErrorCode::kCorrupt) return "another error than corrupt";
    (void)ReadReasons(each, bytes);
    (void)ReadLogin(each, bytes);
    if (ReadReference(each, bytes).text.size() > kLongestReference)
      return "a reference without end";
  }
  const SecretBytes message = ReadErrorMessage(profile, bytes);
  if (message.size() > kLongestMessage) return "a message without end";
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < ' '; };
  return std::ranges::any_of(message.text(), is_control) ? "control characters" : "";
}

// --- What the bank writes ---

Bytes UsualProfile() { return BytesOf(ReadRepositoryFile("config/profiles/sandbox.jsonc")); }

std::string_view ReadProfile(ByteSpan bytes) {
  const auto profile = ParseProfile(AsText(bytes), "profile.jsonc");
  return profile || !profile.error().message.empty() ? "" : "refused without a word";
}

Bytes UsualConfiguration() {
  return BytesOf(R"({ "state_folder": "/state", "queue": { "max_age": "72 h" },
      "service": { "base_url": "https://host/prefix", "profile": "profile.jsonc" } })");
}

std::string_view ReadConfiguration(ByteSpan bytes) {
  FakeFileSystem files;
  files.Put("/profile.jsonc", {});
  files.Put("/kiosk.jsonc", bytes);
  const auto settings = LoadSettings(files, "/kiosk.jsonc");
  return settings || settings.error().code == ErrorCode::kInvalid ? ""
                                                                  : "another error than invalid";
}

Bytes UsualOnboarding() {
  return BytesOf(R"({"base_url": "https://host/prefix", "environment": "sandbox",
      "user_id": "U-1", "login": {"email": "a@example.ng", "password": "P-1"}, "api_key": "K-1"})");
}

std::string_view ReadMessage(ByteSpan bytes) {
  FakeFileSystem files;
  files.Put("/message.json", bytes);
  const auto message = ReadOnboarding(files, "/message.json");
  return message || message.error().code == ErrorCode::kInvalid ? "" : "another error than invalid";
}

// --- What lies on the disk ---

Journal LedgerOn(FakeFileSystem& files) {
  return {{.folder = kLedger, .label = "ledger", .file_size = 4096}, OurCrypto(), Key(), files};
}

// Of headquarters: what was signed, and how it comes.
constexpr std::string_view kCommand =
    R"({"format":"idkiosk-command/1","tenant":"bank","kiosk":"k1","revision":17,)"
    R"("issued":"2026-11-24T12:00:00Z","expires":"2026-11-24T13:00:00Z","action":"settings",)"
    R"("settings":{"ui.idle":"60 s","ui.reasons":["A"],"brand.name":null}})";

Bytes UsualCommand() { return BytesOf(kCommand); }

std::string_view ReadCommand(ByteSpan bytes) {
  const auto command = ParseFleetCommand(AsText(bytes));
  if (!command) return "";
  if (command->revision < 1) return "a revision below 1";
  if (command->kiosk.empty() == command->group.empty()) return "two addresses, or none";
  if (command->expires - command->issued > FleetCommand::kLongestLife) return "it lives too long";
  for (const SettingChange& each : command->settings) {
    const auto ordered = AllOrderedSettings();
    if (std::ranges::count(ordered, each.key, &OrderedSetting::key) == 0) return "another setting";
  }
  return command->signatures() <= 2 ? "" : "nobody can sign it";
}

Bytes UsualSignedCommand() {
  return BytesOf(fmt::format(R"({{"format":"idkiosk-signed-command/1","document":"{}",)"
                             R"("signatures":[{{"key":"alice","signature":"MEUC"}}]}})",
                             ToBase64(AsBytes(kCommand))));
}

std::string_view ReadSignedCommand(ByteSpan bytes) {
  const auto command = ParseSignedCommand(AsText(bytes));
  if (!command) return "";
  const size_t count = command->signatures.size();
  return count >= 1 && count <= SignedCommand::kMostSignatures ? "" : "no signature, or too many";
}

Bytes UsualLedger() {
  FakeFileSystem files;
  Journal journal = LedgerOn(files);
  const auto reading = journal.Read(1, {}, [](const auto&) {});
  bool good = reading && journal.Resume(*reading, false);
  for (const std::string_view body : {"one", "two", "three"}) {
    good = good && journal.Append({AsBytes(body), AsBytes("attached"), 0});
  }
  return good ? files.Content(kLedgerFile) : Bytes();
}

std::string_view ReadLedger(ByteSpan bytes) {
  FakeFileSystem files;
  files.Put(kLedgerFile, bytes);
  Journal journal = LedgerOn(files);
  bool forged = false;
  const auto reading = journal.Read(1, {}, [&forged](const JournalRecord& each) {
    const std::string_view body = AsText(each.body);
    forged = forged || (body != "one" && body != "two" && body != "three");
  });
  if (forged) return "a record that nobody wrote is proven";
  if (!reading) return "it cannot be read at all";
  if (reading->altered) return "";
  const bool good = journal.Resume(*reading, true) && journal.Append({AsBytes("one"), {}, 0});
  return good ? "" : "it cannot go on";
}

Bytes UsualCopies() {
  FakeFileSystem files;
  CallCopies copies(kCopies, OurCrypto(), Key(), files);
  SealedCall call;
  call.row.reference = "KD7Q2M";
  call.row.made_for = kService;
  call.fields[SealedField{}] = {Bytes(100, 'x')};
  if (!copies.Write(call)) return {};
  for (const std::string& path : files.paths()) {
    if (path.contains("slots-")) return files.Content(path);
  }
  return {};
}

std::string_view ReadCopies(ByteSpan bytes) {
  FakeFileSystem files;
  files.Put(kCopies + "/slots-0001-64x4096", bytes);
  files.Put(kCopies + "/ABCDEF", bytes.first(std::min<size_t>(bytes.size(), 4096)));
  CallCopies copies(kCopies, OurCrypto(), Key(), files);
  const auto found = copies.List();
  if (!found) return "they cannot be listed";
  for (const CallReference& each : found->calls) {
    const auto call = copies.Read(each);
    if (call && each != "KD7Q2M") return "a copy that nobody wrote is proven";
    // Its chunks are proven when they are opened.
    if (call && call->row.made_for != kService) return "its head was changed";
  }
  copies.Tidy(*found);
  return "";
}

const FakeFileSystem& WholeVault() {
  static const FakeFileSystem disk = [] {
    FakeFileSystem files;
    FakeEntropy entropy;
    FileVault vault(files, entropy, OurCrypto(), kVault);
    (void)vault.Init();
    (void)vault.Put("api_key", SecretBytes::CopyOf("K-1"));
    return files;
  }();
  return disk;
}

Bytes UsualVault() { return WholeVault().Content(kVault + "/vault.a"); }

// One copy, then both, then the key.
std::string_view ReadVault(ByteSpan bytes) {
  FakeFileSystem files = WholeVault();
  for (const std::string_view file : {"/vault.a", "/vault.b", "/vault.key", "/vault.mark"}) {
    files.Put(kVault + std::string(file), bytes);
    FakeFileSystem now = files;
    FakeEntropy entropy;
    FileVault vault(now, entropy, OurCrypto(), kVault);
    const auto value = vault.Get("api_key");
    if (value && value->text() != "K-1") return "another secret";
    if (!value && value.error().message.empty()) return "refused without a word";
    (void)vault.OpenMark();
  }
  return "";
}

}  // namespace

const std::vector<InputKind>& InputKinds() {
  static const std::vector<InputKind> kinds = {
      {"answer", &UsualAnswer, kJsonWords, &ReadAnswers},
      {"profile", &UsualProfile, kJsonWords, &ReadProfile},
      {"configuration", &UsualConfiguration, kJsonWords, &ReadConfiguration},
      {"onboarding", &UsualOnboarding, kJsonWords, &ReadMessage},
      {"ledger", &UsualLedger, {"IKJRNL1\n", "IKR1"}, &ReadLedger},
      {"copies",
       &UsualCopies,
       {"IKSLOT1\n", "IKCALL4\n", "IKCALL3\n", "IKCALL2\n", "IKCALL1\n"},
       &ReadCopies},
      {"vault", &UsualVault, {"IDKVAULT"}, &ReadVault},
      {"command", &UsualCommand, kJsonWords, &ReadCommand},
      {"signed_command", &UsualSignedCommand, kJsonWords, &ReadSignedCommand}};
  return kinds;
}

}  // namespace idkiosk
