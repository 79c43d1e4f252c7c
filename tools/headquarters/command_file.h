#ifndef IDKIOSK_TOOLS_HEADQUARTERS_COMMAND_FILE_H_
#define IDKIOSK_TOOLS_HEADQUARTERS_COMMAND_FILE_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "platform/base/error.h"
#include "platform/base/time.h"

// Commands as files: what was signed, and its signatures, as app/headquarters/README.md has them.
namespace idkiosk::headquarters {

// What a command shall say.
struct Draft {
  std::string tenant;
  std::string kiosk;  // either this
  std::string group;  // or this
  std::string action;
  std::vector<std::string> settings;  // "ui.idle=60 s": a value is JSON, or else a text
  int healthy_within = 0;             // seconds; 0: the kiosk's own limit
  std::string reference;
  std::string why;
  int64_t revision = 0;  // 0: the milliseconds since 1970
  int64_t minutes = 60;  // until it expires
};
// Returns the document to be signed. Errors: kInvalid.
[[nodiscard]] Result<std::string> WriteDocument(const Draft& draft, WallTime now);
// Whether a kiosk of this version would read the document and take its settings, each by itself, as
// 'idkiosk config check' does. Errors: kInvalid, naming the member or key.
[[nodiscard]] Status CheckDocument(std::string_view document);

// Returns what is wrong with the name of a tenant, a kiosk, a group or a key, by the rule that
// kiosks go by; nothing where it is good.
[[nodiscard]] std::string TroubleWithName(const std::string& name);

// A document and its signatures.
struct SignedFile {
  struct Signature {
    std::string key;
    std::string base64;
  };
  std::string document;
  std::vector<Signature> signatures;
};
[[nodiscard]] Result<SignedFile> ReadSigned(const std::string& path);
[[nodiscard]] std::string PrintSigned(const SignedFile& file);
// Adds the signature of a key, "NAME=FILE". Errors: Sign's; kInvalid (it has signed before).
[[nodiscard]] Status AddSignature(SignedFile& file, const std::string& key);

}  // namespace idkiosk::headquarters

#endif  // IDKIOSK_TOOLS_HEADQUARTERS_COMMAND_FILE_H_
