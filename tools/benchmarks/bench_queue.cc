#include "tools/benchmarks/bench_queue.h"

#include <filesystem>
#include <utility>

#include "app/queue/storage/sqlite_database.h"
#include "tools/benchmarks/benchmark.h"

namespace idkiosk {
namespace {

std::string MakeFolder(const std::string& name) {
  std::string folder = ProgramFolder() + "/../bench-state/" + name;
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  return folder;
}

}  // namespace

BenchQueue::BenchQueue(const std::string& name, int waiting)
    : folder_(MakeFolder(name)), vault_(files_, entropy_, crypto_, folder_ + "/vault") {
  if (auto made = vault_.Init(); !made) GiveUp(made.error().message);
  const auto text = files_.Read("config/profiles/sandbox.jsonc", 1 << 20);
  if (!text) GiveUp(text.error().message);
  auto profile = ParseProfile(AsText(*text), "sandbox.jsonc");
  if (!profile) GiveUp(profile.error().message);
  profile_ = std::move(*profile);
  Open();
  if (waiting > 0) Fill(waiting);
}

BenchQueue::~BenchQueue() {
  queue_.reset();
  std::filesystem::remove_all(folder_);
}

void BenchQueue::Open() {
  DurableQueue::Options options;
  options.folder = folder_;
  options.role = DurableQueue::Role::kDeliver;
  options.queue.max_calls = 1'000'000;
  options.billing.duplicate_window = Duration::zero();  // one question, asked again and again
  auto opened =
      DurableQueue::Open(std::move(options), profile_, clock_, crypto_, entropy_, vault_, files_);
  if (!opened) GiveUp(opened.error().message);
  queue_ = std::move(*opened);
}

// Accepted one by one, a hundred thousand would take minutes of syncs. So one is, and the others
// are copies of its row.
void BenchQueue::Fill(int waiting) {
  if (auto accepted = queue_->Accept(MakeCall(), {}); !accepted) GiveUp(accepted.error().message);
  queue_.reset();
  {
    auto database = SqliteDatabase::Open(folder_ + "/queue.db", "");
    if (!database) GiveUp(database.error().message);
    const Status filled = (*database)->Run(
        "WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i+1 FROM n WHERE i<?) "
        "INSERT INTO call(id, reference, state, endpoint, operator, person_waits, accepted_at, "
        "due_at, age_at, ended_at, attempts, billed_attempts, allowed_attempts, rung, verdict, "
        "outcome, http_status, engineer, has_payload, has_answer, sealed_key, question_mac, mac, "
        "made_for, means) "
        "SELECT i, printf('%06d', i), state, CASE i%3 WHEN 0 THEN 'verify' WHEN 1 "
        "THEN 'lookup_nin' ELSE 'check' END, operator, 0, accepted_at, due_at+i, age_at+i, "
        "ended_at, attempts, billed_attempts, allowed_attempts, rung, verdict, outcome, "
        "http_status, engineer, has_payload, has_answer, sealed_key, randomblob(32), mac, "
        "made_for, means FROM n, call WHERE call.id=1",
        waiting);
    if (!filled) GiveUp(filled.error().message);
  }
  Open();
}

VerificationCall BenchQueue::MakeCall() {
  // Start; JFIF header; frame of 640 x 480 in grey; scan; end.
  static constexpr std::string_view kBegin(
      "\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01\x01\x00\x00\x01\x00\x01\x00\x00"
      "\xff\xc0\x00\x0b\x08\x01\xe0\x02\x80\x01\x01\x11\x00"
      "\xff\xda\x00\x08\x01\x01\x00\x00\x3f\x00",
      43);
  VerificationCall call;
  call.nin = SecretBytes::CopyOf("70123456789");
  call.reason = "ACCOUNT_OPENING";
  const auto picture = [this] {
    std::string bytes(kPictureSize, '\0');
    entropy_.Fill({reinterpret_cast<uint8_t*>(bytes.data()), bytes.size()});
    bytes.replace(0, kBegin.size(), kBegin);
    bytes.replace(bytes.size() - 2, 2, "\xff\xd9");
    return SecretBytes::Take(bytes);
  };
  call.pictures.selfie = picture();
  for (SecretBytes& each : call.pictures.liveness) each = picture();
  return call;
}

}  // namespace idkiosk
