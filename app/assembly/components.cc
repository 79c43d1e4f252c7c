#include "app/assembly/components.h"

#include <csignal>
#include <ctime>

#include "app/assembly/stop_deadline.h"
#include "app/settings/load_settings.h"
#include "app/settings/settings_access.h"
#include "platform/base/log.h"

namespace idkiosk {
namespace {

constexpr std::string_view kModelName = "face_detection_yunet_2023mar.onnx";

LogLevel LevelOf(const LogSettings& log) {
  if (log.level == "debug") return LogLevel::kDebug;
  if (log.level == "error") return LogLevel::kError;
  return log.level == "warn" ? LogLevel::kWarning : LogLevel::kInfo;
}

// Somebody at a command line has the command's own words; what is going well is for a log file.
LogLevel LevelAtCommandLine(const LogSettings& log) {
  const LogLevel level = LevelOf(log);
  return level == LogLevel::kInfo && log.file.empty() ? LogLevel::kWarning : level;
}

volatile std::sig_atomic_t stop_signal = 0;

}  // namespace

Components::Components(const Drivers& drivers, const GlobalOptions& options)
    : drivers_(drivers), options_(options) {
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    // Under nohup the closing of the terminal stays ignored.
    const auto before = std::signal(number, [](int caught) { stop_signal = caught; });
    if (number == SIGHUP && before == SIG_IGN) std::signal(number, SIG_IGN);
  }
}

Components::~Components() = default;

CommandResult<const Settings*> Components::settings() {
  const auto known = settings_before_provisioning();
  if (!known || !(*known)->service.base_url.empty()) return known;
  const auto complete = LoadSettings(drivers_.files, options_.config);
  return StopWith(ExitCode::kConfiguration, complete.error());
}

CommandResult<const Settings*> Components::settings_of_a_service() {
  const auto known = settings_before_provisioning();
  if (!known) return known;
  if (auto started = StartLogging(LevelOf((*known)->log), (*known)->log.file); !started) {
    return StopWith(ExitCode::kConfiguration, started.error());
  }
  for (const std::string& each : WhatOthersMayChange(options_.config, **known)) {
    LogWarning("{}", each);
  }
  return known;
}

CommandResult<const Settings*> Components::settings_before_provisioning() {
  if (settings_ != nullptr) return settings_.get();
  auto loaded = LoadSettingsBeforeProvisioning(drivers_.files, options_.config);
  if (!loaded) return StopWith(ExitCode::kConfiguration, loaded.error());
  if (auto known = drivers_.check_camera(loaded->camera.source); !known) {
    return StopWith(ExitCode::kConfiguration,
                    known.error()
                        .Within("camera.source")
                        .Within(PlaceOfSetting(drivers_.files, options_.config, "camera.source")));
  }
  // Where the log lies in it, too.
  if (auto made = drivers_.files.CreateFolder(loaded->state_folder); !made) {
    return StopWith(ExitCode::kConfiguration, made.error().Within("state_folder"));
  }
  if (auto started = StartLogging(LevelAtCommandLine(loaded->log), loaded->log.file); !started) {
    return StopWith(ExitCode::kConfiguration, started.error());
  }
  settings_ = std::make_unique<Settings>(std::move(*loaded));
  return settings_.get();
}

CommandResult<const Settings*> Components::settings_or_defaults() {
  if (settings_ != nullptr || options_.config_given) return settings_before_provisioning();
  const auto installed = drivers_.files.Exists(options_.config);
  if (installed && *installed) return settings_before_provisioning();
  settings_ = std::make_unique<Settings>();
  return settings_.get();
}

CommandResult<const ServiceProfile*> Components::profile() {
  if (profile_ != nullptr) return profile_.get();
  const auto known = settings();
  if (!known) return std::unexpected(known.error());
  auto loaded = LoadProfile(drivers_.files, (*known)->service.profile);
  if (!loaded) return StopWith(ExitCode::kConfiguration, loaded.error());
  profile_ = std::make_unique<ServiceProfile>(std::move(*loaded));
  return profile_.get();
}

CommandResult<SecretBytes> Components::SecretFrom(const std::string& file,
                                                  std::string_view question) {
  constexpr size_t kLargestSecret = 4096;
  if (file.empty()) {
    auto typed = terminal().AskSecret(question);
    if (!typed) return StopWith(ExitCode::kUsage, typed.error());
    return std::move(*typed);
  }
  auto read = drivers_.files.ReadSecret(file, kLargestSecret);
  if (!read) return StopWith(ExitCode::kUsage, read.error());
  const std::string_view text = read->text();
  read->Truncate(text.find_last_not_of("\r\n") + 1);
  return std::move(*read);
}

