#include "app/daemon/kiosk_daemon.h"

#include <utility>

#include "app/assembly/camera_session.h"
#include "platform/base/log.h"

namespace idkiosk {
namespace {

// The list of reasons is asked for now and then, also to see whether the service is in reach.
constexpr Duration kAskReasonsOnline = std::chrono::minutes(10);
constexpr Duration kAskReasonsOffline = std::chrono::seconds(30);

// Tells a drawn sitter what the person is asked for, and passes everything on.
class FollowedObserver final : public CaptureObserver {
 public:
  FollowedObserver(CameraSession& camera, CaptureObserver& next) : camera_(camera), next_(next) {}

  void OnProgress(const CaptureProgress& progress) override {
    camera_.Follow(progress.prompt);
    next_.OnProgress(progress);
  }
  void OnCameraTrouble(const Error& error) override { next_.OnCameraTrouble(error); }

 private:
  CameraSession& camera_;
  CaptureObserver& next_;
};

// The lamp, for as long as this lives.
class LitFace {
 public:
  explicit LitFace(KioskDevices& devices) : devices_(devices) { devices_.TurnLight(true); }
  ~LitFace() { devices_.TurnLight(false); }
  LitFace(const LitFace&) = delete;
  LitFace& operator=(const LitFace&) = delete;

