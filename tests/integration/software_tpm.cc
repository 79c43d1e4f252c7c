#include "tests/integration/software_tpm.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <utility>

namespace idkiosk {
namespace {

constexpr size_t kHeader = 10;  // of a command and of an answer

int Socket() { return socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0); }

sockaddr_un AddressOfPath(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  EXPECT_LT(path.size(), sizeof(address.sun_path));
  std::ranges::copy(path, address.sun_path);
  return address;
}

// -1: nobody listens there.
int Connect(const std::string& path) {
  const int socket = Socket();
  const sockaddr_un address = AddressOfPath(path);
  if (connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) {
    return socket;
  }
  close(socket);
  return -1;
}

int Listen(const std::string& path) {
  const int socket = Socket();
  const sockaddr_un address = AddressOfPath(path);
  EXPECT_EQ(bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  EXPECT_EQ(listen(socket, 16), 0);
  return socket;
}

// A whole command or answer; shorter where the other end closed before.
Bytes ReadMessage(int socket) {
  Bytes message(kHeader);
  size_t have = 0;
  while (have < message.size()) {
    const ssize_t count = read(socket, message.data() + have, message.size() - have);
    if (count <= 0) break;
    have += static_cast<size_t>(count);
    if (have == kHeader) message.resize(ReadUint32(ByteSpan(message).subspan<2, 4>()));
  }
  message.resize(have);
  return message;
}

bool Send(int socket, ByteSpan bytes) {
  return send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL) ==
         static_cast<ssize_t>(bytes.size());
}

Bytes Exchange(const std::string& path, ByteSpan command) {
  const int socket = Connect(path);
  if (socket < 0) return {};
  Bytes answer;
  if (Send(socket, command)) answer = ReadMessage(socket);
  close(socket);
  return answer;
}

}  // namespace

bool SoftwareTpm::IsInstalled() { return RunProgram({"swtpm", "--version"}).exit_code == 0; }

// It writes its number, which is waited for, when its sockets are there.
void SoftwareTpm::Start() {
  const std::string ready = folder_ / "ready";
  std::filesystem::create_directory(folder_ / "state");
  for (const char* each : {"ready", "tpm", "tpm.ctrl"}) std::filesystem::remove(folder_ / each);
  ASSERT_EQ(mkfifo(ready.c_str(), 0600), 0);
  process_ = std::make_unique<Process>(std::vector<std::string>{
      "swtpm", "socket", "--tpm2", "--tpmstate", "dir=" + folder_ / "state", "--server",
      "type=unixio,path=" + path(), "--ctrl", "type=unixio,path=" + path() + ".ctrl", "--flags",
      "not-need-init,startup-clear", "--pid", "file=" + ready});
  const int pipe = open(ready.c_str(), O_RDONLY | O_CLOEXEC);
  char number[16];
  EXPECT_GT(read(pipe, number, sizeof number), 0) << process_->err();
  close(pipe);
}

void SoftwareTpm::Replace() {
  PowerOff();
  std::filesystem::remove_all(folder_ / "state");
  Start();
}

void SoftwareTpm::Command(const std::string& hex) {
  const auto command = FromHex(hex);
  ASSERT_TRUE(command);
  const Bytes answer = Exchange(path(), *command);
  ASSERT_GE(answer.size(), kHeader);
  EXPECT_EQ(ReadUint32(ByteSpan(answer).subspan<6, 4>()), 0U) << hex;
}

void SoftwareTpm::Clear() {
  Command(
      "80020000001b"
      "00000126"
      "4000000a"
      "00000009"
      "400000090000000000");
}

void SoftwareTpm::Extend(uint32_t pcr) {
  Command(
      fmt::format("800200000041"
                  "00000182"
                  "{:08x}"
                  "00000009"
                  "400000090000000000"
                  "00000001"
                  "000b"
                  "{:064x}",
                  pcr, 1));
}

