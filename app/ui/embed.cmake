# Writes a C++ source with the page's files in it.
# usage: cmake -DFOLDER=web -DWORK=folder -DOUT=page_files.cc -P embed.cmake

set(types "html=text/html; charset=utf-8" "css=text/css; charset=utf-8" "js=text/javascript; charset=utf-8"
  "json=application/json" "svg=image/svg+xml" "woff2=font/woff2")
set(largest 145000) # bytes that a browser loads, compressed: a kiosk has the page in one blink

include(${CMAKE_CURRENT_LIST_DIR}/page_files.cmake)
set(arrays "")
set(rows "")
set(total 0)
set(other_words 0) # the largest catalogue but English: nobody loads more than these two
set(number 0)
foreach(file ${files})
  string(REGEX REPLACE ".*\\." "" extension ${file})
  set(content_type "")
  foreach(type ${types})
    if(type MATCHES "^${extension}=(.*)")
      set(content_type ${CMAKE_MATCH_1})
    endif()
  endforeach()
  if(NOT content_type)
    message(FATAL_ERROR "${FOLDER}/${file} is of no type that the page has: ${types}")
  endif()
  set(source ${FOLDER}/${file})
  set(path /${file})
  if(file STREQUAL index.html)
    set(source ${WORK}/index.html)
    set(path /)
  endif()
  # Types and comments are for who reads the source.
  if(extension STREQUAL js)
    file(READ ${source} text)
    string(REGEX REPLACE "\n *//[^\n]*" "" text "${text}")
    string(REGEX REPLACE "/\\*\\*[^*]*\\*/ ?" "" text "${text}")
    set(source ${WORK}/page.js)
    file(WRITE ${source} "${text}")
  endif()
  # Fonts are compressed already.
  if(extension STREQUAL woff2)
    set(from ${source})
    set(gzipped false)
  else()
    set(from ${WORK}/page.gz)
    set(gzipped true)
    execute_process(COMMAND gzip -9nc ${source} OUTPUT_FILE ${from} RESULT_VARIABLE failed)
    if(failed)
      message(FATAL_ERROR "${FOLDER}/${file} cannot be compressed")
    endif()
  endif()
  file(SIZE ${from} size)
  if(file MATCHES "^words/[a-z][a-z][a-z]?\\.json$" AND NOT file STREQUAL "words/en.json")
    if(size GREATER other_words)
      set(other_words ${size})
    endif()
  else()
    math(EXPR total "${total} + ${size}")
  endif()
  file(READ ${from} bytes HEX)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
  string(APPEND arrays "constexpr unsigned char kFile${number}[] = {${bytes}};\n")
  string(APPEND rows "    {\"${path}\", \"${content_type}\", Text(kFile${number}), ${gzipped}},\n")
  math(EXPR number "${number} + 1")
endforeach()
math(EXPR total "${total} + ${other_words}")
if(total GREATER largest)
  message(FATAL_ERROR "who speaks another language than English loads ${total} bytes; ${largest} are the end: leave something out")
endif()

file(WRITE ${OUT} "#include \"app/ui/page_files.h\"

namespace idkiosk {
namespace {

${arrays}
template <unsigned long kSize>
std::string_view Text(const unsigned char (&bytes)[kSize]) {
  return {reinterpret_cast<const char*>(bytes), kSize};
}

const PageFile kFiles[] = {
${rows}};

}  // namespace

std::span<const PageFile> EmbeddedPage() { return kFiles; }

}  // namespace idkiosk
")
