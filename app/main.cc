// The composition root: chooses the concrete drivers, and hands them to the command that was asked
// for.
#include <sys/resource.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <new>
#include <ranges>
#include <system_error>

#include "app/assembly/version.h"
#include "app/cli/command_line.h"
#include "drivers/camera/camera_source.h"
#include "drivers/camera/linux_video_kernel.h"
#include "drivers/camera/picture_file.h"
#include "drivers/light/sysfs_light.h"
#include "drivers/printer/escpos_printer.h"
#include "drivers/scanner/zxing_scanner.h"
#include "drivers/secure_storage/file_vault.h"
#include "drivers/secure_storage/mbedtls_crypto.h"
#include "drivers/secure_storage/mbedtls_signature_check.h"
#include "drivers/tamper/gpio_tamper_switch.h"
#include "platform/base/address.h"
#include "platform/base/secret_bytes.h"
#include "platform/base/text/digits.h"
#include "platform/posix/curl_http_client.h"
#include "platform/posix/file_confinement.h"
#include "platform/posix/loop_task_runner.h"
#include "platform/posix/posix_file_system.h"
#include "platform/posix/posix_terminal.h"
#include "platform/posix/process_hardening.h"
#include "platform/posix/system_clock.h"
#include "platform/posix/system_entropy.h"
#include "platform/posix/systemd_watchdog.h"

