# Prints each C++ function that has more lines than LIMIT, from its first line to its closing brace.
# usage: awk -v limit=LIMIT -f tools/lib/long_functions.awk FILE...
# It reads the layout, so the files must be as clang-format leaves them: a function's closing brace stands on a line of its own, as
# far in as the function's first line. A lambda counts as part of the function that it stands in; a table in braces is no function.

function complain(lines) {
  lines = FNR - first + 1
  if (lines <= limit) return
  sub(/\(.*/, "", statement)
  sub(/.*[ *&]/, "", statement)
  printf "%s:%d: %s: %d lines; %d is the end: split it\n", FILENAME, first, statement, lines, limit
}

FNR == 1 { statement = raw_end = in_macro = inside = "" }

# What stands in a raw string is no code, nor is what the preprocessor reads.
raw_end == "" && (in_macro != "" || /^ *#/) {
  in_macro = /\\$/ ? "yes" : ""
  next
}
{
  line = $0
  if (raw_end != "") {
    if (!index(line, raw_end)) next
    line = indent "    \"" substr(line, index(line, raw_end) + length(raw_end))
    raw_end = ""
  }
  if (match(line, /R"[A-Za-z_]*\(/)) {
    end = ")" substr(line, RSTART + 2, RLENGTH - 3) "\""
    if (!index(substr(line, RSTART + RLENGTH), end)) {
      raw_end = end
      line = substr(line, 1, RSTART) "\""
    }
  }
  sub(/ *\/\/.*$/, "", line)
  if (line == "") next
}

inside == "function" {
  if (index(line, indent "}") != 1) next
  complain()
  inside = statement = ""
  next
}
# A table may end in the line of its last row.
inside == "table" {
  if (index(line, indent " ") == 1) next
  inside = statement = ""
  if (index(line, indent "}") == 1) next
}

{
  if (statement == "") {
    first = FNR
    match(line, /^ */)
    indent = substr(line, 1, RLENGTH)
  }
  statement = statement " " line
  if (line ~ /[)}] \{\}$/ && statement ~ /\(/) complain()  # a constructor that does no more than begin its members
  if (line ~ /[;}:]$/) statement = ""
  if (line !~ /\{$/) next
  if (statement ~ /^ *(template <.*> *)?(inline )?(namespace|class|struct|union|enum|extern "C")[^()]*\{$/) {
    statement = ""  # its members are looked at
  } else {
    inside = statement !~ /\(/ || statement ~ /= *(\{ *)*\{$/ ? "table" : "function"
  }
}
