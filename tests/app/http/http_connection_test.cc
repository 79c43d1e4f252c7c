#include "app/http/http_connection.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tests/app/http/socket_pair.h"

namespace idkiosk {
namespace {

using Heard = HttpConnection::Heard;

std::string ReadFrom(HttpConnection& connection, size_t size) {
  std::string text(size, '\0');
  const ssize_t count = connection.read(text.data(), text.size());
  text.resize(static_cast<size_t>(std::max<ssize_t>(count, 0)));
  return text;
}

TEST(HttpConnectionTest, HearsARequestOnceItsHeadIsWhole) {
  SocketPair pair;
  EXPECT_EQ(pair.connection->Hear(), Heard::kNothingYet);
  pair.Send("GET / HTTP/1.1\r\nHost: a\r\n");
  EXPECT_EQ(pair.connection->Hear(), Heard::kNothingYet);
  pair.Send("\r\n");
  EXPECT_EQ(pair.connection->Hear(), Heard::kRequest);
}

TEST(HttpConnectionTest, HearsASmallBodyWithItsHead) {
  SocketPair pair;
  pair.Send("POST / HTTP/1.1\r\nCONTENT-length:  3\r\n\r\nab");
  EXPECT_EQ(pair.connection->Hear(), Heard::kNothingYet);
  pair.Send("c");
  EXPECT_EQ(pair.connection->Hear(), Heard::kRequest);
}

TEST(HttpConnectionTest, DoesNotWaitForABodyThatIsLargerThanItsBuffer) {
  SocketPair pair;
  pair.Send("POST / HTTP/1.1\r\nContent-Length: 20000\r\n\r\n");
  EXPECT_EQ(pair.connection->Hear(), Heard::kRequest);
}

TEST(HttpConnectionTest, TakesBytesWithoutAnEndForARequestThatIsRefused) {
  SocketPair pair;
  for (int i = 0; i < 16; ++i) {
    EXPECT_EQ(pair.connection->Hear(), Heard::kNothingYet) << i;
    pair.Send(std::string(1 << 10, 'x'));
  }
  EXPECT_EQ(pair.connection->Hear(), Heard::kRequest);
}

TEST(HttpConnectionTest, KnowsThatItsClientHasGone) {
  SocketPair pair;
  pair.Send("GET / HTTP");
  pair.Close();
  EXPECT_EQ(pair.connection->Hear(), Heard::kGone);
}

TEST(HttpConnectionTest, HearsTheNextRequestThatCameWithTheOneBefore) {
  SocketPair pair;
  const std::string first = "GET /1 HTTP/1.1\r\n\r\n";
  pair.Send(first + "GET /2 HTTP/1.1\r\n\r\n");
  EXPECT_EQ(pair.connection->Hear(), Heard::kRequest);
  pair.connection->BeginRequest(kNever, 1000);
  EXPECT_EQ(ReadFrom(*pair.connection, first.size()), first);
  EXPECT_EQ(pair.connection->Hear(), Heard::kRequest);
  EXPECT_EQ(ReadFrom(*pair.connection, 100), "GET /2 HTTP/1.1\r\n\r\n");
}

TEST(HttpConnectionTest, ReadsNoMoreBytesThanARequestMayHave) {
  SocketPair pair;
  pair.Send("0123456789");
  pair.connection->BeginRequest(kNever, 4);
  EXPECT_EQ(ReadFrom(*pair.connection, 100), "0123");
  char next = 0;
  EXPECT_EQ(pair.connection->read(&next, 1), -1);
  pair.connection->BeginRequest(kNever, 100);
  EXPECT_EQ(ReadFrom(*pair.connection, 100), "456789") << "the next request has as many again";
}

TEST(HttpConnectionTest, ReadsNothingMoreOnceTheTimeIsOver) {
  SocketPair pair;
  pair.connection->BeginRequest(std::chrono::milliseconds(0), 100);
  char next = 0;
  EXPECT_EQ(pair.connection->read(&next, 1), -1);
}

TEST(HttpConnectionTest, HasNoRoomForAnAnswerWhereNobodyReads) {
  SocketPair pair;
  const std::string answer(4096, 'a');
  while (pair.connection->HasRoom()) {
    ASSERT_GT(pair.connection->write(answer.data(), answer.size()), 0);
  }
  EXPECT_FALSE(pair.connection->HasRoom());
}

TEST(HttpConnectionTest, TheLastAnswerComesBeforeTheEnd) {
  SocketPair pair;
  pair.Send("unread");
  ASSERT_EQ(pair.connection->write("bye", 3), 3);
  pair.connection.reset();
  EXPECT_EQ(pair.ReadAll(), "bye");
}

}  // namespace
}  // namespace idkiosk
