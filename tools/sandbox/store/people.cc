#include "tools/sandbox/store/people.h"

#include "platform/base/text/digits.h"

namespace idkiosk::sandbox {
namespace {

constexpr size_t kNinDigits = 11;
constexpr size_t kPhoneDigits = 11;
constexpr std::string_view kCountryCode = "234";

Person PersonOf(const SqlRow& row) {
  return {.nin = row.Text(0),
          .name = row.Text(1),
          .phone = row.Text(2),
          .born = row.Text(3),
          .gender = row.Text(4),
          .face_matches = row.Integer(5) != 0};
}

std::vector<Person> FirstPeople() {
  return {
      {std::string(kTestNin), "Testa Sandbox", "07000000000", "1990-01-01", "female", true},
      {"70123456701", "Amina Sample", "07000000001", "1984-03-12", "female", true},
      {"70123456702", "Chidi Example", "07000000002", "1991-07-30", "male", true},
      {"70123456703", "Bola Specimen", "07000000003", "1978-11-05", "female", true},
      {"70123456704", "Musa Placeholder", "07000000004", "2001-02-28", "male", true},
      {"70123456705", "Ngozi Madeup", "07000000005", "1969-09-17", "female", true},
      {"70123456706", "Tunde Fictional", "07000000006", "1995-12-24", "male", true},
      {"70123456707", "Halima Otherface", "07000000007", "1988-05-19", "female", false},
      {"70123456708", "Emeka Notmatching", "07000000008", "1999-10-08", "male", false},
  };
}

std::string Complaint(const Person& person) {
  if (!IsNin(person.nin)) return "The NIN must be 11 digits.";
  if (person.name.empty() || person.name.size() > kLongestName) {
    return "The name must have 1 to 100 characters.";
  }
  if (LocalPhone(person.phone) != person.phone) {
    return "The phone number must be 11 digits that begin with 0.";
  }
  const std::string& born = person.born;
  if (born.size() != 10 || born[4] != '-' || born[7] != '-' ||
      !AreDigits(born.substr(0, 4) + born.substr(5, 2) + born.substr(8))) {
    return "The date of birth must be written like 1990-01-31.";
  }
  if (person.gender != "female" && person.gender != "male") {
    return "The gender must be female or male.";
  }
  return {};
}

Status Insert(Database::Transaction& transaction, const Person& person) {
  return transaction.Run(
      "INSERT INTO person(nin, name, phone, born, gender, face_matches) VALUES(?, ?, ?, ?, ?, ?)",
      {person.nin, person.name, person.phone, person.born, person.gender,
       int64_t{person.face_matches}});
}

}  // namespace

bool IsNin(std::string_view text) { return text.size() == kNinDigits && AreDigits(text); }

std::optional<std::string> LocalPhone(std::string_view text) {
  if (text.starts_with('+')) {
    text.remove_prefix(1);
    if (!text.starts_with(kCountryCode)) return std::nullopt;
  }
  std::string local(text);
  if (text.starts_with(kCountryCode)) local = "0" + local.substr(kCountryCode.size());
  const bool good = local.size() == kPhoneDigits && local.starts_with('0') && AreDigits(local);
  return good ? std::optional(local) : std::nullopt;
}

Status People::EnsureSomebody() {
  return database_.InTransaction([&](Database::Transaction& transaction) -> Status {
    bool there = false;
    auto looked = transaction.Run("SELECT 1 FROM person WHERE nin=?", {kTestNin},
                                  [&](const SqlRow&) { there = true; });
    if (!looked || there) return looked;
    for (const Person& person : FirstPeople()) {
      if (auto added = Insert(transaction, person); !added) return added;
    }
    return {};
  });
}

std::vector<Person> People::All() {
  std::vector<Person> all;
  (void)database_.Run(
      "SELECT nin, name, phone, born, gender, face_matches FROM person ORDER BY phone, nin", {},
      [&](const SqlRow& row) { all.push_back(PersonOf(row)); });
  return all;
}

std::optional<Person> People::FindByNin(std::string_view nin) {
  std::optional<Person> found;
  (void)database_.Run("SELECT nin, name, phone, born, gender, face_matches FROM person WHERE nin=?",
                      {nin}, [&](const SqlRow& row) { found = PersonOf(row); });
  return found;
}

std::optional<Person> People::FindByPhone(std::string_view local_phone) {
  std::optional<Person> found;
  (void)database_.Run(
      "SELECT nin, name, phone, born, gender, face_matches FROM person WHERE phone=?",
      {local_phone}, [&](const SqlRow& row) { found = PersonOf(row); });
  return found;
}

Status People::Add(const Person& person) {
  if (const std::string complaint = Complaint(person); !complaint.empty()) {
    return Fail(ErrorCode::kInvalid, "{}", complaint);
  }
  const auto inserted = database_.InTransaction(
      [&](Database::Transaction& transaction) { return Insert(transaction, person); });
  if (!inserted && inserted.error().code == ErrorCode::kFailedPrecondition) {
    return Fail(ErrorCode::kFailedPrecondition, "Somebody has this NIN or phone number already.");
  }
  return inserted;
}

Status People::Remove(std::string_view nin) {
  if (nin == kTestNin) {
    return Fail(ErrorCode::kFailedPrecondition, "The test NIN belongs to every sandbox.");
  }
  return database_.InTransaction([&](Database::Transaction& transaction) -> Status {
    auto removed = transaction.Run("DELETE FROM person WHERE nin=?", {nin});
    if (removed && transaction.changed_rows() == 0) {
      return Fail(ErrorCode::kNotFound, "Nobody in the registry has this NIN.");
    }
    return removed;
  });
}

Status People::SetFaceMatches(std::string_view nin, bool matches) {
  return database_.InTransaction([&](Database::Transaction& transaction) -> Status {
    auto updated =
        transaction.Run("UPDATE person SET face_matches=? WHERE nin=?", {int64_t{matches}, nin});
    if (updated && transaction.changed_rows() == 0) {
      return Fail(ErrorCode::kNotFound, "Nobody in the registry has this NIN.");
    }
    return updated;
  });
}

}  // namespace idkiosk::sandbox