 private:
  KioskDevices& devices_;
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
  return settings.mode == "kiosk" ? "" : settings.staff.name;
}

// A kiosk without its one question is none; at a desk any of them will do.
Status CheckMode(const Settings& settings, const ServiceProfile& profile) {
  Status verify = CheckCallable(profile, Endpoint::kVerify, settings.environment);
  if (verify || settings.mode != "branch") return verify;
  for (size_t i = 0; i < kEndpointCount; ++i) {
    const auto endpoint = static_cast<Endpoint>(i);
    if (!EndpointOfTask(TaskOf(endpoint))) continue;
    if (CheckCallable(profile, endpoint, settings.environment)) return {};
  }
  return verify;
}

}  // namespace

KioskService::KioskService(Kiosk& kiosk, Made made, std::string camera)
    : kiosk_(kiosk),
      settings_(made.settings),
      camera_(std::move(camera)),
      queue_(made.queue),
      clock_(kiosk.drivers().clock),
      reasons_(kiosk.drivers().files, clock_, settings_.state_folder + "/request-reasons.json"),
      page_(kiosk, made.vault, settings_.state_folder, std::move(made.control)),
      devices_(std::move(made.devices)),
      desk_(queue_, *page_.keeper, *page_.control, AskerOf(settings_),
            [this] { delivery_.Wake(); }),
      book_({queue_, made.profile, clock_, *page_.keeper, *page_.control,
             [this] { delivery_.Wake(); }}),
      scanner_(kiosk.drivers().make_code_scanner()),
      slips_({capture_,
              [this](const auto& on_frame, const std::stop_token& stop) {
                return FramesOnCameraThread(on_frame, stop);
              },
              *scanner_, *page_.control, clock_, page_.preview, camera_pulse_}),
      capture_(
          [this](CaptureObserver& observer, const std::stop_token& stop) {
            return CaptureOnCameraThread(observer, stop);
          },
          *page_.control, clock_, page_.preview, camera_pulse_),
      corner_(
          kiosk, settings_, made.vault, *page_.keeper, *page_.control,
          [this] { page_.StartAnew(); },
          ThreadedSources::Service{queue_, book_, made.profile, **kiosk.service(), delivery_,
                                   capture_, page_.preview, camera_pulse_,
                                   [this] { return OpenCameraOf(kiosk_, camera_); }}),
      station_(
          {settings_, made.profile, *page_.control, *page_.keeper, clock_, kiosk.drivers().entropy,
           capture_, desk_, book_, kiosk.drivers().files, page_.clerk_door, page_.operator_door,
           corner_.corner(),
           [this](const UiSnapshot& snapshot, uint64_t revision) { Publish(snapshot, revision); },
           [this](auto then) { LookAtCamera(std::move(then)); }, devices_->of_a_session(slips_)}),
      page_desk_(*page_.control, station_, [this] { return MetricsText(); }),
      delivery_({.worker = made.worker,
                 .clock = clock_,
                 .pulse = delivery_pulse_,
                 .longest_exchange = settings_.service.total_timeout,
                 .report = [this](const auto& step) { ReportOnDeliveryThread(step); },
                 .chore = [this] { return AskReasonsOnDeliveryThread(); },
                 .give_up = [this] { kiosk_.CancelExchange(); }}),
      caretaker_(kiosk, *page_.control, *page_.keeper, page_.keeper_pulse,
                 {{camera_pulse_, "camera"},
                  {delivery_pulse_, "delivery"},
                  {page_.server_pulse, "page"}}) {}

// What was handed in is kept first; it wakes the delivery.
KioskService::~KioskService() { page_.End(); }

Attempt<std::unique_ptr<KioskService>> KioskService::Start(
    Kiosk& kiosk, std::string camera, std::optional<LoopbackServer::Identity> page) {
  const auto settings = kiosk.settings_of_a_service();
  if (!settings) return std::unexpected(settings.error());
  const auto profile = kiosk.profile();
  if (!profile) return std::unexpected(profile.error());
  if (auto callable = CheckMode(**settings, **profile); !callable) {
    return StopWith(ExitCode::kConfiguration, callable.error());
  }
  const auto vault = kiosk.vault();
  if (!vault) return std::unexpected(vault.error());
  const auto worker = kiosk.worker();
  if (!worker) return std::unexpected(worker.error());
  const auto queue = kiosk.queue(DurableQueue::Role::kDeliver);
  if (!queue) return std::unexpected(queue.error());
  if (const auto analyzer = kiosk.analyzer(); !analyzer) return std::unexpected(analyzer.error());

  auto control = kiosk.drivers().make_task_loop();
  auto devices = KioskDevices::Make(kiosk, **settings, *control);
  if (!devices) return std::unexpected(devices.error());

  std::unique_ptr<KioskService> service(new KioskService(
      kiosk,
      {**settings, **profile, **vault, **queue, **worker, std::move(control), std::move(*devices)},
      std::move(camera)));
  if (Status served = service->Serve(std::move(page)); !served) {
    return StopWith(ExitCode::kConfiguration, served.error());
  }
  return service;
}

Status KioskService::Serve(std::optional<LoopbackServer::Identity> page) {
  LoadReasons();
  auto server = LoopbackServer::Start(
      {.port = settings_.ui.port, .identity = std::move(page), .metrics = settings_.ui.metrics},
      {page_desk_, page_.snapshots, page_.preview, page_.server_pulse, EmbeddedPage(),
       &devices_->voice(), devices_->logo()},
      kiosk_.drivers().entropy);
  if (!server) return std::unexpected(server.error());
  page_.server = std::move(*server);
  delivery_.Start();
  return {};
}

PageService::End KioskService::Run() {
  LogInfo("ready: {}, {}", settings_.mode,
          settings_.environment == Environment::kProduction ? "production" : "sandbox");
  caretaker_.Run();
  LogInfo("{}", page_.end == End::kAnew ? "starting anew" : "stopping");
  return page_.end;
}

void KioskService::Publish(const UiSnapshot& snapshot, uint64_t revision) {
  if (snapshot.session != session_id_) {
    if (person_) metrics_.CountSession();
    session_id_ = snapshot.session;
    person_ = !IsStaffs(snapshot.screen);
  }
  page_.snapshots.Put(ToJson(snapshot, revision, settings_, devices_->equipment()), revision);
}

Result<CaptureResult> KioskService::CaptureOnCameraThread(CaptureObserver& observer,
                                                          const std::stop_token& stop) {
  auto camera = CameraSession::Open(kiosk_, camera_);
  if (!camera) {
    metrics_.CountFailedCapture(ErrorCode::kUnavailable);
    return Fail(ErrorCode::kUnavailable, "{}", camera.error().message);
  }
  const CaptureSettings settings = kiosk_.newest_capture_settings();
  CaptureRunner runner(settings, (*camera)->analyzer(), clock_, kiosk_.drivers().entropy);
  FollowedObserver followed(**camera, observer);
  const LitFace lit(*devices_);
  auto result = runner.Run((*camera)->camera(), (*camera)->info(), followed, stop);
  if (result) {
    metrics_.CountCapture(result->record.frames, result->record.to_bundle);
    corner_.NoteCapture(result->record);
  } else if (result.error().code != ErrorCode::kCancelled) {
    metrics_.CountFailedCapture(result.error().code);
  }
  return result;
}

Status KioskService::FramesOnCameraThread(const std::function<bool(const Frame&)>& on_frame,
                                          const std::stop_token& stop) {
  auto session = CameraSession::Open(kiosk_, camera_);
  if (!session) return Fail(ErrorCode::kUnavailable, "{}", session.error().message);
  while (!stop.stop_requested()) {
    const auto frame = (*session)->camera().NextFrame(clock_.Now() + settings_.camera.silence);
    if (!frame && frame.error().code == ErrorCode::kCorrupt) continue;
    if (!frame) return Fail(ErrorCode::kUnavailable, "{}", frame.error().message);
    if (!on_frame(*frame)) return {};
  }
  return {};
}

void KioskService::ReportOnDeliveryThread(const DeliveryWorker::Step& step) {
  if (step.outcome) {
    metrics_.CountAttempt(step.outcome->kind);
    if (const auto in_reach = InReach(*step.outcome)) TellOnline(*in_reach);
  }
  page_.control->Post([this, reference = *step.reference] { station_.OnCallChanged(reference); });
}

MonotonicTime KioskService::AskReasonsOnDeliveryThread() {
  auto fetched = (*kiosk_.service())->FetchReasons();
  TellOnline(fetched || fetched.error().code != ErrorCode::kUnavailable);
  if (fetched) {
    if (Status kept = reasons_.Replace(std::move(*fetched)); !kept) {
      LogWarning("request reasons: {}", kept.error().message);
    }
    page_.control->Post([this, list = reasons_.list()] { station_.SetReasons(list); });
  } else {
    LogWarning("request reasons: {}", fetched.error().message);
  }
  return clock_.Now() + (online_ ? kAskReasonsOnline : kAskReasonsOffline);
}

void KioskService::LookAtCamera(std::move_only_function<void(bool there)> then) {
  capture_.Lend([this, answer = std::move(then)](const std::stop_token& stop) mutable {
    const auto camera = CameraSession::Open(kiosk_, camera_);
    if (!camera) LogWarning("camera: {}", camera.error().message);
    page_.control->Post(
        [this, stop, told = std::move(answer), there = camera.has_value()]() mutable {
          // Only this thread stops a run: unless it has, the loan is still the newest.
          if (!stop.stop_requested()) capture_.Stop();
          told(there);
        });
  });
}

void KioskService::TellOnline(bool online) {
  if (online != online_) LogInfo("the service is {}", online ? "in reach" : "out of reach");
  online_ = online;
  page_.control->Post([this, online] { station_.SetOnline(online); });
}

// The ones that are kept serve until the service has been asked.
void KioskService::LoadReasons() {
  if (Status loaded = reasons_.Load(); loaded) {
    station_.SetReasons(reasons_.list());
  } else {
    LogInfo("request reasons: {}", loaded.error().message);
  }
}

std::string KioskService::MetricsText() {
  const auto stats = queue_.Stats();
  return metrics_.Text(stats.value_or(QueueStats()), ResidentBytes(kiosk_.drivers().files));
}

}  // namespace idkiosk
