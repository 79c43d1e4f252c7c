#ifndef IDKIOSK_APP_ACCOUNTS_CSV_H_
#define IDKIOSK_APP_ACCOUNTS_CSV_H_

#include <fstream>
#include <istream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "platform/base/error.h"
#include "platform/base/text/csv_field.h"

namespace idkiosk {

// One record of a CSV file. A quoted field may hold line ends, so a record may span lines.
struct CsvRecord {
  int64_t line = 0;  // that it begins on, from 1
  std::vector<std::string> fields;
};

// Reads RFC 4180 as spreadsheets write it: a byte order mark, CRLF or LF, and a comma, a semicolon,
// a tab or | between fields, whichever the first line has most of, or the one that a first line
// "sep=;" names. Empty lines are left out. Holds one record at a time.
class CsvReader {
 public:
  static constexpr size_t kLongestRecord = 65536;  // bytes

  // Requires `in` to outlive it.
  explicit CsvReader(std::istream& in) : in_(in) {}

  // Returns the next record, or nothing at the end of the file. Errors: kInvalid with line and
  // mend, also for a spreadsheet or a PDF, after which it must not be asked again; kUnavailable
  // (the file cannot be read).
  [[nodiscard]] Result<std::optional<CsvRecord>> Next();

 private:
  [[nodiscard]] Status Begin();
  [[nodiscard]] Result<bool> ReadLine(std::string& line);
  [[nodiscard]] Status ReadRecord(std::string line, CsvRecord& record);

  std::istream& in_;
  std::optional<std::string> first_;  // read to find the separator
  char separator_ = ',';
  bool begun_ = false;
  int64_t line_ = 0;
};

// Whether a file that begins so is text of two bytes a letter, as Windows writes it.
[[nodiscard]] bool IsUtf16(std::string_view text);

// Opens a file that a person names. Errors: kInvalid (not there, not readable, or no file but a
// folder, a pipe or a device), without the name.
[[nodiscard]] Result<std::ifstream> OpenText(const std::string& path);

// The fields as one line of CsvField's, without its end (which is CRLF).
[[nodiscard]] std::string CsvLine(const std::vector<std::string>& fields);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_ACCOUNTS_CSV_H_
