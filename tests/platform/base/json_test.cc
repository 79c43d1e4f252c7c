#include "platform/base/json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace idkiosk {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

std::string ParseError(std::string_view text) {
  const auto document = JsonDocument::Parse(text);
  if (document) return "no error";
  EXPECT_EQ(document.error().code, ErrorCode::kInvalid);
  return document.error().message;
}

std::string CommentsParseError(std::string_view text) {
  const auto document = JsonDocument::ParseWithComments(text);
  return document ? "no error" : document.error().message;
}

TEST(JsonDocumentTest, ReadsEveryKindOfValue) {
  const auto document =
      JsonDocument::Parse(R"({"s": "text", "n": -1.5, "i": 42, "t": true, "f": false, "z": null,
                              "l": [1, "two"], "o": {"k": 3}})");
  ASSERT_TRUE(document);
  const JsonView root = document->root();
  EXPECT_TRUE(root.IsObject());
  EXPECT_EQ(root["s"].AsString(), "text");
  EXPECT_EQ(root["n"].AsNumber(), -1.5);
  EXPECT_EQ(root["n"].AsInteger(), std::nullopt);
  EXPECT_EQ(root["i"].AsInteger(), 42);
  EXPECT_EQ(root["t"].AsBool(), true);
  EXPECT_EQ(root["f"].AsBool(), false);
  EXPECT_TRUE(root["z"].IsNull());
  EXPECT_EQ(root["l"].children().size(), 2u);
  EXPECT_EQ(root["o"].children()[0].key(), "k");
  EXPECT_EQ(root["S"].exists(), false);
}

TEST(JsonDocumentTest, AnswersNothingForAnotherType) {
  const auto document = JsonDocument::Parse(R"({"s": "1", "n": 1})");
  EXPECT_EQ(document->root()["s"].AsNumber(), std::nullopt);
  EXPECT_EQ(document->root()["s"].AsBool(), std::nullopt);
  EXPECT_EQ(document->root()["n"].AsString(), std::nullopt);
  EXPECT_TRUE(document->root()["n"].children().empty());
  EXPECT_FALSE(document->root()["absent"]["deeper"].exists());
  EXPECT_EQ(JsonView().AsString(), std::nullopt);
}

TEST(JsonDocumentTest, NamesTheTypesForPeople) {
  const auto document = JsonDocument::Parse(R"([null, true, 1, "", [], {}])");
  std::vector<std::string_view> names;
  for (const JsonView each : document->root().children()) names.push_back(each.TypeName());
  EXPECT_THAT(names,
              ElementsAre("null", "true or false", "a number", "a string", "a list", "an object"));
  EXPECT_EQ(JsonView().TypeName(), "nothing");
}

TEST(JsonDocumentTest, TakesOnlyWholeNumbersForIntegers) {
  const auto document =
      JsonDocument::Parse("[1.0, 9007199254740992, 9007199254740994, 1e999, -1e999, 1e3]");
  const auto list = document->root().children();
  EXPECT_EQ(list[0].AsInteger(), 1);
  EXPECT_EQ(list[1].AsInteger(), 9007199254740992);
  EXPECT_EQ(list[2].AsInteger(), std::nullopt);
  EXPECT_EQ(list[3].AsInteger(), std::nullopt);
  EXPECT_EQ(list[3].AsNumber(), std::nullopt);
  EXPECT_EQ(list[4].AsNumber(), std::nullopt);
  EXPECT_EQ(list[5].AsInteger(), 1000);
}

