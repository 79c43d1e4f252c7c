#ifndef IDKIOSK_PLATFORM_BASE_ENUM_ROWS_H_
#define IDKIOSK_PLATFORM_BASE_ENUM_ROWS_H_

#include <cstddef>

namespace idkiosk {

// Returns whether a table has one row for each enumerator from 0 to `last`, in their order: `key`
// is the member that names the enumerator of a row. For a static_assert below the table, which
// fails when an enumerator has no row.
template <typename Row, size_t kCount, typename Enum>
consteval bool HasEachRow(const Row (&rows)[kCount], Enum Row::* key, Enum last) {
  for (size_t i = 0; i < kCount; ++i) {
    if (static_cast<size_t>(rows[i].*key) != i) return false;
  }
  return static_cast<size_t>(last) + 1 == kCount;
}

}  // namespace idkiosk

#endif  // IDKIOSK_PLATFORM_BASE_ENUM_ROWS_H_