CommandResult<SecureStorage*> Components::vault() {
  const auto known = settings_before_provisioning();
  if (!known) return std::unexpected(known.error());
  if (vault_.storage == nullptr) vault_ = drivers_.open_vault(**known);
  return vault_.storage.get();
}

CommandResult<VaultAdministration*> Components::vault_administration() {
  const auto storage = vault();
  if (!storage) return std::unexpected(storage.error());
  return vault_.administration;
}

CommandResult<AuditTrail*> Components::audit() {
  if (audit_ != nullptr) return audit_.get();
  const auto storage = vault();
  if (!storage) return std::unexpected(storage.error());
  audit_ = std::make_unique<AuditTrail>(settings_->state_folder, drivers_.clock, drivers_.crypto,
                                        **storage, drivers_.files);
  return audit_.get();
}

CommandResult<ConsentLog*> Components::consents() {
  if (consents_ != nullptr) return consents_.get();
  const auto storage = vault();
  if (!storage) return std::unexpected(storage.error());
  consents_ = std::make_unique<ConsentLog>(settings_->state_folder, drivers_.clock, drivers_.crypto,
                                           **storage, drivers_.files);
  return consents_.get();
}

CommandResult<DurableQueue*> Components::queue(DurableQueue::Role role) {
  if (queue_ != nullptr) return queue_.get();
  const auto known = profile();
  if (!known) return std::unexpected(known.error());
  const auto storage = vault();
  if (!storage) return std::unexpected(storage.error());
  const auto record = consents();
  if (!record) return std::unexpected(record.error());
  DurableQueue::Options options{.folder = settings_->state_folder,
                                .role = role,
                                .queue = settings_->queue,
                                .billing = settings_->billing,
                                .base_url = settings_->service.base_url,
                                .environment = settings_->environment,
                                .keep_number = settings_->results.Includes("nin"),
                                .consents = *record,
                                .sqlite_vfs = {}};
  auto opened = DurableQueue::Open(std::move(options), **known, drivers_.clock, drivers_.crypto,
                                   drivers_.entropy, **storage, drivers_.files);
  if (!opened) {
    const bool later = role == DurableQueue::Role::kDeliver &&
                       DurableQueue::IsInUse(settings_->state_folder, drivers_.files);
    return StopWith(later ? ExitCode::kKept : ExitCode::kConfiguration, opened.error());
  }
  for (const std::string& notice : (*opened)->notices()) terminal().Say(notice);
  queue_ = std::move(*opened);
  return queue_.get();
}

CommandResult<ServiceClient*> Components::service() {
  if (service_ != nullptr) return service_.get();
  const auto known = profile();
  if (!known) return std::unexpected(known.error());
  const auto storage = vault();
  if (!storage) return std::unexpected(storage.error());
  auto http = drivers_.make_http_client(settings_->service);
  if (!http) return StopWith(ExitCode::kConfiguration, http.error());
  http_ = std::move(*http);
  tokens_ = std::make_unique<TokenKeeper>(**known, settings_->service, settings_->environment,
                                          *http_, **storage, drivers_.clock);
  service_ = std::make_unique<ServiceClient>(**known, settings_->service, settings_->environment,
                                             *http_, **storage, *tokens_, drivers_.clock);
  return service_.get();
}

CommandResult<RequestReasons*> Components::reasons() {
  if (reasons_ != nullptr) return reasons_.get();
  if (const auto client = service(); !client) return std::unexpected(client.error());
  auto kept = MakeReasons();
  if (!kept->Load()) return fresh_reasons();
  reasons_ = std::move(kept);
  return reasons_.get();
}

CommandResult<RequestReasons*> Components::fresh_reasons() {
  const auto client = service();
  if (!client) return std::unexpected(client.error());
  const StopDeadline soon(*this, ExitCode::kKept);
  auto fetched = (*client)->FetchReasons();
  if (!fetched) {
    // Only what passes by itself may be tried again later.
    const ErrorCode code = fetched.error().code;
    const bool passes = code == ErrorCode::kUnavailable || code == ErrorCode::kTimeout ||
                        code == ErrorCode::kCancelled;
    return StopWith(passes ? ExitCode::kKept : ExitCode::kConfiguration,
                    fetched.error().Within("request reasons"));
  }
  auto fresh = MakeReasons();
  if (Status replaced = fresh->Replace(std::move(*fetched)); !replaced) {
    return StopWith(ExitCode::kConfiguration, replaced.error());
  }
  reasons_ = std::move(fresh);
  return reasons_.get();
}

