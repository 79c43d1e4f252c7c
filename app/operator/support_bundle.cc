#include "app/operator/support_bundle.h"

#include <algorithm>
#include <charconv>
#include <deque>
#include <sstream>
#include <utility>

#include "app/operator/newest_files.h"
#include "app/session/staff/staff_list.h"
#include "app/settings/settings_report.h"
#include "platform/base/address.h"
#include "platform/base/json.h"
#include "platform/base/text/letter_case.h"

namespace idkiosk {
namespace {

constexpr int kVersion = 1;
constexpr size_t kKept = 5;

double Seconds(Duration duration) {
  return std::chrono::duration<double>(std::chrono::floor<std::chrono::milliseconds>(duration))
      .count();
}

void WriteProgram(JsonWriter& json, const SupportFacts& facts) {
  json.Key("program")
      .BeginObject()
      .Field("version", facts.version)
      .Field("libraries", facts.libraries);
  if (facts.uptime) json.Field("uptime_s", Seconds(*facts.uptime));
  if (facts.resident_bytes) json.Field("resident_bytes", *facts.resident_bytes);
  if (facts.free_bytes) json.Field("free_bytes", *facts.free_bytes);
  json.EndObject();
}

// What a name is made of: operator_name.h.
bool IsOfName(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '_' || c == '.';
}

bool IsNameOf(std::string_view word, const std::vector<std::string>& staff) {
  return std::ranges::any_of(
      staff, [word](const std::string& name) { return UpperCase(name) == UpperCase(word); });
}

// Takes out what is somebody's: numbers, and the names of staff.
std::string WithoutPersons(std::string_view text, const std::vector<std::string>& staff) {
  std::string clean;
  for (size_t at = 0; at < text.size();) {
    size_t end = at;
    while (end < text.size() && IsOfName(text[end])) ++end;
    std::string_view word = text.substr(at, end - at);
    // A name may end a sentence.
    while (word.ends_with('.') && !IsNameOf(word, staff)) word.remove_suffix(1);
    const bool is_name = !word.empty() && IsNameOf(word, staff);
    clean += is_name ? "[name]" : word;
    at += word.size();
    if (word.empty()) clean += text[at++];
  }
  return WithoutLongNumbers(clean);
}

void WriteReadiness(JsonWriter& json, const SupportFacts& facts) {
  Findings clean = facts.findings;
  for (Finding& each : clean) {
    each.text = WithoutPersons(each.text, facts.staff);
    each.mend = WithoutPersons(each.mend, facts.staff);
  }
  json.Key("readiness");
  WriteFindings(json, clean);
}

void WriteQueue(JsonWriter& json, const QueueStats& queue, const std::vector<std::string>& staff) {
  json.Key("queue").BeginObject();
  WriteStats(json, queue);
  json.Key("holds").BeginArray();
  for (const Hold& hold : queue.holds) {
    json.BeginObject()
        .Field("reason", Name(hold.reason))
        .Field("since", FormatRfc3339(hold.since))
        .Field("detail", WithoutPersons(hold.detail, staff))
        .EndObject();
  }
  json.EndArray().EndObject();
}

void WriteLedger(JsonWriter& json, const SupportFacts& facts) {
  json.Key("billed_by_hour").BeginArray();
  for (const BilledHour& hour : facts.hours) {
    if (hour.calls == 0) continue;
    json.BeginObject()
        .Field("hour", FormatRfc3339(hour.from))
        .Field("calls", hour.calls)
        .Field("price", static_cast<double>(hour.price) / 100)
        .Field("currency", facts.currency)
        .EndObject();
  }
  json.EndArray();
}

// How it went, and nothing of what was seen: a measure of a face is somebody's.
void WriteCapture(JsonWriter& json, const CaptureRecord& record) {
  json.Key("last_capture")
      .BeginObject()
      .Field("detector", record.detector)
      .Field("camera", WithoutCredentials(record.camera.source))
      .Field("width_px", record.camera.width)
      .Field("height_px", record.camera.height)
      .Field("to_first_frame_s", Seconds(record.to_first_frame))
      .Field("to_selfie_s", Seconds(record.to_selfie))
      .Field("to_bundle_s", Seconds(record.to_bundle))
      .Field("frames", record.frames)
      .Field("damaged_frames", record.damaged_frames)
      .Field("restarts", record.restarts)
      .EndObject();
}

void WriteLog(JsonWriter& json, const SupportFacts& facts) {
  json.Key("log").BeginArray();
  for (const std::string& line : facts.log) json.Value(WithoutPersons(line, facts.staff));
  json.EndArray();
}

}  // namespace

std::vector<std::string> LinesOf(const std::vector<LogLine>& lines) {
  std::vector<std::string> texts;
  for (const LogLine& line : lines) {
    texts.push_back(fmt::format("{} {} {}", FormatRfc3339(line.time), Name(line.level), line.text));
  }
  return texts;
}

std::vector<std::string> NewestLinesOf(FileSystem& files, const std::string& path) {
  constexpr size_t kLargestLog = 8 << 20;
  const auto text = files.Read(path, kLargestLog);
  std::deque<std::string> newest;
  if (!text) return {};
  std::istringstream stream{std::string(AsText(*text))};
  for (std::string line; std::getline(stream, line);) {
    newest.push_back(std::move(line));
    if (newest.size() > kKeptLogLines) newest.pop_front();
  }
  return {newest.begin(), newest.end()};
}

std::vector<std::string> StaffNames(SecureStorage& vault) {
  std::vector<std::string> names;
  const auto staff = ReadStaff(vault);
  if (!staff) return names;
  for (const StaffMember& each : *staff) {
    if (!IsUnnamed(each)) names.push_back(each.name);
  }
  return names;
}

// Resident pages are the second number of /proc/self/statm.
int64_t ResidentBytes(FileSystem& files) {
  constexpr int64_t kPage = 4096;
  const auto statm = files.Read("/proc/self/statm", 256);
  if (!statm) return 0;
  const std::string_view text = AsText(*statm);
  const size_t second = std::min(text.find(' '), text.size() - 1) + 1;
  int64_t pages = 0;
  (void)std::from_chars(text.data() + second, text.data() + text.size(), pages);
  return pages * kPage;
}

std::string SupportText(const SupportFacts& facts) {
  JsonWriter json(2);
  json.BeginObject()
      .Field("what",
             "The state of this kiosk, for support. It holds no personal data, no secret and no "
             "picture.")
      .Field("version", kVersion)
      .Field("made_at", FormatRfc3339(facts.made_at));
  WriteProgram(json, facts);
  json.Key("settings");
  WriteSettings(json, facts.settings);
  WriteReadiness(json, facts);
  if (facts.queue) WriteQueue(json, *facts.queue, facts.staff);
  WriteLedger(json, facts);
  if (facts.last_capture) WriteCapture(json, *facts.last_capture);
  WriteLog(json, facts);
  return json.EndObject().Take() + "\n";
}

Result<std::string> KeepSupportBundle(FileSystem& files, const std::string& state_folder,
                                      const SupportFacts& facts) {
  const std::string folder = state_folder + "/support";
  // Room for the new one first: a full disk is what people ask for help with.
  if (Status room = MakeRoom(files, folder, {"support-", ".json"}, kKept); !room) {
    return std::unexpected(room.error());
  }
  const std::string path = fmt::format("{}/support-{}.json", folder, TimeForName(facts.made_at));
  Status written = files.WriteDurably(path, AsBytes(SupportText(facts)), FileAccess::kOwnerOnly);
  if (!written) return std::unexpected(written.error());
  return path;
}

}  // namespace idkiosk
