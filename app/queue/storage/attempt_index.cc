#include "app/queue/storage/attempt_index.h"

#include <algorithm>

#include "app/queue/policy/queue_clock.h"

namespace idkiosk {
namespace {

// Six letters and digits; of anything else as much as fits.
uint64_t Pack(const CallReference& reference) {
  uint64_t packed = 0;
  for (size_t i = 0; i < sizeof packed && i < reference.size(); ++i) {
    packed = packed << 8 | static_cast<uint8_t>(reference[i]);
  }
  return packed;
}

CallReference Unpack(uint64_t packed) {
  CallReference reference;
  for (; packed != 0; packed >>= 8) reference.push_back(static_cast<char>(packed & 0xff));
  std::ranges::reverse(reference);
  return reference;
}

constexpr int64_t kHour = 3'600'000;  // milliseconds

std::string KeyOf(LedgerBy by, const LedgerRow& row) {
  switch (by) {
    case LedgerBy::kTotal:
      return "";
    case LedgerBy::kHour:
      return FormatRfc3339(row.started_at).substr(0, 13) + ":00Z";
    case LedgerBy::kDay:
      return FormatRfc3339(row.started_at).substr(0, 10);
    case LedgerBy::kEndpoint:
      return std::string(Name(row.endpoint));
    case LedgerBy::kOperator:
      return row.operator_id;
  }
  return "";
}

}  // namespace

uint32_t AttemptIndex::PlaceOf(const std::string& word) {
  const auto [place, is_new] = places_.emplace(word, static_cast<uint32_t>(words_.size()));
  if (is_new) words_.push_back(word);
  return place->second;
}

uint32_t AttemptIndex::PlaceOfText(const std::string& text) {
  if (text.empty()) return kNone;
  texts_.push_back(text);
  return static_cast<uint32_t>(texts_.size() - 1);
}

std::string AttemptIndex::TextAt(uint32_t place) const {
  return place == kNone ? std::string() : texts_[place];
}

void AttemptIndex::Add(const LedgerRow& row) {
  Attempt attempt;
  attempt.call = Pack(row.reference);
  attempt.started_at = ToMilliseconds(row.started_at);
  attempt.board_at = row.board_at;
  attempt.ended = row.ended_at.has_value();
  if (row.ended_at) attempt.ended_at = ToMilliseconds(*row.ended_at);
  attempt.price = row.price;
  attempt.number = row.number;
  attempt.http_status = row.http_status;
  attempt.operator_id = PlaceOf(row.operator_id);
  attempt.rule = PlaceOf(row.rule);
  attempt.currency = PlaceOf(row.currency);
  attempt.case_id = PlaceOfText(row.case_id);
  attempt.means = row.means;
  attempt.endpoint = row.endpoint;
  attempt.stage = row.stage;
  attempt.billed = row.billed;
  attempt.genuine = row.genuine;
  if (const auto id = FromHex(row.attempt_id); id && id->size() == attempt.id.size()) {
    std::ranges::copy(*id, attempt.id.begin());
  }
  if (row.genuine) {
    const auto [newest, is_new] = newest_.emplace(attempt.call, attempts_.size());
    if (!is_new) attempt.before = newest->second;
    newest->second = static_cast<uint32_t>(attempts_.size());
  }
  attempts_.push_back(attempt);
}

void AttemptIndex::End(const LedgerRow& ended) {
  const auto newest = newest_.find(Pack(ended.reference));
  for (uint32_t at = newest == newest_.end() ? kNone : newest->second; at != kNone;
       at = attempts_[at].before) {
    Attempt& attempt = attempts_[at];
    if (attempt.number != ended.number) continue;
    attempt.ended = true;
    attempt.ended_at = ToMilliseconds(ended.ended_at.value_or(WallTime()));
    attempt.stage = ended.stage;
    attempt.http_status = ended.http_status;
    attempt.billed = ended.billed;
    attempt.rule = PlaceOf(ended.rule);
    if (!ended.service_reference.empty()) {
      attempt.service_reference = PlaceOfText(ended.service_reference);
    }
    return;
  }
}

int AttemptIndex::CountIn(const Doubts& doubts, const CallReference& reference) {
  const auto found = doubts.find(reference);
  return found == doubts.end() ? 0 : found->second;
}

bool AttemptIndex::IsDoubted(const CallReference& reference) const {
  return CountIn(doubts_, reference) > CountIn(doubts_before_, reference);
}

AttemptIndex::OfCall AttemptIndex::Find(const CallReference& reference) const {
  OfCall found;
  const auto newest = newest_.find(Pack(reference));
  for (uint32_t at = newest == newest_.end() ? kNone : newest->second; at != kNone;
       at = attempts_[at].before) {
    found.attempts = std::max(found.attempts, attempts_[at].number);
    found.billed += attempts_[at].billed == Billed::kNo ? 0 : 1;
    found.answered = found.answered || attempts_[at].billed == Billed::kYes;
  }
  found.billed += CountIn(doubts_, reference);
  return found;
}

std::vector<LedgerRow> AttemptIndex::Of(const CallReference& reference) const {
  std::vector<LedgerRow> rows;
  const auto newest = newest_.find(Pack(reference));
  for (uint32_t at = newest == newest_.end() ? kNone : newest->second; at != kNone;
       at = attempts_[at].before) {
    rows.push_back(RowAt(at));
  }
  std::ranges::reverse(rows);
  return rows;
}

std::vector<LedgerRow> AttemptIndex::Open() const {
  std::vector<LedgerRow> open;
  for (size_t at = 0; at < attempts_.size(); ++at) {
    if (attempts_[at].genuine && !attempts_[at].ended) open.push_back(RowAt(at));
  }
  return open;
}

LedgerRow AttemptIndex::RowAt(size_t at) const {
  const Attempt& attempt = attempts_[at];
  LedgerRow row;
  row.id = static_cast<int64_t>(at) + 1;
  row.reference = Unpack(attempt.call);
  row.number = attempt.number;
  row.endpoint = attempt.endpoint;
  row.operator_id = words_[attempt.operator_id];
  row.started_at = FromMilliseconds(attempt.started_at);
  row.board_at = attempt.board_at;
  if (attempt.ended) row.ended_at = FromMilliseconds(attempt.ended_at);
  row.stage = attempt.stage;
  row.http_status = attempt.http_status;
  row.billed = attempt.billed;
  row.price = attempt.price;
  row.rule = words_[attempt.rule];
  row.genuine = attempt.genuine;
  const bool has_id = std::ranges::any_of(attempt.id, [](uint8_t each) { return each != 0; });
  if (has_id) row.attempt_id = ToHex(attempt.id);
  row.service_reference = TextAt(attempt.service_reference);
  row.case_id = TextAt(attempt.case_id);
  row.currency = words_[attempt.currency];
  row.means = attempt.means;
  return row;
}

std::vector<LedgerRow> AttemptIndex::List(std::optional<WallTime> since) const {
  std::vector<LedgerRow> rows;
  for (size_t at = 0; at < attempts_.size(); ++at) {
    if (!since || attempts_[at].started_at >= ToMilliseconds(*since)) rows.push_back(RowAt(at));
  }
  return rows;
}

std::vector<LedgerRow> AttemptIndex::Newest(int limit) const {
  std::vector<LedgerRow> rows;
  for (size_t at = attempts_.size(); at > 0 && rows.size() < static_cast<size_t>(limit); --at) {
    rows.push_back(RowAt(at - 1));
  }
  return rows;
}

std::vector<LedgerSum> AttemptIndex::Sum(LedgerBy by, std::optional<WallTime> since) const {
  std::map<std::string, LedgerSum> sums;
  if (by == LedgerBy::kTotal) sums[""] = {};
  for (const LedgerRow& row : List(since)) {
    if (!row.genuine) continue;
    std::string key = KeyOf(by, row);
    LedgerSum& sum = sums[key];
    sum.key = std::move(key);
    ++sum.attempts;
    sum.billed_yes += row.billed == Billed::kYes ? 1 : 0;
    sum.billed_maybe += row.billed == Billed::kMaybe ? 1 : 0;
    sum.price_yes += row.billed == Billed::kYes ? row.price : 0;
    sum.price_maybe += row.billed == Billed::kMaybe ? row.price : 0;
  }
  std::vector<LedgerSum> list;
  for (auto& [key, sum] : sums) list.push_back(std::move(sum));
  return list;
}

std::map<int64_t, BilledHour> AttemptIndex::BilledByHour(WallTime since) const {
  std::map<int64_t, BilledHour> hours;
  for (const Attempt& attempt : attempts_) {
    const bool counts = attempt.genuine && attempt.billed != Billed::kNo;
    if (!counts || attempt.started_at < ToMilliseconds(since)) continue;
    const int64_t from = attempt.started_at / kHour * kHour;
    BilledHour& hour = hours[from];
    hour.from = FromMilliseconds(from);
    ++hour.calls;
    hour.price += attempt.price;
  }
  return hours;
}

// Attempts begin one after the other by the queue's time.
std::optional<int64_t> AttemptIndex::NthBilled(int64_t count, int64_t since) const {
  for (auto attempt = attempts_.rbegin(); attempt != attempts_.rend(); ++attempt) {
    if (attempt->board_at <= since) return std::nullopt;
    if (!attempt->genuine || attempt->billed == Billed::kNo) continue;
    if (--count == 0) return attempt->board_at;
  }
  return std::nullopt;
}

void AttemptIndex::NoneAfter(int64_t count, int64_t board_at) {
  for (size_t at = 0; at < attempts_.size() && static_cast<int64_t>(at) < count; ++at) {
    attempts_[at].board_at = std::min(attempts_[at].board_at, board_at);
  }
}

}  // namespace idkiosk
