#include "app/accounts/csv.h"

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "platform/base/text/letter_case.h"
#include "platform/base/text/printable.h"

namespace idkiosk {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// What a file is that begins so, and the mend; empty: nothing that is known here.
std::string_view OtherKind(std::string_view begin) {
  struct Kind {
    std::string_view begin;
    std::string_view text;
  };
  constexpr Kind kKinds[] = {
      {"PK\x03\x04",
       "this is a spreadsheet (.xlsx, .ods), and not CSV: open it, and save it as \"CSV UTF-8\""},
      {"\xD0\xCF\x11\xE0",
       "this is an old spreadsheet (.xls), and not CSV: open it, and save it as \"CSV UTF-8\""},
      {"%PDF-", "this is a PDF, and not CSV: ask whoever sent it for the same as CSV"},
  };
  for (const Kind& each : kKinds) {
    if (begin.starts_with(each.begin)) return each.text;
  }
  return {};
}

// Of a first line that says no more than "sep=;", as Excel writes and reads it.
std::optional<char> NamedSeparator(std::string_view line) {
  line = line.substr(0, line.find_last_not_of("\r\n") + 1);
  if (line.size() == 7 && line.starts_with('"') && line.ends_with('"')) line = line.substr(1, 5);
  const bool named = line == "sep=\t" ||
                     (line.size() == 5 && std::ispunct(static_cast<unsigned char>(line[4])) != 0 &&
                      line[4] != '"');
  if (!named || line[3] != '=') return std::nullopt;
  return EqualsIgnoringCase(line.substr(0, 3), "sep") ? std::optional(line[4]) : std::nullopt;
}

char SeparatorOf(std::string_view header) {
  char separator = ',';
  for (const char each : {';', '\t', '|'}) {
    if (std::ranges::count(header, each) > std::ranges::count(header, separator)) separator = each;
  }
  return separator;
}

}  // namespace

bool IsUtf16(std::string_view text) {
  // Without a mark at its beginning, half of what is written in Latin letters is zeros.
  return text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF") ||
         std::ranges::count(text, '\0') > std::ssize(text) / 4;
}

// A line with its end, as a quoted field keeps it. False at the end of the file.
Result<bool> CsvReader::ReadLine(std::string& line) {
  line.clear();
  auto* const bytes = in_.rdbuf();
  for (int next = bytes->sbumpc(); next != std::istream::traits_type::eof();
       next = bytes->sbumpc()) {
    line.push_back(static_cast<char>(next));
    if (next == '\n') break;
    if (line.size() > kLongestRecord) {
      return Fail(ErrorCode::kInvalid, "line {}: longer than {} bytes: is this a CSV file?",
                  line_ + 1, kLongestRecord);
    }
  }
  if (line.empty()) return false;
  ++line_;
  if (IsUtf16(line) || !IsUtf8(line)) {
    return Fail(ErrorCode::kInvalid,
                "line {}: not UTF-8 text: save it as \"CSV UTF-8\" in the spreadsheet", line_);
  }
  if (line.contains('\0')) {
    return Fail(ErrorCode::kInvalid,
                "line {}: holds a byte of zero, which no text does: take the file as it was sent",
                line_);
  }
  return true;
}

Status CsvReader::Begin() {
  begun_ = true;
  if (!in_) return Fail(ErrorCode::kUnavailable, "cannot be read");
  std::string line;
  const auto read = ReadLine(line);
  if (const auto kind = OtherKind(line); !kind.empty()) {
    return Fail(ErrorCode::kInvalid, "{}", kind);
  }
  if (!read) return std::unexpected(read.error());
  if (!*read) return {};
  const size_t carriage = line.find('\r');
  if (carriage != std::string::npos && carriage + 2 < line.size()) {
    return Fail(ErrorCode::kInvalid,
                "line 1: ends in a carriage return alone: save it with line ends of LF or CRLF");
  }
  if (line.starts_with(kByteOrderMark)) line.erase(0, kByteOrderMark.size());
  if (const auto named = NamedSeparator(line)) {
    separator_ = *named;
    return {};
  }
  separator_ = SeparatorOf(line);
  first_ = std::move(line);
  return {};
}

Status CsvReader::ReadRecord(std::string line, CsvRecord& record) {
  std::string field;
  bool quoted = false;     // inside quotes
  bool is_closed = false;  // behind them
  size_t size = line.size();
  for (size_t at = 0;; ++at) {
    if (at == line.size()) {
      if (!quoted) break;
      const auto read = ReadLine(line);
      if (!read) return std::unexpected(read.error());
      size += line.size();
      if (!*read || size > kLongestRecord) {
        return Fail(ErrorCode::kInvalid,
                    "line {}, column {}: a quote is not closed: close it, or double it inside text",
                    record.line, record.fields.size() + 1);
      }
      at = 0;
    }
    const char each = line[at];
    if (quoted) {
      if (each != '"') {
        field.push_back(each);
      } else if (at + 1 < line.size() && line[at + 1] == '"') {
        field.push_back(line[++at]);
      } else {
        quoted = false;
        is_closed = true;
      }
    } else if (each == separator_) {
      record.fields.push_back(std::move(field));
      field.clear();
      is_closed = false;
    } else if (each == '\n' || (each == '\r' && line.substr(at) == "\r\n")) {
      break;
    } else if (each == '"' && field.empty() && !is_closed) {
      quoted = true;
    } else if (is_closed) {
      return Fail(ErrorCode::kInvalid,
                  "line {}, column {}: text behind a closed quote: double the quotes inside text",
                  record.line, record.fields.size() + 1);
    } else {
      field.push_back(each);
    }
  }
  record.fields.push_back(std::move(field));
  return {};
}

Result<std::optional<CsvRecord>> CsvReader::Next() {
  if (!begun_) {
    if (Status begun = Begin(); !begun) return std::unexpected(begun.error());
  }
  while (true) {
    std::string line;
    if (first_) {
      line = *std::exchange(first_, std::nullopt);
    } else {
      const auto read = ReadLine(line);
      if (!read) return std::unexpected(read.error());
      if (!*read) return std::nullopt;
    }
    if (line.empty() || line == "\n" || line == "\r\n") {
      if (line.empty()) return std::nullopt;
      continue;
    }
    CsvRecord record{.line = line_, .fields = {}};
    if (Status read = ReadRecord(std::move(line), record); !read) {
      return std::unexpected(read.error());
    }
    return record;
  }
}

Result<std::ifstream> OpenText(const std::string& path) {
  std::error_code trouble;
  const auto kind = std::filesystem::status(path, trouble).type();
  if (kind == std::filesystem::file_type::not_found) {
    return Fail(ErrorCode::kInvalid, "there is no such file");
  }
  if (!trouble && kind != std::filesystem::file_type::regular) {
    return Fail(ErrorCode::kInvalid, "this is a {}, not a file",
                kind == std::filesystem::file_type::directory ? "folder" : "pipe or device");
  }
  std::ifstream in(path, std::ios::binary);
  if (trouble || !in) return Fail(ErrorCode::kInvalid, "this user may not read it");
  return in;
}

std::string CsvLine(const std::vector<std::string>& fields) {
  std::string line;
  for (size_t i = 0; i < fields.size(); ++i) {
    if (i > 0) line += ',';
    line += CsvField(fields[i]);
  }
  return line;
}

}  // namespace idkiosk
