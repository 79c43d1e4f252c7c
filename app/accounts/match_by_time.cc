#include "app/accounts/match_by_time.h"

#include <iterator>
#include <utility>

#include "app/accounts/same_attempt.h"
#include "platform/base/text/letter_case.h"

namespace idkiosk {

// Of lines that say the same one looks at a time: an invoice that names whole days has thousands.
InvoiceMatch::ByTime::ByTime(InvoiceMatch& match)
    : match_(match), is_placed_(match.waiting_.size()) {
  for (size_t i = 0; i < match_.waiting_.size(); ++i) {
    const InvoiceLine& line = match_.waiting_[i];
    if (!line.at) continue;
    alike_[Said(line.at, LowerCase(line.endpoint), line.attempt_id, line.reference, line.price,
                line.currency)]
        .push_back(i);
  }
  for (size_t at = 0; at < match_.attempts_.size() && !alike_.empty(); ++at) {
    const Attempt& attempt = match_.attempts_[at];
    if (!attempt.on_invoice) open_[KindOf(attempt.line)].emplace(attempt.line.at, at);
  }
}

InvoiceMatch::ByTime::Kind InvoiceMatch::ByTime::KindOf(const LedgerLine& line) {
  return {!IsBilled(line), LowerCase(line.endpoint), line.price, line.currency};
}

std::optional<InvoiceMatch::ByTime::Near> InvoiceMatch::ByTime::NearestOf(Times& open,
                                                                          size_t waiting) const {
  const InvoiceLine& line = match_.waiting_[waiting];
  std::optional<Near> best;
  const auto look = [&](auto each) {
    const LedgerLine& ledger = match_.attempts_[each->second].line;
    const Near near{!IsBilled(ledger), CostsAnother(line, ledger),
                    std::chrono::abs(ledger.at - *line.at), waiting, each->second};
    if (match_.MayBe(line, ledger) && (!best || near < *best)) best = near;
  };
  const auto is_far = [&](auto each) {
    const auto distance = std::chrono::abs(each->first - *line.at);
    return distance > match_.tolerance_ || (best && distance > best->distance);
  };
  const auto is_taken = [&](auto each) { return match_.attempts_[each->second].on_invoice; };
  for (auto each = open.lower_bound(*line.at); each != open.end() && !is_far(each);) {
    if (is_taken(each)) {
      each = open.erase(each);
    } else {
      look(each++);
    }
  }
  for (auto behind = open.lower_bound(*line.at); behind != open.begin();) {
    const auto each = std::prev(behind);
    if (is_far(each)) break;
    if (is_taken(each)) {
      open.erase(each);
    } else {
      look(each);
      behind = each;
    }
  }
  return best;
}

// The nearest that is on no line yet; a billed one before one that is free, and one of the line's
// price before another.
std::optional<InvoiceMatch::ByTime::Near> InvoiceMatch::ByTime::Nearest(size_t line) {
  const std::string& endpoint = match_.waiting_[line].endpoint;
  std::optional<Near> best;
  for (auto& [kind, open] : open_) {
    if (IsOtherEndpoint(endpoint, kind.endpoint) || (best && best->is_free < kind.is_free)) {
      continue;
    }
    const auto near = NearestOf(open, line);
    if (near && (!best || *near < *best)) best = near;
  }
  return best;
}

// A reference that is placed already takes no second attempt by its time.
void InvoiceMatch::ByTime::Look(Alike& lines) {
  if (lines.empty() || match_.FindLearned(match_.waiting_[lines.front()])) return;
  if (const auto near = Nearest(lines.front())) nearest_.emplace(*near, &lines);
}

void InvoiceMatch::ByTime::Take(size_t line, size_t at) {
  is_placed_[line] = true;
  if (match_.waiting_[line].names_attempt()) {
    match_.Place(std::move(match_.waiting_[line]), at);
    return;
  }
  match_.attempts_[at].on_invoice = true;
  movable_[at] = line;
}

std::optional<size_t> InvoiceMatch::ByTime::TakeOut(Kinds& kinds, const Hop& hop,
                                                    bool latest_first) const {
  const InvoiceLine& line = match_.waiting_[hop.line];
  Times* best_of = nullptr;
  Times::iterator best;
  for (auto& [kind, open] : kinds) {
    const bool costs_another =
        line.price != kind.price || IsOtherCurrency(line.currency, kind.currency);
    if (IsOtherEndpoint(line.endpoint, kind.endpoint) ||
        (costs_another && hop.price == Price::kRight)) {
      continue;
    }
    const auto first = open.lower_bound(*line.at - match_.tolerance_);
    const auto last = open.upper_bound(*line.at + match_.tolerance_);
    if (first == last) continue;
    const auto each = latest_first ? std::prev(last) : first;
    if (best_of == nullptr || (each->first > best->first) == latest_first) {
      best_of = &open;
      best = each;
    }
  }
  if (best_of == nullptr) return std::nullopt;
  const size_t at = best->second;
  best_of->erase(best);
  return at;
}

// Goes from line to line, each of which would take the next one's attempt, until one finds an
// attempt that nobody has. What leads nowhere stays out of the room.
bool InvoiceMatch::ByTime::MakeRoomFor(size_t line, Price price, Room& room) {
  for (std::vector<Hop> path = {{line, price, 0}}; !path.empty();) {
    if (auto at = TakeOut(room.free, path.back(), room.latest_first)) {
      match_.attempts_[*at].on_invoice = true;
      is_placed_[line] = true;
      for (size_t taken = *at; !path.empty(); path.pop_back()) {
        movable_[taken] = path.back().line;
        taken = path.back().gives_up;
      }
      return true;
    }
    const auto held = TakeOut(room.held, path.back(), room.latest_first);
    if (!held) {
      path.pop_back();
      continue;
    }
    const size_t holder = movable_.at(*held);
    const bool has_right_price =
        !CostsAnother(match_.waiting_[holder], match_.attempts_[*held].line);
    path.push_back({holder, has_right_price ? Price::kRight : price, *held});
  }
  return false;
}

InvoiceMatch::ByTime::Room InvoiceMatch::ByTime::WhatMayBeTaken() const {
  Room room;
  for (size_t at = 0; at < match_.attempts_.size(); ++at) {
    const Attempt& attempt = match_.attempts_[at];
    if (!IsBilled(attempt.line)) continue;
    const bool is_held = movable_.contains(at);
    if (attempt.on_invoice && !is_held) continue;
    (is_held ? room.held : room.free)[KindOf(attempt.line)].emplace(attempt.line.at, at);
  }
  return room;
}

// Round by round, and in each what was tried is not tried again: so it is quick, however many lines
// are left over, and done once a round places none. Where lines have to move depends on whose clock
// is ahead, so every second round looks the other way.
void InvoiceMatch::ByTime::MakeRoom(Price price) {
  bool latest_first = false;
  for (bool has_placed = true; has_placed; latest_first = !latest_first) {
    has_placed = false;
    Room room = WhatMayBeTaken();
    room.latest_first = latest_first;
    for (auto& [said, lines] : alike_) {
      if (lines.empty() || match_.waiting_[lines.front()].names_attempt()) continue;
      while (!lines.empty() && MakeRoomFor(lines.front(), price, room)) {
        lines.pop_front();
        has_placed = true;
      }
    }
  }
}

std::vector<bool> InvoiceMatch::ByTime::Place() {
  for (auto& [said, lines] : alike_) Look(lines);
  // Each kind of pair before the next: of the right price, of another, free.
  for (int rooms = 0; !nearest_.empty() || rooms < 2;) {
    const bool is_last = nearest_.empty() || nearest_.top().first.is_free;
    const int level = is_last ? 2 : nearest_.top().first.costs_another ? 1 : 0;
    if (level > rooms) {
      MakeRoom(rooms == 0 ? Price::kRight : Price::kAny);
      ++rooms;
      continue;
    }
    const auto [near, lines] = nearest_.top();
    nearest_.pop();
    const bool may_take = !match_.attempts_[near.at].on_invoice && !is_placed_[near.line] &&
                          !match_.FindLearned(match_.waiting_[near.line]);
    if (may_take) {
      lines->pop_front();
      Take(near.line, near.at);
    }
    Look(*lines);
  }
  for (const auto& [at, line] : movable_) {
    match_.attempts_[at].on_invoice = false;
    match_.Place(std::move(match_.waiting_[line]), at);
  }
  return std::move(is_placed_);
}

}  // namespace idkiosk
