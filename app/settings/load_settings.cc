#include "app/settings/load_settings.h"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "app/settings/contrast.h"
#include "app/settings/local_settings.h"
#include "app/settings/nearest_key.h"
#include "app/settings/settings_table.h"
#include "app/settings/signing_key.h"
#include "app/settings/url_check.h"
#include "platform/base/certificate_file.h"
#include "platform/base/json.h"
#include "platform/base/text/file_path.h"

namespace idkiosk {
namespace {

class Loader {
 public:
  Loader(FileSystem& files, const std::string& path, bool provisioned)
      : files_(files), path_(path), folder_(FolderOf(path)), provisioned_(provisioned) {}

  Result<Settings> Load() {
    const auto text = files_.Read(path_, kLargestSettings);
    if (!text && text.error().code == ErrorCode::kNotFound) {
      return Fail(
          ErrorCode::kNotFound,
          "there is no configuration at {}: name one with --config FILE; the config/kiosk.jsonc "
          "that came with idkiosk shows every key",
          path_);
    }
    if (!text) return std::unexpected(text.error());
    ReadLayer(path_, AsText(*text));
    const std::string local_path = LocalSettingsPath(path_);
    const auto local = files_.Read(local_path, kLargestSettings);
    if (local) ReadLayer(local_path, AsText(*local));
    if (!local && local.error().code != ErrorCode::kNotFound) {
      return std::unexpected(local.error());
    }
    // What a file or a section that could not be read would have said is not missed.
    if (!is_partly_read_) {
      CheckWhole();
      CheckFiles();
    }
    if (!problems_.empty()) return std::unexpected(Error{ErrorCode::kInvalid, Join()});
    return std::move(settings_);
  }

 private:
  struct Place {
    std::string file;
    int line = 0;
  };
  // The file that is being read.
  struct Layer {
    std::string file;
    std::string_view text;
    std::map<std::string, int, std::less<>> lines = {};  // of its keys, in full
  };

  void ReadLayer(const std::string& file, std::string_view text) {
    const auto document = JsonDocument::ParseWithComments(text);
    const bool is_object = document && document->root().IsObject();
    is_partly_read_ = is_partly_read_ || !is_object;
    if (!document) {
      problems_.push_back(fmt::format("{}: {}", file, document.error().message));
    } else if (!is_object) {
      problems_.push_back(fmt::format("{}: must be one object, {{ ... }}", file));
    } else {
      Layer layer{file, text};
      ReadObject(layer, document->root(), "", "");
    }
  }

  // `prefix` goes before the keys ("camera."), `pointer` is where the object is ("/camera").
  void ReadObject(Layer& layer, JsonView object, const std::string& prefix,
                  const std::string& pointer) {
    std::map<std::string_view, int> seen;
    for (const JsonView child : object.children()) {
      const std::string key = prefix + std::string(child.key());
      const std::string child_pointer = pointer + "/" + Escape(child.key());
      const Place place{layer.file, LineOf(layer.text, child_pointer, seen[child.key()]++)};
      // "camera.width" and a "width" in "camera" are the same key.
      const auto [first, is_new] = layer.lines.emplace(key, place.line);
      if (is_new) {
        ReadKey(layer, child, key, child_pointer, place);
      } else {
        Complain(place, key,
                 fmt::format("is there already, in line {}: keep one of them", first->second));
      }
    }
  }

  void ReadKey(Layer& layer, JsonView value, const std::string& key, const std::string& pointer,
               const Place& place) {
    if (const Setting* setting = FindSetting(key)) {
      written_[key] = place;
      const auto read = ReadSetting(*setting, value, folder_, settings_);
      if (!read) Complain(place, key, read.error().message);
    } else if (!IsSection(key)) {
      const std::string nearest = NearestKey(key);
      Complain(place, key,
               nearest.empty() ? "there is no such key"
                               : fmt::format("there is no such key; did you mean {}?", nearest));
    } else if (!value.IsObject()) {
      is_partly_read_ = true;
      Complain(place, key, fmt::format("must be an object, {{ ... }}, not {}", value.TypeName()));
    } else {
      ReadObject(layer, value, key + ".", pointer);
    }
  }

  static std::string Escape(std::string_view key) {
    std::string escaped;
    for (char c : key) {
      if (c == '~') {
        escaped += "~0";
      } else if (c == '/') {
        escaped += "~1";
      } else {
        escaped.push_back(c);
      }
    }
    return escaped;
  }

