#include "app/operator/installation.h"

#include <charconv>
#include <optional>
#include <utility>

#include "platform/base/address.h"

namespace idkiosk {
namespace {

constexpr size_t kLargestFile = 1 << 16;  // of the kernel's
// A person is judged against what is behind them: as for the guidance "light_behind".
constexpr double kLightBehind = 2.5;
constexpr int kDimmed = 60;  // percent: paler screens are hard to read by daylight

// The names in a folder; empty where there is no such folder.
std::vector<std::string> NamesIn(FileSystem& files, const std::string& folder) {
  return files.List(folder).value_or(std::vector<std::string>());
}

// The first line of a small file of the kernel; empty where it cannot be read.
std::string FirstLine(FileSystem& files, const std::string& path) {
  const auto bytes = files.Read(path, kLargestFile);
  if (!bytes) return "";
  const std::string_view text = AsText(*bytes);
  return std::string(text.substr(0, text.find('\n')));
}

std::optional<int> NumberIn(FileSystem& files, const std::string& path) {
  const std::string text = FirstLine(files, path);
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || text.empty()) return std::nullopt;
  return number;
}

// "card0-HDMI-A-1" is the connector HDMI-A-1.
Findings CheckConnectors(FileSystem& files) {
  const std::string folder = "/sys/class/drm";
  Findings findings;
  for (const std::string& name : NamesIn(files, folder)) {
    const std::string connector = folder + "/" + name;
    if (FirstLine(files, connector + "/status") != "connected") continue;
    const std::string mode = FirstLine(files, connector + "/modes");
    findings.push_back(
        Finding::Good(KioskPart::kScreen, fmt::format("{}, {}", name.substr(name.find('-') + 1),
                                                      mode.empty() ? "resolution unknown" : mode)));
  }
  if (findings.empty()) {
    findings.push_back(
        Finding::Note(KioskPart::kScreen, "the kernel knows of no screen that is connected",
                      "Check the screen's cable and power. A screen that the kernel does "
                      "not know may still show the page: look there."));
  }
  return findings;
}

Findings CheckBrightness(FileSystem& files) {
  const std::string folder = "/sys/class/backlight";
  Findings findings;
  for (const std::string& name : NamesIn(files, folder)) {
    const auto now = NumberIn(files, folder + "/" + name + "/brightness");
    const auto most = NumberIn(files, folder + "/" + name + "/max_brightness");
    if (!now || !most || *most <= 0) continue;
    const int percent = static_cast<int>(int64_t{100} * *now / *most);
    std::string text = fmt::format("brightness of {}: {} %", name, percent);
    findings.push_back(
        percent >= kDimmed
            ? Finding::Good(KioskPart::kScreen, std::move(text))
            : Finding::Note(KioskPart::kScreen, std::move(text),
                            fmt::format("Raise it: write up to {} into {}/{}/brightness.", *most,
                                        folder, name)));
  }
  return findings;
}

// The value of a line that begins so, without quotes; nothing where none does.
std::optional<std::string> ValueOf(std::string_view block, std::string_view key) {
  const size_t at = block.find(key);
  if (at == std::string_view::npos) return std::nullopt;
  std::string_view value = block.substr(at + key.size());
  value = value.substr(0, value.find('\n'));
  if (value.starts_with('"') && value.ends_with('"') && value.size() > 1) {
    value = value.substr(1, value.size() - 2);
  }
  return std::string(value);
}

// A panel that is touched where it shows something has the input property "direct", the second bit.
bool IsTouchPanel(std::string_view block) {
  const auto properties = ValueOf(block, "B: PROP=");
  if (!properties) return false;
  unsigned bits = 0;
  const char* const end = properties->data() + properties->size();
  return std::from_chars(properties->data(), end, bits, 16).ec == std::errc() && (bits & 2U) != 0;
}

Finding CheckTouch(FileSystem& files) {
  const auto bytes = files.Read("/proc/bus/input/devices", kLargestFile);
  std::vector<std::string> panels;
  std::string_view text = bytes ? AsText(*bytes) : std::string_view();
  while (!text.empty()) {
    const size_t end = std::min(text.find("\n\n"), text.size());
    const std::string_view block = text.substr(0, end);
    if (IsTouchPanel(block))
      panels.push_back(ValueOf(block, "N: Name=").value_or("without a name"));
    text.remove_prefix(std::min(end + 2, text.size()));
  }
  if (!panels.empty()) {
    return Finding::Good(KioskPart::kScreen, fmt::format("touch: {}", fmt::join(panels, ", ")));
  }
  return Finding::Note(KioskPart::kScreen, "the kernel knows of no touch panel",
                       "Plug the screen's USB cable in, unless people use mouse and keyboard.");
}

int Milliseconds(Duration duration) {
  return static_cast<int>(std::chrono::ceil<std::chrono::milliseconds>(duration).count());
}

// "kiosk.example:8443" of "https://kiosk.example:8443/v1".
std::string HostOf(const std::string& url) {
  const std::string shown = WithoutCredentials(url);
  const size_t scheme = shown.find("://");
  const size_t begin = scheme == std::string::npos ? 0 : scheme + 3;
  return shown.substr(begin, shown.find_first_of("/?#", begin) - begin);
}

}  // namespace