TEST(JsonDocumentTest, SaysWhereTheTextIsWrong) {
  EXPECT_EQ(ParseError(""), "no JSON: the text is empty");
  EXPECT_EQ(ParseError(" \n\t"), "no JSON: the text is empty");
  EXPECT_EQ(ParseError("{\n  \"a\": nope\n}"), "not JSON at line 2, column 8");
  EXPECT_EQ(ParseError("{\n  \"a\": 1\n  \"b\": 2\n}"),
            "not JSON at line 3, column 3: is a comma or a colon missing before it?");
  EXPECT_EQ(ParseError("{\"a\" \"b\"}"),
            "not JSON at line 1, column 6: is a comma or a colon missing before it?");
  const std::string quotes = ": texts and names stand in double quotes, straight ones";
  EXPECT_EQ(ParseError("{\"a\": 'b'}"), "not JSON at line 1, column 7" + quotes);
  EXPECT_EQ(ParseError("{'a': 1}"), "not JSON at line 1, column 2" + quotes);
  EXPECT_EQ(ParseError("{\"a\": 1,\n \u201cb\u201d: 2}"), "not JSON at line 2, column 2" + quotes);
  EXPECT_EQ(ParseError("[\u201ca\u201d]"), "not JSON at line 1, column 2" + quotes);
  EXPECT_EQ(ParseError("{a: 1}"),
            "not JSON at line 1, column 2: a name in double quotes belongs here");
  EXPECT_EQ(ParseError("{\"a\": True}"),
            "not JSON at line 1, column 7: it is true, false or null, in small letters");
  EXPECT_THAT(ParseError("{\"a\": 1"), EndsWith(": it ends before it is whole"));
  EXPECT_EQ(ParseError("{} {}"), "text after the JSON value at line 1, column 3");
  EXPECT_THAT(ParseError("\"never closed"), StartsWith("not JSON at line 1"));
}

TEST(JsonDocumentTest, HasNoCommentsWhereNoneAreAllowed) {
  EXPECT_THAT(ParseError("{} // no"), StartsWith("text after"));
  EXPECT_THAT(ParseError("[1,]"), StartsWith("not JSON"));
}

TEST(JsonDocumentTest, ReadsCommentsAndTrailingCommas) {
  const auto document = JsonDocument::ParseWithComments(R"(// a file
    { /* with */ "a": [1, 2, /* three */ ], // "b": 1,
      "url": "https://host/*not a comment*/", "quote": "\"//", })");
  ASSERT_TRUE(document) << document.error().message;
  EXPECT_EQ(document->root()["a"].children().size(), 2u);
  EXPECT_EQ(document->root()["url"].AsString(), "https://host/*not a comment*/");
  EXPECT_EQ(document->root()["quote"].AsString(), "\"//");
  EXPECT_FALSE(document->root()["b"].exists());
}

TEST(JsonDocumentTest, RefusesACommaThatFollowsNothing) {
  for (const std::string_view text : {"{,}", "[,]", "[1,,]", "[,1]", "{\"a\":,}", ",", "[1],"}) {
    EXPECT_THAT(CommentsParseError(text), HasSubstr("line 1")) << text;
  }
  EXPECT_EQ(CommentsParseError("[[],{},]"), "no error");
}

TEST(JsonDocumentTest, SaysWhereItIsWrongBehindComments) {
  EXPECT_EQ(CommentsParseError("// one\n/* two\n three */ {\n\"a\": nope }"),
            "not JSON at line 4, column 6");
  EXPECT_THAT(CommentsParseError("{\n  /* never closed\n}"), StartsWith("not JSON at line 2"));
}

TEST(JsonDocumentTest, ReadsAFileThatBeginsWithAByteOrderMark) {
  const std::string_view text = "\xef\xbb\xbf{\n\"a\": 1}";
  EXPECT_TRUE(JsonDocument::Parse(text));
  EXPECT_TRUE(JsonDocument::ParseWithComments(text));
  EXPECT_EQ(LineOf(text, "/a"), 2);
}

TEST(JsonDocumentTest, RefusesANulThatWouldCutAStringShort) {
  EXPECT_EQ(ParseError(R"({"password": "abc\u0000def"})"), "a NUL character at line 1, column 18");
  EXPECT_EQ(ParseError(std::string_view("{\"a\":\0}", 7)), "a NUL character at line 1, column 6");
  const auto escaped = JsonDocument::Parse(R"(["\\u0000", "\\\\u0000"])");
  ASSERT_TRUE(escaped);
  EXPECT_EQ(escaped->root().At("/0").AsString(), "\\u0000");
  EXPECT_THAT(ParseError(R"(["\\\u0000"])"), StartsWith("a NUL"));
}

