#include "app/service/request_codec.h"

#include <algorithm>
#include <array>
#include <utility>

#include "app/service/secret_writer.h"

namespace idkiosk {
namespace {

// Pieces one after the other: text that was made for this request, and borrowed bytes, as they are
// or as base64.
class SegmentedBody final : public HttpBody {
 public:
  class Builder;

  [[nodiscard]] uint64_t size() const override { return size_; }

  [[nodiscard]] size_t Read(std::span<char> out) override {
    size_t written = 0;
    while (written < out.size()) {
      const size_t count = ReadSome(out.subspan(written));
      if (count == 0) break;
      written += count;
    }
    return written;
  }

 private:
  struct Segment {
    ByteSpan bytes;
    bool base64 = false;
  };

  SegmentedBody(SecretBytes text, std::vector<Segment> segments)
      : text_(std::move(text)), segments_(std::move(segments)) {
    for (const Segment& each : segments_) {
      size_ += each.base64 ? Base64Size(each.bytes.size()) : each.bytes.size();
    }
  }

  size_t ReadSome(std::span<char> out) {
    if (carry_.size() > 0) {
      const size_t count = std::min(carry_.size(), out.size());
      std::ranges::copy(carry_.first(count), out.begin());
      carry_ = carry_.subspan(count);
      return count;
    }
    while (at_ < segments_.size() && offset_ == segments_[at_].bytes.size()) {
      ++at_;
      offset_ = 0;
    }
    if (at_ == segments_.size()) return 0;
    const ByteSpan rest = segments_[at_].bytes.subspan(offset_);
    return segments_[at_].base64 ? ReadBase64(rest, out) : ReadPlain(rest, out);
  }

  size_t ReadPlain(ByteSpan rest, std::span<char> out) {
    const size_t count = std::min(rest.size(), out.size());
    std::ranges::copy(AsText(rest.first(count)), out.begin());
    offset_ += count;
    return count;
  }

  size_t ReadBase64(ByteSpan rest, std::span<char> out) {
    if (out.size() < carry_buffer_.size()) {
      const size_t taken = std::min<size_t>(rest.size(), 3);
      Base64Encode(rest.first(taken), carry_buffer_);
      offset_ += taken;
      carry_ = carry_buffer_;
      return ReadSome(out);
    }
    const size_t taken = std::min(rest.size(), out.size() / 4 * 3);
    Base64Encode(rest.first(taken), out);
    offset_ += taken;
    return Base64Size(taken);
  }

  const SecretBytes text_;
  const std::vector<Segment> segments_;
  uint64_t size_ = 0;
  size_t at_ = 0;
  size_t offset_ = 0;
  std::array<char, 4> carry_buffer_{};
  std::span<const char> carry_;  // a group of base64 that did not fit whole
};

class SegmentedBody::Builder {
 public:
  SecretWriter& text() { return text_; }

  void Borrow(ByteSpan bytes, bool base64) {
    EndText();
    parts_.push_back({{bytes, base64}, 0, 0});
  }

  std::unique_ptr<HttpBody> Build() {
    EndText();
    SecretBytes text = text_.Take();
    std::vector<Segment> segments;
    for (const Part& each : parts_) {
      const bool made_here = each.text_end > each.text_begin;
      segments.push_back(
          made_here ? Segment{text.view().subspan(each.text_begin, each.text_end - each.text_begin)}
                    : each.borrowed);
    }
    return std::unique_ptr<HttpBody>(new SegmentedBody(std::move(text), std::move(segments)));
  }

 private:
  struct Part {
    Segment borrowed;
    size_t text_begin = 0;
    size_t text_end = 0;
  };

  void EndText() {
    if (text_.size() == text_begin_) return;
    parts_.push_back({{}, text_begin_, text_.size()});
    text_begin_ = text_.size();
  }

  SecretWriter text_;
  size_t text_begin_ = 0;
  std::vector<Part> parts_;
};

// The values of one request, and whether one that the profile asks for was missing.
class Values {
 public:
  explicit Values(const std::vector<RequestValue>& values) : values_(values) {}

  ByteSpan Get(Placeholder placeholder) {
    const auto found = std::ranges::find(values_, placeholder, &RequestValue::placeholder);
    if (found != values_.end() && !found->value.empty()) return found->value;
    if (missing_ == Placeholder::kNone) missing_ = placeholder;
    return {};
  }

  [[nodiscard]] bool Hold(std::string_view text) const {
    return std::ranges::any_of(
        values_, [text](const RequestValue& each) { return AsText(each.value).contains(text); });
  }

  [[nodiscard]] Placeholder missing() const { return missing_; }