Findings CheckSitter(const CameraTuning& tuning, const CaptureSettings& limits) {
  const auto seen = tuning.Finish();
  if (!seen) {
    return {Finding::Bad(
        KioskPart::kCamera, seen.error().message,
        "Mend what is named there, and look again; the console's camera tab shows each "
        "measure while it changes.")};
  }
  Findings findings = {Finding::Good(
      KioskPart::kCamera,
      fmt::format("a face in {} of {} frames; sharpness {:.0f}, its worst tenth {:.0f}", seen->used,
                  seen->frames, seen->sharpness, seen->least_sharpness))};
  if (seen->least_sharpness < limits.min_sharpness) {
    findings.push_back(Finding::Note(
        KioskPart::kCamera,
        fmt::format("capture.min_sharpness is {:g}: people would often be told to hold still",
                    limits.min_sharpness),
        "Focus the camera, or have 'idkiosk tune' set the limits that fit it."));
  }
  std::string light =
      fmt::format("light on the face {:.0f} of 255, behind it {:.0f}", seen->luma, seen->surround);
  findings.push_back(
      seen->surround > kLightBehind * seen->luma
          ? Finding::Bad(KioskPart::kLight, std::move(light),
                         "The light comes from behind: turn the kiosk away from the window, "
                         "or light the face.")
          : Finding::Good(KioskPart::kLight, std::move(light)));
  return findings;
}

Findings CheckScreen(FileSystem& files) {
  Findings findings = CheckConnectors(files);
  Append(findings, CheckBrightness(files));
  findings.push_back(CheckTouch(files));
  return findings;
}

Finding CheckBoardClock(FileSystem& files) {
  if (!NamesIn(files, "/sys/class/rtc").empty()) {
    return Finding::Good(KioskPart::kClock, "the board's own clock goes on without power");
  }
  return Finding::Note(
      KioskPart::kClock, "the board has no clock of its own",
      "Give the kiosk a time server: after each start nothing is sent before it has "
      "answered.");
}

Finding CheckConnection(HttpClient& http, const std::string& url, KioskPart part,
                        const Clock& clock) {
  const std::string host = HostOf(url);
  const MonotonicTime start = clock.Now();
  std::optional<Duration> connected;
  HttpRequest request;
  request.url = SecretBytes::CopyOf(url);
  request.fresh_connection = true;
  const HttpExchange tried = http.Send(request, [&]() -> Status {
    connected = clock.Now() - start;
    return Fail(ErrorCode::kCancelled, "nothing is to be sent");
  });
  if (connected) {
    return Finding::Good(
        part, fmt::format("{}: connected in {} ms{}", host, Milliseconds(*connected),
                          url.starts_with("https:") ? ", TLS included" : ", without TLS"));
  }
  return Finding::Bad(
      part, fmt::format("{}: {}", host, tried.error ? tried.error->message : "no answer"),
      "Check cable, name server, firewall and proxy. Where a certificate or a key is named: "
      "its file and pins in the settings, and the clock.");
}

Finding CheckRootKey(SecureStorage& vault, FileSystem& files, const std::string& tpm_device) {
  const SecureStorage::RootKey root = vault.DescribeRootKey();
  if (!root.mend.empty()) {
    return Finding::Bad(KioskPart::kVault, fmt::format("{}: {}", root.state, root.text), root.mend);
  }
  if (root.place == "tpm")
    return Finding::Good(KioskPart::kVault, "the vault's key is kept by the TPM");
  const bool has_tpm = files.Exists(tpm_device).value_or(false);
  if (has_tpm) {
    return Finding::Note(KioskPart::kVault,
                         "the vault's key lies in a file, though the board has a TPM",
                         "Move it: 'idkiosk vault protect --tpm'.");
  }
  return Finding::Note(
      KioskPart::kVault, fmt::format("the vault's key lies in a file: {} is not there", tpm_device),
      "Switch the TPM on in the firmware, then move the key: 'idkiosk vault protect "
      "--tpm'. A board without one protects nothing from whoever takes its disk.");
}

PrintJob TestSlip(const std::string& brand, WallTime now) {
  using Kind = PrintPart::Kind;
  return {{Kind::kText, brand},
          {Kind::kHeading, "Test slip"},
          {Kind::kRule, ""},
          {Kind::kLetters, "ABC 123"},
          {Kind::kSquareCode, "idkiosk test slip"},
          {Kind::kText, "A test, not a check."},
          {Kind::kText, FormatRfc3339(now)}};
}

}  // namespace idkiosk
