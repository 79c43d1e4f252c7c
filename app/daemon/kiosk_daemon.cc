#include "app/daemon/kiosk_daemon.h"

#include <utility>

#include "app/assembly/camera_opening.h"
#include "app/operator/readiness.h"
#include "platform/base/log.h"

namespace idkiosk {
namespace {

// A source that shows nobody who is there is a mistake in the settings. A camera that is not there
// yet may come: until then each person is told so.
CommandResult<void> CheckCameraOf(Components& components, const std::string& source) {
  const auto live = RequireLiveSource(components, source);
  if (live) return {};
  const std::string asked = source.empty() ? (*components.settings())->camera.source : source;
  const auto promise = components.drivers().camera_promise(asked);
  if (!promise || !promise->may_change) return std::unexpected(live.error());
  LogWarning("camera: {}", live.error().message);
  return {};
}

CameraThread::Dependencies CameraOf(PageHost& host, const Settings& settings, Peripherals& devices,
                                    Metrics& metrics, std::string source) {
  auto camera = host.Camera(settings, metrics, std::move(source));
  camera.open = [&parts = host.components, open = std::move(camera.open)](CameraPurpose purpose) {
    auto opened = open(purpose);
    if (!opened) return opened;
    // Ready again before the next person comes.
    opened->forget = [&parts, forget = std::move(opened->forget)] {
      forget();
      if (const auto ready = parts.analyzer(); !ready) {
        LogWarning("camera: {}", ready.error().message);
      }
    };
    return opened;
  };
  camera.light = [&devices](bool on) { devices.TurnLight(on); };
  return camera;
}

}  // namespace

KioskDaemon::KioskDaemon(Components& components, Made made, std::string camera, BrowserLogin& login)
    : settings_(made.settings),
      durable_queue_(made.queue),
      login_(login),
      consents_(std::move(made.consents)),
      host_(components, made.vault, made.administration, settings_.state_folder,
            std::move(made.control)),
      devices_(std::move(made.devices)),
      camera_(CameraOf(host_, settings_, *devices_, metrics_, std::move(camera))),
      link_({made.worker, made.client, components.drivers().files, host_.clock, *host_.control,
             settings_, metrics_, [&components] { components.CancelExchange(); },
             [this](const CallReference& reference) {
               api_.TellChange(reference);
               results_.Wake();
             }}),
      queue_({made.queue, made.profile, host_.clock, host_.audit, *host_.storage_runner,
              *host_.control, host_.user, [this] { link_.loop().Wake(); }}),
      console_(host_, settings_, made.vault, camera_,
               DaemonConsole::Service{queue_, made.client, link_, **components.consents()}),
      page_({host_, login, settings_, made.profile, camera_.worker(), queue_, console_.console(),
             [this](const auto& shown, uint64_t revision) { return Show(shown, revision); },
             [this, &queue = made.queue] { return MetricsText(queue); },
             [this](auto then) { camera_.Look(std::move(then)); },
             devices_->of_a_session(camera_.slips()), &consents_, &at_screen_,
             [this](const VisitEnd& end) { api_.OnOrderOver(end); }}),
      headquarters_({host_, settings_, made.queue, made.vault, [this] { link_.loop().Wake(); },
                     [this] { return api_.Complaints(); }, is_visit_}),
      api_({host_, settings_, made.profile, made.queue, made.vault, **components.consents(),
            consents_, [this] { link_.loop().Wake(); }, [this] { return link_.online(); },
            [this, &queue = made.queue] { return MetricsText(queue); },
            [this] {
              Findings findings = results_.Check();
              Append(findings, CheckLights(metrics_.lights()));
              Append(findings, page_.Check());
              return findings;
            },
            headquarters_.headquarters(), [this](auto order) { BeginVisit(std::move(order)); },
            at_screen_, is_visit_}),
      results_({host_, settings_, made.profile, made.queue, made.vault}) {}

// Each thread ends while everything lives that its work uses: the servers', which ask all the
// others; the storage thread, which wakes the delivery; the camera's and the delivery's, which work
// for the operator's console; that of the results, which the delivery wakes. No other thread calls
// a member after that, and each member goes before those that it was made with.
KioskDaemon::~KioskDaemon() {
  durable_queue_.OnOlderFile(nullptr);
  api_.End();
  host_.End();
  camera_.End();
  link_.End();
  results_.End();
}

CommandResult<std::unique_ptr<KioskDaemon>> KioskDaemon::Start(Components& components,
                                                               std::string camera,
                                                               BrowserLogin& login) {
  const auto settings = components.settings_of_a_service();
  if (!settings) return std::unexpected(settings.error());
  const auto profile = components.profile();
  if (!profile) return std::unexpected(profile.error());
  if (auto callable = CheckMode(**settings, **profile); !callable) {
    return StopWith(ExitCode::kConfiguration, callable.error());
  }
  if (auto live = CheckCameraOf(components, camera); !live) return std::unexpected(live.error());
  const auto vault = components.vault();
  if (!vault) return std::unexpected(vault.error());
  const auto worker = components.worker();
  if (!worker) return std::unexpected(worker.error());
  const auto queue = components.queue(DurableQueue::Role::kDeliver);
  if (!queue) return std::unexpected(queue.error());
  const auto client = components.service();
  if (!client) return std::unexpected(client.error());
  if (const auto analyzer = components.analyzer(); !analyzer)
    return std::unexpected(analyzer.error());

  auto consents = ConsentTexts::Load(**settings, components.drivers().files);
  if (!consents) return StopWith(ExitCode::kConfiguration, consents.error());

  auto control = components.drivers().make_task_loop();
  auto devices = Peripherals::Make(components, **settings, *control);
  if (!devices) return std::unexpected(devices.error());

  std::unique_ptr<KioskDaemon> daemon(new KioskDaemon(
      components,
      {**settings, **profile, **vault, *components.vault_administration(), **queue, **worker,
       **client, std::move(control), std::move(*devices), std::move(*consents)},
      std::move(camera), login));
  if (Status served = daemon->Serve(); !served) {
    return StopWith(ExitCode::kConfiguration, served.error());
  }
  return daemon;
}

Status KioskDaemon::Serve() {
  link_.Tell(page_.controller());
  durable_queue_.OnOlderFile([this] {
    LogError("an older copy was put in place of the queue's file while idkiosk uses it");
    host_.control->Post([this] { host_.StartAnew(); });
  });
  Status served =
      page_.Serve({.metrics = settings_.ui.metrics}, &devices_->voice(), devices_->logo());
  if (served) served = host_.WatchCase(settings_.tamper);
  headquarters_.Start();
  if (served) served = api_.Serve();
  if (served) served = results_.Start();
  if (served) link_.loop().Start();
  return served;
}

Daemon::End KioskDaemon::Run() {
  LogInfo("ready: {}, {}", Name(settings_.mode), Name(settings_.environment));
  const End end = host_.Run({{camera_.heartbeat(), "camera"},
                             {link_.heartbeat(), "delivery"},
                             {api_.heartbeat(), "local API"},
                             {results_.webhook_heartbeat(), "results to the webhook"},
                             {results_.spool_heartbeat(), "results to the spool"}});
  LogInfo("{}", end == End::kAnew ? "starting again" : "stopping");
  return end;
}

void KioskDaemon::BeginVisit(std::shared_ptr<const VisitOrder> order) {
  host_.control->Post([this, order = std::move(order)] {
    api_.OnVisitBegun(order->reference, page_.controller().Invite(order));
  });
}

SecretBytes KioskDaemon::Show(const UiSnapshot& shown, uint64_t revision) {
  metrics_.NoteSession(shown.session, !IsStaffs(shown.screen));
  is_visit_ = shown.screen != Screen::kWelcome && shown.screen != Screen::kLocked;
  return ToJson(shown, revision, settings_, devices_->equipment());
}

std::string KioskDaemon::MetricsText(DurableQueue& queue) const {
  return metrics_.Text(queue.Stats().value_or(QueueStats()),
                       ResidentBytes(host_.components.drivers().files), login_.refused(),
                       results_.Standings(), host_.clock.WallNow());
}

}  // namespace idkiosk
