#include "platform/posix/curl_http_client.h"

#include <curl/curl.h>
#include <malloc.h>
#include <mbedtls/ssl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "platform/base/text/letter_case.h"
#include "platform/base/text/trimmed.h"
#include "platform/posix/answer_framing.h"
#include "platform/posix/certificate_rules.h"
#include "platform/posix/socket_bytes.h"

namespace idkiosk {
namespace {

constexpr const char* kDebianCertificates = "/etc/ssl/certs/ca-certificates.crt";
constexpr std::string_view kBlanks = " \t\r\n";  // around a header's name and value
constexpr long kUploadBuffer = 128 * 1024;       // bytes; a bundle leaves in one or two writes

ErrorCode CodeOf(CURLcode code) {
  switch (code) {
    case CURLE_OPERATION_TIMEDOUT:
      return ErrorCode::kTimeout;
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_PINNEDPUBKEYNOTMATCH:
    case CURLE_SSL_ISSUER_ERROR:
    case CURLE_SSL_CACERT_BADFILE:
      return ErrorCode::kUnauthenticated;
    case CURLE_URL_MALFORMAT:
    case CURLE_UNSUPPORTED_PROTOCOL:
      return ErrorCode::kInvalid;
    case CURLE_OUT_OF_MEMORY:
      return ErrorCode::kExhausted;
    default:
      return ErrorCode::kUnavailable;
  }
}

// A list of header lines whose text is wiped when it goes.
class HeaderList {
 public:
  HeaderList() = default;
  HeaderList(const HeaderList&) = delete;
  HeaderList& operator=(const HeaderList&) = delete;
  ~HeaderList() {
    for (curl_slist* each = list_; each != nullptr; each = each->next) {
      explicit_bzero(each->data, strlen(each->data));
    }
    curl_slist_free_all(list_);
  }

  void Add(std::string_view name, std::string_view value) {
    std::string line = fmt::format("{}: {}", name, value);
    list_ = curl_slist_append(list_, line.c_str());
    Wipe(line);
  }

  // A header that libcurl would add by itself, and must not.
  void Leave(const char* name) {
    list_ = curl_slist_append(list_, fmt::format("{}:", name).c_str());
  }

  [[nodiscard]] curl_slist* get() const { return list_; }

 private:
  curl_slist* list_ = nullptr;
};

// Bytes that arrive in pieces, never in ordinary memory.
class SecretBuffer {
 public:
  // False if there would be more than `limit` bytes.
  bool Append(std::string_view piece, size_t limit) {
    if (piece.size() > limit - size_) return false;
    if (size_ + piece.size() > bytes_.size()) {
      SecretBytes larger(std::max({size_t{16384}, bytes_.size() * 2, size_ + piece.size()}));
      std::ranges::copy(bytes_.view().first(size_), larger.mutable_view().begin());
      bytes_ = std::move(larger);
    }
    std::ranges::copy(piece, bytes_.mutable_view().subspan(size_).begin());
    size_ += piece.size();
    return true;
  }

  SecretBytes Take() {
    bytes_.Truncate(size_);
    return std::move(bytes_);
  }

