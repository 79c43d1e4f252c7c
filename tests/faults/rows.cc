#include "tests/faults/rows.h"

#include "tests/faults/kinds/answers.h"
#include "tests/faults/kinds/bytes.h"
#include "tests/faults/kinds/certificates.h"
#include "tests/faults/kinds/clocks.h"
#include "tests/faults/kinds/daemon.h"
#include "tests/faults/kinds/damage.h"
#include "tests/faults/kinds/errors.h"
#include "tests/faults/kinds/kills.h"
#include "tests/faults/kinds/machines.h"
#include "tests/faults/kinds/neighbours.h"
#include "tests/faults/kinds/network.h"
#include "tests/faults/kinds/page_attacks.h"
#include "tests/faults/kinds/power.h"
#include "tests/faults/kinds/tpm.h"
#include "tests/faults/kinds/upgrades.h"

namespace idkiosk::faults {
namespace {

constexpr Row kRows[] = {
    {1, "killed at random moments",
     "kill -9 before a step of each command drawn by chance, and of run while it sends",
     &KillAtRandomMoments},
    {2, "killed at every system call",
     "strace kills each command at its Nth call that leaves a mark", &KillAtSystemCalls},
    {3, "killed in each state of a call",
     "kill -9 at each step of deliver, retry, cancel and give-up", &KillInEachState},
    {4, "power cut: writes lost and reordered",
     "disks in memory on one supply: each step of a life, the unsynced lost or in part",
     &LoseUnsyncedWrites},
    {5, "torn write at every 512 bytes",
     "the same, the write on its way cut after some of its sectors; each write once by day",
     &TearWrites},
    {6, "a sync that lies",
     "the same, syncs of database, ledger, copies, mark, vault or all keep nothing; what any "
     "record that is left contradicts is said",
     &LieAboutSyncs},
    {7, "folder not synced",
     "the same, each name not synced with its folder lost; system calls of each command watched",
     &LoseNames},
    {8, "killed during recovery, and again",
     "kill -9 of a run, of the next one, and of the one after", &KillRecovery},
    {9, "disk full", "a disk of 48 MB with nothing to 8 MB left", &FillTheDisk},
    {10, "input and output errors",
     "strace lets the Nth call fail with EIO, once and from there on", &FailInputAndOutput},
    {11, "no more file handles, files too large", "the same with EMFILE, EFBIG and ENOSPC",
     &RunOutOfHandlesAndRoom},
    {12, "allocation N fails", "a preloaded malloc, once and from there on", &FailAllocations},
    {13, "remounted read-only",
     "a disk that is remounted; strace lets the Nth call fail with EROFS", &RemountReadOnly},
    {14, "flipped bits in the database",
     "a bit of queue.db, its log, the copies or the ledger, drawn by chance", &FlipBits},
    {15, "older copies put back", "each subset of database, ledger and copies, and the vault",
     &PutOlderCopiesBack},
    {16, "database deleted", "database, log, ledger, copies or decisions removed", &DeleteFiles},
    {17, "two programs on one state folder",
     "four commands started at once, and commands beside run", &RunSideBySide},
    {18, "clock wrong by years", "4 days, a month and 10 years ahead and behind, at start",
     &StartWithAWrongClock},
    {19, "clock jumps in a token's life", "each run at another time within 20 hours",
     &JumpInATokensLife},
    {20, "started in 1970", "a clock that starts at zero", &StartIn1970},
    {21, "no resolver",
     "a mount namespace with an empty resolv.conf, and a hosts file that loses the name",
     &TakeTheResolver},
    {22, "refused, and connect time-out",
     "a closed port, one that takes nobody, one that says nothing", &RefuseConnections},
    {23, "reset at request byte k",
     "a proxy resets after k bytes of the kiosk, all over the connection", &ResetRequests},
    {24, "reset after the body",
     "the service resets or closes before or after it has carried out the request",
     &ResetAfterTheBody},
    {25, "answer cut at byte k",
     "a proxy closes after k bytes of the service, all over the connection", &CutAnswers},
    {26, "dead connection used again", "a proxy resets the connection when the next request begins",
     &EndUsedConnections},
    {27, "one byte after the other, slowly", "a proxy lets a byte take up to a second", &Trickle},
    {28, "latency and stalls", "a proxy goes silent after k bytes of either side", &Stall},
    {29, "link that comes and goes", "a proxy with another fault, or none, for each run", &Flap},
    {30, "redirects", "301 to 308 to another server of this machine", &Redirect},
    {31, "400 to everything",
     "400, 404, 500, a lost, unreadable or cut answer to every call, of those that wait and new "
     "ones",
     &RejectEverything},
    {32, "401, 403, a second 401",
     "each until the service behaves, with and without pictures; a token that is dead once",
     &RefuseAccess},
    {33, "429 and 503 with odd Retry-After", "0, -1, 1e9, words, dates past and far, nothing",
     &AskForARest},
    {34, "500", "500, 502, 503, 504, 599 of a call that was billed", &FailAtTheServer},
    {35, "200 with a page, other shapes, keys twice",
     "26 answers that are none, by a proxy before a service without TLS", &AnswerNonsense},
    {36, "endless, packed and deep answers", "9 answers without end, and the memory that they take",
     &AnswerWithoutEnd},
    {37, "bytes that nobody foresaw, everywhere",
     "damaged answers, profiles, settings, messages, ledgers, copies, vaults; page: 50; pictures: "
     "fuzz.capture",
     &ReadOddBytes},
    {38, "bad certificates",
     "26 kinds, by a server at the service's address that counts request bytes",
     &ShowBadCertificates},
    {39, "host given as an IP address", "certificates for the name, the address, and neither",
     &CallTheHostByAddress},
    {40, "old TLS, plain HTTP, hostile proxy variables",
     "servers of TLS 1.0, 1.1 and none; variables of proxies, authorities and key logs",
     &SpeakOldProtocols},
    {41, "camera unplugged",
     "a kernel's test driver unbound, for two seconds and for good, in an emulated machine",
     &UnplugTheCamera},
    {42, "frozen, black and replayed frames",
     "frames from files: no face, one picture for ever, two that were taken before",
     &ShowFramesOfNobody},
    {43, "pictures swapped between calls", "the sealed copies of two calls exchanged",
     &SwapPictures},
    {44, "vault tampered with, or of another device", "a flipped bit, or a file of it gone",
     &TamperWithTheVault},
    {45, "killed while a secret is stored",
     "kill -9 at each step of provision, vault rotate and vault set", &KillWhileASecretIsStored},
    {46, "TPM absent, locked, reset, replaced",
     "swtpm switched off, cleared, exchanged, locked, other firmware; its wire cut at each command",
     &TroubleTheTpm},
    {47, "nothing readable after a kill", "files, log and output searched after each kill",
     &KillAndLookForSecrets},
    {48, "erased session on the raw device", "a loop-mounted ext4, its image searched",
     &SearchTheRawDevice},
    {49, "attacks on the page",
     "of run: rebound hosts, other origins, no token, an old one, traversal, smuggling, scripts",
     &AttackThePage},
    {50, "page flooded", "garbage, half requests and long ones by hundreds of connections",
     &FloodThePage},
    {51, "stuck worker", "a debugger stops one thread: the watchdog's or any", &StopAThread},
    {52, "crash loop",
     "under systemd itself, a program that ends at each start, until it is given up; the screen "
     "says so, and it is tried again",
     &EndAtEachStart},
    {53, "old formats, upgrade killed, downgrade",
     "folders of schema 1 to 6, kill -9 at steps of the first deliver; a newer schema, journal, "
     "vault",
     &Upgrade},
};

}  // namespace

std::span<const Row> Rows() { return kRows; }

}  // namespace idkiosk::faults
