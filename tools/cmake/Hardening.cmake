# The flags that make a binary hard to take over, for everything that is compiled here: our own code, and the libraries
# that tools/setup builds (as their CMAKE_PROJECT_INCLUDE). Debian's hardening=+all, and what its next release adds.
# tools/lib/check_binary.sh looks for what of it shows in a binary.

add_compile_options(
  -fstack-protector-strong
  -fstack-clash-protection
  -Wformat -Werror=format-security
  # Nothing without optimisation, which the presets with sanitizers leave out for it: they check more.
  $<$<CONFIG:Release,RelWithDebInfo,MinSizeRel>:-U_FORTIFY_SOURCE>
  $<$<CONFIG:Release,RelWithDebInfo,MinSizeRel>:-D_FORTIFY_SOURCE=3>)
# So that the linker can leave out what a program does not use.
add_compile_options(-ffunction-sections -fdata-sections)
add_link_options(-Wl,-z,relro,-z,now,-z,noexecstack,--as-needed)
if(CMAKE_SYSTEM_PROCESSOR STREQUAL x86_64)
  add_compile_options(-fcf-protection)
  # Debian 12's crt1.o is not marked as keeping to the shadow stack, but does; its _start is no target for an indirect
  # jump, so a program cannot be marked as keeping to those (IBT), though all of its other code does.
  add_link_options(-Wl,-z,shstk)
elseif(CMAKE_SYSTEM_PROCESSOR STREQUAL aarch64)
  add_compile_options(-mbranch-protection=standard)
endif()
