#ifndef IDKIOSK_APP_SETTINGS_SETTINGS_H_
#define IDKIOSK_APP_SETTINGS_SETTINGS_H_

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "platform/base/time.h"

// The deployment's decisions, checked and complete. `config/kiosk.jsonc` documents every key, in
// the same order and with the same names (lower_case there, nested in the same way). Pure data:
// every folder of app/ may read it.
namespace idkiosk {

enum class Environment { kSandbox, kProduction };
inline constexpr std::string_view kEnvironmentNames[] = {"sandbox", "production"};
[[nodiscard]] constexpr std::string_view Name(Environment environment) {
  return kEnvironmentNames[static_cast<size_t>(environment)];
}

// The people at the page: anybody, alone; a clerk at a desk; a field agent.
enum class Mode { kKiosk, kBranch, kHandheld };
inline constexpr std::string_view kModeNames[] = {"kiosk", "branch", "handheld"};
[[nodiscard]] constexpr std::string_view Name(Mode mode) {
  return kModeNames[static_cast<size_t>(mode)];
}

struct ServiceSettings {
  std::string base_url;           // no default; no slash at its end
  std::string profile;            // file, relative to the configuration's folder
  std::string ca_file;            // PEM; empty: the system's certificates
  std::vector<std::string> pins;  // "sha256//BASE64" of the server's public key; one is enough
  std::string proxy;              // empty: none, whatever the process's environment says
  bool allow_plain_http = false;  // loopback addresses only
  Duration connect_timeout = std::chrono::seconds(10);
  Duration total_timeout = std::chrono::seconds(60);
  int64_t max_answer_bytes = 4 << 20;
  Duration token_idle = std::chrono::minutes(55);  // a token unused for longer is renewed first
  std::string test_nin;                            // refused in production
};

struct CameraSettings {
  std::string source = "auto";  // as on the command line
  int width = 1280;
  int height = 720;
  int frames_per_second = 30;
  Duration silence = std::chrono::seconds(2);  // no frame for so long: reopen
  std::string power_line = "50hz";             // off, 50hz, 60hz, auto
  std::string exposure = "auto";               // auto, or the device's own number
};

// LIMIT(name, default, from, to) for each limit of what is measured on a picture: a member of
// CaptureSettings, and the key of that name.
#define IDKIOSK_CAPTURE_LIMITS(LIMIT)                                                      \
  LIMIT(min_face_area, 0.15, 0.01, 1) /* of the frame's area, for the selfie */            \
  LIMIT(max_face_area, 0.50, 0.01, 1)                                                      \
  LIMIT(other_face_area, 0.03, 0.001, 1) /* from here on it is somebody else */            \
  LIMIT(max_yaw, 15, 1, 90)              /* degrees, for the selfie */                     \
  LIMIT(max_pitch, 20, 1, 90)                                                              \
  LIMIT(max_roll, 20, 1, 90)                                                               \
  LIMIT(min_luma, 50, 0, 255) /* mean of the face */                                       \
  LIMIT(max_luma, 220, 0, 255)                                                             \
  LIMIT(min_sharpness, 30, 0, 10000) /* variance of the Laplacian on the face at 112 px */ \
  LIMIT(min_eyes_open, 0.165, 0, 1)  /* opening over width */                              \
  LIMIT(max_mouth_open, 0.36, 0, 10) /* opening over width */                              \
  LIMIT(min_eyes_seen, 1, 0, 10)     /* 0 asks nothing */                                  \
  LIMIT(min_mouth_seen, 1, 0, 10)                                                          \
  LIMIT(turn_yaw, 27, 5, 80) /* degrees, for the challenges */                             \
  LIMIT(up_pitch, 17, 5, 60)                                                               \
  LIMIT(closer_factor, 1.25, 1.05, 3) /* the face's width against the selfie's */

struct CaptureSettings {
  std::string detector = "auto";  // auto, yunet, cascade
  std::string model;              // YuNet's ONNX file; empty: beside the program
  std::string cascades = "/usr/share/opencv4/haarcascades";

#define IDKIOSK_LIMIT(name, value, ...) double name = value;
  IDKIOSK_CAPTURE_LIMITS(IDKIOSK_LIMIT)
#undef IDKIOSK_LIMIT
  Duration hold = std::chrono::milliseconds(150);
  Duration spacing = std::chrono::milliseconds(250);
  Duration selfie_window = std::chrono::milliseconds(600);
  Duration lost_after = std::chrono::seconds(1);
  Duration challenge_timeout = std::chrono::seconds(6);
  std::string light_sequence = "auto";  // auto, on, off
  Duration timeout = std::chrono::seconds(120);

