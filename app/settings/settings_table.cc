#include "app/settings/settings_table.h"

#include <algorithm>
#include <filesystem>
#include <ranges>
#include <type_traits>

#include "app/settings/contrast.h"
#include "app/settings/duration_text.h"
#include "app/settings/languages.h"
#include "app/settings/nin.h"
#include "app/settings/operator_name.h"
#include "app/settings/signing_key.h"
#include "app/settings/url_check.h"
#include "platform/base/bytes.h"
#include "platform/base/enum_rows.h"
#include "platform/base/text/digits.h"
#include "platform/base/text/printable.h"

namespace idkiosk {
namespace {

static_assert(std::size(kEnvironmentNames) == EnumeratorCount<Environment>());
static_assert(std::size(kModeNames) == EnumeratorCount<Mode>());

constexpr double kMinute = 60;
constexpr double kHour = 3600;
constexpr double kDay = 24 * kHour;
constexpr double kMebibyte = 1 << 20;

using TextMember = std::string& (*)(Settings&);

constexpr size_t kPinBytes = 32;

Result<std::string> CheckNin(std::string_view text) {
  if (!IsNin(text)) {
    return Fail(ErrorCode::kInvalid, "must be a number of {} digits, in quotes", kNinDigits);
  }
  return std::string(text);
}

Result<std::string> CheckPin(std::string_view text) {
  constexpr std::string_view kPrefix = "sha256//";
  const auto digest = FromBase64(text.substr(text.starts_with(kPrefix) ? kPrefix.size() : 0));
  if (!text.starts_with(kPrefix) || !digest || digest->size() != kPinBytes) {
    return Fail(ErrorCode::kInvalid,
                "must be \"sha256//\" and the base64 text of the SHA-256 of a public key");
  }
  return std::string(text);
}

// Which kinds there are is known to who makes the cameras.
Result<std::string> CheckCameraSource(std::string_view text) {
  const std::string_view kind = text.substr(0, text.find(':'));
  if (kind.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789") == std::string_view::npos) {
    return std::string(text);
  }
  return Fail(ErrorCode::kInvalid,
              "must be \"auto\" or KIND:WHERE, such as \"v4l2:/dev/video0\"; 'idkiosk capture "
              "--help' lists the kinds");
}

Result<std::string> CheckExposure(std::string_view text) {
  constexpr size_t kMostDigits = 9;
  const bool number =
      text.size() <= kMostDigits && text.find_first_not_of("0123456789") == std::string_view::npos;
  if (text != "auto" && !number) {
    return Fail(ErrorCode::kInvalid, "must be \"auto\" or the device's own number, in quotes");
  }
  return std::string(text);
}

Result<std::string> CheckOperator(std::string_view text) {
  if (Status good = CheckOperatorName(text); !good) return std::unexpected(good.error());
  return std::string(text);
}

Result<std::string> CheckConsentVersion(std::string_view text) {
  constexpr size_t kLongest = 32;
  const bool good = text.size() <= kLongest && std::ranges::all_of(text, [](char c) {
                      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                             (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
                    });
  if (good) return std::string(text);
  return Fail(ErrorCode::kInvalid, "must be at most {} letters, digits, - _ and .", kLongest);
}

// What comes after the colon is judged by who opens it.
Result<std::string> CheckPrinterTarget(std::string_view text) {
  for (const std::string_view kind : {"tcp:", "device:/", "file:/"}) {
    if (text.starts_with(kind) && text.size() > kind.size()) return std::string(text);
  }
  return Fail(ErrorCode::kInvalid,
              "must be \"tcp:HOST[:PORT]\", \"device:/dev/usb/lp0\" or \"file:/PATH\"");
}

Result<std::string> CheckTpmDevice(std::string_view text) {
  if (text.starts_with("/dev/") || text.starts_with("swtpm:")) return std::string(text);
  return Fail(ErrorCode::kInvalid,
              "must be a device, as \"/dev/tpmrm0\", or \"swtpm:path=SOCKET\" for a test");
}

Result<std::string> CheckPcrs(std::string_view text) {
  constexpr unsigned kPcrs = 24;
  for (const auto part : std::views::split(text, ',')) {
    const auto number = ParseNumber<unsigned>(std::string_view(part));
    if (!number || *number >= kPcrs) {
      return Fail(ErrorCode::kInvalid, "must be numbers from 0 to 23, as \"7\" or \"0,2,7\"");
    }
  }
  return std::string(text);
}

Result<std::string> CheckFleetName(std::string_view text) {
  if (IsFleetName(text)) return std::string(text);
  return Fail(ErrorCode::kInvalid, "must be 1 to 64 small letters, digits and hyphens");
}

Result<std::string> CheckSigningKey(std::string_view text) {
  if (ParseSigningKey(text)) return std::string(text);
  return Fail(ErrorCode::kInvalid,
              "must be a name and the base64 text of a public key of P-256, as 'idkiosk-fleetctl "
              "key-line' prints it");
}

Result<std::string> CheckColour(std::string_view text) {
  if (!ParseColour(text)) {
    return Fail(ErrorCode::kInvalid, "must be a colour, as \"#0b5d3b\"");
  }
  return std::string(text);
}

Choices NamesIn(std::span<const std::string_view> names) { return {names.begin(), names.end()}; }

// The key is the member's own name, so the two cannot differ.
#define SETTING(name, ...)                                                        \
  Setting {                                                                       \
    #name, [](Settings& settings) -> auto& { return settings.name; }, __VA_ARGS__ \
  }

#define LIMIT(name, value, from, to) , SETTING(capture.name, Range{from, to})

// Tables of data, not of steps: one row a key, in the order of kiosk.jsonc.

using Rows = std::vector<Setting>;

// What this is, and the service it asks.
Rows ServiceRows() {
  return {
      SETTING(environment, NamesIn(kEnvironmentNames)),
      SETTING(mode, NamesIn(kModeNames)),
      SETTING(state_folder, Path()),

      SETTING(service.base_url, CheckBaseUrl),
      SETTING(service.profile, Path()),
      SETTING(service.ca_file, Path()),
      SETTING(service.pins, CheckPin),
      SETTING(service.proxy, CheckProxy),
      SETTING(service.allow_plain_http, {}),
      SETTING(service.connect_timeout, Range{0.1, 2 * kMinute}),
      SETTING(service.total_timeout, Range{1, 10 * kMinute}),
      SETTING(service.max_answer_bytes, Range{64 << 10, 64 * kMebibyte}),
      SETTING(service.token_idle, Range{kMinute, kDay}),
      SETTING(service.test_nin, CheckNin),
  };
}

// From the camera to the sealed pictures.
Rows CaptureRows() {
  return {
      SETTING(camera.source, CheckCameraSource),
      SETTING(camera.width, Range{160, 7680}),
      SETTING(camera.height, Range{120, 4320}),
      SETTING(camera.frames_per_second, Range{1, 240}),
      SETTING(camera.silence, Range{0.1, kMinute}),
      SETTING(camera.power_line, Choices{"off", "50hz", "60hz", "auto"}),
      SETTING(camera.exposure, CheckExposure),

      SETTING(capture.detector, Choices{"auto", "yunet", "cascade"}),
      SETTING(capture.model, Path()),
      SETTING(capture.cascades, Path()) IDKIOSK_CAPTURE_LIMITS(LIMIT),
      SETTING(capture.hold, Range{0, 5}),
      SETTING(capture.spacing, Range{0, 10}),
      SETTING(capture.selfie_window, Range{0, 10}),
      SETTING(capture.lost_after, Range{0.1, 30}),
      SETTING(capture.challenge_timeout, Range{1, 5 * kMinute}),
      SETTING(capture.light_sequence, Choices{"auto", "on", "off"}),
      SETTING(capture.timeout, Range{5, 30 * kMinute}),
      SETTING(capture.selfie_side, Range{160, 4096}),
      SETTING(capture.liveness_side, Range{120, 4096}),
      SETTING(capture.jpeg_quality, Range{30, 100}),
      SETTING(capture.bundle_bytes, Range{20e3, 20e6}),
      SETTING(capture.allow_recorded, {}),
      SETTING(capture.debug_pictures, {}),
      SETTING(capture.may_leave_out,
              Choices{"turn_left", "turn_right", "look_up", "come_closer", "smile"}),
  };
}

// What is sent, kept and paid for.
Rows CallRows() {
  return {
      SETTING(billing.max_billed_attempts, Range{1, 10}),
      SETTING(billing.settling, Range{0, kDay}),
      SETTING(billing.calls_per_hour, Range{0, 1e6}),
      SETTING(billing.calls_per_day, Range{0, 1e7}),
      SETTING(billing.breaker_after, Range{0, 1000}),
      SETTING(billing.duplicate_window, Range{0, 30 * kDay}),

      SETTING(queue.max_age, Range{kMinute, 365 * kDay}),
      SETTING(queue.retention, Range{0, 365 * kDay}),
      SETTING(queue.backoff_first, Range{0.1, kHour}),
      SETTING(queue.backoff_last, Range{1, kDay}),
      SETTING(queue.reserve_bytes, Range{64 << 10, 1024 * kMebibyte}),
      SETTING(queue.max_calls, Range{1, 1e6}),
  };
}

// The page, its staff, and what stands around the person.
Rows ScreenRows() {
  return {
      SETTING(ui.port, Range{0, 65535}),
      SETTING(ui.browser_user, {}),
      SETTING(ui.language, PageLanguages()),
      SETTING(ui.sound, {}),
      SETTING(ui.voice_folder, Path()),
      SETTING(ui.reasons, {}),
      SETTING(ui.idle, Range{5, 10 * kMinute}),
      SETTING(ui.warning, Range{20, 2 * kMinute}),
      SETTING(ui.answer, Range{20, 10 * kMinute}),
      SETTING(ui.get_ready, Range{0, 30}),
      SETTING(ui.metrics, {}),

      SETTING(staff.name, CheckOperator),
      SETTING(staff.lock_after, Range{30, kHour}),
      SETTING(staff.two_persons, Choices{"auto", "always", "off"}),
      SETTING(staff.sticks, Path()),

      SETTING(tamper.gpio_chip, Path()),
      SETTING(tamper.line, Range{0, 1023}),
      SETTING(tamper.active, Choices{"low", "high"}),

      SETTING(consent.version, CheckConsentVersion),
      SETTING(consent.folder, Path()),

      SETTING(brand.name, {}),
      SETTING(brand.primary, CheckColour),
      SETTING(brand.accent, CheckColour),
      SETTING(brand.logo, Path()),

      SETTING(printer.target, CheckPrinterTarget),

      SETTING(light.led, Path()),
      SETTING(light.brightness, Range{1, 100}),
  };
}

// Other programs, headquarters and the log.
Rows ProgramRows() {
  return {
      SETTING(api.socket, Path()),
      SETTING(api.group, {}),
      SETTING(api.supervisors, {}),
      SETTING(api.fleet_user, {}),

      SETTING(results.webhook, CheckWebhook),
      SETTING(results.webhook_ca, Path()),
      SETTING(results.webhook_pins, CheckPin),
      SETTING(results.spool, Path()),
      SETTING(results.include, Choices{"nin", "answer"}),

      SETTING(tpm.device, CheckTpmDevice),
      SETTING(tpm.pcrs, CheckPcrs),

      SETTING(headquarters.tenant, CheckFleetName),
      SETTING(headquarters.kiosk, CheckFleetName),
      SETTING(headquarters.groups, CheckFleetName),
      SETTING(headquarters.keys, CheckSigningKey),

      SETTING(log.level, Choices{"debug", "info", "warn", "error"}),
      SETTING(log.file, Path()),
  };
}

const Rows& Table() {
  static const Rows table = [] {
    Rows joined;
    for (const Rows& part :
         {ServiceRows(), CaptureRows(), CallRows(), ScreenRows(), ProgramRows()}) {
      joined.insert(joined.end(), part.begin(), part.end());
    }
    return joined;
  }();
  return table;
}
#undef LIMIT
#undef SETTING

std::string RangeText(const Range& range) {
  return fmt::format("from {} to {}", range.from, range.to);
}

bool IsWithin(const Range& range, double value) { return value >= range.from && value <= range.to; }

std::string ChoicesText(const Choices& choices) {
  std::string text;
  for (size_t i = 0; i < choices.size(); ++i) {
    if (i > 0) text += i + 1 == choices.size() ? " or " : ", ";
    text += fmt::format("\"{}\"", choices[i]);
  }
  return text;
}

Result<std::string> CheckText(const Setting::Rule& rule, std::string_view text,
                              const std::string& folder) {
  if (const auto* choices = std::get_if<Choices>(&rule)) {
    if (std::ranges::find(*choices, text) == choices->end()) {
      return Fail(ErrorCode::kInvalid, "must be {}", ChoicesText(*choices));
    }
  }
  if (const auto* check = std::get_if<TextCheck>(&rule)) return (*check)(text);
  if (std::holds_alternative<Path>(rule)) {
    if (text.starts_with(' ') || text.ends_with(' ')) {
      return Fail(ErrorCode::kInvalid, "must not begin or end with a space");
    }
    return (std::filesystem::path(folder) / text).lexically_normal().string();
  }
  return std::string(text);
}

std::unexpected<Error> FailType(std::string_view wanted, JsonView value) {
  return Fail(ErrorCode::kInvalid, "must be {}, not {}", wanted, value.TypeName());
}

Status Read(const Setting&, JsonView value, const std::string&, bool& out) {
  const auto flag = value.AsBool();
  if (!flag) return FailType("true or false", value);
  out = *flag;
  return {};
}

template <typename Whole>
  requires std::is_integral_v<Whole>
Status Read(const Setting& setting, JsonView value, const std::string&, Whole& out) {
  const auto& range = std::get<Range>(setting.rule);
  const auto number = value.AsInteger();
  if (!number || !IsWithin(range, static_cast<double>(*number))) {
    return Fail(ErrorCode::kInvalid, "must be a whole number {}", RangeText(range));
  }
  out = static_cast<Whole>(*number);
  return {};
}

Status Read(const Setting& setting, JsonView value, const std::string&, double& out) {
  const auto& range = std::get<Range>(setting.rule);
  const auto number = value.AsNumber();
  if (!number || !IsWithin(range, *number)) {
    return Fail(ErrorCode::kInvalid, "must be a number {}", RangeText(range));
  }
  out = *number;
  return {};
}

Status Read(const Setting& setting, JsonView value, const std::string&, Duration& out) {
  const auto& range = std::get<Range>(setting.rule);
  const auto length = ParseDuration(value.AsString().value_or(""));
  if (!length || !IsWithin(range, std::chrono::duration<double>(*length).count())) {
    const auto text = [](double seconds) {
      return DurationText(std::chrono::duration_cast<Duration>(
          std::chrono::duration<double, std::milli>(seconds * 1000)));
    };
    return Fail(
        ErrorCode::kInvalid,
        "must be a duration with its unit (ms, s, min or h), in quotes, from \"{}\" to \"{}\"",
        text(range.from), text(range.to));
  }
  out = *length;
  return {};
}

Status Read(const Setting& setting, JsonView value, const std::string& folder, std::string& out) {
  const auto text = value.AsString();
  if (!text) return FailType("a text in quotes", value);
  // None of them means anything here, and each would break the lines of messages and logs, or show
  // them as they are not.
  if (Printable(*text) != *text) {
    return Fail(ErrorCode::kInvalid,
                "holds a line break or another control character, or one that turns letters round "
                "or is not seen");
  }
  auto checked = CheckText(setting.rule, *text, folder);
  if (!checked) return std::unexpected(checked.error());
  out = std::move(*checked);
  return {};
}

Status Read(const Setting& setting, JsonView value, const std::string& folder,
            std::vector<std::string>& out) {
  if (!value.IsArray()) return FailType("a list of texts, in brackets", value);
  std::vector<std::string> list;
  for (const JsonView each : value.children()) {
    std::string text;
    auto read = Read(setting, each, folder, text);
    if (read && each.AsString() == "") read = Fail(ErrorCode::kInvalid, "must not be empty");
    if (!read) {
      return Fail(ErrorCode::kInvalid, "is a list; each item {}", read.error().message);
    }
    list.push_back(std::move(text));
  }
  out = std::move(list);
  return {};
}

template <typename Enumeration>
  requires std::is_enum_v<Enumeration>
Status Read(const Setting& setting, JsonView value, const std::string&, Enumeration& out) {
  const auto& names = std::get<Choices>(setting.rule);
  const auto found = std::ranges::find(names, value.AsString().value_or(""));
  if (found == names.end()) return Fail(ErrorCode::kInvalid, "must be {}", ChoicesText(names));
  out = static_cast<Enumeration>(found - names.begin());
  return {};
}

std::string_view SectionOf(std::string_view key) {
  const size_t dot = key.find('.');
  return dot == std::string_view::npos ? std::string_view() : key.substr(0, dot);
}

}  // namespace

std::span<const Setting> AllSettings() { return Table(); }

const Setting* FindSetting(std::string_view key) {
  const auto found = std::ranges::find(Table(), key, &Setting::key);
  return found == Table().end() ? nullptr : &*found;
}

bool IsSection(std::string_view key) {
  return !key.empty() && std::ranges::any_of(Table(), [key](const Setting& each) {
    return SectionOf(each.key) == key;
  });
}

Status ReadSetting(const Setting& setting, JsonView value, const std::string& folder,
                   Settings& settings) {
  if (const auto* text = std::get_if<TextMember>(&setting.member); text && value.AsString() == "") {
    Settings defaults;
    if (!(*text)(defaults).empty()) return Fail(ErrorCode::kInvalid, "must not be empty");
    (*text)(settings).clear();
    return {};
  }
  return std::visit([&](auto member) { return Read(setting, value, folder, member(settings)); },
                    setting.member);
}

}  // namespace idkiosk
