#include "app/workers/threaded_operator_backend.h"

#include <optional>
#include <utility>

#include "app/operator/ledger_export.h"
#include "app/operator/readiness.h"
#include "app/operator/stick.h"
#include "app/settings/provisioning.h"
#include "app/workers/heartbeat.h"
#include "app/workers/preview_feed.h"
#include "platform/api/post_task_and_reply.h"
#include "platform/base/mutex.h"

namespace idkiosk {
namespace {

constexpr int kCallsShown = 50;
constexpr int kHoursShown = 24;

Findings NotSetUpYet(OperatorBackend::Check check) {
  return {{PartOf(check), FindingState::kNote, "is not checked until this kiosk is set up",
           "Set it up."}};
}

Error NotSetUpYet() { return {ErrorCode::kFailedPrecondition, "this kiosk is not set up yet"}; }

void AnswerNotSetUp(TaskRunner& control, auto then) {
  control.Post([answer = std::move(then)]() mutable { answer(std::unexpected(NotSetUpYet())); });
}

std::string_view Name(PixelFormat format) {
  switch (format) {
    case PixelFormat::kJpeg:
      return "MJPEG";
    case PixelFormat::kYuyv:
      return "YUYV";
    case PixelFormat::kNv12:
      return "NV12";
    case PixelFormat::kGrey:
      return "grey";
    case PixelFormat::kBgr:
      return "BGR";
  }
  return "";
}

std::string FormatText(const CameraInfo& info) {
  return fmt::format("{} {}x{}, {:.0f} a second", Name(info.format), info.width, info.height,
                     info.frames_per_second);
}

}  // namespace

// What a watch saw and the control thread has not heard yet: the newest of each.
struct ThreadedOperatorBackend::News {
  struct Seen {
    std::string source;
    std::string format;
    std::string detector;
  };
  struct Unheard {
    bool posted = false;
    std::optional<Seen> opened;
    std::optional<std::vector<Measure>> measures;
    std::optional<std::string> trouble;
    bool ended = false;  // by itself, and then nothing follows
  };
  Mutex mutex;
  Unheard unheard GUARDED_BY(mutex);
};

// Looks through the camera, on its thread.
class ThreadedOperatorBackend::Watch final : public CameraWatcher {
 public:
  Watch(ThreadedOperatorBackend& sources, std::shared_ptr<News> news)
      : sources_(sources),
        service_(*sources.deps_.service),
        news_(std::move(news)),
        preview_(service_.preview, sources.deps_.clock) {}

  void Run(const std::stop_token& stop) {
    stop_ = stop;
    if (const Status looked = Look(stop); !looked) OnTrouble(looked.error());
    if (!stop.stop_requested()) Tell([](News::Unheard& news) { news.ended = true; });
  }

  [[nodiscard]] Status Look(const std::stop_token& stop) {
    auto opened = service_.open_camera();
    if (!opened) return std::unexpected(opened.error());
    Tell([&](News::Unheard& news) {
      news.opened = {opened->info.source, FormatText(opened->info),
                     opened->analyzer->detector_name()};
    });
    return LookThrough(*opened->camera, *opened->analyzer, opened->limits, sources_.deps_.clock,
                       *this, stop);
  }

  void OnFrame(const Frame& frame) override {
    service_.camera_heartbeat.Beat(kCameraBeat);
    if (!stop_.stop_requested()) preview_.Show(frame);
  }
  void OnMeasures(std::vector<Measure> measures) override {
    Tell([&](News::Unheard& news) { news.measures = std::move(measures); });
  }
  void OnTrouble(const Error& error) override {
    service_.camera_heartbeat.Beat(kCameraBeat);
    Tell([&](News::Unheard& news) { news.trouble = error.message; });
  }

 private:
  template <typename Change>
  void Tell(Change change) {
    const MutexLock lock(news_->mutex);
    change(news_->unheard);
    if (std::exchange(news_->unheard.posted, true)) return;
    sources_.deps_.control.Post([&sources = sources_, news = news_] { sources.Deliver(*news); });
  }

