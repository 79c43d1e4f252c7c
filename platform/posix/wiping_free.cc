// free and realloc that overwrite what they give back, for the whole program: libraries keep
// secrets in ordinary memory for a moment (libcurl its headers, cJSON its strings), and forget to
// wipe them.
//
// A source of its own, compiled into the program itself: the linker then prefers these over
// glibc's, for every library too. glibc's own M_PERTURB does not do: small blocks go to its
// per-thread cache before they are overwritten. Not with sanitizers, which bring allocators of
// their own.
#include "platform/base/sanitized.h"

#ifndef IDKIOSK_SANITIZED

#include <malloc.h>

#include <algorithm>
#include <cstring>

extern "C" {

// glibc's own, exported under these names for interposers.
void __libc_free(void* memory);
void* __libc_malloc(size_t size);

void free(void* memory) {
  if (memory == nullptr) return;
  explicit_bzero(memory, malloc_usable_size(memory));
  __libc_free(memory);
}

void* realloc(void* memory, size_t size) {
  if (memory == nullptr) return __libc_malloc(size);
  if (size == 0) {
    free(memory);
    return nullptr;
  }
  const size_t have = malloc_usable_size(memory);
  if (size <= have && size >= have / 2) return memory;
  void* const moved = __libc_malloc(size);
  if (moved == nullptr) return nullptr;
  memcpy(moved, memory, std::min(size, have));
  free(memory);
  return moved;
}
}

#endif
