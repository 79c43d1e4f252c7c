#ifndef IDKIOSK_APP_ACCOUNTS_MATCH_BY_TIME_H_
#define IDKIOSK_APP_ACCOUNTS_MATCH_BY_TIME_H_

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <queue>
#include <string>
#include <tuple>
#include <vector>

#include "app/accounts/match.h"

namespace idkiosk {

// Gives the lines that wait attempts of their times: the best pair first, so that a line that is
// there twice takes nobody else's attempt. Two clocks that differ by nearly the tolerance leave
// lines over by that; so lines that name nothing move to other attempts of their price, until as
// many as possible have one, first of those whose price is right, then of the others. What is free
// comes last.
class InvoiceMatch::ByTime {
 public:
  // Must outlive this.
  explicit ByTime(InvoiceMatch& match);

  // Places every line that finds an attempt. Returns which of those that wait it has placed. To be
  // called once.
  [[nodiscard]] std::vector<bool> Place();

 private:
  using Times = std::multimap<WallTime, size_t>;  // attempts
  using Alike = std::deque<size_t>;               // lines that say the same
  using Said = std::tuple<std::optional<WallTime>, std::string, std::string, std::string, int64_t,
                          std::string>;

  // What a line that names no attempt tells of the one that it is about, but for its time.
  struct Kind {
    bool is_free;
    std::string endpoint;  // in lower case
    int64_t price;
    std::string currency;
    auto operator<=>(const Kind&) const = default;
  };
  using Kinds = std::map<Kind, Times>;

  // What a line may be about by its time; the worse, the larger.
  struct Near {
    bool is_free;
    bool costs_another;  // price or currency
    std::chrono::milliseconds distance;
    size_t line;
    size_t at;
    auto operator<=>(const Near&) const = default;
  };

  enum class Price { kRight, kAny };
  // What has not been tried yet of the attempts that nobody has, and of those that a line has that
  // may be moved.
  struct Room {
    Kinds free, held;
    bool latest_first = false;  // which of those in reach is tried first
  };
  // A line that is to take another attempt, which `gives_up` becomes free by.
  struct Hop {
    size_t line;
    Price price;
    size_t gives_up;
  };

  [[nodiscard]] static Kind KindOf(const LedgerLine& line);
  [[nodiscard]] std::optional<Near> Nearest(size_t line);
  // The nearest of `open` to the line, of which those on the invoice are taken out.
  [[nodiscard]] std::optional<Near> NearestOf(Times& open, size_t line) const;
  // Puts the nearest attempt to the first of them into nearest_.
  void Look(Alike& lines);
  void Take(size_t line, size_t at);
  // Moves lines until no more can be placed. kAny: what is left may take an attempt of any price,
  // and so may move who has one of another price already.
  void MakeRoom(Price price);
  [[nodiscard]] Room WhatMayBeTaken() const;
  // Takes one out of `kinds` that the line may have.
  [[nodiscard]] std::optional<size_t> TakeOut(Kinds& kinds, const Hop& hop,
                                              bool latest_first) const;
  // Returns whether the line has an attempt now.
  [[nodiscard]] bool MakeRoomFor(size_t line, Price price, Room& room);

  InvoiceMatch& match_;
  std::map<Said, Alike> alike_;
  Kinds open_;  // attempts that may be taken
  std::priority_queue<std::pair<Near, Alike*>, std::vector<std::pair<Near, Alike*>>, std::greater<>>
      nearest_;
  std::vector<bool> is_placed_;
  std::map<size_t, size_t> movable_;  // lines that name nothing, by the attempts that they have
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_ACCOUNTS_MATCH_BY_TIME_H_
