#include "tests/app/queue/queue_fixture.h"

#include <gtest/gtest.h>

#include <utility>

#include "app/queue/queue_clock.h"
#include "app/queue/storage/row_mac.h"
#include "app/queue/storage/sqlite_database.h"

namespace idkiosk {

Result<FacePictures> FakeShrinker::Shrink(const FacePictures& pictures, int rung) {
  rungs.push_back(rung);
  if (error) return std::unexpected(*error);
  FacePictures smaller;
  smaller.selfie = pictures.selfie.Clone();
  smaller.selfie.Truncate(smaller.selfie.size() >> rung);
  for (size_t i = 0; i < pictures.liveness.size(); ++i) {
    smaller.liveness[i] = pictures.liveness[i].Clone();
  }
  return smaller;
}

VerificationCall LookupCall(int number) {
  VerificationCall call;
  call.endpoint = Endpoint::kLookupNin;
  call.nin = SecretBytes::CopyOf(fmt::format("{:011}", number));
  call.reason = "KYC";
  return call;
}

QueueBench::QueueBench(uint64_t seed, ServiceProfile with, Environment environment,
                       std::string_view base_url)
    : ServiceBench(std::move(with), environment, base_url), entropy(seed), disk(seed) {
  options.environment = environment;
  options.base_url = base_url;
  options.folder = "/state";
  options.sqlite_vfs = disk.name();
  options.queue.reserve_bytes = 4096;
}

Result<std::unique_ptr<DurableQueue>> QueueBench::TryOpen(DurableQueue::Role role) {
  DurableQueue::Options now = options;
  now.role = role;
  return DurableQueue::Open(std::move(now), profile, clock, crypto, entropy, storage, files);
}

void QueueBench::Open(DurableQueue::Role role) {
  auto opened = TryOpen(role);
  ASSERT_TRUE(opened) << opened.error().message;
  queue = std::move(*opened);
  worker = std::make_unique<DeliveryWorker>(*queue, client, shrinker, clock);
}

void QueueBench::Close() {
  worker.reset();
  queue.reset();
}

void QueueBench::Restart() {
  Close();
  tokens.Forget();
  Open();
}

std::map<CallReference, CopySlot> CopySlots(const std::map<std::string, Bytes>& files) {
  std::map<CallReference, CopySlot> slots;
  for (const auto& [path, content] : files) {
    if (!path.contains("/copies/slots-")) continue;
    const size_t size = std::stoul(path.substr(path.rfind('x') + 1));
    for (size_t at = 0; at + size <= content.size(); at += size) {
      const std::string_view slot = AsText(ByteSpan(content).subspan(at, size));
      if (slot.starts_with("IKSLOT1\n"))
        slots[CallReference(slot.substr(16, 6))] = {path, at, size};
    }
  }
  return slots;
}

void DamageCopy(Bytes& file, const CallReference& reference) {
  const size_t at = AsText(file).find(reference);
  ASSERT_NE(at, std::string_view::npos) << "no copy of " << reference;
  for (size_t i = 64; i < 96; ++i) file.at(at + i) ^= 0xff;
}

Bytes DiskImage::TakeCopy(const CallReference& reference) {
  const auto slots = CopySlots(files);
  EXPECT_TRUE(slots.contains(reference)) << "no copy of " << reference;
  if (!slots.contains(reference)) return {};
  const CopySlot& slot = slots.at(reference);
  const auto begin = files.at(slot.path).begin() + static_cast<ptrdiff_t>(slot.at);
  Bytes copy(begin, begin + static_cast<ptrdiff_t>(slot.size));
  std::fill_n(begin, slot.size, 0);
  return copy;
}

void DiskImage::PutCopy(const CopySlot& slot, const Bytes& copy) {
  Bytes& file = files[slot.path];
  file.resize(std::max(file.size(), slot.at + slot.size));
  std::ranges::copy(copy, file.begin() + static_cast<ptrdiff_t>(slot.at));
}

DiskImage DiskImage::Of(const QueueBench& bench) {
  DiskImage image;
  for (const char* path : {"/state/queue.db", "/state/queue.db-wal"}) {
    if (auto content = bench.disk.Content(path)) image.database[path] = std::move(*content);
  }
  for (const std::string& path : bench.files.paths()) {
    image.files[path] = bench.files.Content(path);
  }
  image.vault = bench.storage;
  return image;
}

void DiskImage::PutOn(QueueBench& bench) const {
  for (const char* path : {"/state/queue.db", "/state/queue.db-wal"}) {
    const auto content = database.find(path);
    bench.disk.Replace(path, content == database.end() ? std::string() : content->second);
  }
  for (const std::string& path : bench.files.paths()) bench.files.Delete(path);
  for (const auto& [path, content] : files) bench.files.Put(path, content);
  bench.storage = vault;
}

namespace {

// Takes out of the table of calls what version 5 has put in, and proves each row as a program of
// before it did.
void ForgetServices(SqliteDatabase& database, int version, const Crypto& crypto,
                    const SecretBytes& key) {
  std::map<int64_t, Bytes> macs;
  {
    auto row = database.Query("SELECT * FROM call");
    ASSERT_TRUE(row);
    while (row->Next().value_or(false)) {
      RowMac mac(version < 4 ? "call" : "call/2");
      if (version >= 4) mac.Add(row->OptionalInteger(8));
      mac.Add(row->Integer(0));
      for (const int text : {1, 2, 3, 4}) mac.Add(std::string_view(row->Text(text)));
      mac.Add(row->Integer(6)).Add(row->OptionalInteger(9));
      for (const int number : {10, 11, 12, 13}) mac.Add(row->Integer(number));
      for (const int text : {14, 15}) mac.Add(std::string_view(row->Text(text)));
      mac.Add(row->Integer(16)).Add(std::string_view(row->Text(17)));
      mac.Add(row->Integer(18)).Add(row->Integer(19)).Add(row->Blob(20)).Add(row->Blob(21));
      const Crypto::Digest digest = mac.Of(crypto, key);
      macs[row->Integer(0)] = Bytes(digest.begin(), digest.end());
    }
  }
  for (const auto& [id, mac] : macs) {
    ASSERT_TRUE(database.Run("UPDATE call SET mac=? WHERE id=?", ByteSpan(mac), id));
  }
  ASSERT_TRUE(
      database.Execute("DELETE FROM setting WHERE name='made_for_unnamed';"
                       "DROP INDEX call_due; ALTER TABLE call DROP COLUMN made_for;"
                       "CREATE INDEX call_due ON call(state, endpoint, person_waits, due_at)"));
}

}  // namespace

void QueueBench::MakeOld(int version, const std::vector<LedgerRow>& ledger) {
  const SecretBytes key = *storage.DeriveKey("ledger-mac/v1");
  LoseCopies();
  (void)storage.Remove("service.address");
  auto opened = SqliteDatabase::Open("/state/queue.db", disk.name());
  ASSERT_TRUE(opened) << opened.error().message;
  SqliteDatabase& database = **opened;
  ASSERT_NO_FATAL_FAILURE(ForgetServices(database, version, crypto, key));
  if (version < 4) {
    ASSERT_NO_FATAL_FAILURE(PutOldLedger(database, version, ledger));
  }
  ASSERT_TRUE(database.Execute(fmt::format("PRAGMA user_version={}", version).c_str()));
}

void QueueBench::PutOldLedger(SqliteDatabase& database, int version,
                              const std::vector<LedgerRow>& ledger) {
  for (const std::string& path : files.paths()) {
    if (path.starts_with("/state/ledger/")) files.Delete(path);
  }
  storage.set_mark({});
  ASSERT_TRUE(database.Execute(
      "DELETE FROM setting WHERE name IN ('ledger', 'time_began_at', 'time_began_behind');"
      "CREATE TABLE attempt(id INTEGER PRIMARY KEY AUTOINCREMENT, reference TEXT NOT NULL,"
      "number INTEGER NOT NULL, endpoint TEXT NOT NULL, operator TEXT NOT NULL,"
      "started_at INTEGER NOT NULL, ended_at INTEGER, stage TEXT NOT NULL,"
      "http_status INTEGER NOT NULL, billed TEXT NOT NULL, price INTEGER NOT NULL,"
      "reason TEXT NOT NULL, mac BLOB NOT NULL, board_at INTEGER NOT NULL) STRICT;"
      "CREATE INDEX attempt_reference ON attempt(reference);"
      "CREATE INDEX attempt_board ON attempt(board_at) WHERE billed != 'no'"));
  const SecretBytes key = *storage.DeriveKey("ledger-mac/v1");
  int64_t id = 0;
  for (const LedgerRow& row : ledger) {
    std::optional<int64_t> ended;
    if (row.ended_at) ended = ToMilliseconds(*row.ended_at);
    RowMac mac(version < 3 ? "attempt" : "attempt/3");
    mac.Add(++id).Add(row.reference).Add(int64_t{row.number}).Add(Name(row.endpoint));
    mac.Add(row.operator_id).Add(ToMilliseconds(row.started_at)).Add(ended).Add(Name(row.stage));
    mac.Add(int64_t{row.http_status}).Add(Name(row.billed)).Add(row.price).Add(row.reason);
    if (version == 3) mac.Add(row.board_at);
    ASSERT_TRUE(database.Run("INSERT INTO attempt VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?)", id,
                             row.reference, row.number, Name(row.endpoint), row.operator_id,
                             ToMilliseconds(row.started_at), ended, Name(row.stage),
                             row.http_status, Name(row.billed), row.price, row.reason,
                             ByteSpan(mac.Of(crypto, key)), row.board_at));
  }
  if (version < 3) {
    ASSERT_TRUE(database.Execute(
        "DROP INDEX attempt_board; ALTER TABLE attempt DROP COLUMN board_at;"
        "CREATE INDEX attempt_billed ON attempt(started_at) WHERE billed != 'no'"));
  }
}

CallReference QueueBench::Accept(const VerificationCall& call, bool person_waits) {
  const auto reference =
      queue->Accept(call, {.person_waits = person_waits, .operator_id = "op", .confirmed = true});
  EXPECT_TRUE(reference) << reference.error().message;
  return reference.value_or("");
}

DeliveryWorker::Step QueueBench::Step() {
  auto step = worker->DeliverNext();
  EXPECT_TRUE(step) << step.error().message;
  return step ? std::move(*step) : DeliveryWorker::Step{};
}

void QueueBench::StepUntilIdle() {
  const auto step = worker->DeliverRun({[] { return true; }, [](const auto&) {}});
  ASSERT_TRUE(step) << step.error().message;
}

void QueueBench::RunFor(Duration time) {
  const MonotonicTime end = clock.Now() + time;
  for (;;) {
    const DeliveryWorker::Step step = Step();
    if (step.reference) continue;
    if (step.next > end) break;
    ASSERT_GT(step.next, clock.Now()) << "a busy loop";
    clock.Advance(step.next - clock.Now());
  }
  clock.Advance(end - clock.Now());
}

CallSummary QueueBench::Show(const CallReference& reference) {
  const auto summary = queue->Show(reference);
  EXPECT_TRUE(summary) << summary.error().message;
  return summary.value_or(CallSummary());
}

void QueueBench::LoseCopies() {
  for (const std::string& path : files.paths()) {
    if (path.starts_with("/state/copies/")) files.Delete(path);
  }
}

std::string QueueBench::StateOf(const CallReference& reference) {
  return std::string(StateWord(Show(reference)));
}

std::vector<LedgerRow> QueueBench::Ledger() {
  const auto rows = queue->Ledger(std::nullopt);
  EXPECT_TRUE(rows) << rows.error().message;
  return rows.value_or(std::vector<LedgerRow>());
}

LedgerSum QueueBench::Total() {
  const auto sums = queue->Sum(LedgerBy::kTotal, std::nullopt);
  EXPECT_TRUE(sums) << sums.error().message;
  return sums && !sums->empty() ? sums->front() : LedgerSum();
}

void QueueBench::Serve(int status, std::string_view body) {
  ServeLogins([status, text = std::string(body)](const auto&) {
    FakeHttpClient::Reply reply;
    reply.status = status;
    reply.body = text;
    return reply;
  });
}

}  // namespace idkiosk
