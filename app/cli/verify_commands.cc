// verify, check, lookup, reasons: questions to the service.
#include <algorithm>

#include "app/api/api_client.h"
#include "app/capture/bundle_folder.h"
#include "app/capture/live_camera.h"
#include "app/cli/access/running_kiosk.h"
#include "app/cli/call_report.h"
#include "app/cli/command_line.h"
#include "app/cli/terminal_capture.h"
#include "app/consent/consent_texts.h"
#include "app/service/request_reason_check.h"
#include "app/session/face_pictures.h"
#include "app/settings/operator_name.h"
#include "platform/base/json.h"
#include "platform/base/text/printable.h"

namespace idkiosk {
namespace {

// A number as it was typed, or "-" to be asked for it: arguments are seen by every user of the
// machine.
CommandResult<SecretBytes> NumberFrom(Components& components, QueueAccess* kiosk,
                                      std::string& argument, std::string_view question,
                                      Endpoint endpoint) {
  if (argument == "-") {
    VerificationCall unnumbered;
    unnumbered.endpoint = endpoint;
    if (kiosk == nullptr) {
      const auto passed = PassIntake(components, unnumbered, /*again=*/false);
      if (!passed) return std::unexpected(passed.error());
    }
    const auto typed = components.terminal().AskSecret(question);
    if (!typed) return StopWith(ExitCode::kUsage, typed.error());
    return CleanNumber(typed->text());
  }
  SecretBytes number = CleanNumber(argument);
  Wipe(argument);
  return number;
}

// The list that the running kiosk has, or else the stored one.
CommandResult<KnownReasons> ReasonsOf(Components& components, ApiClient* kiosk) {
  if (kiosk != nullptr) return ReasonsOfKiosk(*kiosk);
  const auto reasons = components.reasons();
  if (!reasons) return std::unexpected(reasons.error());
  return KnownReasons{(*reasons)->list(), (*reasons)->age()};
}

CommandResult<CallRules> RulesOf(Components& components, ApiClient* kiosk, bool with_reasons) {
  const auto settings = components.settings();
  if (!settings) return std::unexpected(settings.error());
  CallRules rules{.environment = (*settings)->environment,
                  .test_nin = (*settings)->service.test_nin,
                  .reasons = {}};
  if (with_reasons) {
    const auto reasons = ReasonsOf(components, kiosk);
    if (!reasons) return std::unexpected(reasons.error());
    for (const RequestReason& each : reasons->list) rules.reasons.push_back(each.code);
  }
  return rules;
}

std::string CheckOperator(const std::string& name) {
  const Status good = CheckOperatorName(name);
  return good ? "" : good.error().message;
}

// The number that a question is about.
struct NumberForm {
  Placeholder placeholder;
  SecretBytes VerificationCall::* member;
  const char* question;
  const char* argument;  // where the command is no lookup: there it stands by itself
  const char* type;
  const char* help;
};
constexpr NumberForm kNumberForms[] = {
    {Placeholder::kNin, &VerificationCall::nin, "NIN", "--nin", "NIN", "11 digits"},
    {Placeholder::kPhone, &VerificationCall::phone, "Phone number", "--phone", "PHONE",
     "A Nigerian phone number"},
    {Placeholder::kIdNumber, &VerificationCall::id_number, "Identity number", "--id-number", "",
     "The number"},
};

constexpr bool HasNumberForm(Endpoint endpoint) {
  const EndpointTraits traits = TraitsOf(endpoint);
  return traits.task.empty() ||
         std::ranges::any_of(kNumberForms, [&traits](const NumberForm& each) {
           return traits.Takes(each.placeholder);
         });
}
static_assert(std::ranges::all_of(kEndpoints, HasNumberForm));

// Requires an endpoint that asks about a person.
const NumberForm& NumberFormOf(const EndpointTraits& traits) {
  return *std::ranges::find_if(
      kNumberForms, [&traits](const NumberForm& each) { return traits.Takes(each.placeholder); });
}

struct QuestionOptions {
  Endpoint endpoint = Endpoint::kVerify;
  std::string number;
  std::string reason;
  std::string type = VerificationCall().id_type;
  std::string search_type = VerificationCall().search_type;
  std::string camera;
  std::string pictures;
  double wait_seconds = 30;
  std::string operator_id;
  bool again = false;
  std::string consent;            // the language in which the person agreed
  std::optional<Consent> agreed;  // to what; set before it is asked

