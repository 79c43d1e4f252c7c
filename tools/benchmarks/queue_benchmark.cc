// Accepting a call: sealed, committed and synced. And what a long queue adds to that.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "app/queue/storage/ledger_witness.h"
#include "app/queue/storage/slot_files.h"
#include "tools/benchmarks/bench_queue.h"
#include "tools/benchmarks/benchmark.h"

namespace idkiosk {
namespace {

constexpr int kShort = 10;
constexpr int kLong = 100'000;
constexpr int kLengthRuns = 300;
constexpr double kMostGrowth = 1.3;

CallReference Accept(BenchQueue& bench, const VerificationCall& call) {
  auto accepted = bench.queue().Accept(call, {.person_waits = true, .operator_id = {}});
  if (!accepted) GiveUp(accepted.error().message);
  return *accepted;
}

// Beside the disk's work alone, and beside that of disk and cipher: no face lies readable.
void MeasureAcceptance(std::vector<Figure>& figures) {
  BenchQueue bench("accept");
  SystemEntropy entropy;
  const MbedtlsCrypto crypto;
  const SecretBytes key(32);
  const VerificationCall call = bench.MakeCall();
  Bytes same(5 * BenchQueue::kPictureSize);
  entropy.Fill(same);
  const int file =
      open((bench.folder() + "/floor").c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  const auto keep = [&](ByteSpan bytes) {
    if (write(file, bytes.data(), bytes.size()) < 0 || fsync(file) != 0) GiveUp("cannot write");
  };
  const Work accept = [&] { Accept(bench, call); };
  const Paired plain = MeasureInTurn(accept, [&] { keep(same); }, 300, 10);
  const Paired sealed =
      MeasureInTurn(accept, [&] { keep(crypto.Seal(key, {}, {}, same)); }, 300, 10);
  close(file);
  figures.push_back(ToFigure("accept a call of 100 kB", plain, 2,
                             "write and fsync of the same number of bytes to one growing file"));
  figures.push_back(ToFigure("accept a call of 100 kB, its cipher in the floor", sealed, 2,
                             "the same, sealed with AES-GCM by mbedTLS before"));
}

// `work` beside the sync that a record costs at least: of as many bytes as the witness gets.
Figure BesideASync(const std::string& what, const BenchQueue& bench, double goal,
                   const Work& work) {
  const Bytes same(88);
  const int file = open((bench.folder() + "/floor").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  const Paired pairs = MeasureInTurn(
      work,
      [&] {
        const auto written = pwrite(file, same.data(), same.size(), 0);
        if (written < 0 || fdatasync(file) != 0) {
          GiveUp("cannot write");
        }
      },
      300, 10);
  close(file);
  return ToFigure(what, pairs, goal, "write and fdatasync of the bytes of a short record");
}

// What each record of the ledger, and each approval, costs besides its own sync.
void MeasureEvidence(std::vector<Figure>& figures) {
  BenchQueue bench("evidence");
  const MbedtlsCrypto crypto;
  PosixFileSystem files;
  const SecretBytes key(32);
  LedgerWitness witness(bench.folder() + "/copies/ledger.witness", crypto, key, files);
  if (const auto read = witness.Read(); !read) GiveUp(read.error().message);
  JournalPosition newest;
  figures.push_back(BesideASync("tell the ledger's witness of a record", bench, 0.05, [&] {
    ++newest.number;
    if (Status told = witness.Set(newest); !told) GiveUp(told.error().message);
  }));
  SlotFiles slots(bench.folder() + "/copies", files);
  if (Status put = slots.Write("AAAAA2", Bytes(1000)); !put) GiveUp(put.error().message);
  int number = 0;
  figures.push_back(BesideASync("note an attempt beside a call's copy", bench, 0.15, [&] {
    if (Status noted = slots.Note("AAAAA2", ++number); !noted) GiveUp(noted.error().message);
  }));
}

// The same with a short and with a long queue, in turn.
Figure Compare(const std::string& what, const Work& with_long, const Work& with_short) {
  const Paired pairs = MeasureInTurn(with_long, with_short, kLengthRuns, 10);
  Figure figure;
  figure.name = fmt::format("{} with {} waiting", what, kLong);
  figure.unit = "ms";
  figure.value = Median(pairs.work) / 1000;
  figure.p99 = Percentile(pairs.work, 99) / 1000;
  figure.floor = Percentile(pairs.floor, 99) / 1000;
  figure.ratio = *figure.p99 / *figure.floor;
  figure.goal = fmt::format("p99 at most {:g} times that with {} waiting", kMostGrowth, kShort);
  figure.met = *figure.ratio <= kMostGrowth;
  figure.note = fmt::format("p99 with {} waiting", kShort);
  return figure;
}

void MeasureLength(std::vector<Figure>& figures) {
  BenchQueue few("few", kShort);
  BenchQueue many("many", kLong);
  const VerificationCall call = few.MakeCall();
  // What is accepted is cancelled again, after the clock has stopped, so that the length stays.
  std::vector<std::pair<BenchQueue*, CallReference>> added;
  const auto tidy = [&added] {
    for (auto& [bench, reference] : added) {
      if (Status cancelled = bench->queue().Cancel(reference); !cancelled) {
        GiveUp(cancelled.error().message);
      }
    }
    added.clear();
  };
  const auto accept = [&](BenchQueue& bench) {
    return [&bench, &added, &call] { added.emplace_back(&bench, Accept(bench, call)); };
  };
  figures.push_back(Compare("accept a call", accept(many), accept(few)));
  tidy();
  const auto claim = [](BenchQueue& bench) {
    return [&bench] {
      if (const auto claimed = bench.queue().Claim(); !claimed) GiveUp(claimed.error().message);
    };
  };
  accept(few)();
  accept(many)();
  figures.push_back(Compare("claim a call", claim(many), claim(few)));
}

}  // namespace

void MeasureQueue(std::vector<Figure>& figures) {
  MeasureAcceptance(figures);
  MeasureEvidence(figures);
  MeasureLength(figures);
}

}  // namespace idkiosk
