#include "tests/app/queue/queue_fixture.h"

#include <gtest/gtest.h>

#include <utility>

#include "app/queue/storage/sqlite_database.h"
#include "tests/app/queue/old_queue_file.h"

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

void QueueBench::MakeOld(int version, const std::vector<LedgerRow>& ledger) {
  if (version < 4) RemoveCopies();
  // Which no earlier idkiosk knew.
  files.Delete("/state/copies/ledger.witness");
  Bytes mark = storage.mark();
  if (!mark.empty()) mark.pop_back();
  storage.set_mark(std::move(mark));
  (void)storage.Remove("service.address");
  auto opened = SqliteDatabase::Open("/state/queue.db", disk.name());
  ASSERT_TRUE(opened) << opened.error().message;
  MakeOldQueueFile(**opened, version, ledger, crypto, *storage.DeriveKey("ledger-mac/v1"));
  if (version >= 4) return;
  for (const std::string& path : files.paths()) {
    if (path.starts_with("/state/ledger/")) files.Delete(path);
  }
  storage.set_mark({});
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

void QueueBench::RemoveCopies() {
  for (const std::string& path : files.paths()) {
    if (path.starts_with("/state/copies/slots-")) files.Delete(path);
  }
}

void Meddle(const std::string& path, const std::string& vfs, const std::string& sql) {
  auto database = SqliteDatabase::Open(path, vfs);
  ASSERT_TRUE(database) << database.error().message;
  const Status done = (*database)->Execute(sql.c_str());
  ASSERT_TRUE(done) << done.error().message;
}

void QueueBench::PutFileBack(const DiskImage& before, DurableQueue::Role role) {
  DiskImage now = DiskImage::Of(*this);
  Close();
  now.database = before.database;
  now.PutOn(*this);
  Open(role);
}

void QueueBench::DamageCopies() {
  DiskImage image = DiskImage::Of(*this);
  for (const auto& [reference, slot] : CopySlots(image.files)) {
    DamageCopy(image.files[slot.path], reference);
    files.Put(slot.path, image.files[slot.path]);
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

int AttemptsOf(DurableQueue& queue, const CallReference& reference) {
  const auto call = queue.Show(reference);
  return call ? call->attempts : 0;
}

WaitingCalls::WaitingCalls() {
  bench_.Serve(200);
  bench_.Open();
}

CallReference WaitingCalls::AcceptAndWait(int number) {
  CallReference reference = bench_.Accept(LookupCall(number));
  EXPECT_TRUE(bench_.queue->Expire());
  return reference;
}

void WaitingCalls::Deliver() {
  bench_.StepUntilIdle();
  bench_.RunFor(std::chrono::hours(12));
}

}  // namespace idkiosk
