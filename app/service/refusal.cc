#include "app/service/refusal.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "app/service/answer_codec.h"
#include "platform/base/text/letter_case.h"

namespace idkiosk {
namespace {

constexpr std::string_view kSpaces = " \t\r\n";

// The names under which an answer says yes, in lower case.
struct YesNames {
  std::string verified;  // its value decides
  std::vector<std::string> others;
};

// Of a pointer "/data/0/isVerified" the last part that is a name.
std::string LastName(std::string_view pointer) {
  while (!pointer.empty()) {
    const size_t slash = pointer.rfind('/');
    const std::string_view part = pointer.substr(slash == pointer.npos ? 0 : slash + 1);
    if (part.find_first_not_of("0123456789") != part.npos) return LowerCase(part);
    pointer = pointer.substr(0, slash == pointer.npos ? 0 : slash);
  }
  return "";
}

YesNames NamesOf(const AnswerShape& shape) {
  YesNames names;
  names.verified = LastName(shape.verified.value_or(""));
  names.others.push_back(LastName(shape.photo.value_or("")));
  if (names.verified.empty()) names.others.push_back(LastName(shape.name.value_or("")));
  std::erase(names.others, "");
  return names;
}

bool IsInName(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

constexpr std::array<std::string_view, 7> kQuotes = {"\\",    "\"",     "'",  "&quot;",
                                                     "&#34;", "&#x22;", "%22"};

bool EndsWithQuote(std::string_view text) {
  return std::ranges::any_of(kQuotes, [&](auto each) { return text.ends_with(each); });
}

std::string_view WithoutQuotes(std::string_view text) {
  for (bool again = true; again;) {
    again = text.starts_with(' ');
    if (again) text.remove_prefix(1);
    for (const std::string_view each : kQuotes) {
      if (!text.starts_with(each)) continue;
      text.remove_prefix(each.size());
      again = true;
    }
  }
  return text;
}

// A word in a sentence is no name.
bool IsNameBetween(std::string_view before, std::string_view behind) {
  const std::string_view next = WithoutQuotes(behind);
  if (before.ends_with('<')) return next.empty() || next.starts_with('>');
  if (!EndsWithQuote(before) || (!behind.empty() && IsInName(behind.front()))) return false;
  return next.empty() || next.starts_with(':') || next.starts_with('=') || next.starts_with("%3a");
}

// Whether `text`, in lower case, has this as the name of a value.
bool HasName(std::string_view text, std::string_view name) {
  if (name.empty()) return false;
  for (size_t at = text.find(name); at != text.npos; at = text.find(name, at + 1)) {
    if (IsNameBetween(text.substr(0, at), text.substr(at + name.size()))) return true;
  }
  return false;
}

bool HasAnyName(std::string_view text, const YesNames& yes) {
  std::string small = LowerCase(text);
  const bool has =
      HasName(small, yes.verified) ||
      std::ranges::any_of(yes.others, [&](const auto& each) { return HasName(small, each); });
  Wipe(small);
  return has;
}

// In lower case, without all that is neither a letter nor a digit.
std::string LettersOf(std::string_view text) {
  std::string letters;
  for (const char each : text) {
    const char small = LowerLetter(each);
    if ((small >= 'a' && small <= 'z') || (small >= '0' && small <= '9')) letters.push_back(small);
  }
  return letters;
}

// Whether the name is spelled anywhere in the text, or in what it holds as base64.
bool Spells(std::string_view text, std::string_view name) {
  constexpr size_t kShortest = 16;
  constexpr std::string_view kPlain = "+/";
  if (name.empty()) return false;
  std::string letters = LettersOf(text);
  bool found = letters.contains(name);
  Wipe(letters);
  for (size_t at = 0; !found && at < text.size();) {
    std::string run;
    for (; at < text.size(); ++at) {
      const char c = text[at];
      const bool is_letter = LettersOf({&c, 1}).size() == 1;
      if (!is_letter && !std::string_view("+/-_").contains(c)) break;
      run.push_back(c == '-' ? kPlain[0] : c == '_' ? kPlain[1] : c);
    }
    ++at;
    const bool is_short = run.size() < kShortest;
    while (run.size() % 4 != 0) run.push_back('=');
    auto bytes = FromBase64(run);
    Wipe(run);
    if (is_short || !bytes) continue;
    std::string inside = LettersOf(AsText(*bytes));
    found = inside.contains(name);
    Wipe(inside);
    Wipe(*bytes);
  }
  return found;
}

// In whatever case; false where nothing is looked for.
bool ContainsInAnyCase(std::string_view text, std::string_view part) {
  if (part.empty()) return false;
  std::string small = LowerCase(text);
  const bool found = small.contains(LowerCase(part));
  Wipe(small);
  return found;
}

bool IsIn(const std::vector<std::string>& values, JsonView value) {
  std::string printed = value.Print();
  const bool found = std::ranges::find(values, printed) != values.end();
  Wipe(printed);
  return found;
}

// Whether a value that the profile knows neither as a yes nor as a no looks like a yes.
bool LooksLikeYes(JsonView value) {
  constexpr std::string_view kWords[] = {"true", "yes", "y", "1", "ok"};
  if (value.IsObject() || value.IsArray()) return !value.children().empty();
  std::string printed = value.Print();
  std::string word = LettersOf(printed);
  const bool found = std::ranges::find(kWords, word) != std::end(kWords);
  Wipe(printed);
  Wipe(word);
  return found;
}

// Whether this value, or any below it, says yes. A text may hold a whole answer.
bool SaysYesBelow(JsonView value, const AnswerShape& shape, const YesNames& names) {
  std::string name = LowerCase(value.key());
  const bool is_verified = !name.empty() && name == names.verified;
  const bool is_other = std::ranges::find(names.others, name) != names.others.end();
  Wipe(name);
  const auto text = value.AsString();
  if (is_verified && IsIn(shape.verified_values, value)) return true;
  if (is_verified && !IsIn(shape.not_verified_values, value) && LooksLikeYes(value)) return true;
  if (is_other && text && !text->empty()) return true;
  if (text && !is_verified && !is_other) return HasAnyName(*text, names);
  return std::ranges::any_of(value.children(),
                             [&](JsonView each) { return SaysYesBelow(each, shape, names); });
}

bool IsText(std::string_view body) {
  return std::ranges::none_of(body, [](char c) {
    return (static_cast<unsigned char>(c) < 0x20 && !kSpaces.contains(c)) || c == 0x7f;
  });
}

// Whether a page, or other markup, goes on to its end: to "</html>" where it has an "<html", else
// to some tag. Spaces and comments may follow: servers pad their pages with them.
bool IsMarkupWhole(std::string_view body) {
  constexpr std::string_view kComment = "<!--";
  const auto trim = [&body] { body = body.substr(0, body.find_last_not_of(kSpaces) + 1); };
  trim();
  while (body.ends_with("-->") && body.rfind(kComment) != body.npos) {
    body = body.substr(0, body.rfind(kComment));
    trim();
  }
  std::string small = LowerCase(body);
  const size_t end = small.rfind("</html");
  const bool is_page = small.contains("<html");
  const bool is_whole = small.ends_with('>') && (!is_page || end != small.npos) &&
                        (!is_page || small.find('<', end + 1) == small.npos);
  Wipe(small);
  return is_whole;
}

// Whether every bracket and every quote that it opens is closed, in whatever order: whoever cuts an
// answer out of a text leaves one of them open.
bool IsTextWhole(std::string_view body) {
  const auto count = [body](char c) { return std::ranges::count(body, c); };
  return count('{') == count('}') && count('[') == count(']') && count('"') % 2 == 0;
}

bool IsPacked(const HttpAnswer& answer) {
  return std::ranges::any_of(answer.headers, [](const HttpAnswer::Header& each) {
    // What servers say of a body that is as it is.
    constexpr std::string_view kNone[] = {"", "identity", "none", "utf-8"};
    return each.name == "content-encoding" &&
           std::ranges::find(kNone, LowerCase(each.value)) == std::end(kNone);
  });
}

// Beside the status, or one level below it.
bool SaysBilled(JsonView value, int levels = 2) {
  return levels > 0 && std::ranges::any_of(value.children(), [&](JsonView each) {
           return (LowerCase(each.key()) == "billed" && each.AsBool().value_or(false)) ||
                  SaysBilled(each, levels - 1);
         });
}

}  // namespace

bool SaysYes(const EndpointProfile& profile, const HttpAnswer& refusal) {
  const YesNames names = NamesOf(profile.answer);
  const auto document = ParseAnswer(refusal.body.view());
  if (!document) return HasAnyName(refusal.body.text(), names);
  return SaysYesBelow(document->root(), profile.answer, names);
}

bool HeaderSaysYes(const EndpointProfile& profile, const HttpAnswer& refusal) {
  const YesNames names = NamesOf(profile.answer);
  return std::ranges::any_of(refusal.headers, [&](const HttpAnswer::Header& each) {
    const auto document = ParseAnswer(AsBytes(each.value));
    return document ? SaysYesBelow(document->root(), profile.answer, names)
                    : HasAnyName(each.value, names);
  });
}

std::string_view DoubtOfRefusal(const HttpAnswer& refusal) {
  // Nobody can have answered a question that was not there in whole.
  if (refusal.ended_by_close && !refusal.early) {
    return "nothing but the end of the connection says that it is whole";
  }
  if (refusal.more_behind) return "more came behind its end";
  const std::string_view body = refusal.body.text();
  if (body.empty()) return "";
  if (IsPacked(refusal)) return "it is packed, which was not asked for";
  if (!IsText(body)) return "its body is no text";
  const size_t begin = body.find_first_not_of(kSpaces);
  const bool is_like_json = begin != body.npos && std::string_view("{[\"").contains(body[begin]);
  const bool is_text = is_like_json && body[begin] == '"' && JsonDocument::Parse(body);
  if (is_like_json && !is_text && !ParseAnswer(refusal.body.view())) {
    return "its body begins like JSON, and is none";
  }
  const bool is_markup = begin != body.npos && body[begin] == '<';
  if (is_markup && !IsMarkupWhole(body)) return "its page is cut off";
  if (!is_markup && !is_like_json && !IsTextWhole(body)) return "its text is cut off";
  return "";
}

std::string_view PartOfAnAnswer(const EndpointProfile& profile, const HttpAnswer& refusal,
                                std::string_view message) {
  const bool quotes_no_record =
      profile.no_record && ContainsInAnyCase(refusal.body.text(), profile.no_record->message);
  if (quotes_no_record || SaysNoRecord(profile, refusal.body.view(), message)) {
    return "its body says that there is no record, as an answer does";
  }
  const auto document = ParseAnswer(refusal.body.view());
  if (!document) return "";
  if (SaysBilled(document->root())) return "its body says that it was billed";
  if (!profile.answer.reference) return "";
  const JsonView reference = document->root().At(*profile.answer.reference);
  const auto text = reference.AsString();
  const bool has = reference.exists() && !reference.IsNull() && (!text || !text->empty());
  return has ? "its body holds a reference, as an answer does" : "";
}

bool IsAboutAnAnswer(const EndpointProfile& profile, const HttpAnswer& refusal) {
  return Spells(refusal.body.text(), NamesOf(profile.answer).verified);
}

}  // namespace idkiosk
