#include "app/service/request_reasons.h"

#include <algorithm>
#include <utility>

#include "platform/base/json.h"

// The file: {"version": 1, "fetched_at": RFC 3339, "reasons": [{"code": ..., "label": ...}, ...]}.

namespace idkiosk {
namespace {

constexpr int kVersion = 1;
constexpr size_t kMaxFile = 1 << 20;  // bytes

}  // namespace

RequestReasons::RequestReasons(FileSystem& files, const Clock& clock, std::string path)
    : files_(files), clock_(clock), path_(std::move(path)) {}

Status RequestReasons::Load() {
  const auto bytes = files_.Read(path_, kMaxFile);
  if (!bytes) return std::unexpected(bytes.error());
  const auto damaged = [this](std::string_view why) {
    return Fail(ErrorCode::kCorrupt,
                "the kept list of request reasons in {} is damaged ({}): run 'idkiosk reasons "
                "--refresh'",
                path_, why);
  };
  const auto document = JsonDocument::Parse(AsText(*bytes));
  if (!document) return damaged(document.error().message);
  const JsonView root = document->root();
  if (root["version"].AsInteger() != kVersion) return damaged("another version");
  const auto fetched_at = ParseRfc3339(root["fetched_at"].AsString().value_or(""));
  std::vector<RequestReason> list;
  for (JsonView each : root["reasons"].children()) {
    const auto code = each["code"].AsString();
    const auto label = each["label"].AsString();
    if (!code || !label) return damaged("a reason without code or label");
    list.push_back({std::string(*code), std::string(*label)});
  }
  if (!fetched_at || list.empty()) return damaged("not complete");
  fetched_at_ = fetched_at;
  list_ = std::move(list);
  return {};
}

Status RequestReasons::Replace(std::vector<RequestReason> reasons) {
  list_ = std::move(reasons);
  fetched_at_ = clock_.WallNow();
  JsonWriter json;
  json.BeginObject()
      .Field("version", kVersion)
      .Field("fetched_at", FormatRfc3339(*fetched_at_))
      .Key("reasons")
      .BeginArray();
  for (const RequestReason& each : list_) {
    json.BeginObject().Field("code", each.code).Field("label", each.label).EndObject();
  }
  json.EndArray().EndObject();
  return files_.WriteDurably(path_, AsBytes(json.text()), FileAccess::kOwnerOnly);
}

std::vector<std::string> RequestReasons::codes() const {
  std::vector<std::string> codes;
  for (const RequestReason& each : list_) codes.push_back(each.code);
  return codes;
}

std::optional<Duration> RequestReasons::age() const {
  if (!fetched_at_ || clock_.WallNow() < *fetched_at_) return std::nullopt;
  return clock_.WallNow() - *fetched_at_;
}

}  // namespace idkiosk
