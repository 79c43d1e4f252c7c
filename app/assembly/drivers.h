#ifndef IDKIOSK_APP_ASSEMBLY_DRIVERS_H_
#define IDKIOSK_APP_ASSEMBLY_DRIVERS_H_

#include <functional>
#include <memory>
#include <string>

#include "app/assembly/file_places.h"
#include "app/capture/challenges.h"
#include "app/capture/picture_files.h"
#include "app/settings/settings.h"
#include "platform/api/camera.h"
#include "platform/api/clock.h"
#include "platform/api/code_scanner.h"
#include "platform/api/crypto.h"
#include "platform/api/entropy.h"
#include "platform/api/file_system.h"
#include "platform/api/http_client.h"
#include "platform/api/light.h"
#include "platform/api/printer.h"
#include "platform/api/secure_storage.h"
#include "platform/api/signature_check.h"
#include "platform/api/tamper_switch.h"
#include "platform/api/task_runner.h"
#include "platform/api/terminal.h"
#include "platform/api/watchdog.h"

namespace idkiosk {

// A camera, and how it hears what the person is asked to do: a drawn sitter follows, a real camera
// does not care.
struct ChosenCamera {
  std::unique_ptr<Camera> camera;
  std::function<void(std::string_view script)> follow;
};

// A vault, and the same object seen as what an administrator does with it. It need not be made yet.
struct ChosenVault {
  std::unique_ptr<SecureStorage> storage;
  VaultAdministration* administration = nullptr;
};

// The operating system and the devices, as main.cc chose them. All outlive every command.
struct Drivers {
  Clock& clock;
  Entropy& entropy;
  FileSystem& files;
  const Crypto& crypto;
  const SignatureCheck& signatures;
  Terminal& terminal;
  Watchdog& watchdog;
  std::string program_folder;

  // Errors: kInvalid, with all that a source may be.
  std::function<Status(std::string_view source)> check_camera;
  // What it would show, without opening it. Errors: those of check_camera.
  std::function<Result<CameraPromise>(std::string_view source)> camera_promise;
  // Starts the process that takes the pictures of such a camera, where it needs one: before
  // confine_files, after which nothing can be started. Errors: it is not there; says the mend.
  std::function<Status(std::string_view source)> start_camera_program;
  // Errors: those of check_camera and start_camera_program, kInvalid (a source that makes no
  // sense).
  std::function<Result<ChosenCamera>(const std::string& source, const CameraSettings&)> make_camera;
  // Errors: kInvalid, "must be ...".
  std::function<Result<std::unique_ptr<Printer>>(const std::string& target)> make_printer;
  std::function<std::unique_ptr<Light>(const LightSettings&)> make_light;
  std::function<std::unique_ptr<TamperSwitch>(const TamperSettings&)> make_tamper_switch;
  // Reads the codes of slips; never null.
  std::function<std::unique_ptr<CodeScanner>()> make_code_scanner;
  PictureReader read_picture;
  std::function<Result<std::unique_ptr<HttpClient>>(const ServiceSettings&)> make_http_client;
  std::function<ChosenVault(const Settings&)> open_vault;
  std::function<std::unique_ptr<TaskLoop>()> make_task_loop;
  // Whether confine_files works here.
  std::function<bool()> can_confine_files;
  // From now on the caller's thread, and each that it starts, opens no other files. Errors:
  // kUnavailable.
  std::function<Status(const FilePlaces&)> confine_files;
  // Name and version of what talks to the network, for `version`.
  std::function<std::string()> library_versions;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_ASSEMBLY_DRIVERS_H_
