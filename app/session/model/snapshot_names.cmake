# Makes C++ enumerations, and Name() of each, from the names in the page's contract: `type WaitingStage = "sealing" | ...`
# becomes `enum class WaitingStage { kSealing, ... }`.

# usage: names_of(TEXT TYPE OUT)   (a list, each in quotes; a type among them stands for its own)
function(names_of text type out)
  if(NOT text MATCHES "type ${type} =([^;]+);")
    message(FATAL_ERROR "app/ui/web/snapshot.d.ts: there is no 'type ${type} = ...;'")
  endif()
  string(REGEX MATCHALL "\"[a-z_]+\"|[A-Z][A-Za-z]+" words "${CMAKE_MATCH_1}")
  set(names "")
  foreach(word ${words})
    if(NOT word MATCHES "^\"")
      names_of("${text}" ${word} word)
    endif()
    list(APPEND names ${word})
  endforeach()
  set(${out} ${names} PARENT_SCOPE)
endfunction()

# usage: enumerator_of(NAME OUT)   ("queue_full" -> kQueueFull)
function(enumerator_of name out)
  string(REGEX MATCHALL "[a-z]+" parts ${name})
  set(enumerator k)
  foreach(part ${parts})
    string(SUBSTRING ${part} 0 1 first)
    string(SUBSTRING ${part} 1 -1 rest)
    string(TOUPPER ${first} first)
    string(APPEND enumerator ${first}${rest})
  endforeach()
  set(${out} ${enumerator} PARENT_SCOPE)
endfunction()

# usage: snapshot_names(CONTRACT OUT TYPE...)
function(snapshot_names contract out)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${contract})
  file(READ ${contract} text)
  string(REGEX REPLACE "//[^\n]*" "" text "${text}")
  foreach(type ${ARGN})
    names_of("${text}" ${type} names)
    set(enumerators "")
    foreach(name ${names})
      enumerator_of(${name} enumerator)
      list(APPEND enumerators ${enumerator})
    endforeach()
    list(JOIN enumerators ", " enumerators)
    list(JOIN names ", " names)
    # The browser has a type Screen of its own.
    string(REGEX REPLACE "^ScreenName$" Screen type ${type})
    string(APPEND enumerations "
enum class ${type} { ${enumerators} };
[[nodiscard]] constexpr std::string_view Name(${type} name) {
  constexpr std::string_view kNames[] = {${names}};
  return kNames[static_cast<size_t>(name)];
}
")
  endforeach()
  configure_file(${CMAKE_CURRENT_FUNCTION_LIST_DIR}/snapshot_names.h.in ${out} @ONLY)
endfunction()