  std::vector<Argument> arguments(Endpoint asked) {
    endpoint = asked;
    const EndpointTraits traits = TraitsOf(asked);
    std::vector<Argument> list;
    if (traits.Takes(Placeholder::kType)) {
      list.push_back({.name = "--type",
                      .target = &type,
                      .help = fmt::format("The kind of number: {}", traits.kind)});
    }
    list.push_back(NumberArgument(traits));
    if (traits.Takes(Placeholder::kRequestReason)) {
      list.push_back({.name = "--reason",
                      .target = &reason,
                      .type = "CODE",
                      .help = traits.asks.Has(Placeholder::kRequestReason)
                                  ? "A code that 'idkiosk reasons' lists"
                                  : "A code that 'idkiosk reasons' lists, where the profile sends "
                                    "one with this endpoint",
                      .required = traits.asks.Has(Placeholder::kRequestReason)});
    }
    if (traits.Takes(Placeholder::kSearchType)) {
      list.push_back({.name = "--search-type",
                      .target = &search_type,
                      .help = fmt::format("The kind of search: {}", traits.kind)});
    }
    if (traits.TakesPictures()) AddSourceOfPictures(list);
    list.push_back({.name = "--operator",
                    .target = &operator_id,
                    .type = "NAME",
                    .help = "The member of staff who asks; 'idkiosk ledger sum --by operator' adds "
                            "up by this name",
                    .check = &CheckOperator});
    list.push_back(
        {.name = "--wait",
         .target = &wait_seconds,
         .type = "SECONDS",
         .help = "Wait this long for the answer (default: 30); the call is kept either way",
         .range = NumberRange{0, 86400}});
    list.push_back({.name = "--consent",
                    .target = &consent,
                    .type = "LANGUAGE",
                    .help = "Put on record that the person agreed to the text of consent.version "
                            "in this language, such as en"});
    list.push_back({.name = "--again",
                    .target = &again,
                    .help = "Ask even if the same was asked before: it is billed again"});
    return list;
  }

  Argument NumberArgument(const EndpointTraits& traits) {
    const NumberForm& form = NumberFormOf(traits);
    return {.name = traits.looks_up ? "number" : form.argument,
            .target = &number,
            .type = traits.looks_up ? "NUMBER" : form.type,
            .help = fmt::format(
                "{}; '-' asks for it, so that no other user of this machine sees it", form.help),
            .required = true};
  }

  void AddSourceOfPictures(std::vector<Argument>& list) {
    list.push_back({.name = "--camera",
                    .target = &camera,
                    .type = "SOURCE",
                    .help = "The camera to look through, instead of the configuration's, such as "
                            "v4l2:/dev/video0; 'synthetic' is a drawn sitter"});
    list.push_back(
        {.name = "--pictures",
         .target = &pictures,
         .type = "DIR",
         .help = "A folder with selfie.jpg and liveness-1.jpg to liveness-4.jpg, taken elsewhere",
         .excludes = "--camera"});
  }