  int selfie_side = 640;  // pixels, the longer side
  int liveness_side = 320;
  int jpeg_quality = 80;
  int64_t bundle_bytes = 100 * 1000;  // all five together
  bool allow_recorded = true;  // verify what no live camera shows; in production only if written
  bool debug_pictures = true;  // capture --debug; the same
  // Challenges that somebody may say they cannot show; at least two others must be left.
  std::vector<std::string> may_leave_out = {"look_up", "smile"};
  // Of one person, and no setting: those that are not asked for, a bit each, by Prompt.
  uint32_t left_out = 0;
};

struct BillingSettings {
  int max_billed_attempts = 1;  // attempts billed `yes` or `maybe` that one call may have
  Duration settling = std::chrono::minutes(2);  // before an `unknown` is resent by itself
  int64_t calls_per_hour = 0;                   // 0: no cap
  int64_t calls_per_day = 0;
  int breaker_after = 3;  // attempts in a row that cost and verified nothing; 0: never
  Duration duplicate_window = std::chrono::hours(24);
};

struct QueueSettings {
  Duration max_age = std::chrono::hours(72);    // a call not delivered by then expires
  Duration retention = std::chrono::hours(24);  // of sealed answers, after which they are erased
  Duration backoff_first = std::chrono::seconds(2);
  Duration backoff_last = std::chrono::minutes(15);
  int64_t reserve_bytes = 4 << 20;  // kept on the disk so that an answer always fits
  int64_t max_calls = 100000;       // waiting ones
};

// The page that people touch.
struct UiSettings {
  int port = 0;                 // on 127.0.0.1; 0: a free one
  std::string browser_user;     // may connect beside the program's own user; empty: nobody
  std::string language = "en";  // of the first screen
  bool sound = true;
  std::string voice_folder;  // recordings, LANGUAGE/KEY.wav; empty: none
  std::vector<std::string>
      reasons;  // of the service's, those that are chosen from here; empty: all
  Duration idle = std::chrono::seconds(45);     // nobody touches it for so long: it warns
  Duration warning = std::chrono::seconds(20);  // and then erases everything
  Duration answer = std::chrono::seconds(20);   // how long an answer is shown
  // What the camera will ask for is shown for so long before it starts.
  Duration get_ready = std::chrono::seconds(3);
  bool metrics = false;  // /metrics
};

// The staff of a branch's desk or a handheld, and the operators.
struct StaffSettings {
  std::string name = "clerk";                     // for the ledger, of a clerk without a name
  Duration lock_after = std::chrono::minutes(5);  // nobody touches it for so long: it wants the PIN
  // Whether two operators must agree where the kiosk is pointed at another service or account, or
  // everything is erased: auto (where there are two), always, off.
  std::string two_persons = "auto";
  std::string sticks;  // the folder below which memory sticks are mounted; empty: none is taken
};

// A switch that tells that somebody opens the case: everything is erased at once.
struct TamperSettings {
  std::string gpio_chip;        // such as /dev/gpiochip0; empty: there is no switch
  int line = 0;                 // of that chip
  std::string active = "high";  // the level that means it: low, high
};

// What people are told before a check, and agree to.
struct ConsentSettings {
  std::string version;  // of the text, as it is put on record; empty: that of idkiosk's own
  std::string folder;   // the bank's own text, LANGUAGE.txt; empty: idkiosk's
};

struct BrandSettings {
  std::string name = "idkiosk";
  std::string primary = "#0b5d3b";  // white text stands on it
  std::string accent = "#f2b705";   // black text stands on it
  std::string logo;                 // PNG or SVG file; empty: the name alone
};

struct PrinterSettings {
  std::string target;  // where receipts are printed; empty: nowhere
};

// The lamp that lights the face while pictures are taken.
struct LightSettings {
  std::string led;       // a folder of /sys/class/leds; empty: none
  int brightness = 100;  // percent of what it can
};

// What became of each check, for other programs of the bank.
struct ResultsSettings {
  std::string webhook;                    // the address that each end is posted to; empty: none
  std::string webhook_ca;                 // PEM; empty: the system's certificates
  std::vector<std::string> webhook_pins;  // as service.pins
  std::string spool;                      // a folder of a file for each end; empty: none
  std::vector<std::string> include;       // "nin", "answer": personal data that goes with it

  [[nodiscard]] bool Includes(std::string_view what) const {
    return std::ranges::find(include, what) != include.end();
  }
};

// The TPM 2.0 that may hold the vault's root key ('idkiosk vault protect').
struct TpmSettings {
  std::string device = "/dev/tpmrm0";  // or how tpm2-tss calls another way to it: "swtpm:path=..."
  std::string pcrs = "7";              // what the key is bound to from the next `protect` on
};

// The local API, for other programs of this board.
struct ApiSettings {
  std::string socket;  // the file that they connect to; empty: none
  std::string group;   // whose programs may ask, beside root and the program's own user; empty:
                       // the program's own group
  // Users that see and decide every check, beside those two; others do their own alone.
  std::vector<std::string> supervisors;
  // The user of idkiosk-fleet, which sees how the kiosk is and its journals, and no check.
  std::string fleet_user;
};

// Headquarters, whose signed commands this kiosk carries out.
struct HeadquartersSettings {
  std::string tenant;               // whose kiosks these are, as in idkiosk-fleet's own file
  std::string kiosk;                // this one's name there
  std::vector<std::string> groups;  // to which it belongs, too
  // "NAME BASE64" each: who may sign, and the public key; empty: no command is carried out.
  std::vector<std::string> keys;
};

struct LogSettings {
  std::string level = "info";  // debug, info, warn, error
  std::string file;            // empty: standard error
};

struct Settings {
  Environment environment = Environment::kSandbox;
  Mode mode = Mode::kKiosk;
  std::string state_folder;  // no default
  ServiceSettings service;
  CameraSettings camera;
  CaptureSettings capture;
  BillingSettings billing;
  QueueSettings queue;
  UiSettings ui;
  StaffSettings staff;
  TamperSettings tamper;
  ConsentSettings consent;
  BrandSettings brand;
  PrinterSettings printer;
  LightSettings light;
  ApiSettings api;
  ResultsSettings results;
  TpmSettings tpm;
  HeadquartersSettings headquarters;
  LogSettings log;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_SETTINGS_SETTINGS_H_
