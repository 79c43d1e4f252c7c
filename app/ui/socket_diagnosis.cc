#include "app/ui/socket_diagnosis.h"

#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace idkiosk {
namespace {

constexpr uint32_t kAnyState = ~0U;

struct Question {
  nlmsghdr head;
  inet_diag_req_v2 about;
};

Question About(const sockaddr_in& local, const sockaddr_in& remote, uint32_t number) {
  Question question{};
  question.head = {.nlmsg_len = sizeof question,
                   .nlmsg_type = SOCK_DIAG_BY_FAMILY,
                   .nlmsg_flags = NLM_F_REQUEST,
                   .nlmsg_seq = number,
                   .nlmsg_pid = 0};
  question.about.sdiag_family = AF_INET;  // finds a socket for both kinds of addresses, too
  question.about.sdiag_protocol = IPPROTO_TCP;
  question.about.idiag_states = kAnyState;
  inet_diag_sockid& ends = question.about.id;
  ends.idiag_sport = local.sin_port;
  ends.idiag_dport = remote.sin_port;
  ends.idiag_src[0] = local.sin_addr.s_addr;
  ends.idiag_dst[0] = remote.sin_addr.s_addr;
  ends.idiag_cookie[0] = ends.idiag_cookie[1] = INET_DIAG_NOCOOKIE;
  return question;
}

}  // namespace

SocketDiagnosis::SocketDiagnosis()
    : socket_(socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG)) {}

SocketDiagnosis::~SocketDiagnosis() {
  if (socket_ >= 0) close(socket_);
}

std::expected<std::optional<uid_t>, SocketDiagnosis::NoAnswer> SocketDiagnosis::UserOf(
    const sockaddr_in& local, const sockaddr_in& remote) {
  const std::unexpected<NoAnswer> none{NoAnswer{}};
  if (socket_ < 0) return none;
  const Question question = About(local, remote, ++asked_);
  sockaddr_nl kernel{};
  kernel.nl_family = AF_NETLINK;
  if (sendto(socket_, &question, sizeof question, 0, reinterpret_cast<const sockaddr*>(&kernel),
             sizeof kernel) != ssize_t{sizeof question}) {
    return none;
  }
  // The kernel has answered by the time that it took the question.
  alignas(nlmsghdr) std::array<char, 4096> answer;
  for (;;) {
    sockaddr_nl from{};
    socklen_t size = sizeof from;
    const ssize_t count = recvfrom(socket_, answer.data(), answer.size(), MSG_DONTWAIT,
                                   reinterpret_cast<sockaddr*>(&from), &size);
    if (count < ssize_t{sizeof(nlmsghdr)}) return none;
    nlmsghdr head;
    std::memcpy(&head, answer.data(), sizeof head);
    if (from.nl_pid != 0 || head.nlmsg_seq != asked_) continue;  // of an earlier question
    const char* const body = answer.data() + NLMSG_HDRLEN;
    const auto left = static_cast<size_t>(count) - NLMSG_HDRLEN;
    if (head.nlmsg_type == NLMSG_ERROR && left >= sizeof(int)) {
      int error = 0;
      std::memcpy(&error, body, sizeof error);
      if (error == -ENOENT) return std::nullopt;
      return none;
    }
    if (head.nlmsg_type != SOCK_DIAG_BY_FAMILY || left < sizeof(inet_diag_msg)) return none;
    inet_diag_msg told;
    std::memcpy(&told, body, sizeof told);
    // The kernel shows a socket that was closed as root's.
    if (told.idiag_inode == 0) return std::nullopt;
    return told.idiag_uid;
  }
}

}  // namespace idkiosk