 private:
  SecretBytes bytes_;
  size_t size_ = 0;
};

// As it stands in this URL, an IPv6 address without its brackets; empty where there is none.
std::string HostOf(std::string_view url) {
  const std::unique_ptr<CURLU, void (*)(CURLU*)> parts(curl_url(), &curl_url_cleanup);
  std::string text(url);
  char* host = nullptr;
  const bool good = curl_url_set(parts.get(), CURLUPART_URL, text.c_str(), 0) == CURLUE_OK &&
                    curl_url_get(parts.get(), CURLUPART_HOST, &host, 0) == CURLUE_OK;
  Wipe(text);
  std::string found(good ? host : "");
  curl_free(host);
  if (found.starts_with('[')) found = found.substr(1, found.size() - 2);
  return found;
}

Duration TimeOf(CURL* easy, CURLINFO which) {
  curl_off_t microseconds = 0;
  curl_easy_getinfo(easy, which, &microseconds);
  return std::chrono::microseconds(microseconds);
}

// libcurl copies headers and body into buffers of its own, which hold them until something else
// takes the place. Wiped, they hold nothing from the moment that libcurl gives them back.
void FreeWiped(void* block) {
  if (block == nullptr) return;
  explicit_bzero(block, malloc_usable_size(block));
  std::free(block);
}

void* ReallocateWiped(void* block, size_t size) {
  void* const fresh = std::malloc(size);
  if (block == nullptr || fresh == nullptr) return fresh;
  std::memcpy(fresh, block, std::min(size, malloc_usable_size(block)));
  FreeWiped(block);
  return fresh;
}

// Zero where it cannot be told.
int LocalPortOf(int socket) {
  sockaddr_storage own = {};
  socklen_t size = sizeof(own);
  if (getsockname(socket, reinterpret_cast<sockaddr*>(&own), &size) != 0) return 0;
  if (own.ss_family == AF_INET) return ntohs(reinterpret_cast<sockaddr_in*>(&own)->sin_port);
  if (own.ss_family == AF_INET6) return ntohs(reinterpret_cast<sockaddr_in6*>(&own)->sin6_port);
  return 0;
}

bool StartLibcurl() {
  return curl_global_init_mem(CURL_GLOBAL_DEFAULT, &std::malloc, &FreeWiped, &ReallocateWiped,
                              &strdup, &std::calloc) == CURLE_OK;
}

}  // namespace

struct CurlHttpClient::Handles {
  // Of several connections libcurl takes the oldest. There is one: that of the last answer.
  Handles() : multi(curl_multi_init()), easy(curl_easy_init()) {
    if (multi != nullptr) curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, 1L);
  }
  ~Handles() {
    curl_easy_cleanup(easy);
    curl_multi_cleanup(multi);
  }
  Handles(const Handles&) = delete;
  Handles& operator=(const Handles&) = delete;

  // An exchange that ended while libcurl wanted to send again leaves its handle asking for the body
  // to be rewound, which curl_easy_reset does not forget: every later request on it would fail.
  void RenewEasy() {
    DropEasy();
    easy = curl_easy_init();
  }

  // With all that it knows of its request.
  void DropEasy() {
    curl_easy_cleanup(easy);
    easy = nullptr;
  }

  // Of those that libcurl has opened and not closed, the one with this port at our end; -1: none.
  [[nodiscard]] int SocketAt(int local_port) const {
    const auto found = std::ranges::find(sockets, local_port, &LocalPortOf);
    return found == sockets.end() ? -1 : *found;
  }

  static curl_socket_t OnOpen(void* self, curlsocktype, curl_sockaddr* address) {
    const int opened = socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
    if (opened >= 0) static_cast<Handles*>(self)->sockets.push_back(opened);
    return opened;
  }

  static int OnClose(void* self, curl_socket_t closed) {
    std::erase(static_cast<Handles*>(self)->sockets, closed);
    return close(closed);
  }

  std::vector<int> sockets;
  CURLM* const multi;  // keeps a connection and TLS sessions from one exchange to the next
  CURL* easy;
  std::atomic<bool> cancelled = false;
};

// One request and what comes back: libcurl's callbacks end here.
class CurlHttpClient::Exchange {
 public:
  Exchange(Handles& handles, const HttpRequest& request, bool fresh, BeforeSend& before_send)
      : handles_(handles),
        request_(request),
        fresh_(fresh),
        before_send_(before_send),
        rules_(HostOf(request.url.text())) {}

  // Whether it ended, before anything was sent, because bytes that nobody had asked for lay on a
  // connection that was used before.
  [[nodiscard]] bool met_stale_bytes() const { return met_stale_bytes_; }

  HttpExchange Run(const Options& options) {
    handles_.RenewEasy();
    if (handles_.easy == nullptr) return Conclude(CURLE_OUT_OF_MEMORY, options);
    SetRequest();
    SetTransport(options);
    const CURLcode code = Transfer();
    // Where it ends is known earlier for those that say their length.
    if (code == CURLE_OK && !framing_.says_length()) WatchBehind();
    HttpExchange exchange = Conclude(code, options);
    handles_.DropEasy();
    return exchange;
  }

 private:
  template <typename T>
  void Set(CURLoption option, T value) {
    const CURLcode code = curl_easy_setopt(handles_.easy, option, value);
    if (code != CURLE_OK && setup_ == CURLE_OK) setup_ = code;
  }

