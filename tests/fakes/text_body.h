#ifndef IDKIOSK_TESTS_FAKES_TEXT_BODY_H_
#define IDKIOSK_TESTS_FAKES_TEXT_BODY_H_

#include <string>
#include <utility>

#include "platform/api/http_client.h"

namespace idkiosk {

// The body of a request: text that is sent as it is.
class TextBody final : public HttpBody {
 public:
  explicit TextBody(std::string text) : text_(std::move(text)) {}
  [[nodiscard]] uint64_t size() const override { return text_.size(); }
  [[nodiscard]] size_t Read(std::span<char> out) override {
    const size_t count = text_.copy(out.data(), out.size(), at_);
    at_ += count;
    return count;
  }

 private:
  const std::string text_;
  size_t at_ = 0;
};

}  // namespace idkiosk

#endif  // IDKIOSK_TESTS_FAKES_TEXT_BODY_H_
