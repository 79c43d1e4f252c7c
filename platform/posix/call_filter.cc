#include "platform/posix/call_filter.h"

#include <sched.h>
#include <seccomp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <memory>

namespace idkiosk {
namespace {

// Refused whatever their arguments are. By name: not every architecture has each of them.
constexpr const char* kRefused[] = {
    // Other programs and processes.
    "execve",
    "execveat",
    "fork",
    "vfork",
    "kill",
    "tkill",
    "rt_sigqueueinfo",
    "rt_tgsigqueueinfo",
    "ptrace",
    "process_vm_readv",
    "process_vm_writev",
    "process_madvise",
    "kcmp",
    "pidfd_open",
    "pidfd_getfd",
    "pidfd_send_signal",
    "setpriority",
    "ioprio_set",
    // Whoever else would connect to this one.
    "listen",
    "accept",
    "accept4",
    // The system.
    "mount",
    "umount2",
    "pivot_root",
    "chroot",
    "unshare",
    "setns",
    "open_tree",
    "move_mount",
    "fsopen",
    "fsmount",
    "fspick",
    "mount_setattr",
    "open_by_handle_at",
    "bpf",
    "perf_event_open",
    "userfaultfd",
    "io_uring_setup",
    "io_uring_enter",
    "io_uring_register",
    "keyctl",
    "add_key",
    "request_key",
    "init_module",
    "finit_module",
    "delete_module",
    "kexec_load",
    "kexec_file_load",
    "reboot",
    "swapon",
    "swapoff",
    "settimeofday",
    "clock_settime",
    "clock_adjtime",
    "adjtimex",
    "sethostname",
    "setdomainname",
    "quotactl",
    "acct",
    "syslog",
    "personality",
    "iopl",
    "ioperm",
};
// More than any kernel has.
constexpr int kFamilies = 64;

// What the first argument of a call is held against: all of its bits, of which the kernel may look
// at fewer. Masked: whether none of the bits of `value` is set.
scmp_arg_cmp First(scmp_compare how, uint64_t value) {
  return {.arg = 0, .op = how, .datum_a = value, .datum_b = 0};
}

struct ReleaseFilter {
  void operator()(void* filter) const { seccomp_release(filter); }
};

}  // namespace

Status FilterCalls(const SocketFamilies& allowed) {
  const std::unique_ptr<void, ReleaseFilter> filter(seccomp_init(SCMP_ACT_ALLOW));
  const uint32_t refuse = SCMP_ACT_ERRNO(EPERM);
  int worst = filter == nullptr ? -ENOMEM : 0;
  const auto rule = [&](uint32_t action, int call, std::initializer_list<scmp_arg_cmp> arguments) {
    if (worst < 0) return;
    worst = seccomp_rule_add_array(filter.get(), action, call,
                                   static_cast<unsigned>(arguments.size()), arguments.begin());
  };
  for (const char* const name : kRefused) {
    const int call = seccomp_syscall_resolve_name(name);
    if (call != __NR_SCMP_ERROR) rule(refuse, call, {});
  }
  // A thread, and no process; glibc falls back from the newer call, which says so in memory.
  rule(refuse, SCMP_SYS(clone), {First(SCMP_CMP_MASKED_EQ, CLONE_THREAD)});
  rule(SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), {});
  // Its own signals and limits alone.
  rule(refuse, SCMP_SYS(tgkill), {First(SCMP_CMP_NE, static_cast<uint64_t>(getpid()))});
  rule(refuse, SCMP_SYS(prlimit64), {First(SCMP_CMP_NE, 0)});
  for (int family = 0; family < kFamilies; ++family) {
    if (std::ranges::find(allowed, family) != allowed.end()) continue;
    rule(refuse, SCMP_SYS(socket), {First(SCMP_CMP_EQ, static_cast<uint64_t>(family))});
  }
  rule(refuse, SCMP_SYS(socket), {First(SCMP_CMP_GE, kFamilies)});
  if (worst == 0) worst = seccomp_load(filter.get());
  if (worst == 0) return {};
  return Fail(ErrorCode::kUnavailable, "this process cannot be confined: {}",
              ErrnoError(-worst, "seccomp").message);
}

}  // namespace idkiosk
