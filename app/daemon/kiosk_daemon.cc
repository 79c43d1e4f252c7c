#include "app/daemon/kiosk_daemon.h"

#include <utility>

#include "app/assembly/camera_opening.h"
#include "platform/base/log.h"

namespace idkiosk {
namespace {

// The list of reasons is asked for now and then, also to see whether the service is in reach.
constexpr Duration kAskReasonsOnline = std::chrono::minutes(10);
constexpr Duration kAskReasonsOffline = std::chrono::seconds(30);

// The lamp, for as long as this lives.
class LitFace {
 public:
  explicit LitFace(Peripherals& devices) : devices_(devices) { devices_.TurnLight(true); }
  ~LitFace() { devices_.TurnLight(false); }
  LitFace(const LitFace&) = delete;
  LitFace& operator=(const LitFace&) = delete;

 private:
  Peripherals& devices_;
};

// Nothing where the attempt says nothing about the network.
std::optional<bool> InReach(const Outcome& outcome) {
  if (outcome.http_status != 0) return true;
  const bool away =
      outcome.kind == OutcomeKind::kUnreachable || outcome.kind == OutcomeKind::kCertificate;
  return away ? std::optional(false) : std::nullopt;
}

// People at a kiosk ask for themselves.
std::string AskerOf(const Settings& settings) {
  return settings.mode == Mode::kKiosk ? "" : settings.staff.name;
}

// A kiosk without its one question is none; at a desk any of them will do.
Status CheckMode(const Settings& settings, const ServiceProfile& profile) {
  Status verify = CheckCallable(profile, Endpoint::kVerify, settings.environment);
  if (verify || settings.mode != Mode::kBranch) return verify;
  for (size_t i = 0; i < kEndpointCount; ++i) {
    const auto endpoint = static_cast<Endpoint>(i);
    if (!EndpointOfTask(TaskOf(endpoint))) continue;
    if (CheckCallable(profile, endpoint, settings.environment)) return {};
  }
  return verify;
}

}  // namespace

KioskDaemon::KioskDaemon(Components& components, Made made, std::string camera)
    : components_(components),
      settings_(made.settings),
      camera_(std::move(camera)),
      queue_(made.queue),
      clock_(components.drivers().clock),
      reasons_(components.drivers().files, clock_,
               settings_.state_folder + "/request-reasons.json"),
      host_(components, made.vault, settings_.state_folder, std::move(made.control)),
      devices_(std::move(made.devices)),
      queue_client_({queue_, made.profile, clock_, *host_.storage_runner, *host_.control,
                     AskerOf(settings_), [this] { delivery_.Wake(); }}),
      scanner_(components.drivers().make_code_scanner()),
      slips_({capture_,
              [this](const auto& on_frame, const std::stop_token& stop) {
                return FramesOnCameraThread(on_frame, stop);
              },
              *scanner_, *host_.control, clock_, host_.preview, camera_heartbeat_}),
      capture_(
          [this](CaptureObserver& observer, const std::stop_token& stop) {
            return CaptureOnCameraThread(observer, stop);
          },
          *host_.control, clock_, host_.preview, camera_heartbeat_),
      console_(
          components, settings_, made.vault, *host_.storage_runner, *host_.control,
          [this] { host_.StartAnew(); },
          ThreadedOperatorBackend::Service{queue_client_, **components.service(), delivery_,
                                           capture_, host_.preview, camera_heartbeat_,
                                           [this] { return Open(CameraPurpose::kLook); }}),
      page_({settings_, made.profile, *host_.control, *host_.storage_runner, clock_,
             components.drivers().entropy, capture_, queue_client_, components.drivers().files,
             host_.clerk_lock, host_.operator_lock, console_.console(),
             [this](const UiSnapshot& snapshot, uint64_t revision) { Publish(snapshot, revision); },
             [this](auto then) { LookAtCamera(std::move(then)); }, devices_->of_a_session(slips_)}),
      backend_(*host_.control, page_, [this] { return MetricsText(); }),
      delivery_({.worker = made.worker,
                 .clock = clock_,
                 .heartbeat = delivery_heartbeat_,
                 .longest_exchange = settings_.service.total_timeout,
                 .report = [this](const auto& step) { ReportOnDeliveryThread(step); },
                 .chore = [this] { return AskReasonsOnDeliveryThread(); },
                 .give_up = [this] { components_.CancelExchange(); }}),
      supervisor_(components, *host_.control, *host_.storage_runner, host_.storage_heartbeat,
                  {{camera_heartbeat_, "camera"},
                   {delivery_heartbeat_, "delivery"},
                   {host_.server_heartbeat, "page"}}) {}

// What was handed in is kept first; it wakes the delivery. A picture of the camera may be on its
// way to the operator's console, which goes before the camera's thread would end by itself.
KioskDaemon::~KioskDaemon() {
  host_.End();
  capture_.End();
}

CommandResult<std::unique_ptr<KioskDaemon>> KioskDaemon::Start(
    Components& components, std::string camera, std::optional<LoopbackServer::Identity> page) {
  const auto settings = components.settings_of_a_service();
  if (!settings) return std::unexpected(settings.error());
  const auto profile = components.profile();
  if (!profile) return std::unexpected(profile.error());
  if (auto callable = CheckMode(**settings, **profile); !callable) {
    return StopWith(ExitCode::kConfiguration, callable.error());
  }
  const auto vault = components.vault();
  if (!vault) return std::unexpected(vault.error());
  const auto worker = components.worker();
  if (!worker) return std::unexpected(worker.error());
  const auto queue = components.queue(DurableQueue::Role::kDeliver);
  if (!queue) return std::unexpected(queue.error());
  if (const auto analyzer = components.analyzer(); !analyzer)
    return std::unexpected(analyzer.error());

  auto control = components.drivers().make_task_loop();
  auto devices = Peripherals::Make(components, **settings, *control);
  if (!devices) return std::unexpected(devices.error());

  std::unique_ptr<KioskDaemon> service(new KioskDaemon(
      components,
      {**settings, **profile, **vault, **queue, **worker, std::move(control), std::move(*devices)},
      std::move(camera)));
  if (Status served = service->Serve(std::move(page)); !served) {
    return StopWith(ExitCode::kConfiguration, served.error());
  }
  return service;
}

Status KioskDaemon::Serve(std::optional<LoopbackServer::Identity> page) {
  LoadReasons();
  auto server = LoopbackServer::Start(
      {.port = settings_.ui.port, .identity = std::move(page), .metrics = settings_.ui.metrics},
      {backend_, host_.snapshots, host_.preview, host_.server_heartbeat, EmbeddedPage(),
       &devices_->voice(), devices_->logo()},
      components_.drivers().entropy);
  if (!server) return std::unexpected(server.error());
  host_.server = std::move(*server);
  delivery_.Start();
  return {};
}

Daemon::End KioskDaemon::Run() {
  LogInfo("ready: {}, {}", Name(settings_.mode), Name(settings_.environment));
  supervisor_.Run();
  LogInfo("{}", host_.end == End::kAnew ? "starting anew" : "stopping");
  return host_.end;
}

void KioskDaemon::Publish(const UiSnapshot& snapshot, uint64_t revision) {
  if (snapshot.session != session_id_) {
    if (person_) metrics_.CountSession();
    session_id_ = snapshot.session;
    person_ = !IsStaffs(snapshot.screen);
  }
  host_.snapshots.Put(ToJson(snapshot, revision, settings_, devices_->equipment()), revision);
}

Result<OpenCamera> KioskDaemon::Open(CameraPurpose purpose) {
  auto open = OpenCameraOf(components_, camera_, purpose);
  if (!open) return Fail(ErrorCode::kUnavailable, "{}", open.error().message);
  return std::move(*open);
}

Result<CaptureResult> KioskDaemon::CaptureOnCameraThread(CaptureObserver& observer,
                                                         const std::stop_token& stop) {
  auto camera = Open(CameraPurpose::kVerify);
  if (!camera) {
    metrics_.CountFailedCapture(camera.error().code);
    return std::unexpected(camera.error());
  }
  const LitFace lit(*devices_);
  auto result = camera->Capture(clock_, components_.drivers().entropy, observer, stop);
  if (result) {
    metrics_.CountCapture(result->record.frames, result->record.to_bundle);
    console_.NoteCapture(result->record);
  } else if (result.error().code != ErrorCode::kCancelled) {
    metrics_.CountFailedCapture(result.error().code);
  }
  return result;
}

Status KioskDaemon::FramesOnCameraThread(const std::function<bool(const Frame&)>& on_frame,
                                         const std::stop_token& stop) {
  const auto open = Open(CameraPurpose::kVerify);
  if (!open) return std::unexpected(open.error());
  while (!stop.stop_requested()) {
    const auto frame = open->camera->NextFrame(clock_.Now() + settings_.camera.silence);
    if (!frame && frame.error().code == ErrorCode::kCorrupt) continue;
    if (!frame) return Fail(ErrorCode::kUnavailable, "{}", frame.error().message);
    if (!on_frame(*frame)) return {};
  }
  return {};
}

void KioskDaemon::ReportOnDeliveryThread(const DeliveryWorker::Step& step) {
  if (step.outcome) {
    metrics_.CountAttempt(step.outcome->kind);
    if (const auto in_reach = InReach(*step.outcome)) TellOnline(*in_reach);
  }
  host_.control->Post([this, reference = *step.reference] { page_.OnCallChanged(reference); });
}

MonotonicTime KioskDaemon::AskReasonsOnDeliveryThread() {
  auto fetched = (*components_.service())->FetchReasons();
  TellOnline(fetched || fetched.error().code != ErrorCode::kUnavailable);
  if (fetched) {
    if (Status kept = reasons_.Replace(std::move(*fetched)); !kept) {
      LogWarning("request reasons: {}", kept.error().message);
    }
    host_.control->Post([this, list = reasons_.list()] { page_.SetReasons(list); });
  } else {
    LogWarning("request reasons: {}", fetched.error().message);
  }
  return clock_.Now() + (online_ ? kAskReasonsOnline : kAskReasonsOffline);
}

void KioskDaemon::LookAtCamera(std::move_only_function<void(bool there)> then) {
  capture_.Lend([this, answer = std::move(then)](const std::stop_token& stop) mutable {
    const auto camera = Open(CameraPurpose::kVerify);
    if (!camera) LogWarning("camera: {}", camera.error().message);
    host_.control->Post(
        [this, stop, told = std::move(answer), there = camera.has_value()]() mutable {
          // Only this thread stops a run: unless it has, the loan is still the newest.
          if (!stop.stop_requested()) capture_.Stop();
          told(there);
        });
  });
}

void KioskDaemon::TellOnline(bool online) {
  if (online != online_) LogInfo("the service is {}", online ? "in reach" : "out of reach");
  online_ = online;
  host_.control->Post([this, online] { page_.SetOnline(online); });
}

// The ones that are kept serve until the service has been asked.
void KioskDaemon::LoadReasons() {
  if (Status loaded = reasons_.Load(); loaded) {
    page_.SetReasons(reasons_.list());
  } else {
    LogInfo("request reasons: {}", loaded.error().message);
  }
}

std::string KioskDaemon::MetricsText() {
  const auto stats = queue_.Stats();
  return metrics_.Text(stats.value_or(QueueStats()), ResidentBytes(components_.drivers().files));
}

}  // namespace idkiosk