std::unique_ptr<RequestReasons> Components::MakeReasons() const {
  return std::make_unique<RequestReasons>(drivers_.files, drivers_.clock,
                                          settings_->state_folder + "/request-reasons.json");
}

CommandResult<DeliveryWorker*> Components::worker() {
  if (worker_ != nullptr) return worker_.get();
  const auto calls = queue(DurableQueue::Role::kDeliver);
  if (!calls) return std::unexpected(calls.error());
  const auto client = service();
  if (!client) return std::unexpected(client.error());
  if (const auto aims = capture_settings(); !aims) return std::unexpected(aims.error());
  worker_ = std::make_unique<DeliveryWorker>(**calls, **client, *shrinker_, drivers_.clock);
  return worker_.get();
}

CommandResult<const CaptureSettings*> Components::capture_settings() {
  if (capture_settings_ != nullptr) return capture_settings_.get();
  const auto known = settings_or_defaults();
  if (!known) return std::unexpected(known.error());
  shrinker_ = std::make_unique<PictureShrinker>((*known)->capture, drivers_.files,
                                                (*known)->state_folder + "/picture-rung");
  capture_settings_ = std::make_unique<CaptureSettings>(shrinker_->RememberedSettings());
  return capture_settings_.get();
}

CommandResult<FrameAnalyzer*> Components::analyzer() {
  if (analyzer_.analyzer != nullptr) return analyzer_.analyzer.get();
  auto loaded = LoadAnalyzer();
  if (!loaded) return std::unexpected(loaded.error());
  const std::string& compromise = loaded->detector.compromise;
  if (!compromise.empty() && compromise != detector_compromise()) terminal().Say(compromise);
  analyzer_ = std::move(*loaded);
  return analyzer_.analyzer.get();
}

void Components::ForgetFaces() {
  analyzer_.analyzer.reset();
  analyzer_.detector.detector.reset();
  analyzer_.detector.smiles.reset();
  analyzer_.detector.mesh.reset();
}

CommandResult<Components::LoadedAnalyzer> Components::LoadAnalyzer() {
  const auto known = capture_settings();
  if (!known) return std::unexpected(known.error());
  const std::vector<std::string> places = ModelPlaces();
  auto chosen = ChooseDetector(**known, places, drivers_.files, drivers_.crypto);
  if (!chosen) return StopWith(ExitCode::kConfiguration, chosen.error());
  LoadedAnalyzer loaded{std::move(*chosen), nullptr};
  loaded.analyzer = std::make_unique<FrameAnalyzer>(
      **known, *loaded.detector.detector, loaded.detector.smiles.get(), loaded.detector.mesh.get());
  return loaded;
}

std::vector<std::string> Components::ModelPlaces() const {
  return {fmt::format("{}/models/{}", drivers_.program_folder, kModelName),
          fmt::format("/usr/share/idkiosk/models/{}", kModelName)};
}

std::vector<std::string> Components::VoicePlaces() const {
  std::vector<std::string> places;
  if (settings_ != nullptr && !settings_->ui.voice_folder.empty()) {
    places.push_back(settings_->ui.voice_folder);
  }
  places.push_back(drivers_.program_folder + "/voice");
  places.emplace_back("/usr/share/idkiosk/voice");
  return places;
}

bool Components::stopping() const { return stop_signal != 0; }

void Components::EndWhenAskedTo() {
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    if (std::signal(number, SIG_DFL) == SIG_IGN) std::signal(number, SIG_IGN);
  }
  if (stopping()) std::raise(stop_signal);
}

bool Components::WaitUntil(MonotonicTime time) {
  // Short waits: a signal's handler may run on another thread, and the board may be suspended.
  constexpr Duration kSlice = std::chrono::milliseconds(100);
  while (!stopping()) {
    const Duration left = time - drivers_.clock.Now();
    if (left <= Duration::zero()) return true;
    const Duration wait = std::min(left, kSlice);
    const timespec pause{wait / std::chrono::seconds(1), (wait % std::chrono::seconds(1)).count()};
    nanosleep(&pause, nullptr);
  }
  return false;
}

}  // namespace idkiosk
