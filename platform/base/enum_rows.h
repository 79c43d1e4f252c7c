#ifndef IDKIOSK_PLATFORM_BASE_ENUM_ROWS_H_
#define IDKIOSK_PLATFORM_BASE_ENUM_ROWS_H_

#include <cstddef>
#include <string_view>

namespace idkiosk {

// Returns whether an enumeration names this value of it. The compiler prints the name, and of
// another value a cast: "kValue = (idkiosk::CallState)7".
template <auto kValue>
consteval bool IsEnumerator() {
  return !std::string_view(__PRETTY_FUNCTION__).contains("kValue = (");
}

// Returns how many enumerators there are, from 0 to the first value that has no name.
template <typename Enum, size_t kFrom = 0>
consteval size_t EnumeratorCount() {
  if constexpr (IsEnumerator<static_cast<Enum>(kFrom)>()) {
    return EnumeratorCount<Enum, kFrom + 1>();
  } else {
    return kFrom;
  }
}

// Returns whether a table has one row for each enumerator, in their order: `key` is the member that
// names the enumerator of a row. For a static_assert below the table, which fails when an
// enumerator has no row.
template <typename Row, size_t kCount, typename Enum>
consteval bool HasEachRow(const Row (&rows)[kCount], Enum Row::* key) {
  for (size_t i = 0; i < kCount; ++i) {
    if (static_cast<size_t>(rows[i].*key) != i) return false;
  }
  return kCount == EnumeratorCount<Enum>();
}

}  // namespace idkiosk

#endif  // IDKIOSK_PLATFORM_BASE_ENUM_ROWS_H_
