#include "app/queue/made_for.h"

#include <array>
#include <map>
#include <utility>

#include "app/queue/queue_internals.h"
#include "app/queue/storage/row_mac.h"
#include "app/settings/credential_store.h"
#include "app/settings/credentials.h"
#include "platform/base/log.h"

// Whose calls these are: each is sent to the service that it was made for.

namespace idkiosk {
namespace {

// The service of calls that an earlier program accepted without writing it down: the one in force
// when this one first opened the queue. Its MAC, then the text.
constexpr std::string_view kUnnamed = "made_for_unnamed";

constexpr size_t kAccountBytes = 16;
constexpr Duration kVaultLookAgain = std::chrono::seconds(10);

std::string Calls(int64_t count) {
  return count == 1 ? "a call is" : fmt::format("{} calls are", count);
}

}  // namespace

std::string ToText(const MadeFor& made_for) {
  const std::string address = ToText(made_for.address);
  return made_for.account.empty() ? address : fmt::format("{} {}", address, made_for.account);
}

std::optional<MadeFor> ParseMadeFor(std::string_view text) {
  auto address = ParseServiceAddress(text);
  if (!address) return std::nullopt;
  MadeFor made_for{std::move(*address), {}};
  std::string& origin = made_for.address.origin;
  if (const size_t space = origin.find(' '); space != std::string::npos) {
    made_for.account = origin.substr(space + 1);
    origin.resize(space);
  }
  return made_for;
}

bool IsSameService(const MadeFor& one, const MadeFor& other) {
  return one.address == other.address &&
         (one.account.empty() || other.account.empty() || one.account == other.account);
}

std::string DescribeMadeFor(std::string_view text, const MadeFor& in_force) {
  const auto made_for = ParseMadeFor(text);
  if (!made_for) return "made for an address that is not known";
  const bool same_address = made_for->address == in_force.address;
  const bool same = IsSameService(*made_for, in_force);
  return fmt::format("made for {}{}", Describe(made_for->address),
                     same_address && !same ? ", another account" : "");
}

Status DurableQueue::Internals::LookAtService() {
  const std::array names = {kAddressOfCredentials, kUserIdSecret};
  const auto stored = storage.GetTogether(names);
  new_provisioning.reset();
  if (!stored) {
    const WallTime now = time.WallNow();
    new_provisioning = Hold{HoldReason::kMissingSecret, std::nullopt, now,
                            now + std::chrono::milliseconds(ToMilliseconds(kVaultLookAgain)),
                            stored.error().message};
    return std::unexpected(stored.error());
  }
  in_force.account.clear();
  if (const auto& user_id = (*stored)[1]) {
    const Crypto::Digest digest = RowMac("account/1").Add(user_id->view()).Of(crypto, keys.rows);
    in_force.account = ToHex(ByteSpan(digest).first(kAccountBytes));
  }
  const auto theirs = ParseAddressOfCredentials(stored->front());
  bound = theirs.has_value();
  if (!theirs || *theirs == in_force.address) return {};
  new_provisioning = Hold{HoldReason::kNewProvisioning, std::nullopt, time.WallNow(), std::nullopt,
                          OtherAddressError(*theirs, in_force.address).message};
  return {};
}

Status DurableQueue::Internals::BeginService() {
  if (Status looked = LookAtService(); !looked) return looked;
  if (lock != nullptr && !bound && !in_force.account.empty() && !in_force.address.origin.empty()) {
    const Status put =
        storage.Put(kAddressOfCredentials, SecretBytes::CopyOf(ToText(in_force.address)));
    if (!put) LogWarning("the vault does not know its address yet: {}", put.error().message);
  }
  const auto mac_of = [this](std::string_view text) {
    return RowMac(kUnnamed).Add(text).Of(crypto, keys.rows);
  };
  const auto stored = state.Setting(kUnnamed);
  if (!stored) return std::unexpected(stored.error());
  if (*stored) {
    const ByteSpan whole = **stored;
    const ByteSpan mac = whole.first(std::min(whole.size(), Crypto::Digest().size()));
    const std::string_view text = AsText(whole.subspan(mac.size()));
    // One that was changed is that of no address: such calls are decided about by a person.
    if (std::ranges::equal(mac_of(text), mac)) unnamed = text;
    return {};
  }
  unnamed = ToText(in_force);
  return Commit([&]() REQUIRES(mutex) {
    const Crypto::Digest mac = mac_of(unnamed);
    Bytes value(mac.begin(), mac.end());
    value.insert(value.end(), unnamed.begin(), unnamed.end());
    return state.SetSetting(kUnnamed, value);
  });
}

std::string_view DurableQueue::Internals::MadeForOf(std::string_view stored) const {
  return stored.empty() ? std::string_view(unnamed) : stored;
}

bool DurableQueue::Internals::IsForUs(std::string_view stored) const {
  const auto made_for = ParseMadeFor(MadeForOf(stored));
  return made_for && IsSameService(*made_for, in_force);
}

CallStore::MaySend DurableQueue::Internals::MaySend() const {
  return [this](std::string_view stored) REQUIRES(mutex) { return IsForUs(stored); };
}

std::optional<Hold> DurableQueue::Internals::AddressHold(const CallRow& row) const {
  if (IsForUs(row.made_for)) return std::nullopt;
  return Hold{HoldReason::kOtherAddress, row.endpoint, FromMilliseconds(row.accepted_at),
              std::nullopt, DescribeMadeFor(MadeForOf(row.made_for), in_force)};
}

Status DurableQueue::Internals::CountOthers(bool count_held, Endpoint endpoint, QueueStats& stats) {
  const auto others = calls.PendingOfOthers(endpoint, MaySend());
  if (!others) return std::unexpected(others.error());
  for (const auto& [made_for, count] : *others) {
    if (count_held) stats.held += count;
    stats.holds.push_back(
        {HoldReason::kOtherAddress, endpoint, time.WallNow(), std::nullopt,
         fmt::format("{} {}", Calls(count), DescribeMadeFor(MadeForOf(made_for), in_force))});
  }
  return {};
}

Status DurableQueue::AskAnew(const CallReference& reference, int seen, const std::string& by) {
  Internals& internals = *internals_;
  const MutexLock guard(internals.mutex);
  if (Status looked = internals.LookAtService(); !looked) return looked;
  if (internals.new_provisioning) {
    return Fail(ErrorCode::kFailedPrecondition, "{}", internals.new_provisioning->detail);
  }
  const auto bring_back = [&]()
                              REQUIRES(internals.mutex) { return internals.BringBack(reference); };
  if (Status back = internals.Commit(bring_back); !back) return back;
  auto row = internals.LoadGenuine(reference);
  if (!row) return std::unexpected(row.error());
  if (Status may = internals.MayRetry(*row, seen); !may) return may;
  const auto other = internals.AddressHold(*row);
  if (!other) {
    return Fail(ErrorCode::kFailedPrecondition, "{} was made for the address in force", reference);
  }
  Status decided =
      internals.WriteDownDecision(fmt::format("the call {}, {}, is asked at {} instead", reference,
                                              other->detail, Describe(internals.in_force.address)),
                                  by);
  if (!decided) return decided;
  return internals.Commit([&]() REQUIRES(internals.mutex) -> Status {
    row = internals.LoadGenuine(reference);
    if (!row) return std::unexpected(row.error());
    row->made_for = ToText(internals.in_force);
    // Where it fails the copy stays as it is: brought back from there, the call would be held
    // again.
    if (Status copied = internals.CopyAnew(*row); !copied) {
      LogWarning("the copy of {} still names the earlier address: {}", reference,
                 copied.error().message);
    }
    return internals.Resend(*row, seen);
  });
}

}  // namespace idkiosk