  ThreadedOperatorBackend& sources_;
  const Service& service_;
  const std::shared_ptr<News> news_;
  PreviewFeed preview_;
  std::stop_token stop_;
};

ThreadedOperatorBackend::ThreadedOperatorBackend(Dependencies deps) : deps_(std::move(deps)) {}
ThreadedOperatorBackend::~ThreadedOperatorBackend() = default;

// --- Readiness ---

void ThreadedOperatorBackend::Look(Check check, Then<Findings> then) {
  control_thread_.Check();
  const auto on_storage_thread = [&](auto question) {
    PostTaskAndReply(deps_.storage_runner, deps_.control, std::move(question), std::move(then));
  };
  const auto now = [&](Findings findings) {
    deps_.control.Post([answer = std::move(then), found = std::move(findings)]() mutable {
      answer(std::move(found));
    });
  };
  switch (check) {
    case Check::kConfiguration:
      return on_storage_thread(
          [this] { return CheckConfiguration(deps_.files, deps_.config_path); });
    case Check::kVault:
      return on_storage_thread([this] { return CheckVault(deps_.storage, deps_.settings); });
    case Check::kClock:
      return now(CheckClock(deps_.clock));
    case Check::kQueue:
      if (!provisioned()) return now(NotSetUpYet(check));
      return deps_.service->queue.Ask(CheckQueue, std::move(then));
    case Check::kCamera:
      if (!provisioned()) return now(NotSetUpYet(check));
      return LookAtCamera(std::move(then));
    case Check::kService:
      if (!provisioned()) return now(NotSetUpYet(check));
      return LookAtService(std::move(then));
  }
}

// Answers in any case: a loan that another one replaces before it began is dropped without a word.
class ThreadedOperatorBackend::CameraCheck {
 public:
  CameraCheck(TaskRunner& control, Then<Findings> then)
      : control_(control), then_(std::move(then)) {}
  ~CameraCheck() {
    if (then_) Answer({CameraTakenFinding()}, [] {});
  }
  CameraCheck(const CameraCheck&) = delete;
  CameraCheck& operator=(const CameraCheck&) = delete;

  // `first` is done before, on the control thread.
  void Answer(Findings findings, std::move_only_function<void()> first) {
    control_.Post([told = std::exchange(then_, nullptr), found = std::move(findings),
                   before = std::move(first)]() mutable {
      before();
      told(std::move(found));
    });
  }

