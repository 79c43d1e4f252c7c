// Accepting a call: sealed, committed and synced.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>

#include "app/queue/durable_queue.h"
#include "drivers/secure_storage/file_vault.h"
#include "drivers/secure_storage/mbedtls_crypto.h"
#include "platform/posix/posix_file_system.h"
#include "platform/posix/system_clock.h"
#include "platform/posix/system_entropy.h"
#include "tools/benchmarks/benchmark.h"

namespace idkiosk {
namespace {

constexpr size_t kPictureSize = 20'000;  // bytes; five of them are a bundle of the largest size

// A queue on this machine's own disk, beside the program.
class Disk {
 public:
  Disk() : folder(ProgramFolder() + "/../bench-state") {
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
  }
  ~Disk() { std::filesystem::remove_all(folder); }
  Disk(const Disk&) = delete;
  Disk& operator=(const Disk&) = delete;

  const std::string folder;
};

VerificationCall MakeCall(Entropy& entropy) {
  VerificationCall call;
  call.nin = SecretBytes::CopyOf("70123456789");
  call.reason = "ACCOUNT_OPENING";
  const auto picture = [&entropy] {
    SecretBytes bytes(kPictureSize);
    entropy.Fill(bytes.mutable_view());
    return bytes;
  };
  call.pictures.selfie = picture();
  for (SecretBytes& each : call.pictures.liveness) each = picture();
  return call;
}

}  // namespace

void MeasureQueue(std::vector<Figure>& figures) {
  const Disk disk;
  SystemClock clock;
  SystemEntropy entropy;
  PosixFileSystem files;
  const MbedtlsCrypto crypto;
  FileVault vault(files, entropy, crypto, disk.folder + "/vault");
  if (auto made = vault.Init(); !made) GiveUp(made.error().message);
  const auto text = files.Read("config/profiles/sandbox.jsonc", 1 << 20);
  if (!text) GiveUp(text.error().message);
  const auto profile = ParseProfile(AsText(*text), "sandbox.jsonc");
  if (!profile) GiveUp(profile.error().message);
  DurableQueue::Options options;
  options.folder = disk.folder;
  options.role = DurableQueue::Role::kOperate;
  auto queue = DurableQueue::Open(options, *profile, clock, crypto, entropy, vault, files);
  if (!queue) GiveUp(queue.error().message);

  const VerificationCall call = MakeCall(entropy);
  Bytes same(5 * kPictureSize);
  entropy.Fill(same);
  const int file =
      open((disk.folder + "/floor").c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  const Paired pairs = MeasureInTurn(
      [&] {
        if (const auto accepted = (*queue)->Accept(call, {}); !accepted) {
          GiveUp(accepted.error().message);
        }
      },
      [&] {
        if (write(file, same.data(), same.size()) < 0 || fsync(file) != 0) GiveUp("cannot write");
      },
      300, 10);
  close(file);
  figures.push_back(ToFigure("accept a call of 100 kB", pairs, 2,
                             "write and fsync of the same number of bytes to one growing file"));
}

}  // namespace idkiosk