// TPM2_DictionaryAttackParameters: no tries at all.
void SoftwareTpm::LockOut() {
  Command(
      "800200000027"
      "0000013a"
      "4000000a"
      "00000009"
      "400000090000000000"
      "00000000"
      "000003e8"
      "000003e8");
}

TpmProxy::TpmProxy(const SoftwareTpm& tpm) : tpm_(tpm.path()) {
  listener_ = Listen(folder_ / "tpm");
  control_ = Listen(folder_ / "tpm.ctrl");
  stop_ = eventfd(0, EFD_CLOEXEC);
  thread_ = std::jthread([this] { Serve(); });
}

TpmProxy::~TpmProxy() {
  EXPECT_EQ(eventfd_write(stop_, 1), 0);
  thread_.join();
  for (const int each : {listener_, control_, stop_}) close(each);
}

void TpmProxy::Serve() {
  for (;;) {
    pollfd files[] = {{stop_, POLLIN, 0}, {listener_, POLLIN, 0}, {control_, POLLIN, 0}};
    if (poll(files, std::size(files), -1) < 0) continue;
    if (files[0].revents != 0) return;
    for (const int from : {listener_, control_}) {
      if (files[from == listener_ ? 1 : 2].revents == 0) continue;
      const int program = accept4(from, nullptr, nullptr, SOCK_CLOEXEC);
      from == listener_ ? CarryCommand(program) : CarryControl(program);
      close(program);
    }
  }
}

void TpmProxy::CarryControl(int program) {
  uint8_t buffer[64];
  const ssize_t asked = read(program, buffer, sizeof buffer);
  const int tpm = Connect(tpm_ + ".ctrl");
  if (tpm < 0) return;
  if (asked > 0 && Send(tpm, {buffer, static_cast<size_t>(asked)})) {
    const ssize_t answered = read(tpm, buffer, sizeof buffer);
    if (answered > 0) (void)Send(program, {buffer, static_cast<size_t>(answered)});
  }
  close(tpm);
}

void TpmProxy::CarryCommand(int program) {
  const Bytes command = ReadMessage(program);
  if (command.empty()) return;  // it only looked whether somebody is there
  bool is_cut = false;
  bool answers = false;
  {
    const MutexLock lock(mutex_);
    if (is_dead_) return;
    ++commands_;
    is_dead_ = is_cut = commands_ == cut_at_;
    answers = cut_ == Cut::kAnswer;
    wire_.insert(wire_.end(), command.begin(), command.end());
  }
  const bool arrives = !is_cut || answers;
  Bytes answer = arrives ? Exchange(tpm_, command) : Bytes();
  const MutexLock lock(mutex_);
  wire_.insert(wire_.end(), answer.begin(), answer.end());
  constexpr uint32_t kUnseal = 0x15e;
  if (refused_ != 0 && ReadUint32(ByteSpan(command).subspan<6, 4>()) == kUnseal) {
    answer = FromHex("80010000000a").value();
    AppendUint32(answer, refused_);
  }
  if (is_cut && then_) then_();
  if (!is_cut) (void)Send(program, answer);
}

Bytes TpmProxy::wire() {
  const MutexLock lock(mutex_);
  return wire_;
}

size_t TpmProxy::commands() {
  const MutexLock lock(mutex_);
  return commands_;
}

void TpmProxy::CutAt(size_t count, Cut cut, std::function<void()> then) {
  const MutexLock lock(mutex_);
  cut_at_ = commands_ + count;
  cut_ = cut;
  then_ = std::move(then);
}

void TpmProxy::Heal() {
  const MutexLock lock(mutex_);
  cut_at_ = 0;
  is_dead_ = false;
}

void TpmProxy::RefuseUnseal(uint32_t code) {
  const MutexLock lock(mutex_);
  refused_ = code;
}

bool TpmProxy::was_cut() {
  const MutexLock lock(mutex_);
  return is_dead_;
}

}  // namespace idkiosk