TEST(JsonDocumentTest, SurvivesHostileNesting) {
  EXPECT_EQ(ParseError(std::string(999, '[') + std::string(999, ']')), "no error");
  EXPECT_THAT(ParseError(std::string(100000, '[')), StartsWith("not JSON"));
  std::string objects;
  for (int i = 0; i < 50000; ++i) objects += "{\"a\":";
  EXPECT_THAT(ParseError(objects), StartsWith("not JSON"));
  EXPECT_EQ(LineOf(objects, "/a/a/a"), 1);
}

// What a service answers moves nothing in the terminal that shows it.
TEST(JsonTest, ControlsOfAnAnswerAreEscapedAndItStaysTheSame) {
  const std::string answer = "{\"name\":\"\u009b31mA\u202e\u2066 \u00e9\x9b\",\n\t\"b\":1}";
  const std::string shown = EscapeControls(answer);
  EXPECT_EQ(shown, "{\"name\":\"\\u009b31mA\\u202e\\u2066 \u00e9\xef\xbf\xbd\",\n\t\"b\":1}");
  EXPECT_EQ(JsonDocument::Parse(shown)->root()["name"].AsString(),
            "\u009b31mA\u202e\u2066 \u00e9\xef\xbf\xbd");
}

TEST(JsonDocumentTest, EscapesWhatMovesATerminal) {
  EXPECT_EQ(QuoteJson("a\u202eb\u2066c\u061cd"), R"("a\u202eb\u2066c\u061cd")");
  EXPECT_EQ(QuoteJson("\x1b[2J\x7f\u009b"), R"("\u001b[2J\u007f\u009b")");
  const auto read = JsonDocument::Parse(QuoteJson("a\u202eb"));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->root().AsString(), "a\u202eb");
}

TEST(JsonDocumentTest, KeepsBytesThatAreNotUtf8AndReplacesThemWhenItWrites) {
  const auto document = JsonDocument::Parse("[\"caf\xe9\"]");
  ASSERT_TRUE(document);
  EXPECT_EQ(document->root().At("/0").AsString(), "caf\xe9");
  EXPECT_EQ(QuoteJson("caf\xe9"), "\"caf\xef\xbf\xbd\"");
  EXPECT_EQ(QuoteJson("\xed\xa0\x80"), "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"");
  EXPECT_EQ(QuoteJson("\xc0\xaf"), "\"\xef\xbf\xbd\xef\xbf\xbd\"");
  EXPECT_EQ(QuoteJson("\xf0\x9f\x98"), "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"");
  EXPECT_EQ(QuoteJson("\xf0\x9f\x98\x80 \xc3\xa9"), "\"\xf0\x9f\x98\x80 \xc3\xa9\"");
}

TEST(JsonViewTest, FollowsAPointer) {
  const auto document = JsonDocument::Parse(R"({"data": [{"a/b": 1}, {"m~n": 2}], "": 3, "0": 4})");
  const JsonView root = document->root();
  EXPECT_EQ(root.At("/data/0/a~1b").AsInteger(), 1);
  EXPECT_EQ(root.At("/data/1/m~0n").AsInteger(), 2);
  EXPECT_EQ(root.At("/").AsInteger(), 3);
  EXPECT_EQ(root.At("/0").AsInteger(), 4);
  EXPECT_TRUE(root.At("").IsObject());
  for (const std::string_view bad :
       {"data", "/data/2", "/data/-1", "/data/x", "/data/0x", "/data/99999999999999", "/no/no"}) {
    EXPECT_FALSE(root.At(bad).exists()) << bad;
  }
}

TEST(JsonViewTest, PrintsCompactly) {
  const auto document = JsonDocument::Parse("{ \"a\" : [ 1 , \"x\" ] }");
  EXPECT_EQ(document->root().Print(), R"({"a":[1,"x"]})");
  EXPECT_EQ(JsonView().Print(), "null");
}

TEST(JsonDocumentTest, Moves) {
  auto first = JsonDocument::Parse("[1]");
  JsonDocument second = std::move(*first);
  EXPECT_FALSE(first->root().exists());
  JsonDocument third;
  third = std::move(second);
  EXPECT_EQ(third.root().At("/0").AsInteger(), 1);
}

TEST(LineOfTest, FindsTheLineOfAValue) {
  constexpr std::string_view kText = R"({
  // "a": commented out
  "a": 1,
  "b": {
    "c": [10,
      20, {"d": "}"}],
    "e\u0066": 5
  },
  "a": 2,
})";
  EXPECT_EQ(LineOf(kText, ""), 1);
  EXPECT_EQ(LineOf(kText, "/a"), 3);
  EXPECT_EQ(LineOf(kText, "/b"), 4);
  EXPECT_EQ(LineOf(kText, "/b/c/1"), 6);
  EXPECT_EQ(LineOf(kText, "/b/c/2/d"), 6);
  EXPECT_EQ(LineOf(kText, "/b/ef"), 7);
  EXPECT_EQ(LineOf(kText, "/c"), 0);
  EXPECT_EQ(LineOf(kText, "/a", 1), 9);
  EXPECT_EQ(LineOf(kText, "/a", 2), 0);
}

