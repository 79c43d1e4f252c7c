#include "app/session/staff/pin_judge.h"

#include <algorithm>

#include "platform/base/log.h"

namespace idkiosk {
namespace {

// Nobody's, where nobody has the name.
std::vector<const StaffMember*> CandidatesOf(std::span<const StaffMember> staff, Staff kind,
                                             const PinJudge::Asked& asked, size_t of_kind) {
  const bool is_only_one = asked.name.empty() && of_kind == 1;
  std::vector<const StaffMember*> candidates;
  for (const StaffMember& each : staff) {
    const bool asked_for =
        asked.anybody ? each.name != asked.not_of : is_only_one || each.name == asked.name;
    if (each.staff == kind && asked_for) candidates.push_back(&each);
  }
  return candidates;
}

}  // namespace

PinJudge::PinJudge(const PinTries::Dependencies& deps, Staff staff, const std::string& state_folder)
    : deps_(deps), staff_(staff), tries_(deps, staff, state_folder) {}

Result<PinJudge::Verdict> PinJudge::Begin() {
  const auto staff = ReadStaff(deps_.storage);
  if (!staff) return std::unexpected(staff.error());
  Verdict found;
  found.names = NamesOf(*staff, staff_);
  auto counts = tries_.Read(found.names);
  if (!counts) return std::unexpected(counts.error());
  found.counts = std::move(*counts);
  if (found.counts.all == 0 && found.counts.own.empty()) return found;
  // In place of a file that was not ours, while there is room for it.
  if (Status made = tries_.Write(found.counts); !made) LogWarning("{}", made.error().message);
  return found;
}

PinJudge::Verdict PinJudge::Judge(const Asked& asked, const SecretBytes& pin) {
  using Kind = Verdict::Kind;
  Verdict verdict;
  const auto ended = [&](Kind kind, std::string sentence) {
    verdict.kind = kind;
    verdict.sentence = std::move(sentence);
    return std::move(verdict);
  };
  const auto staff = ReadStaff(deps_.storage);
  if (!staff) return ended(Kind::kFailed, staff.error().message);
  verdict.names = NamesOf(*staff, staff_);
  if (verdict.names.empty()) {
    return ended(Kind::kNoPin,
                 fmt::format("no PIN is set for the {0}: run 'idkiosk pin set {0}'", Name(staff_)));
  }
  const auto candidates = CandidatesOf(*staff, staff_, asked, verdict.names.size());
  const bool is_of_one = !asked.anybody && candidates.size() == 1;
  if (is_of_one) verdict.name = candidates.front()->name;
  auto counts = tries_.Read(verdict.names);
  if (!counts) return ended(Kind::kFailed, counts.error().message);
  const PinTries::Counts before = *counts;
  const auto count = [](int& tries) { tries = std::min(tries + 1, PinTries::kMost); };
  count(counts->all);
  if (is_of_one || asked.anybody) {
    for (const StaffMember* each : candidates) count(counts->own[each->name]);
  }
  verdict.counts = *counts;
  if (Status counted = tries_.Write(*counts); !counted) {
    return ended(Kind::kFailed, counted.error().message);
  }
  const StaffMember* whose = nullptr;
  for (const StaffMember* each : candidates) {
    const auto fits = PinFits(each->record, pin, deps_.crypto);
    if (!fits && is_of_one) return ended(Kind::kFailed, fits.error().message);
    if (fits && *fits) whose = each;
  }
  // A name that nobody has takes as long as one that somebody has.
  if (candidates.empty()) (void)PinFits(staff->front().record, pin, deps_.crypto);
  if (whose == nullptr) return ended(Kind::kWrong, "this PIN is not right");
  verdict.name = whose->name;
  verdict.id = whose->Id();
  counts->own = before.own;
  counts->all = 0;
  counts->own.erase(whose->name);
  if (Status cleared = tries_.Write(*counts); !cleared) {
    LogWarning("the count of wrong PINs could not be cleared: {}", cleared.error().message);
  }
  verdict.counts = std::move(*counts);
  return ended(Kind::kOpen, "");
}

Duration PinJudge::WaitOf(const PinTries::Counts& counts, std::string_view not_of) {
  Duration wait = WaitAfter(counts.all, PinTries::kLockoutOfAll);
  for (const auto& [name, tries] : counts.own) {
    if (name != not_of) wait = std::max(wait, WaitAfter(tries, PinTries::kLockout));
  }
  return wait;
}

}  // namespace idkiosk