 private:
  const std::vector<RequestValue>& values_;
  Placeholder missing_ = Placeholder::kNone;
};

SecretBytes BuildUrl(const EndpointProfile& profile, std::string_view base_url, Values& values) {
  SecretWriter url;
  url.Text(base_url).Text(profile.path);
  std::string_view before = "?";
  for (const NamedTemplate& each : profile.query) {
    url.Text(std::exchange(before, "&")).PercentEncoded(AsBytes(each.name)).Text("=");
    for (const TemplatePiece& piece : each.value) {
      url.PercentEncoded(AsBytes(piece.literal));
      if (piece.placeholder != Placeholder::kNone) {
        url.PercentEncoded(values.Get(piece.placeholder));
      }
    }
  }
  return url.Take();
}

std::unique_ptr<HttpBody> BuildJson(const EndpointProfile& profile, Values& values) {
  SegmentedBody::Builder body;
  for (const TemplatePiece& piece : profile.json) {
    body.text().Text(piece.literal);
    if (IsPicture(piece.placeholder)) {
      body.Borrow(values.Get(piece.placeholder), true);
    } else if (piece.placeholder != Placeholder::kNone) {
      body.text().JsonEscaped(values.Get(piece.placeholder));
    }
  }
  return body.Build();
}

// A line that occurs in none of the values.
std::string ChooseBoundary(const Values& values) {
  std::string boundary = "idkiosk-part-5f1c9be2";
  while (values.Hold(boundary)) boundary += 'x';
  return boundary;
}

std::unique_ptr<HttpBody> BuildMultipart(const EndpointProfile& profile, std::string_view boundary,
                                         Values& values) {
  SegmentedBody::Builder body;
  for (const NamedTemplate& part : profile.parts) {
    const Placeholder picture =
        part.value.empty() ? Placeholder::kNone : part.value.front().placeholder;
    body.text().Text(
        fmt::format("--{}\r\nContent-Disposition: form-data; name=\"{}\"", boundary, part.name));
    if (IsPicture(picture)) {
      body.text().Text(
          fmt::format("; filename=\"{}.jpg\"\r\nContent-Type: image/jpeg\r\n\r\n", Name(picture)));
      body.Borrow(values.Get(picture), false);
    } else {
      body.text().Text("\r\n\r\n");
      for (const TemplatePiece& piece : part.value) {
        body.text().Text(piece.literal);
        if (piece.placeholder != Placeholder::kNone) {
          body.text().Bytes(values.Get(piece.placeholder));
        }
      }
    }
    body.text().Text("\r\n");
  }
  body.text().Text(fmt::format("--{}--\r\n", boundary));
  return body.Build();
}

void SetContentType(HttpRequest& request, std::string_view type) {
  request.headers.push_back({"Content-Type", SecretBytes::CopyOf(type)});
}

}  // namespace

Result<BuiltRequest> BuildRequest(const EndpointProfile& profile, const ServiceSettings& settings,
                                  const std::vector<RequestValue>& borrowed) {
  Values values(borrowed);
  BuiltRequest built;
  built.request.method = profile.method;
  built.request.url = BuildUrl(profile, settings.base_url, values);
  built.request.connect_timeout = settings.connect_timeout;
  built.request.total_timeout = settings.total_timeout;
  built.request.max_answer_size = static_cast<size_t>(settings.max_answer_bytes);
  if (profile.body == BodyFormat::kJson) {
    SetContentType(built.request, "application/json");
    built.body = BuildJson(profile, values);
  } else if (profile.body == BodyFormat::kMultipart) {
    const std::string boundary = ChooseBoundary(values);
    SetContentType(built.request, "multipart/form-data; boundary=" + boundary);
    built.body = BuildMultipart(profile, boundary, values);
  }
  built.request.body = built.body.get();
  if (values.missing() != Placeholder::kNone) {
    return Fail(ErrorCode::kInvalid, "the endpoint '{}' asks for \"{}\", which is not there",
                Name(profile.endpoint), Name(values.missing()));
  }
  return built;
}

std::vector<RequestValue> ValuesOf(const VerificationCall& call) {
  return {
      {Placeholder::kType, AsBytes(call.id_type)},
      {Placeholder::kIdNumber, call.id_number.view()},
      {Placeholder::kNin, call.nin.view()},
      {Placeholder::kPhone, call.phone.view()},
      {Placeholder::kSearchType, AsBytes(call.search_type)},
      {Placeholder::kRequestReason, AsBytes(call.reason)},
      {Placeholder::kSelfie, call.pictures.selfie.view()},
      {Placeholder::kLiveness1, call.pictures.liveness[0].view()},
      {Placeholder::kLiveness2, call.pictures.liveness[1].view()},
      {Placeholder::kLiveness3, call.pictures.liveness[2].view()},
      {Placeholder::kLiveness4, call.pictures.liveness[3].view()},
  };
}

}  // namespace idkiosk
