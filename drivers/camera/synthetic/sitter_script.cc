#include "drivers/camera/synthetic/sitter_script.h"

#include <fmt/ranges.h>

#include <array>
#include <charconv>
#include <functional>
#include <string>
#include <vector>

#include "platform/base/text/digits.h"

namespace idkiosk {
namespace {

constexpr std::array<std::pair<std::string_view, SitterMask>, 5> kMasks = {
    {{"none", SitterMask::kNone},
     {"blue", SitterMask::kBlue},
     {"white", SitterMask::kWhite},
     {"black", SitterMask::kBlack},
     {"brown", SitterMask::kBrown}}};
constexpr std::array<std::pair<std::string_view, SitterGlasses>, 3> kGlasses = {
    {{"none", SitterGlasses::kNone},
     {"clear", SitterGlasses::kClear},
     {"dark", SitterGlasses::kDark}}};
constexpr std::array<std::pair<std::string_view, SitterLight>, 8> kLights = {
    {{"good", SitterLight::kGood},
     {"dim", SitterLight::kDim},
     {"dark", SitterLight::kDark},
     {"bright", SitterLight::kBright},
     {"behind", SitterLight::kBehind},
     {"side", SitterLight::kSide},
     {"window", SitterLight::kWindow},
     {"sun", SitterLight::kSun}}};

Result<double> NumberFrom(std::string_view key, std::string_view text, double low, double high) {
  const auto value = ParseNumber<double>(text);
  if (!value || !(*value >= low && *value <= high)) {
    return Fail(ErrorCode::kInvalid, "the sitter's {} is '{}'; it can be a number from {} to {}",
                key, text, low, high);
  }
  return *value;
}

Result<SitterScreen> ParseColour(std::string_view key, std::string_view text) {
  uint32_t rgb = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] =
      std::from_chars(text.data() + (text.starts_with('#') ? 1 : 0), end, rgb, 16);
  if (text.size() != 7 || text[0] != '#' || error != std::errc() || stop != end) {
    return Fail(ErrorCode::kInvalid, "the sitter's {} is '{}'; it can be a colour as #ff8000", key,
                text);
  }
  return SitterScreen{static_cast<uint8_t>(rgb >> 16), static_cast<uint8_t>(rgb >> 8),
                      static_cast<uint8_t>(rgb)};
}

Result<bool> ParseSwitch(std::string_view key, std::string_view text) {
  if (text == "yes") return true;
  if (text == "no") return false;
  return Fail(ErrorCode::kInvalid, "the sitter's {} is '{}'; it can be yes or no", key, text);
}

Duration Seconds(double seconds) {
  return std::chrono::duration_cast<Duration>(std::chrono::duration<double>(seconds));
}

Result<SitterFault> ParseFault(std::string_view key, std::string_view text) {
  constexpr double kDay = 86400;
  const size_t plus = text.find('+');
  const auto from = NumberFrom(key, text.substr(0, plus), 0, kDay);
  if (!from) return std::unexpected(from.error());
  SitterFault fault{Seconds(*from)};
  if (plus == std::string_view::npos) return fault;
  const auto length = NumberFrom(key, text.substr(plus + 1), 0, kDay);
  if (!length) return std::unexpected(length.error());
  fault.length = Seconds(*length);
  return fault;
}

// One key of the script: reads its value into the script.
struct Key {
  std::string_view name;
  std::function<Status(std::string_view, SitterScript&)> read;
};

template <typename Field>
Key NumberKey(std::string_view name, double low, double high, Field field) {
  return {name, [=](std::string_view text, SitterScript& script) -> Status {
            const auto value = NumberFrom(name, text, low, high);
            if (!value) return std::unexpected(value.error());
            field(script, *value);
            return {};
          }};
}

// `field` returns a reference to the switch in a script.
template <typename Field>
Key SwitchKey(std::string_view name, Field field) {
  return {name, [=](std::string_view text, SitterScript& script) -> Status {
            const auto value = ParseSwitch(name, text);
            if (!value) return std::unexpected(value.error());
            field(script) = *value;
            return {};
          }};
}

Key FaultKey(std::string_view name, std::optional<SitterFault> SitterScript::* field) {
  return {name, [=](std::string_view text, SitterScript& script) -> Status {
            const auto fault = ParseFault(name, text);
            if (!fault) return std::unexpected(fault.error());
            script.*field = *fault;
            return {};
          }};
}

// One of `words`; `field` returns a reference to where its value goes.
template <typename Words, typename Field>
Key WordKey(std::string_view key, const Words& words, Field field) {
  return {key, [=, &words](std::string_view text, SitterScript& script) -> Status {
            std::vector<std::string_view> names;
            for (const auto& [name, value] : words) {
              if (name == text) {
                field(script) = value;
                return {};
              }
              names.push_back(name);
            }
            return Fail(ErrorCode::kInvalid, "the sitter's {} is '{}'; it can be {}", key, text,
                        fmt::join(names, ", "));
          }};
}

const std::vector<Key>& Keys() {
  using S = SitterScript;
  static const std::vector<Key> keys = {
      NumberKey("yaw", -90, 90, [](S& s, double v) { s.rest.yaw = v; }),
      NumberKey("pitch", -60, 60, [](S& s, double v) { s.rest.pitch = v; }),
      NumberKey("roll", -180, 180, [](S& s, double v) { s.rest.roll = v; }),
      NumberKey("distance", 0.4, 5, [](S& s, double v) { s.rest.distance = v; }),
      NumberKey("smile", 0, 1, [](S& s, double v) { s.rest.smile = v; }),
      NumberKey("blink", 0, 1, [](S& s, double v) { s.rest.blink = v; }),
      NumberKey("mouth", 0, 1, [](S& s, double v) { s.rest.mouth = v; }),
      NumberKey("tone", 1, 8, [](S& s, double v) { s.tone = static_cast<int>(v); }),
      WordKey("mask", kMasks, [](S& s) -> SitterMask& { return s.wear.mask; }),
      WordKey("glasses", kGlasses, [](S& s) -> SitterGlasses& { return s.wear.glasses; }),
      SwitchKey("hand", [](S& s) -> bool& { return s.wear.hand; }),
      SwitchKey("scarf", [](S& s) -> bool& { return s.wear.scarf; }),
      SwitchKey("beard", [](S& s) -> bool& { return s.wear.beard; }),
      SwitchKey("hat", [](S& s) -> bool& { return s.wear.hat; }),
      WordKey("light", kLights, [](S& s) -> SitterLight& { return s.light; }),
      {"screen",
       [](std::string_view text, S& script) -> Status {
         const auto colour = ParseColour("screen", text);
         if (!colour) return std::unexpected(colour.error());
         script.screen = *colour;
         return {};
       }},
      NumberKey("fade", 0, 60000, [](S& s, double v) { s.fade = Seconds(v / 1000); }),
      NumberKey("shine", 0, 2, [](S& s, double v) { s.shine = v; }),
      NumberKey("latency", 0, 10, [](S& s, double v) { s.latency = static_cast<int>(v); }),
      NumberKey("awb", 0, 60, [](S& s, double v) { s.white_balance = v; }),
      NumberKey("blur", 0, 40, [](S& s, double v) { s.blur = v; }),
      NumberKey("noise", 0, 80, [](S& s, double v) { s.noise = v; }),
      NumberKey("people", 0, 2, [](S& s, double v) { s.people = static_cast<int>(v); }),
      SwitchKey("photo", [](S& s) -> bool& { return s.photo; }),
      SwitchKey("follow", [](S& s) -> bool& { return s.follow; }),
      NumberKey("reaction", 0, 60000, [](S& s, double v) { s.reaction = Seconds(v / 1000); }),
      NumberKey("fps", 1, 30, [](S& s, double v) { s.fps = v; }),
      NumberKey("seed", 0, 4e9, [](S& s, double v) { s.seed = static_cast<uint32_t>(v); }),
      FaultKey("freeze", &S::freeze),
      FaultKey("black", &S::black),
      FaultKey("silent", &S::silent),
      FaultKey("unplug", &S::unplug),
      FaultKey("swap", &S::swap),
      FaultKey("crowd", &S::crowd),
  };
  return keys;
}

Status ReadPart(std::string_view part, SitterScript& script) {
  const size_t equals = part.find('=');
  const std::string_view name = part.substr(0, equals);
  if (equals == std::string_view::npos) {
    return Fail(ErrorCode::kInvalid, "'{}' in the sitter's script is not of the form KEY=VALUE",
                part);
  }
  std::vector<std::string_view> names;
  for (const Key& key : Keys()) {
    if (key.name == name) return key.read(part.substr(equals + 1), script);
    names.push_back(key.name);
  }
  return Fail(ErrorCode::kInvalid, "the sitter knows no '{}'; a script can hold {}", name,
              fmt::join(names, ", "));
}

}  // namespace

Result<SitterScript> ParseSitterScript(std::string_view text) {
  SitterScript script;
  while (!text.empty()) {
    const size_t comma = text.find(',');
    if (Status read = ReadPart(text.substr(0, comma), script); !read) {
      return std::unexpected(read.error());
    }
    text = comma == std::string_view::npos ? "" : text.substr(comma + 1);
  }
  return script;
}

}  // namespace idkiosk
