#include "app/ui/start_page.h"

#include <grp.h>
#include <pwd.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <vector>

#include "platform/base/secret_bytes.h"

namespace idkiosk {
namespace {

namespace fs = std::filesystem;

// Nothing but a script can post by itself. Its policy allows this one, by its SHA-256, and no other
// place to post to.
constexpr std::string_view kPage = R"(<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; base-uri 'none'; script-src 'sha256-ePniVEkSivX/c7XWBGafqh8tSpiRrKiqYeqbG7N1TOE='; form-action http://127.0.0.1:{0}/start">
<title>idkiosk</title>
<form method="post" action="http://127.0.0.1:{0}/start">
<input type="hidden" name="token" value="{1}">
<button>Open the kiosk's page</button>
</form>
<script>document.forms[0].submit()</script>
</html>
)";

// The comment tells each version, also an older one that is put back, that the file is ours.
constexpr std::string_view kWaitingPage = R"(<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; base-uri 'none'">
<meta http-equiv="refresh" content="2">
<!-- Instead of <form method="post" action="http://127.0.0.1: -->
<title>idkiosk</title>
<h1>Please wait</h1>
<p>The kiosk cannot show its page yet. It comes by itself.</p>
<p>For staff: 'idkiosk doctor' says why.</p>
</html>
)";

// How every version of it began, and what stood in each.
constexpr std::string_view kBegin = "<!doctype html>\n<html lang=\"en\">\n";
constexpr std::string_view kMark = "<form method=\"post\" action=\"http://127.0.0.1:";
constexpr size_t kLongest = 4096;  // bytes

bool IsStartPage(std::string_view text) { return text.starts_with(kBegin) && text.contains(kMark); }

// Of a write that was cut off.
bool BeginsAsStartPage(std::string_view text) {
  return IsStartPage(text) || kBegin.starts_with(text) || kWaitingPage.starts_with(text) ||
         (text.starts_with(kBegin) && kPage.starts_with(text.substr(0, kPage.find("{0}"))));
}

// Returns whether there is such a file. Errors: kInvalid (it is not ours), FileSystem::Read's.
Result<bool> IsThere(FileSystem& files, const std::string& path, bool (*is_own)(std::string_view)) {
  std::error_code error;
  if (fs::is_symlink(fs::symlink_status(path, error))) {
    return Fail(ErrorCode::kInvalid, "{} is a symbolic link: name the file itself", path);
  }
  auto bytes = files.Read(path, kLongest);
  if (!bytes && bytes.error().code == ErrorCode::kNotFound) return false;
  if (!bytes && bytes.error().code != ErrorCode::kExhausted) {
    return std::unexpected(bytes.error());
  }
  const bool good = bytes && is_own(AsText(*bytes));
  if (bytes) Wipe(*bytes);
  if (good) return true;
  return Fail(ErrorCode::kInvalid,
              "{} is there and is no start page of this program: it stays as it is; name another "
              "file, or remove that one",
              path);
}

struct Reader {
  uid_t user = 0;
  std::vector<gid_t> groups;
};

std::optional<Reader> FindReader(const std::string& name) {
  passwd entry{};
  passwd* found = nullptr;
  std::array<char, 16 << 10> buffer;
  (void)getpwnam_r(name.c_str(), &entry, buffer.data(), buffer.size(), &found);
  if (found == nullptr) return std::nullopt;
  Reader reader{entry.pw_uid, std::vector<gid_t>(64)};
  int count = static_cast<int>(reader.groups.size());
  (void)getgrouplist(name.c_str(), entry.pw_gid, reader.groups.data(), &count);
  reader.groups.resize(std::min(reader.groups.size(), static_cast<size_t>(std::max(count, 0))));
  return reader;
}

// `right`: S_IROTH or S_IXOTH.
bool May(const Reader& reader, const std::string& path, mode_t right) {
  struct stat about{};
  if (reader.user == 0 || stat(path.c_str(), &about) != 0) return true;
  if (about.st_uid == reader.user) return (about.st_mode & (right << 6U)) != 0;
  if (std::ranges::count(reader.groups, about.st_gid) > 0) {
    return (about.st_mode & (right << 3U)) != 0;
  }
  return (about.st_mode & right) != 0;
}

}  // namespace

std::string StartPageText(int port, std::string_view token) {
  return fmt::format(kPage, port, token);
}

std::string WaitingPageText() { return std::string(kWaitingPage); }

Status CheckStartPagePlace(FileSystem& files, const std::string& page) {
  if (const auto own = IsThere(files, page, &IsStartPage); !own) {
    return std::unexpected(own.error());
  }
  const std::string beside = page + ".new";
  const auto left = IsThere(files, beside, &BeginsAsStartPage);
  if (!left) return std::unexpected(left.error());
  return *left ? files.Remove(beside) : Status();
}

Status KeepOutOfStateFolder(const std::string& page, const std::string& state_folder) {
  std::error_code error;
  const fs::path path = fs::absolute(page).lexically_normal();
  const fs::path folder = fs::weakly_canonical(path.parent_path(), error);
  const fs::path state = fs::weakly_canonical(fs::absolute(state_folder), error);
  const auto [in_state, in_folder] = std::ranges::mismatch(state, folder);
  const bool is_own = folder == state && path.filename() == "start.html";
  if (in_state != state.end() || is_own) return {};
  return Fail(ErrorCode::kInvalid,
              "{} lies in the state folder, with the queue and the vault: name a file in a folder "
              "of its own, such as /run/idkiosk/start.html",
              page);
}

std::string WhyUnreadable(const std::string& page, const std::string& user) {
  const auto reader = FindReader(user);
  if (!reader) return {};
  const fs::path path = fs::absolute(page).lexically_normal();
  fs::path folder;
  for (const fs::path& part : path.parent_path()) {
    folder /= part;
    if (!May(*reader, folder.string(), S_IXOTH)) {
      return fmt::format(
          "The browser's user '{}' cannot read {}: the folder {} is closed to it; name a file in "
          "a folder like /run/idkiosk, which config/systemd/idkiosk.tmpfiles makes.",
          user, path.string(), folder.string());
    }
  }
  if (May(*reader, path.string(), S_IROTH)) return {};
  return fmt::format(
      "The browser's user '{}' cannot read {}: give the folder {} that user's group and the setgid "
      "bit, as config/systemd/idkiosk.tmpfiles does.",
      user, path.string(), path.parent_path().string());
}

}  // namespace idkiosk