  // What concerns several keys, or one that is not there.
  void CheckWhole() {
    Require("state_folder", settings_.state_folder,
            "the folder that keeps the queue and the vault");
    if (provisioned_) {
      Require("service.base_url", settings_.service.base_url,
              "the service's operator delivers it in the onboarding message; 'idkiosk provision' "
              "writes it, or write it yourself");
    }
    Require("service.profile", settings_.service.profile,
            "profiles/production.jsonc or profiles/sandbox.jsonc");
    if (!settings_.consent.folder.empty()) {
      Require("consent.version", settings_.consent.version,
              "the version of the bank's own text, which each consent is put on record with");
    }
    CheckHeadquarters();
    CheckScheme("service.base_url", settings_.service.base_url, "sandbox");
    CheckScheme("results.webhook", settings_.results.webhook, "receiver");

    const CaptureSettings& capture = settings_.capture;
    RequireOrder("capture.other_face_area", capture.other_face_area, "capture.min_face_area",
                 capture.min_face_area);
    RequireOrder("capture.min_face_area", capture.min_face_area, "capture.max_face_area",
                 capture.max_face_area);
    RequireOrder("capture.min_luma", capture.min_luma, "capture.max_luma", capture.max_luma);
    RequireOrder("capture.challenge_timeout", capture.challenge_timeout, "capture.timeout",
                 capture.timeout);
    RequireOrder("service.connect_timeout", settings_.service.connect_timeout,
                 "service.total_timeout", settings_.service.total_timeout);
    RequireOrder("queue.backoff_first", settings_.queue.backoff_first, "queue.backoff_last",
                 settings_.queue.backoff_last);
    RequireContrast("brand.primary", settings_.brand.primary, "white text", kWhiteScreen);
    RequireContrast("brand.accent", settings_.brand.accent, "black text", kBlackScreen);

    if (settings_.environment == Environment::kProduction) {
      if (!written_.contains("capture.allow_recorded")) settings_.capture.allow_recorded = false;
      if (!written_.contains("capture.debug_pictures")) settings_.capture.debug_pictures = false;
    }
  }

  // Two signatures are those of two people: nobody has two names.
  void CheckHeadquarters() {
    const HeadquartersSettings& given = settings_.headquarters;
    if (given.keys.empty()) return;
    Require("headquarters.tenant", given.tenant, "whose kiosk this is");
    Require("headquarters.kiosk", given.kiosk, "the name that headquarters know this kiosk by");
    for (auto each = given.keys.begin(); each != given.keys.end(); ++each) {
      const auto key = ParseSigningKey(*each);
      const auto same = [&key](const std::string& other) {
        const auto parsed = ParseSigningKey(other);
        return key && parsed && (parsed->name == key->name || parsed->der == key->der);
      };
      if (std::any_of(given.keys.begin(), each, same)) {
        Complain(PlaceOf("headquarters.keys"), "headquarters.keys",
                 fmt::format("the name or the key of {} is there twice", key->name));
      }
    }
  }

  void Require(std::string_view key, const std::string& value, std::string_view what) {
    if (value.empty() && !failed_.contains(key)) {
      Complain(PlaceOf(key), key, fmt::format("must be given: {}", what));
    }
  }

  template <typename T>
  void RequireOrder(std::string_view smaller_key, const T& smaller, std::string_view larger_key,
                    const T& larger) {
    if (smaller <= larger) return;
    if (IsWrittenAfter(larger_key, smaller_key)) {
      Complain(PlaceOf(larger_key), larger_key,
               fmt::format("must not be less than {}", smaller_key));
    } else {
      Complain(PlaceOf(smaller_key), smaller_key,
               fmt::format("must not be more than {}", larger_key));
    }
  }

  // Whether it is `key`, of two that do not go together, that was changed: the local file is laid
  // over the other one, and that over the defaults.
  bool IsWrittenAfter(std::string_view key, std::string_view other) const {
    const auto layer = [this](const Place& place) {
      return place.line == 0 ? 0 : place.file == path_ ? 1 : 2;
    };
    return layer(PlaceOf(key)) > layer(PlaceOf(other));
  }

  // What WCAG 2.2 asks of ordinary text.
  void RequireContrast(std::string_view key, const std::string& ground, std::string_view ink_name,
                       const ScreenColour& ink) {
    constexpr double kEnough = 4.5;
    const auto colour = ParseColour(ground);
    if (!colour) return;
    const double ratio = ContrastRatio(*colour, ink);
    if (ratio >= kEnough) return;
    Complain(
        PlaceOf(key), key,
        fmt::format("{} on {} has a contrast of {:.1f} to 1, and people with poor sight need "
                    "at least {}: choose a {} colour",
                    ink_name, ground, ratio, kEnough, ink == kWhiteScreen ? "darker" : "lighter"));
  }