TEST(LineOfTest, EndsOnTextThatIsNotJson) {
  for (const std::string_view text : {"", "{", "{\"", "{\"a", "{\"a\"", "{\"a\":", "{\"b\":}", "[",
                                      "[1", "}", "{\"b\" 1", "{b:1}", "[[[", "{\"b\":[}"}) {
    EXPECT_EQ(LineOf(text, "/a/7"), 0) << text;
  }
}

TEST(JsonViewTest, FindsARepeatedName) {
  const auto repeated = [](std::string_view text) -> std::string {
    return std::string(JsonDocument::Parse(text)->root().RepeatedName().value_or("none"));
  };
  EXPECT_EQ(repeated(R"({"a":1,"b":{"a":1},"A":[1,1]})"), "none");
  EXPECT_EQ(repeated("1"), "none");
  EXPECT_EQ(repeated(R"({"a":1,"b":2,"a":1})"), "a");
  EXPECT_EQ(repeated(R"([{"b":[{"\u0061":1,"c":2,"a":2}]}])"), "a");
  EXPECT_EQ(repeated(R"({"":1,"":2})"), "");
}

TEST(JsonWriterTest, WritesWhatItReads) {
  JsonWriter json;
  json.BeginObject()
      .Field("text", "a\"b\\c\n\x01")
      .Field("yes", true)
      .Field("whole", int64_t{-5})
      .Field("half", 0.5)
      .Field("odd", std::nan(""))
      .Key("list")
      .BeginArray()
      .Value(1)
      .Value("two")
      .Null()
      .BeginObject()
      .EndObject()
      .EndArray()
      .EndObject();
  EXPECT_EQ(json.text(),
            "{\"text\":\"a\\\"b\\\\c\\u000a\\u0001\",\"yes\":true,\"whole\":-5,\"half\":0.5,"
            "\"odd\":null,\"list\":[1,\"two\",null,{}]}");
  const auto document = JsonDocument::Parse(json.text());
  ASSERT_TRUE(document);
  EXPECT_EQ(document->root()["text"].AsString(), "a\"b\\c\n\x01");
}

TEST(JsonWriterTest, Indents) {
  JsonWriter json(2);
  json.BeginObject().Field("a", 1).Key("b").BeginArray().EndArray().EndObject();
  EXPECT_EQ(json.Take(), "{\n  \"a\": 1,\n  \"b\": []\n}");
}

}  // namespace
}  // namespace idkiosk