 private:
  TaskRunner& control_;
  Then<Findings> then_;
};

void ThreadedOperatorBackend::LookAtCamera(Then<Findings> then) {
  auto check = std::make_unique<CameraCheck>(deps_.control, std::move(then));
  deps_.service->capture.Lend([this, check = std::move(check)](const std::stop_token& stop) {
    Findings findings;
    if (auto opened = deps_.service->open_camera()) {
      findings = CheckCamera(*opened->camera, opened->info, deps_.settings, deps_.clock);
      findings.push_back(DetectorFinding(opened->analyzer->detector_name(), opened->compromise));
    } else {
      findings.push_back(CameraTroubleFinding(opened.error().message));
    }
    check->Answer(std::move(findings), [this, stop] {
      // Only the control thread stops a loan: unless it has, nobody has the camera since, and the
      // preview that was opened with it shows nothing.
      if (!stop.stop_requested()) deps_.service->capture.Stop();
    });
  });
}

void ThreadedOperatorBackend::LookAtService(Then<Findings> then) {
  const auto answer = std::make_shared<Then<Findings>>(std::move(then));
  const bool taken = deps_.service->delivery.Do([this, answer] {
    deps_.control.Post(
        [answer, found = CheckService(deps_.service->client, deps_.settings)]() mutable {
          (*answer)(std::move(found));
        });
  });
  if (taken) return;
  deps_.control.Post([answer] {
    (*answer)({{KioskPart::kService, FindingState::kNote, "is being asked already",
                "Check again in a moment."}});
  });
}

// --- Queue and ledger ---

void ThreadedOperatorBackend::ReadQueue(Then<Result<QueueView>> then) {
  control_thread_.Check();
  if (!provisioned()) return AnswerNotSetUp(deps_.control, std::move(then));
  deps_.service->queue.Ask(
      [this](DurableQueue& queue) -> Result<QueueView> {
        QueueView view;
        auto stats = queue.Stats();
        if (!stats) return std::unexpected(stats.error());
        auto calls = queue.Newest(kCallsShown);
        if (!calls) return std::unexpected(calls.error());
        view.stats = std::move(*stats);
        view.calls = std::move(*calls);
        view.now = deps_.clock.WallNow();
        view.currency = deps_.service->queue.profile().currency;
        return view;
      },
      std::move(then));
}

void ThreadedOperatorBackend::ReadLedger(Then<Result<LedgerView>> then) {
  control_thread_.Check();
  if (!provisioned()) return AnswerNotSetUp(deps_.control, std::move(then));
  deps_.service->queue.Ask(
      [this](DurableQueue& queue) -> Result<LedgerView> {
        LedgerView view;
        auto hours = queue.BilledHours(kHoursShown);
        if (!hours) return std::unexpected(hours.error());
        view.hours = std::move(*hours);
        view.currency = deps_.service->queue.profile().currency;
        return view;
      },
      std::move(then));
}

void ThreadedOperatorBackend::ReadVault(Then<Result<SecureStorage::Info>> then) {
  control_thread_.Check();
  PostTaskAndReply(
      deps_.storage_runner, deps_.control, [this] { return deps_.storage.Describe(); },
      std::move(then));
}

void ThreadedOperatorBackend::Decide(const CallReference& reference, Decision decision, int seen,
                                     Then<Status> then) {
  control_thread_.Check();
  if (!provisioned()) return AnswerNotSetUp(deps_.control, std::move(then));
  QueueClient& queue = deps_.service->queue;
  if (decision == Decision::kGiveUp) return queue.GiveUp(reference, std::move(then));
  queue.Resend(reference, seen, std::move(then));
}

void ThreadedOperatorBackend::LiftHold(const std::string& id, Then<Status> then) {
  if (!provisioned()) return AnswerNotSetUp(deps_.control, std::move(then));
  deps_.service->queue.Ask(
      [this, id, by = deps_.user.By()](DurableQueue& queue) {
        Status lifted =
            deps_.audit.Do(AuditEvent::kHoldLifted, by, id, [&] { return queue.Lift(id); });
        if (lifted) deps_.service->delivery.Wake();
        return lifted;
      },
      std::move(then));
}

// --- Camera ---

void ThreadedOperatorBackend::WatchCamera(CameraListener& listener) {
  control_thread_.Check();
  listener_ = &listener;
  if (provisioned()) return BeginWatch();
  news_ = std::make_shared<News>();
  deps_.control.Post([this, news = news_] {
    control_thread_.Check();
    if (news == news_ && listener_ != nullptr) listener_->OnCameraTrouble(NotSetUpYet().message);
  });
}

void ThreadedOperatorBackend::BeginWatch() {
  control_thread_.Check();
  news_ = std::make_shared<News>();
  deps_.service->capture.Lend([watch = std::make_unique<Watch>(*this, news_)](
                                  const std::stop_token& stop) { watch->Run(stop); });
}

void ThreadedOperatorBackend::LetCameraGo() {
  control_thread_.Check();
  listener_ = nullptr;
  news_.reset();
  watch_again_.Cancel();
  if (provisioned()) deps_.service->capture.Stop();
}

void ThreadedOperatorBackend::Deliver(News& news) {
  control_thread_.Check();
  if (&news != news_.get() || listener_ == nullptr) return;
  News::Unheard heard;
  {
    const MutexLock lock(news.mutex);
    std::swap(heard, news.unheard);
  }
  if (heard.ended) {
    const MonotonicTime again = deps_.clock.Now() + deps_.open_again;
    watch_again_ = ScopedTimer(deps_.control, again, [this] { BeginWatch(); });
  }
  if (const auto& opened = heard.opened) {
    listener_->OnCamera(opened->source, opened->format, opened->detector);
  }
  if (heard.measures) listener_->OnMeasures(std::move(*heard.measures));
  if (heard.trouble) listener_->OnCameraTrouble(std::move(*heard.trouble));
}

// --- Set-up and support ---

// What is wrong with the message is found before anything is written.
Result<ThreadedOperatorBackend::Judged> ThreadedOperatorBackend::Judge(const SecretBytes& message,
                                                                       const Typed& typed) {
  auto onboarding = ParseOnboarding(deps_.files, message.text(), "the message");
  if (!onboarding) return std::unexpected(onboarding.error());
  for (const auto& [name, value] : typed) {
    for (Onboarding::Credential& each : onboarding->credentials) {
      if (each.name == name && !value.empty()) each.value = value.Clone();
    }
  }
  if (const std::string missing = MissingCredentials(*onboarding); !missing.empty()) {
    return Fail(ErrorCode::kInvalid, "the message lacks {}: add it, and try again", missing);
  }
  auto after = SettingsAfter(deps_.files, deps_.config_path, *onboarding);
  if (!after) return std::unexpected(after.error());
  // The next start would refuse a profile that cannot verify anybody.
  auto profile = LoadProfile(deps_.files, after->service.profile);
  if (!profile) return std::unexpected(profile.error());
  const Status callable = CheckCallable(*profile, Endpoint::kVerify, after->environment);
  if (!callable) return std::unexpected(callable.error());
  return Judged{std::move(*onboarding), std::move(*after), std::move(*profile)};
}

Status ThreadedOperatorBackend::Provide(const SecretBytes& message, const Typed& typed,
                                        const std::string& by, const Agreement& agreed_by) {
  const auto judged = Judge(message, typed);
  if (!judged) return Fail(ErrorCode::kInvalid, "{}", judged.error().message);
  const Onboarding& onboarding = judged->onboarding;
  const auto elsewhere =
      WhatPointsElsewhere(deps_.storage, deps_.settings, judged->after, onboarding);
  if (!elsewhere) return Fail(ErrorCode::kInvalid, "{}", elsewhere.error().message);
  if (!elsewhere->empty()) {
    const Status agreed =
        CheckTwoPersons(deps_.storage, deps_.settings.staff.two_persons, agreed_by);
    if (!agreed) return agreed;
  }
  const Status tried = deps_.try_out(onboarding, judged->after, judged->profile);
  if (!tried) return Fail(ErrorCode::kInvalid, "{}", tried.error().message);
  // From here on address and credentials of this process may not belong together any more.
  if (provisioned()) deps_.service->delivery.Halt();
  const std::string change =
      ChangeOfService(deps_.settings.service.base_url, onboarding.base_url, *elsewhere);
  const Status done = deps_.audit.Do(AuditEvent::kServiceSet, by, change, [&] {
    return Provision(deps_.files, deps_.storage, deps_.config_path, onboarding);
  });
  LogInfo("set-up on the page: {}", done ? "done" : done.error().message);
  if (done) return done;
  if (provisioned()) deps_.control.Post([this] { deps_.start_anew(); });
  return Fail(ErrorCode::kInvalid, "{}", done.error().message);
}

OperatorBackend::StaffView ThreadedOperatorBackend::ReadStaff() {
  const auto& people = deps_.staff.people();
  return {people, deps_.user.name(),
          NeedsSecondOperator(deps_.settings.staff.two_persons, deps_.staff.CountOperators())};
}

void ThreadedOperatorBackend::ScanMessage(Then<Result<SecretBytes>> then) {
  control_thread_.Check();
  if (deps_.messages != nullptr) return deps_.messages->Start(std::move(then));
  deps_.control.Post([answer = std::move(then)]() mutable {
    answer(Fail(ErrorCode::kUnavailable, "this kiosk has no camera to look through"));
  });
}

void ThreadedOperatorBackend::StopScan() {
  control_thread_.Check();
  if (deps_.messages != nullptr) deps_.messages->Stop();
}

void ThreadedOperatorBackend::Confirm(const std::string& name, SecretBytes pin, AuditEvent event,
                                      Then<CommandReply> then) {
  control_thread_.Check();
  if (name.empty() || name == deps_.user.name()) {
    return then({Fail(ErrorCode::kForbidden, "another operator than the one signed in must agree"),
                 CommandProblem::kWrong});
  }
  deps_.operator_lock.Try(
      {name, std::move(pin), idkiosk::Name(event)},
      [answer = std::move(then)](const PinLock::Answer& tried) mutable { answer(ReplyOf(tried)); });
}

Agreement ThreadedOperatorBackend::AgreedBy(const std::string& second) const {
  return {deps_.user.name(), second};
}

std::string ThreadedOperatorBackend::ByBoth(const std::string& second) const {
  return second.empty() ? deps_.user.By() : fmt::format("{} and {}", deps_.user.By(), second);
}

std::string ThreadedOperatorBackend::SaveLedger(DurableQueue& queue) const {
  const auto rows = queue.Ledger(std::nullopt);
  const auto told =
      rows ? WriteLedgerOut({queue.LedgerVerdict(), *rows, deps_.service->queue.profile().currency},
                            deps_.settings.state_folder, deps_.clock, deps_.files, deps_.crypto)
           : std::unexpected(rows.error());
  return told ? *told
              : fmt::format("The ledger is not written out, and nothing will prove it: {}",
                            told.error().message);
}

Status ThreadedOperatorBackend::EraseKeys(const std::string& by, const Agreement& agreed_by,
                                          DurableQueue* queue) {
  const Status agreed = CheckTwoPersons(deps_.storage, deps_.settings.staff.two_persons, agreed_by);
  if (!agreed) return agreed;
  const std::string saved = queue == nullptr ? "" : SaveLedger(*queue);
  if (!saved.empty()) LogWarning("{}", saved);
  // A vault that is damaged, and proves nothing, is erased all the same.
  deps_.audit.Note(AuditEvent::kVaultErased, by, saved);
  Status erased = deps_.erase_keys();
  // What is in memory goes nowhere any more.
  if (erased && queue != nullptr) {
    DeliveryLoop& delivery = deps_.service->delivery;
    (void)delivery.Do([&delivery] { delivery.Halt(); });
  }
  return erased;
}

void ThreadedOperatorBackend::Erase(const std::string& second, Then<Status> then) {
  control_thread_.Check();
  const std::string by = ByBoth(second);
  const Agreement agreed_by = AgreedBy(second);
  auto told = [this, answer = std::move(then)](Status erased) mutable {
    const bool is_gone = erased.has_value();
    answer(std::move(erased));
    if (is_gone) deps_.start_erased();
  };
  if (provisioned()) {
    return deps_.service->queue.Ask(
        [this, by, agreed_by](DurableQueue& queue) { return EraseKeys(by, agreed_by, &queue); },
        std::move(told));
  }
  PostTaskAndReply(
      deps_.storage_runner, deps_.control,
      [this, by, agreed_by] { return EraseKeys(by, agreed_by, nullptr); }, std::move(told));
}

void ThreadedOperatorBackend::SetUp(SecretBytes message, Typed typed, const std::string& second,
                                    Then<Status> then) {
  control_thread_.Check();
  const std::string by = ByBoth(second);
  const Agreement agreed_by = AgreedBy(second);
  if (!provisioned()) {
    return PostTaskAndReply(
        deps_.storage_runner, deps_.control,
        [this, text = std::move(message), more = std::move(typed), by, agreed_by] {
          return Provide(text, more, by, agreed_by);
        },
        std::move(then));
  }
  // On the thread that sends: no exchange is under way, and none begins with what is half new.
  const auto answer = std::make_shared<Then<Status>>(std::move(then));
  const bool taken = deps_.service->delivery.Do(
      [this, answer, text = std::move(message), more = std::move(typed), by, agreed_by] {
        deps_.control.Post([answer, done = Provide(text, more, by, agreed_by)]() mutable {
          (*answer)(std::move(done));
        });
      });
  if (taken) return;
  deps_.control.Post([answer] {
    (*answer)(Fail(ErrorCode::kInvalid, "the service is being asked just now: try again"));
  });
}

void ThreadedOperatorBackend::KeepBundle(Findings findings, Then<Result<std::string>> then) {
  control_thread_.Check();
  if (provisioned()) {
    return deps_.service->queue.Ask(
        [this, found = std::move(findings)](DurableQueue& queue) {
          return KeepBundleNow(found, &queue);
        },
        std::move(then));
  }
  PostTaskAndReply(
      deps_.storage_runner, deps_.control,
      [this, found = std::move(findings)] { return KeepBundleNow(found, nullptr); },
      std::move(then));
}

Result<std::string> ThreadedOperatorBackend::KeepBundleNow(const Findings& findings,
                                                           DurableQueue* queue) {
  SupportFacts facts = deps_.facts();
  facts.settings = deps_.settings;
  facts.findings = findings;
  facts.made_at = deps_.clock.WallNow();
  facts.log = LinesOf(NewestLogLines());
  facts.staff = StaffNames(deps_.storage);
  if (queue != nullptr) {
    if (auto stats = queue->Stats()) facts.queue = std::move(*stats);
    if (auto hours = queue->BilledHours(kHoursShown)) facts.hours = std::move(*hours);
    facts.currency = deps_.service->queue.profile().currency;
  }
  auto kept = KeepSupportBundle(deps_.files, deps_.settings.state_folder, facts);
  if (!kept) return kept;
  // Who came with a stick takes it along.
  const auto taken = Stick(deps_.files, deps_.settings.staff.sticks)
                         .Write(kept->substr(kept->rfind('/') + 1), SupportText(facts));
  if (taken) *kept += fmt::format(" ({})", *taken);
  if (!taken && taken.error().code != ErrorCode::kNotFound) {
    *kept += fmt::format(" ({})", taken.error().message);
  }
  return kept;
}

}  // namespace idkiosk