namespace idkiosk {
namespace {

std::string ProgramFolder() {
  std::error_code error;
  return std::filesystem::read_symlink("/proc/self/exe", error).parent_path().string();
}

// What the operating system gives, for as long as the program runs.
struct OperatingSystem {
  SystemClock clock;
  SystemEntropy entropy;
  PosixFileSystem files;
  PosixTerminal terminal;
  MbedtlsCrypto crypto;
  MbedtlsSignatureCheck signatures;
  LinuxVideoKernel video;
  CameraProgram camera_program{ProgramFolder()};
  SystemdWatchdog watchdog;
};

// A bit for each register of a list such as "0,7", which the settings have judged.
uint32_t PcrsOf(std::string_view list) {
  uint32_t pcrs = 0;
  for (const auto part : std::views::split(list, ',')) {
    pcrs |= 1U << std::stoul(std::string(part.begin(), part.end()));
  }
  return pcrs;
}

Result<ChosenCamera> CameraOf(OperatingSystem& system, const std::string& source,
                              const CameraSettings& settings) {
  auto choice =
      MakeCamera(source, {.power_line = settings.power_line, .exposure = settings.exposure},
                 system.video, system.camera_program, system.clock, system.files);
  if (!choice) return std::unexpected(choice.error());
  SyntheticCamera* sitter = choice->sitter;
  return ChosenCamera{std::move(choice->camera), [sitter](std::string_view script) {
                        if (sitter != nullptr) sitter->Cue(script);
                      }};
}

Result<std::unique_ptr<Printer>> PrinterAt(OperatingSystem& system, const std::string& target) {
  auto sink = MakeByteSink(target, system.files);
  if (!sink) return std::unexpected(sink.error());
  return std::make_unique<EscPosPrinter>(std::move(*sink));
}

Result<std::unique_ptr<HttpClient>> ClientOf(const ServiceSettings& settings) {
  return CurlHttpClient::Create({.ca_file = settings.ca_file,
                                 .pins = settings.pins,
                                 .proxy = settings.proxy,
                                 .allow_plain_http = settings.allow_plain_http});
}

ChosenVault VaultOf(OperatingSystem& system, const Settings& settings) {
  auto vault = std::make_unique<FileVault>(
      system.files, system.entropy, system.crypto, settings.state_folder + "/vault",
      TpmOptions{settings.tpm.device, PcrsOf(settings.tpm.pcrs)});
  FileVault* const same = vault.get();
  return ChosenVault{std::move(vault), same};
}

// One row a driver.
Drivers ChooseDrivers(OperatingSystem& system) {
  return {
      .clock = system.clock,
      .entropy = system.entropy,
      .files = system.files,
      .crypto = system.crypto,
      .signatures = system.signatures,
      .terminal = system.terminal,
      .watchdog = system.watchdog,
      .program_folder = ProgramFolder(),
      .check_camera = &CheckCameraSource,
      .camera_promise =
          [&system](std::string_view source) { return PromiseOf(source, system.video); },
      .start_camera_program = [&system](std::string_view source) -> Status {
        return NeedsCameraProgram(source) ? system.camera_program.Start() : Status();
      },
      .make_camera =
          [&system](const std::string& source, const CameraSettings& settings) {
            return CameraOf(system, source, settings);
          },
      .make_printer = [&system](const std::string& target) { return PrinterAt(system, target); },
      .make_light =
          [&system](const LightSettings& settings) {
            return std::make_unique<SysfsLight>(system.files, settings.led, settings.brightness);
          },
      .make_tamper_switch =
          [](const TamperSettings& settings) {
            return std::make_unique<GpioTamperSwitch>(
                GpioTamperSwitch::Options{settings.gpio_chip, static_cast<uint32_t>(settings.line),
                                          settings.active == "high"});
          },
      .make_code_scanner = [] { return std::make_unique<ZxingScanner>(); },
      .read_picture =
          [&system](const std::string& path) { return ReadPictureFile(system.files, path); },
      .make_http_client = &ClientOf,
      .open_vault = [&system](const Settings& settings) { return VaultOf(system, settings); },
      .make_task_loop = [&system] { return std::make_unique<LoopTaskRunner>(system.clock); },
      .can_confine_files = &FileConfinement::IsAvailable,
      .confine_files =
          [](const FilePlaces& places) {
            return FileConfinement::Enter(places.readable, places.writable);
          },
      .library_versions = [] { return CurlHttpClient::Version(); },
  };
}

// A number on the command line is somebody's, and an address may hold a password: nobody else reads
// them there for longer than it takes.
void WipePersonalArguments(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    const auto digits = std::ranges::count_if(argument, IsDigit);
    if (digits >= 10 || WithoutCredentials(argument) != argument) WipeArgument(argv[i]);
  }
}

// What the command line says. The parser, and with it its copies of every argument, is gone when
// this returns.
std::expected<ChosenCommand, int> Parse(int argc, char** argv, GlobalOptions& options,
                                        bool& quiet) {
  CommandLine line(
      {.name = "idkiosk",
       .summary = "Takes a selfie and four liveness pictures, and asks whether they fit a NIN.",
       .arguments = {{.name = "--config",
                      .target = &options.config,
                      .type = "FILE",
                      .help = "The configuration file",
                      .given = &options.config_given},
                     {.name = "--json", .target = &options.json, .help = "Print data as JSON"},
                     {.name = "--quiet", .target = &quiet, .help = "Print data only, no messages"}},
       .version = fmt::format("idkiosk {}", ProgramVersion()),
       .exit_codes = ExitCodeNotes(),
       .files = {{"/etc/idkiosk/kiosk.jsonc", "The settings, each key documented beside it"},
                 {"/etc/idkiosk/kiosk.local.jsonc",
                  "This machine's own settings: each key replaces that of kiosk.jsonc"},
                 {"/etc/idkiosk/profiles/", "What the service's endpoints look like"},
                 {"/var/lib/idkiosk/", "The queue, the ledger, the audit trail and the vault"},
                 {"/usr/share/idkiosk/", "Models and voices, where none lie beside the program"}}});
  AddVerifyCommands(line);
  AddCaptureCommands(line, CameraForms());
  AddTuneCommand(line);
  AddQueueCommands(line);
  AddLedgerCommands(line);
  AddHoldCommands(line);
  AddAuditCommands(line);
  AddPeopleCommands(line);
  AddProbeCommand(line);
  AddVaultCommands(line);
  AddStaffCommands(line);
  AddAccountCommands(line);
  AddDoctorCommand(line);
  AddConfigCommands(line);
  AddRunCommand(line);
  AddSupportCommand(line);
  return line.Parse(argc, argv);
}

// A process with a smaller stack would end in the middle of a call, without a word.
constexpr rlim_t kLeastStack = 512 << 10;

int Run(int argc, char** argv) {
  rlimit stack{};
  if (getrlimit(RLIMIT_STACK, &stack) == 0 && stack.rlim_cur < kLeastStack) {
    std::fprintf(stderr,
                 "idkiosk: its stack may have %llu KiB alone: raise it ('ulimit -s 8192')\n",
                 static_cast<unsigned long long>(stack.rlim_cur >> 10));
    return static_cast<int>(ExitCode::kConfiguration);
  }
  HardenProcess();
  OperatingSystem system;
  const Drivers drivers = ChooseDrivers(system);
  GlobalOptions options;
  bool quiet = false;
  const auto command = Parse(argc, argv, options, quiet);
  if (!command) return command.error();
  WipePersonalArguments(argc, argv);
  WipeUnusedStack();
  system.terminal.set_quiet(quiet);

  Components components(drivers, options);
  const CommandResult<ExitCode> done = (*command)(components);
  if (done && *done == ExitCode::kDone && system.terminal.lost_data()) {
    system.terminal.set_quiet(false);
    system.terminal.Say("idkiosk: done, but not all output could be written: is the disk full?");
    return static_cast<int>(ExitCode::kNeedsPerson);
  }
  if (done) return static_cast<int>(*done);
  system.terminal.set_quiet(false);
  system.terminal.Say("idkiosk: " + done.error().message);
  return static_cast<int>(done.error().code);
}

// What the process may not have, a thread or memory, is no error that anybody handles. Nothing is
// unwound: that would wait for threads which wait for others that were never made.
[[noreturn]] void EndWithASentence() {
  const char* why = "an error that nobody handles";
  try {
    if (const auto thrown = std::current_exception()) std::rethrow_exception(thrown);
  } catch (const std::bad_alloc&) {
    why = "there is no memory left for it";
  } catch (const std::system_error&) {
    why = "the system refuses it a thread: is a limit too low (ulimit -a, TasksMax)?";
  } catch (...) {
  }
  std::fprintf(stderr, "idkiosk: it has to stop: %s\n", why);
  std::abort();
}

}  // namespace
}  // namespace idkiosk

int main(int argc, char** argv) {
  std::set_terminate(&idkiosk::EndWithASentence);
  return idkiosk::Run(argc, argv);
}