  void SetRequest() {
    std::string url(request_.url.text());
    Set(CURLOPT_URL, url.c_str());
    Wipe(url);
    for (const HttpRequest::Header& each : request_.headers) {
      headers_.Add(each.name, each.value.text());
    }
    headers_.Leave("Expect");
    if (request_.body != nullptr) {
      Set(CURLOPT_POST, 1L);
      Set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request_.body->size()));
      Set(CURLOPT_READFUNCTION, &Exchange::OnRead);
      Set(CURLOPT_READDATA, this);
      Set(CURLOPT_UPLOAD_BUFFERSIZE, kUploadBuffer);
    } else if (request_.method != "GET") {
      Set(CURLOPT_POSTFIELDS, "");
    }
    Set(CURLOPT_CUSTOMREQUEST, request_.method.c_str());
    Set(CURLOPT_HTTPHEADER, headers_.get());
  }

  void SetTransport(const Options& options) {
    Set(CURLOPT_ERRORBUFFER, error_text_);
    Set(CURLOPT_PROTOCOLS_STR, options.allow_plain_http ? "https,http" : "https");
    Set(CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
    Set(CURLOPT_FOLLOWLOCATION, 0L);
    Set(CURLOPT_NOSIGNAL, 1L);
    Set(CURLOPT_PROXY, options.proxy.c_str());
    Set(CURLOPT_NOPROXY, options.proxy.empty() ? "*" : "");
    Set(CURLOPT_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2));
    Set(CURLOPT_SSL_VERIFYPEER, 1L);
    Set(CURLOPT_SSL_VERIFYHOST, 2L);
    Set(CURLOPT_CAINFO, options.ca_file.c_str());
    Set(CURLOPT_CAPATH, static_cast<const char*>(nullptr));
    Set(CURLOPT_SSL_CTX_FUNCTION, &Exchange::OnTls);
    Set(CURLOPT_SSL_CTX_DATA, this);
    std::string pins;
    for (const std::string& pin : options.pins) pins += (pins.empty() ? "" : ";") + pin;
    if (!pins.empty()) Set(CURLOPT_PINNEDPUBLICKEY, pins.c_str());
    using std::chrono::ceil;
    using std::chrono::milliseconds;
    Set(CURLOPT_CONNECTTIMEOUT_MS,
        static_cast<long>(ceil<milliseconds>(request_.connect_timeout).count()));
    Set(CURLOPT_TIMEOUT_MS, static_cast<long>(ceil<milliseconds>(request_.total_timeout).count()));
    Set(CURLOPT_FRESH_CONNECT, fresh_ ? 1L : 0L);
    Set(CURLOPT_OPENSOCKETFUNCTION, &Handles::OnOpen);
    Set(CURLOPT_OPENSOCKETDATA, &handles_);
    Set(CURLOPT_CLOSESOCKETFUNCTION, &Handles::OnClose);
    Set(CURLOPT_CLOSESOCKETDATA, &handles_);
    Set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);  // they are the proxy's
    Set(CURLOPT_PREREQFUNCTION, &Exchange::OnPrerequest);
    Set(CURLOPT_PREREQDATA, this);
    Set(CURLOPT_HEADERFUNCTION, &Exchange::OnHeader);
    Set(CURLOPT_HEADERDATA, this);
    Set(CURLOPT_WRITEFUNCTION, &Exchange::OnWrite);
    Set(CURLOPT_WRITEDATA, this);
    // Nothing of what it says is kept: it alone tells of bytes behind an answer's end.
    Set(CURLOPT_VERBOSE, 1L);
    Set(CURLOPT_DEBUGFUNCTION, &Exchange::OnDebug);
    Set(CURLOPT_DEBUGDATA, this);
  }

  static CURLcode OnTls(CURL* /*easy*/, void* config, void* self) {
    static_cast<Exchange*>(self)->rules_.ApplyTo(config);
    return CURLE_OK;
  }

  CURLcode Transfer() {
    if (setup_ != CURLE_OK) return setup_;
    curl_multi_add_handle(handles_.multi, handles_.easy);
    CURLcode code = CURLE_ABORTED_BY_CALLBACK;
    for (int running = 1; !handles_.cancelled;) {
      if (curl_multi_perform(handles_.multi, &running) != CURLM_OK) break;
      if (running == 0) {
        int left = 0;
        const CURLMsg* message = curl_multi_info_read(handles_.multi, &left);
        if (message != nullptr) code = message->data.result;
        break;
      }
      if (curl_multi_poll(handles_.multi, nullptr, 0, 1000, nullptr) != CURLM_OK) break;
    }
    curl_multi_remove_handle(handles_.multi, handles_.easy);
    return code;
  }

  HttpExchange Conclude(CURLcode code, const Options& options) {
    HttpExchange exchange;
    exchange.timings = {TimeOf(handles_.easy, CURLINFO_APPCONNECT_TIME_T),
                        TimeOf(handles_.easy, CURLINFO_STARTTRANSFER_TIME_T),
                        TimeOf(handles_.easy, CURLINFO_TOTAL_TIME_T)};
    // What met stale bytes goes on over a fresh connection, and a Cancel is for that, too.
    const bool cancelled =
        met_stale_bytes_ ? handles_.cancelled.load() : handles_.cancelled.exchange(false);
    // libcurl takes a connection that closes within an answer's head for the answer's end.
    const bool is_cut = code == CURLE_OK && !has_whole_head_;
    long status = 0;
    curl_easy_getinfo(handles_.easy, CURLINFO_RESPONSE_CODE, &status);
    const bool is_final = has_whole_head_ && status >= 200;
    const bool suffices = request_.needs_head_alone && is_final && !cancelled;
    if ((code == CURLE_OK || suffices) && !is_cut) {
      answer_.status = static_cast<int>(status);
      answer_.body = body_.Take();
      answer_.ended_by_close = !framing_.says_end();
      answer_.more_behind = more_behind_ || (framing_.says_length() && rest_of_record_ > 0);
      exchange.stage = SendStage::kAnswered;
      exchange.answer = std::move(answer_);
      return exchange;
    }
    exchange.stage = may_have_sent_ ? SendStage::kSent : SendStage::kNotSent;
    exchange.error = is_cut ? Error{ErrorCode::kUnavailable, "the answer was cut within its head"}
                            : WhyNot(code, cancelled, options);
    return exchange;
  }

  Error WhyNot(CURLcode code, bool cancelled, const Options& options) const {
    if (refused_) return *refused_;
    if (cancelled) return {ErrorCode::kCancelled, "the request was cancelled"};
    if (too_large_) {
      return {ErrorCode::kExhausted,
              fmt::format("the answer is larger than {} bytes", request_.max_answer_size)};
    }
    if (!framing_.trouble().empty()) {
      return {ErrorCode::kUnavailable,
              fmt::format("the answer {}, so where it ends is not known", framing_.trouble())};
    }
    if (wanted_to_resend_) {
      return {ErrorCode::kUnavailable,
              "the connection closed without an answer after the request was sent"};
    }
    return {CodeOf(code), SentenceOf(code, options)};
  }

  // With the setting to look at. A proxy's address may hold a password, and is not repeated.
  [[nodiscard]] std::string SentenceOf(CURLcode code, const Options& options) const {
    const std::string_view said = error_text_[0] == '\0' ? curl_easy_strerror(code) : error_text_;
    switch (code) {
      case CURLE_PEER_FAILED_VERIFICATION: {
        const std::string trouble = rules_.Trouble(options.ca_file);
        if (trouble.empty()) break;
        return fmt::format("the certificate of {} could not be verified: {}", rules_.host(),
                           trouble);
      }
      case CURLE_SSL_PINNEDPUBKEYNOTMATCH:
        return fmt::format("the certificate of {} does not match service.pins", rules_.host());
      case CURLE_SSL_CACERT_BADFILE:
        return fmt::format("service.ca_file: {} holds no certificates in PEM ({})", options.ca_file,
                           said);
      case CURLE_SEND_FAIL_REWIND:
        return "the connection closed while the request was sent";
      case CURLE_COULDNT_RESOLVE_PROXY:
      case CURLE_COULDNT_CONNECT:
      case CURLE_PROXY:
        if (!options.proxy.empty()) return fmt::format("through service.proxy: {}", said);
        break;
      default:
        break;
    }
    if (!said.starts_with("ssl_")) return std::string(said);
    // The other end said goodbye in good order, and nothing else.
    if (said.contains("(-0x0000)")) return "the service closed the connection before it answered";
    return fmt::format("the encrypted connection broke ({})", said);
  }

  static int OnPrerequest(void* self, char*, char*, int, int local_port) {
    return static_cast<Exchange*>(self)->Prerequest(local_port) ? CURL_PREREQFUNC_OK
                                                                : CURL_PREREQFUNC_ABORT;
  }

  bool Prerequest(int local_port) {
    if (may_have_sent_) {
      wanted_to_resend_ = true;
      return false;
    }
    socket_ = handles_.SocketAt(local_port);
    met_stale_bytes_ = HasStaleBytes();
    if (met_stale_bytes_ || handles_.cancelled) return false;
    if (before_send_) {
      if (Status approved = before_send_(); !approved) {
        refused_ = approved.error();
        return false;
      }
    }
    may_have_sent_ = !handles_.cancelled;
    return may_have_sent_;
  }

  // Whether bytes came behind the last answer on this connection. libcurl looks for them at the
  // socket, but not in the TLS record whose front it has read.
  [[nodiscard]] bool HasStaleBytes() const {
    curl_tlssessioninfo* tls = nullptr;
    curl_easy_getinfo(handles_.easy, CURLINFO_TLS_SSL_PTR, &tls);
    const bool is_new = TimeOf(handles_.easy, CURLINFO_APPCONNECT_TIME_T) > Duration();
    return !is_new && tls != nullptr && tls->internals != nullptr &&
           mbedtls_ssl_check_pending(static_cast<const mbedtls_ssl_context*>(tls->internals)) != 0;
  }

  // Bytes of the same TLS record behind those that were read: of an answer that says its length,
  // libcurl reads no more than that.
  [[nodiscard]] size_t CountRestOfRecord() const {
    curl_tlssessioninfo* tls = nullptr;
    curl_easy_getinfo(handles_.easy, CURLINFO_TLS_SSL_PTR, &tls);
    if (tls == nullptr || tls->internals == nullptr) return 0;
    return mbedtls_ssl_get_bytes_avail(static_cast<const mbedtls_ssl_context*>(tls->internals));
  }

  // The answer has come to its end, and its connection is open, or not libcurl's any more.
  void WatchBehind() {
    long status = 0;
    curl_easy_getinfo(handles_.easy, CURLINFO_RESPONSE_CODE, &status);
    const bool is_open = std::ranges::count(handles_.sockets, socket_) > 0;
    if (!request_.watch_behind || !is_open || status < 200 || more_behind_ || answer_.early) return;
    const Duration patience = request_.watch_behind(static_cast<int>(status));
    if (patience <= Duration() || rest_of_record_ > 0) return;
    const bool is_tls = LowerCase(request_.url.text().substr(0, 6)) == "https:";
    more_behind_ = MoreComesBehind(socket_, is_tls, patience, handles_.cancelled);
  }

  [[nodiscard]] bool HasLeftInWhole() const {
    curl_off_t sent = 0;
    curl_easy_getinfo(handles_.easy, CURLINFO_SIZE_UPLOAD_T, &sent);
    const bool written = request_.body == nullptr || std::cmp_equal(sent, request_.body->size());
    return written && (socket_ < 0 || !HasBytesOnTheWay(socket_));
  }

  // The answer's first line, or that of one that only says that another will come.
  void Begin() {
    has_whole_head_ = false;
    answer_.headers.clear();
    received_ = 0;
    more_behind_ = false;
    rest_of_record_ = 0;
    answer_.early = !HasLeftInWhole();
    if (answer_.early) curl_easy_setopt(handles_.easy, CURLOPT_FORBID_REUSE, 1L);
  }

  static size_t OnRead(char* to, size_t, size_t size, void* self) {
    return static_cast<Exchange*>(self)->request_.body->Read({to, size});
  }

  static size_t OnHeader(char* from, size_t, size_t size, void* self) {
    const std::string_view line(from, size);
    Exchange& exchange = *static_cast<Exchange*>(self);
    const size_t colon = line.find(':');
    // What comes behind the last chunk is no part of the head.
    if (exchange.has_whole_head_ && !line.starts_with("HTTP/")) return size;
    if (line.starts_with("HTTP/")) {
      exchange.Begin();
      exchange.framing_.Begin(line);
    } else if (colon != std::string_view::npos) {
      const std::string name = LowerCase(line.substr(0, colon));
      const std::string_view value = Trimmed(line.substr(colon + 1), kBlanks);
      exchange.framing_.Add(name, value);
      exchange.answer_.headers.push_back({std::string(Trimmed(name, kBlanks)), std::string(value)});
    } else if (line == "\r\n" || line == "\n") {
      exchange.has_whole_head_ = true;
      if (exchange.framing_.length() == 0) exchange.WatchBehind();
    }
    return exchange.framing_.trouble().empty() ? size : CURL_WRITEFUNC_ERROR;
  }

  static size_t OnWrite(char* from, size_t, size_t size, void* self) {
    Exchange& exchange = *static_cast<Exchange*>(self);
    exchange.rest_of_record_ = exchange.CountRestOfRecord();
    exchange.received_ += size;
    if (exchange.framing_.length() == exchange.received_) exchange.WatchBehind();
    if (exchange.body_.Append({from, size}, exchange.request_.max_answer_size)) return size;
    exchange.too_large_ = true;
    return CURL_WRITEFUNC_ERROR;
  }

  // libcurl throws away what it has read behind an answer's end, and says so here alone.
  static int OnDebug(CURL*, curl_infotype type, char* from, size_t size, void* self) {
    const std::string_view text(from, size);
    if (type == CURLINFO_TEXT &&
        (text.starts_with("Excess found") || text.starts_with("Leftovers after chunking"))) {
      static_cast<Exchange*>(self)->more_behind_ = true;
    }
    return 0;
  }

  Handles& handles_;
  const HttpRequest& request_;
  const bool fresh_;
  BeforeSend& before_send_;
  CertificateRules rules_;
  HeaderList headers_;
  HttpAnswer answer_;
  AnswerFraming framing_;
  SecretBuffer body_;
  int socket_ = -1;
  CURLcode setup_ = CURLE_OK;
  char error_text_[CURL_ERROR_SIZE] = {};
  std::optional<Error> refused_;
  bool met_stale_bytes_ = false;
  bool may_have_sent_ = false;
  bool wanted_to_resend_ = false;
  bool has_whole_head_ = false;  // the empty line behind it came
  bool too_large_ = false;
  bool more_behind_ = false;
  uint64_t received_ = 0;      // bytes of the body
  size_t rest_of_record_ = 0;  // at the newest piece of the body
};

