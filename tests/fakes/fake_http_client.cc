#include "tests/fakes/fake_http_client.h"

#include <algorithm>
#include <array>
#include <utility>

namespace idkiosk {
namespace {

constexpr size_t kReadSize = 1000;  // no multiple of three or four, on purpose

std::string ReadAll(HttpBody* body) {
  std::string text;
  if (body == nullptr) return text;
  std::array<char, kReadSize> piece{};
  while (const size_t count = body->Read(piece)) text.append(piece.data(), count);
  return text;
}

HttpExchange Failed(SendStage stage, ErrorCode code, std::string why) {
  HttpExchange exchange;
  exchange.stage = stage;
  exchange.error = Error{code, std::move(why)};
  return exchange;
}

}  // namespace

std::string FakeHttpClient::Seen::header(std::string_view name) const {
  for (const auto& [each, value] : headers) {
    if (each == name) return value;
  }
  return "";
}

void FakeHttpClient::Answer(int status, std::string body, std::vector<HttpAnswer::Header> headers) {
  Reply reply;
  reply.status = status;
  reply.body = std::move(body);
  reply.headers = std::move(headers);
  Play(std::move(reply));
}

int FakeHttpClient::CountSeen(std::string_view text) const {
  return static_cast<int>(
      std::ranges::count_if(seen_, [text](const Seen& each) { return each.url.contains(text); }));
}

FakeHttpClient::Reply FakeHttpClient::NextReply(const Seen& seen) {
  if (!script_.empty()) {
    Reply reply = std::move(script_.front());
    script_.pop_front();
    return reply;
  }
  if (server_) return server_(seen);
  Reply refuse;
  refuse.how = Reply::How::kRefuse;
  return refuse;
}

HttpExchange FakeHttpClient::Send(const HttpRequest& request, BeforeSend before_send) {
  using How = Reply::How;
  ++attempts_;
  Seen seen;
  seen.method = request.method;
  seen.watch_behind = request.watch_behind;
  seen.url = request.url.text();
  seen.fresh_connection = request.fresh_connection;
  seen.needs_head_alone = request.needs_head_alone;
  for (const HttpRequest::Header& each : request.headers) {
    seen.headers.emplace_back(each.name, each.value.text());
  }
  seen.body = ReadAll(request.body);
  const Reply reply = NextReply(seen);
  if (reply.how == How::kRefuse) {
    return Failed(SendStage::kNotSent, ErrorCode::kUnavailable, "connection refused");
  }
  if (reply.how == How::kDistrust) {
    return Failed(SendStage::kNotSent, ErrorCode::kUnauthenticated, "certificate does not fit");
  }
  if (reply.how == How::kCancelEarly) {
    return Failed(SendStage::kNotSent, ErrorCode::kCancelled, "cancelled");
  }
  if (before_send) {
    if (Status approved = before_send(); !approved) {
      return Failed(SendStage::kNotSent, approved.error().code, approved.error().message);
    }
  }
  seen_.push_back(seen);
  if (reply.on_arrival) reply.on_arrival();
  if (reply.delay > Duration()) clock_.Advance(std::min(reply.delay, request.total_timeout));
  if (reply.delay > request.total_timeout) {
    return Failed(SendStage::kSent, ErrorCode::kTimeout, "no answer in time");
  }
  if (reply.how == How::kRepeat) {
    if (!before_send || before_send()) seen_.push_back(seen);
    return Failed(SendStage::kSent, ErrorCode::kUnavailable, "the connection closed twice");
  }
  if (reply.how != How::kAnswer) {
    return Failed(SendStage::kSent, ErrorCode::kUnavailable,
                  reply.how == How::kCut ? "the answer was cut" : "connection reset");
  }
  HttpExchange exchange;
  exchange.stage = SendStage::kAnswered;
  exchange.answer.status = reply.status;
  exchange.answer.headers = reply.headers;
  exchange.answer.body = SecretBytes::CopyOf(reply.body);
  exchange.answer.ended_by_close = reply.ended_by_close;
  exchange.timings.total = reply.delay;
  exchange.met_stale_bytes = reply.met_stale_bytes;
  if (reply.met_stale_bytes) exchange.timings.connected = std::chrono::milliseconds(1);
  return exchange;
}

}  // namespace idkiosk
