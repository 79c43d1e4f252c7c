#ifndef IDKIOSK_PLATFORM_BASE_THREAD_ANNOTATIONS_H_
#define IDKIOSK_PLATFORM_BASE_THREAD_ANNOTATIONS_H_

// What a lock guards and who holds it, in the words of clang's thread-safety analysis, which checks
// them: https://clang.llvm.org/docs/ThreadSafetyAnalysis.html. GCC reads over them.
#if defined(__clang__)
#define IDKIOSK_THREAD_ANNOTATION(...) __attribute__((__VA_ARGS__))
#else
#define IDKIOSK_THREAD_ANNOTATION(...)
#endif

// For a member: it is read and written only with this held.
#define GUARDED_BY(lock) IDKIOSK_THREAD_ANNOTATION(guarded_by(lock))
// For a pointer: the same for the object it points to.
#define PT_GUARDED_BY(lock) IDKIOSK_THREAD_ANNOTATION(pt_guarded_by(lock))
// For a function or a lambda: its caller holds these, and goes on holding them.
#define REQUIRES(...) IDKIOSK_THREAD_ANNOTATION(requires_capability(__VA_ARGS__))
// For a function that takes these itself: its caller does not hold them.
#define EXCLUDES(...) IDKIOSK_THREAD_ANNOTATION(locks_excluded(__VA_ARGS__))

// For those who make locks and checkers.
#define CAPABILITY(kind) IDKIOSK_THREAD_ANNOTATION(capability(kind))
#define SCOPED_CAPABILITY IDKIOSK_THREAD_ANNOTATION(scoped_lockable)
#define ACQUIRE(...) IDKIOSK_THREAD_ANNOTATION(acquire_capability(__VA_ARGS__))
#define RELEASE(...) IDKIOSK_THREAD_ANNOTATION(release_capability(__VA_ARGS__))
#define ASSERT_CAPABILITY(...) IDKIOSK_THREAD_ANNOTATION(assert_capability(__VA_ARGS__))

#endif  // IDKIOSK_PLATFORM_BASE_THREAD_ANNOTATIONS_H_
