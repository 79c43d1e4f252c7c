#ifndef IDKIOSK_PLATFORM_BASE_SANITIZED_H_
#define IDKIOSK_PLATFORM_BASE_SANITIZED_H_

// Defines IDKIOSK_SANITIZED in a build with the address or the thread sanitizer, which is slow,
// keeps freed memory, and brings an allocator of its own. GCC and clang say so in different ways.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define IDKIOSK_SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define IDKIOSK_SANITIZED
#endif
#endif

#endif  // IDKIOSK_PLATFORM_BASE_SANITIZED_H_
