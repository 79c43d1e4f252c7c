# How tools/setup builds tpm2-tss, as the CMakeLists.txt of its unpacked source: what idkiosk links of it, as one static
# library. That is ESYS on our mbedTLS, and the ways to a device and to swtpm. Upstream's own build would need autoconf,
# automake, libtool, autoconf-archive and a minute, for 130 commands of a TPM that nothing here gives.
cmake_minimum_required(VERSION 3.25)
project(tpm2-tss C)
find_package(MbedTLS 3.6 REQUIRED CONFIG)

# The commands that idkiosk gives, and those that ESYS gives by itself.
set(commands Create CreatePrimary FlushContext GetCapability Load NV_DefineSpace NV_Increment NV_Read NV_ReadPublic
  NV_UndefineSpace PolicyAuthValue PolicyGetDigest PolicyPCR ReadPublic StartAuthSession Startup Unseal)
# What SYS has beside commands.
set(functions Execute Finalize GetCommandCode GetContextSize GetCpBuffer GetDecryptParam
  GetEncryptParam GetRpBuffer GetRspAuths GetTctiContext Initialize SetCmdAuths SetDecryptParam SetEncryptParam)
list(TRANSFORM commands REPLACE "(.+)" "src/tss2-esys/api/Esys_\\1.c" OUTPUT_VARIABLE esys)
list(TRANSFORM commands REPLACE "(.+)" "src/tss2-sys/api/Tss2_Sys_\\1.c" OUTPUT_VARIABLE sys)
list(TRANSFORM functions REPLACE "(.+)" "src/tss2-sys/api/Tss2_Sys_\\1.c")
file(GLOB marshalling src/tss2-mu/*.c)

add_library(tss2 STATIC ${esys} ${sys} ${functions} ${marshalling}
  src/tss2-esys/esys_context.c src/tss2-esys/esys_crypto.c src/tss2-esys/esys_crypto_mbed.c src/tss2-esys/esys_free.c
  src/tss2-esys/esys_iutil.c src/tss2-esys/esys_mu.c src/tss2-esys/esys_tr.c src/tss2-sys/sysapi_util.c
  src/tss2-tcti/tcti-common.c src/tss2-tcti/tcti-device.c src/tss2-tcti/tcti-swtpm.c
  src/tss2-tcti/tctildr-nodl.c src/tss2-tcti/tctildr.c src/util/key-value-parse.c src/util-io/io.c)
# Each way to a TPM is meant for a shared library of its own, with a function of this name.
foreach(way device swtpm)
  set_source_files_properties(src/tss2-tcti/tcti-${way}.c PROPERTIES COMPILE_DEFINITIONS Tss2_Tcti_Info=tss2_info_${way})
endforeach()
target_include_directories(tss2 PRIVATE . src include/tss2 src/tss2-mu src/tss2-sys src/tss2-esys)
# Level 0: it writes nothing to standard error; who calls it learns what failed by its return code.
target_compile_definitions(tss2 PRIVATE
  _GNU_SOURCE MAXLOGLEVEL=0 MBED=1 NO_DL=1 TCTI_DEVICE=1 TCTI_SWTPM=1 DISABLE_VENDOR=1)
target_compile_options(tss2 PRIVATE -w)
target_link_libraries(tss2 PRIVATE MbedTLS::mbedcrypto)
install(TARGETS tss2 ARCHIVE)
install(DIRECTORY include/tss2 TYPE INCLUDE)
