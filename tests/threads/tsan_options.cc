// A part of every program that the thread sanitizer is in; what TSAN_OPTIONS says comes on top.

extern "C" const char* __tsan_default_options();

// Debian's clang-19 brings no symbolizer; binutils, which every compiler needs, has one.
extern "C" const char* __tsan_default_options() {
  return "external_symbolizer_path=/usr/bin/addr2line:second_deadlock_stack=1";
}
