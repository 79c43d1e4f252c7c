#include "app/ui/request_check.h"

#include "app/http/header_names.h"
#include "platform/base/text/digits.h"

namespace idkiosk {
namespace {

using Refusal = RequestCheck::Refusal;

// A header that is there at most once; nothing if it is missing. What comes twice is taken for an
// attack by whoever asks for it: see Repeats.
std::optional<std::string> HeaderOf(const httplib::Request& request, const char* name) {
  if (!request.has_header(name)) return std::nullopt;
  return request.get_header_value(name);
}

bool Repeats(const httplib::Request& request) {
  for (const char* name : {"Host", "Origin", "Cookie", "Content-Length", "Content-Type"}) {
    if (request.get_header_value_count(name) > 1) return true;
  }
  return false;
}

// The start page's form alone: "token=" and 32 hexadecimal digits.
constexpr std::string_view kForm = "token=";
constexpr size_t kLargestForm = kForm.size() + 32;

bool IsStart(const httplib::Request& request) { return request.path == "/start"; }

std::optional<Refusal> CheckBody(const httplib::Request& request) {
  const auto length = HeaderOf(request, "Content-Length");
  if (request.has_header("Transfer-Encoding") || request.has_header("Expect")) {
    return Refusal{400, "A request must give its length as Content-Length, and be sent at once."};
  }
  if (request.method == "GET") {
    if (length && *length != "0") return Refusal{400, "A GET request must have no body."};
    return std::nullopt;
  }
  if (!length) return Refusal{411, "A command must have a Content-Length."};
  const auto bytes = ParseNumber<size_t>(*length);
  if (!bytes) return Refusal{400, "The Content-Length is not a number."};
  const auto type = HeaderOf(request, "Content-Type");
  if (IsStart(request)) {
    if (*bytes > kLargestForm) return Refusal{413, "This is longer than the form of a start page."};
    if (type == "application/x-www-form-urlencoded") return std::nullopt;
    return Refusal{415, "Only the form of a start page is taken here."};
  }
  if (bytes > RequestCheck::kLargestBody)
    return Refusal{413, "The command is too long: 16 kB is the limit."};
  if (type != "application/json")
    return Refusal{415, "A command's Content-Type must be application/json."};
  return std::nullopt;
}

}  // namespace

std::optional<Refusal> RequestCheck::Check(const httplib::Request& request) const {
  const bool is_post = request.method == "POST";
  if (!is_post && request.method != "GET") return Refusal{405, "Only GET and POST are known."};
  if (OddHeaderName(request)) return Refusal{400, "A header's name is not valid."};
  if (Repeats(request)) return Refusal{400, "A header was sent twice."};
  // A page of another site whose name was pointed at this machine still says its own name.
  if (HeaderOf(request, "Host") != options_.host) {
    return Refusal{421, "This address belongs to another server."};
  }
  if (auto refused = CheckOrigin(request)) return refused;
  if (auto refused = CheckBody(request)) return refused;
  if (is_post != (request.path == "/command" || IsStart(request))) {
    return Refusal{405, "/command and /start take POST, and every other path takes GET."};
  }
  if (options_.metrics && request.path == "/metrics") return std::nullopt;
  if (IsStart(request) || HasCookie(request)) return std::nullopt;
  return Refusal{403,
                 "This page belongs to the kiosk's own browser. To come in, open the start page "
                 "that 'idkiosk run' has named."};
}

// Browsers say from where a request comes; who says nothing is no page of another site.
std::optional<Refusal> RequestCheck::CheckOrigin(const httplib::Request& request) const {
  const bool is_post = request.method == "POST";
  const auto origin = HeaderOf(request, "Origin");
  // The start page is a file, and a file has no origin. So has a page of another site that hides
  // its own: what keeps that out is the token.
  if (is_post && IsStart(request)) {
    const auto dest = HeaderOf(request, "Sec-Fetch-Dest");
    if (origin == "null" && (!dest || *dest == "document")) return std::nullopt;
    return Refusal{403, "Only the start page may send its form here."};
  }
  const bool own = origin == "http://" + options_.host;
  if (is_post ? !own : origin && !own) return Refusal{403, "Requests of other sites are refused."};
  const auto site = HeaderOf(request, "Sec-Fetch-Site");
  if (site && *site != "same-origin" && (is_post || *site != "none")) {
    return Refusal{403, "Requests of other sites are refused."};
  }
  return std::nullopt;
}

std::string_view RequestCheck::TokenIn(std::string_view body) {
  return body.starts_with(kForm) ? body.substr(kForm.size()) : std::string_view();
}

bool RequestCheck::HasCookie(const httplib::Request& request) const {
  constexpr std::string_view kName = "idkiosk=";
  const std::string header = HeaderOf(request, "Cookie").value_or("");
  int found = 0;
  bool equal = false;
  for (std::string_view rest = header; !rest.empty();) {
    std::string_view part = rest.substr(0, rest.find(';'));
    rest.remove_prefix(std::min(rest.size(), part.size() + 1));
    while (part.starts_with(' ')) part.remove_prefix(1);
    if (!part.starts_with(kName)) continue;
    ++found;
    equal = options_.login.IsCookie(part.substr(kName.size()));
  }
  return found == 1 && equal;
}

}  // namespace idkiosk
