#include "drivers/camera/opencv_source.h"

#include <fmt/format.h>

#include <algorithm>

#include "platform/base/address.h"
#include "platform/base/text/digits.h"
#include "platform/base/text/letter_case.h"

namespace idkiosk {
namespace {

constexpr std::string_view kSchemeEnd = "://";
// By http a film comes as well as a camera: the camera's driver looks whether it has an end.
constexpr std::string_view kSchemes[] = {"rtsp", "rtsps", "rtmp", "rtmps", "rtp",
                                         "udp",  "srt",   "tcp",  "http",  "https"};
// Elements that are a source by another name than one.
constexpr std::string_view kBins[] = {"uridecodebin", "uridecodebin3", "urisourcebin",
                                      "playbin",      "playbin3",      "parsebin"};

bool IsNumber(std::string_view name) { return name.size() < 4 && AreDigits(name); }

template <size_t kCount>
bool IsOneOf(std::string_view word, const std::string_view (&words)[kCount]) {
  return std::ranges::find(words, word) != std::end(words);
}

bool IsLivePipeline(std::string_view pipeline) {
  bool live = false;
  for (const std::string_view word : WordsOf(pipeline)) {
    const bool is_source = word.ends_with("src") && !word.contains('=');
    const SourceElement* const element = SourceElementOf(word);
    const bool is_live = element != nullptr && element->is_live;
    if (IsOneOf(word, kBins) || (is_source && !is_live)) return false;
    live = live || is_source;
  }
  return live;
}

bool IsStream(std::string_view name) {
  const std::string scheme =
      LowerCase(name.substr(0, std::min(name.find(kSchemeEnd), name.size())));
  return scheme.size() < name.size() && IsOneOf(std::string_view(scheme), kSchemes);
}

std::string PathOf(std::string_view name) {
  for (const std::string_view scheme : {"file://", "file:"}) {
    if (name.starts_with(scheme)) return std::string(name.substr(scheme.size()));
  }
  return std::string(name);
}

}  // namespace

const SourceElement* SourceElementOf(std::string_view name) {
  const auto* const found = std::ranges::find(kSourceElements, name, &SourceElement::name);
  return found == std::end(kSourceElements) ? nullptr : found;
}

std::vector<std::string_view> WordsOf(std::string_view pipeline) {
  std::vector<std::string_view> words;
  while (!pipeline.empty()) {
    const size_t end = std::min(pipeline.find_first_of(kBetweenWords), pipeline.size());
    words.push_back(pipeline.substr(0, end));
    pipeline.remove_prefix(std::min(pipeline.size(), end + 1));
  }
  return words;
}

OpenCvSource ParseOpenCvSource(std::string_view name) {
  using Kind = OpenCvSource::Kind;
  if (IsNumber(name)) return {Kind::kNumber, "", PictureMeans::kLive};
  if (name.contains('!')) {
    return {Kind::kPipeline, "",
            IsLivePipeline(name) ? PictureMeans::kLive : PictureMeans::kRecorded};
  }
  if (IsStream(name)) return {Kind::kAddress, "", PictureMeans::kLive};
  return {Kind::kFile, PathOf(name), PictureMeans::kRecorded};
}

std::string ShownOpenCvName(std::string_view name) {
  return WithoutCredentials(fmt::format("{}{}", kOpenCv, name)).substr(kOpenCv.size());
}

}  // namespace idkiosk
