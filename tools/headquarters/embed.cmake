# Writes a C++ source with the schema and the page's files in it.
# usage: cmake -DFOLDER=... -DFILES="a;b" -DSCHEMA=schema.sql -DOUT=files.cc -P embed.cmake

set(types "html=text/html; charset=utf-8" "css=text/css; charset=utf-8" "js=text/javascript; charset=utf-8")
set(arrays "")
set(rows "")
set(number 0)
foreach(file ${SCHEMA} ${FILES})
  get_filename_component(name ${file} NAME)
  file(READ ${file} bytes HEX)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
  string(APPEND arrays "constexpr unsigned char kFile${number}[] = {${bytes}};\n")
  string(REGEX REPLACE ".*\\." "" extension ${name})
  foreach(type ${types})
    if(type MATCHES "^${extension}=(.*)")
      string(REPLACE "index.html" "" name ${name})
      string(APPEND rows "    {\"/${name}\", \"${CMAKE_MATCH_1}\", Text(kFile${number})},\n")
    endif()
  endforeach()
  math(EXPR number "${number} + 1")
endforeach()

file(WRITE ${OUT} "#include \"tools/headquarters/files.h\"

namespace idkiosk::headquarters {
namespace {

${arrays}
template <unsigned long kSize>
std::string_view Text(const unsigned char (&bytes)[kSize]) {
  return {reinterpret_cast<const char*>(bytes), kSize};
}

const PageFile kPageFiles[] = {
${rows}};

}  // namespace

std::string_view SchemaSql() { return Text(kFile0); }

std::span<const PageFile> PageFiles() { return kPageFiles; }

}  // namespace idkiosk::headquarters
")