  [[nodiscard]] Asking asking(const CallReference& asked_before) const {
    const std::chrono::duration<double> wait(wait_seconds);
    return {std::chrono::duration_cast<Duration>(wait), operator_id, asked_before, agreed};
  }
};

// A question that may be asked.
struct Passed {
  CallRules rules;
  CallReference asked_before;  // PassIntake's
};

// Whether the pictures may be taken by the means that were asked for.
CommandResult<void> RequireLivePictures(Components& components, const QuestionOptions& options) {
  if (options.pictures.empty()) {
    const auto live = RequireLiveSource(components, options.camera);
    if (!live) return std::unexpected(live.error());
    return {};
  }
  constexpr PictureMeans kMeans = PictureMeans::kElsewhere;
  const Status live = RequireLive(kMeans, fmt::format("--pictures gives {}", Shown(kMeans)),
                                  **components.settings());
  if (!live) return StopWith(ExitCode::kConfiguration, live.error());
  const auto found = FindBundlePictures(options.pictures, components.drivers().files);
  if (!found) return StopWith(ExitCode::kCapture, found.error());
  return {};
}

// Everything that is looked at before anybody types the number: what the rules of the call are.
CommandResult<CallRules> CheckOptions(Components& components, QueueAccess* kiosk,
                                      const VerificationCall& unnumbered,
                                      const QuestionOptions& options) {
  const VerificationCall& call = unnumbered;
  auto rules =
      RulesOf(components, kiosk == nullptr ? nullptr : kiosk->kiosk(), !call.reason.empty());
  if (!rules) return std::unexpected(rules.error());
  const auto profile = components.profile();
  if (!profile) return std::unexpected(profile.error());
  Status good = CheckKind(call, (*profile)->at(call.endpoint));
  if (good) good = CheckRequestReason(call, *rules);
  if (!good) return StopWith(ExitCode::kUsage, good.error());
  if (auto callable = CheckCallable(**profile, call.endpoint, rules->environment); !callable) {
    return StopWith(ExitCode::kConfiguration, callable.error());
  }
  if (TraitsOf(call.endpoint).TakesPictures()) {
    if (auto live = RequireLivePictures(components, options); !live) {
      return std::unexpected(live.error());
    }
  }
  return rules;
}

// Everything that is looked at before a camera opens or a call is kept.
CommandResult<Passed> CheckBefore(Components& components, QueueAccess* kiosk,
                                  const VerificationCall& call, CallRules rules,
                                  const QuestionOptions& options) {
  if (const Status good = CheckQuestion(call, rules); !good) {
    return StopWith(ExitCode::kUsage, good.error());
  }
  if (kiosk == nullptr) {
    if (const auto worker = components.worker(); !worker) {
      Failure why = worker.error();
      if (why.code == ExitCode::kKept) why.message += ". This check was not kept: ask again later";
      return std::unexpected(std::move(why));
    }
  }
  auto asked_before = kiosk != nullptr ? LookByKiosk(components, *kiosk, call, options.again)
                                       : PassIntake(components, call, options.again);
  if (!asked_before) return std::unexpected(asked_before.error());
  return Passed{std::move(rules), std::move(*asked_before)};
}

// Has the question asked, by the running kiosk where there is one.
CommandResult<ExitCode> Ask(Components& components, QueueAccess* kiosk,
                            const VerificationCall& call, const Asking& asking,
                            const CaptureRecord* record, Duration capture_time) {
  return kiosk != nullptr ? AskByKiosk(components, *kiosk, call, asking, record, capture_time)
                          : AcceptAndDeliver(components, call, asking, record, capture_time);
}

// A question with pictures, which are taken now.
CommandResult<ExitCode> AskWithPictures(Components& components, QueueAccess* kiosk,
                                        VerificationCall& call, const QuestionOptions& options,
                                        const Passed& passed) {
  const MonotonicTime start = components.drivers().clock.Now();
  auto captured = options.pictures.empty()
                      ? CaptureFrom(components, options.camera, CameraPurpose::kVerify)
                      : BundleFrom(components, options.pictures);
  if (!captured) return std::unexpected(captured.error());
  const Duration capture_time = components.drivers().clock.Now() - start;
  call.pictures = TakePictures(std::move(captured->bundle));
  if (auto good = CheckCall(call, passed.rules); !good) {
    return StopWith(ExitCode::kCapture, good.error());
  }
  return Ask(components, kiosk, call, options.asking(passed.asked_before), &captured->record,
             capture_time);
}

// A person at a terminal, or a script, may have asked for consent before.
CommandResult<std::optional<Consent>> ConsentOf(Components& components,
                                                const QuestionOptions& options) {
  if (options.consent.empty()) return std::nullopt;
  const auto texts = ConsentTexts::Load(**components.settings(), components.drivers().files);
  if (!texts) return StopWith(ExitCode::kConfiguration, texts.error());
  if (const Status good = texts->CheckLanguage(options.consent); !good) {
    return StopWith(ExitCode::kUsage, good.error().Within("--consent"));
  }
  return Consent{texts->version(), options.consent};
}

CommandResult<ExitCode> RunQuestion(Components& components, QuestionOptions& options) {
  const EndpointTraits traits = TraitsOf(options.endpoint);
  const NumberForm& form = NumberFormOf(traits);
  auto running = RunningKiosk(components);
  if (!running) return std::unexpected(running.error());
  std::unique_ptr<QueueAccess> kiosk;
  if (*running) kiosk = AccessBySocket(std::move(*running), components);
  VerificationCall call;
  call.endpoint = options.endpoint;
  call.id_type = options.type;
  call.reason = options.reason;
  call.search_type = options.search_type;
  auto consent = ConsentOf(components, options);
  if (!consent) return std::unexpected(consent.error());
  options.agreed = std::move(*consent);
  auto rules = CheckOptions(components, kiosk.get(), call, options);
  if (!rules) return std::unexpected(rules.error());
  auto number =
      NumberFrom(components, kiosk.get(), options.number, form.question, options.endpoint);
  if (!number) return std::unexpected(number.error());
  call.*form.member = std::move(*number);
  const auto passed = CheckBefore(components, kiosk.get(), call, std::move(*rules), options);
  if (!passed) return std::unexpected(passed.error());
  if (traits.TakesPictures()) {
    return AskWithPictures(components, kiosk.get(), call, options, *passed);
  }
  return Ask(components, kiosk.get(), call, options.asking(passed->asked_before), nullptr, {});
}

struct ReasonsOptions {
  bool refresh = false;

