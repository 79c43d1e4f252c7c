# Writes WORK/files.txt, a line for each file of the page, and WORK/index.html, where a comment such as
# <!-- screens/*.css --> has become a link to each file below that folder: the browser asks for all of them at once.
# usage: cmake -DFOLDER=web -DWORK=folder -P page_files.cmake   (tests/web does so, too)

file(GLOB_RECURSE files RELATIVE ${FOLDER} ${FOLDER}/*.html ${FOLDER}/*.css ${FOLDER}/*.js ${FOLDER}/*.json
  ${FOLDER}/*.svg ${FOLDER}/*.woff2)
list(REMOVE_ITEM files tsconfig.json)
list(JOIN files "\n" lines)
file(WRITE ${WORK}/files.txt "${lines}\n")

file(READ ${FOLDER}/index.html page)
while(page MATCHES "<!-- ([a-z/]*)\\*\\.(css|js) -->")
  set(comment ${CMAKE_MATCH_0})
  set(pattern "^${CMAKE_MATCH_1}.*\\.${CMAKE_MATCH_2}$")
  set(rel stylesheet)
  if(CMAKE_MATCH_2 STREQUAL js)
    set(rel modulepreload)
  endif()
  set(links "")
  foreach(file ${files})
    if(file MATCHES "${pattern}" AND NOT file STREQUAL page.js)
      list(APPEND links "<link rel=\"${rel}\" href=\"/${file}\" />")
    endif()
  endforeach()
  list(JOIN links "\n    " links)
  string(REPLACE "${comment}" "${links}" page "${page}")
endwhile()
file(WRITE ${WORK}/index.html "${page}")