Result<std::unique_ptr<CurlHttpClient>> CurlHttpClient::Create(Options options) {
  if (!StartLibcurl()) {
    return Fail(ErrorCode::kInternal, "libcurl does not start");
  }
  if (!Version().contains("mbedTLS 3.6")) {
    return Fail(ErrorCode::kInternal, "libcurl's TLS backend is not mbedTLS 3.6 but {}", Version());
  }
  if (options.ca_file.empty()) options.ca_file = kDebianCertificates;
  if (access(options.ca_file.c_str(), R_OK) != 0) {
    return Fail(ErrorCode::kNotFound,
                "cannot read the certificates in {}: set service.ca_file, or install the package "
                "ca-certificates",
                options.ca_file);
  }
  auto handles = std::make_unique<Handles>();
  if (handles->multi == nullptr || handles->easy == nullptr) {
    return Fail(ErrorCode::kInternal, "libcurl has no memory for a connection");
  }
  return std::unique_ptr<CurlHttpClient>(
      new CurlHttpClient(std::move(options), std::move(handles)));
}

CurlHttpClient::CurlHttpClient(Options options, std::unique_ptr<Handles> handles)
    : options_(std::move(options)), handles_(std::move(handles)) {}

CurlHttpClient::~CurlHttpClient() = default;

HttpExchange CurlHttpClient::Send(const HttpRequest& request, BeforeSend before_send) {
  Exchange exchange(*handles_, request, request.fresh_connection, before_send);
  HttpExchange done = exchange.Run(options_);
  if (!exchange.met_stale_bytes()) return done;
  done = Exchange(*handles_, request, /*fresh=*/true, before_send).Run(options_);
  done.met_stale_bytes = true;
  return done;
}

void CurlHttpClient::Cancel() {
  handles_->cancelled = true;
  curl_multi_wakeup(handles_->multi);
}

std::string CurlHttpClient::Version() {
  const curl_version_info_data* about = curl_version_info(CURLVERSION_NOW);
  std::string tls = about->ssl_version == nullptr ? "without TLS" : about->ssl_version;
  std::ranges::replace(tls, '/', ' ');
  return fmt::format("libcurl {}, {}", about->version, tls);
}

}  // namespace idkiosk