  // `receiver`: who would listen on this machine.
  void CheckScheme(std::string_view key, const std::string& address, std::string_view receiver) {
    if (!IsPlainHttp(address)) return;
    if (settings_.environment == Environment::kProduction) {
      Complain(PlaceOf(key), key, "must begin with https:// in production");
    } else if (!IsLoopback(address)) {
      Complain(PlaceOf(key), key,
               fmt::format("must begin with https://; plain http is only for a {} on this machine",
                           receiver));
    } else if (!settings_.service.allow_plain_http) {
      Complain(PlaceOf(key), key,
               fmt::format("must begin with https://; for a {} on this machine, set "
                           "service.allow_plain_http to true",
                           receiver));
    }
  }

  void CheckFiles() {
    CheckAuthority("service.ca_file", settings_.service.ca_file);
    CheckAuthority("results.webhook_ca", settings_.results.webhook_ca);
    CheckFile("brand.logo", settings_.brand.logo);
    if (!CheckFile("service.profile", settings_.service.profile)) return;
    if (settings_.environment != Environment::kProduction) return;
    // What else is wrong with a profile is said by who reads all of it.
    const auto text = files_.Read(settings_.service.profile, kLargestSettings);
    if (!text) return;
    const auto profile = JsonDocument::ParseWithComments(AsText(*text));
    if (profile && profile->root()["name"].AsString() == "sandbox") {
      Complain(PlaceOf("service.profile"), "service.profile",
               fmt::format("{} describes the sandbox, and the environment is production: use "
                           "profiles/production.jsonc",
                           settings_.service.profile));
    }
  }

  // Without a certificate no call would ever be made, and the first person would be told so.
  void CheckAuthority(std::string_view key, const std::string& file) {
    if (!CheckFile(key, file)) return;
    const auto bytes = files_.Read(file, kLargestCertificateFile);
    const Status good = CheckCertificateFile(file, bytes);
    if (good) return;
    Complain(PlaceOf(key), key,
             bytes ? fmt::format("{}; {}", good.error().message, kHowToNameAnAuthority)
                   : good.error().message);
  }

  // False also for an empty one, which is no file to look for.
  bool CheckFile(std::string_view key, const std::string& file) {
    if (file.empty() || failed_.contains(key)) return false;
    const auto there = files_.Exists(file);
    // A pipe would be read for ever, or a folder not at all, by whoever opens it by its name.
    const auto start = files_.ReadPart(file, 0, 1);
    if (there && *there && start) return true;
    Complain(PlaceOf(key), key,
             there && *there ? start.error().message : fmt::format("there is no file {}", file));
    return false;
  }

  // Where the value in force was written; the configuration for a default.
  Place PlaceOf(std::string_view key) const {
    const auto found = written_.find(key);
    return found == written_.end() ? Place{path_, 0} : found->second;
  }

  void Complain(const Place& place, std::string_view key, std::string_view what) {
    failed_.emplace(key);
    std::string plain(key);
    for (char& c : plain) {
      if (static_cast<unsigned char>(c) < 0x20) c = '?';
    }
    problems_.push_back(place.line == 0
                            ? fmt::format("{}: {}: {}", place.file, plain, what)
                            : fmt::format("{}:{}: {}: {}", place.file, place.line, plain, what));
  }

  std::string Join() const {
    std::string text;
    for (const std::string& each : problems_) text += (text.empty() ? "" : "\n") + each;
    return text;
  }

  FileSystem& files_;
  const std::string path_;
  const std::string folder_;
  const bool provisioned_;
  bool is_partly_read_ = false;
  Settings settings_;
  std::map<std::string, Place, std::less<>> written_;
  std::set<std::string, std::less<>> failed_;  // keys
  std::vector<std::string> problems_;
};

}  // namespace

std::string PlaceOfSetting(FileSystem& files, const std::string& path, std::string_view key) {
  std::string pointer = "/" + std::string(key);
  std::ranges::replace(pointer, '.', '/');
  for (const std::string& file : {LocalSettingsPath(path), path}) {
    const auto text = files.Read(file, kLargestSettings);
    const int line = text ? LineOf(AsText(*text), pointer) : 0;
    if (line != 0) return fmt::format("{}:{}", file, line);
  }
  return path;
}

Result<Settings> LoadSettings(FileSystem& files, const std::string& path) {
  return Loader(files, path, true).Load();
}

Result<Settings> LoadSettingsBeforeProvisioning(FileSystem& files, const std::string& path) {
  return Loader(files, path, false).Load();
}

}  // namespace idkiosk
