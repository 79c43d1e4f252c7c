# Writes a C++ source with the dashboard's files in it.
# usage: cmake -DFOLDER=pages -DFILES="a;b" -DOUT=pages.cc -P embed.cmake

set(types "html=text/html; charset=utf-8" "css=text/css; charset=utf-8"
  "js=text/javascript; charset=utf-8" "svg=image/svg+xml")

set(arrays "")
set(rows "")
set(number 0)
foreach(file ${FILES})
  file(READ ${FOLDER}/${file} bytes HEX)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
  string(APPEND arrays "constexpr unsigned char kFile${number}[] = {${bytes}};\n")
  string(REGEX REPLACE ".*\\." "" extension ${file})
  foreach(type ${types})
    if(type MATCHES "^${extension}=(.*)")
      set(content_type ${CMAKE_MATCH_1})
    endif()
  endforeach()
  if(file STREQUAL index.html)
    set(file "")
  endif()
  string(APPEND rows "    {\"${file}\", \"${content_type}\", Text(kFile${number})},\n")
  math(EXPR number "${number} + 1")
endforeach()

file(WRITE ${OUT} "#include \"tools/sandbox/dashboard/page.h\"

#include <algorithm>

namespace idkiosk::sandbox {
namespace {

${arrays}
template <unsigned long kSize>
std::string_view Text(const unsigned char (&bytes)[kSize]) {
  return {reinterpret_cast<const char*>(bytes), kSize};
}

const Page kPages[] = {
${rows}};

}  // namespace

const Page* FindPage(std::string_view path) {
  const Page* found = std::ranges::find(kPages, path, &Page::path);
  return found == std::end(kPages) ? nullptr : found;
}

}  // namespace idkiosk::sandbox
")
