#include "app/session/staff/staff_directory.h"

#include <algorithm>

#include "platform/api/post_task_and_reply.h"

namespace idkiosk {
namespace {

constexpr Duration kLookEvery = std::chrono::seconds(5);

Result<std::vector<StaffDirectory::Person>> ReadPeople(SecureStorage& storage) {
  const auto staff = ReadStaff(storage);
  // Of a vault that is not there any more nobody is staff; one that is busy says nothing.
  if (!staff && staff.error().code != ErrorCode::kFailedPrecondition) {
    return std::unexpected(staff.error());
  }
  std::vector<StaffDirectory::Person> people;
  if (!staff) return people;
  for (const StaffMember& each : *staff) people.push_back({each.name, each.staff, each.Id()});
  return people;
}

}  // namespace

StaffDirectory::StaffDirectory(const Dependencies& deps)
    : deps_(deps),
      people_(ReadPeople(deps.storage).value_or(std::vector<StaffDirectory::Person>())),
      read_at_(deps.clock.Now()) {}

void StaffDirectory::Look() {
  control_thread_.Check();
  if (deps_.clock.Now() - read_at_ >= kLookEvery) Read();
}

void StaffDirectory::Follow(bool follows) {
  control_thread_.Check();
  if (std::exchange(follows_, follows) == follows) return;
  if (!follows) return look_.Cancel();
  Look();
  LookLater();
}

void StaffDirectory::LookLater() {
  if (!follows_) return;
  look_ = ScopedTimer(deps_.control, deps_.clock.Now() + kLookEvery, [this] { Read(); });
}

void StaffDirectory::Read() {
  if (std::exchange(reading_, true)) return;
  read_at_ = deps_.clock.Now();
  PostTaskAndReply(
      deps_.storage_runner, deps_.control, [this] { return ReadPeople(deps_.storage); },
      [this](Result<std::vector<Person>> people) { OnRead(std::move(people)); });
}

void StaffDirectory::OnRead(Result<std::vector<Person>> people) {
  control_thread_.Check();
  reading_ = false;
  LookLater();
  if (!people || *people == people_) return;
  people_ = std::move(*people);
  if (changed_) changed_();
}

std::vector<std::string> StaffDirectory::NamesOf(Staff staff) const {
  control_thread_.Check();
  std::vector<std::string> names;
  for (const Person& each : people_) {
    if (each.staff == staff) names.push_back(each.name);
  }
  return names;
}

bool StaffDirectory::Has(std::string_view id) const {
  control_thread_.Check();
  return std::ranges::find(people_, id, &Person::id) != people_.end();
}

}  // namespace idkiosk