  std::vector<Argument> arguments() {
    return {{.name = "--refresh",
             .target = &refresh,
             .help = "Fetch the list from the service now, instead of using the stored one"}};
  }
};

CommandResult<ExitCode> RunReasons(Components& components, ReasonsOptions& options) {
  auto kiosk = RunningKiosk(components);
  if (!kiosk) return std::unexpected(kiosk.error());
  if (options.refresh) {
    if (const auto fetched = components.fresh_reasons(); !fetched) {
      return std::unexpected(fetched.error());
    }
  }
  const auto reasons = ReasonsOf(components, options.refresh ? nullptr : kiosk->get());
  if (!reasons) return std::unexpected(reasons.error());
  JsonWriter json;
  json.BeginObject().Key("reasons").BeginArray();
  for (const RequestReason& reason : reasons->list) {
    json.BeginObject().Field("code", reason.code).Field("label", reason.label).EndObject();
    if (!components.json())
      components.terminal().Print(
          fmt::format("{:<24} {}", Printable(reason.code), Printable(reason.label)));
  }
  json.EndArray();
  if (reasons->age) {
    json.Field("age_seconds", static_cast<int64_t>(*reasons->age / std::chrono::seconds(1)));
    components.terminal().Say(fmt::format("Fetched {} ago.", FormatDuration(*reasons->age)));
  }
  if (components.json()) components.terminal().Print(json.EndObject().text());
  return ExitCode::kDone;
}

}  // namespace

void AddVerifyCommands(CommandLine& line) {
  std::vector<Command> lookups;
  for (const Endpoint each : kEndpoints) {
    const EndpointTraits traits = TraitsOf(each);
    if (traits.task.empty()) continue;
    Command command =
        line.Make(std::string(traits.task), std::string(traits.summary), &RunQuestion, each);
    traits.looks_up ? lookups.push_back(std::move(command)) : line.Add(std::move(command));
  }
  line.AddGroup("lookup", "Look up what the service holds on a NIN or phone number",
                std::move(lookups));
  line.Add(line.Make("reasons", "List the codes that --reason takes, as the service names them",
                     &RunReasons));
}

}  // namespace idkiosk
