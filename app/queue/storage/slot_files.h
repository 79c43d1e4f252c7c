#ifndef IDKIOSK_APP_QUEUE_STORAGE_SLOT_FILES_H_
#define IDKIOSK_APP_QUEUE_STORAGE_SLOT_FILES_H_

#include <functional>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "platform/api/file_system.h"

namespace idkiosk {

// Pieces of bytes, each under a name, in files that are made in advance and keep their size
// (COPIES.md): putting one down costs one sync, and erasing many costs one a file. Other processes
// may use the same folder: who puts something down holds a lock of all of them meanwhile. Errors of
// every function: FileSystem's.
class SlotFiles {
 public:
  // Longest name, in bytes. Of letters and digits.
  static constexpr size_t kLongestName = 6;
  // Largest number that can be noted beside a name.
  static constexpr int kLargestNote = 15;

  // Returns the name under which bytes prove to have been put down; empty: they prove none. Asked
  // where the first kBeginning bytes do not hold the name that stands beside them.
  using ProvenName = std::function<std::string(ByteSpan bytes)>;
  static constexpr size_t kBeginning = 32;

  // `files` must outlive this. Touches no file. Without `proven_name` each name is believed.
  SlotFiles(std::string folder, FileSystem& files, ProvenName proven_name = nullptr)
      : folder_(std::move(folder)), files_(files), proven_name_(std::move(proven_name)) {}

  // Reads again what lies where.
  [[nodiscard]] Status Look();
  // As of the last look, and what was done here since.
  [[nodiscard]] std::vector<std::string> names() const;
  [[nodiscard]] bool Has(const std::string& name) const { return seen_.taken.contains(name); }

  // Whether something of that many bytes would still be seen, as of the last look, if nobody had
  // erased it: each slot is free or has a name, and there is a file of slots of its size.
  [[nodiscard]] bool WouldBeSeen(size_t size) const;

  // Notes a number beside what lies there under that name, 1 .. kLargestNote, until that is erased
  // or written anew. The next program finds it, but it may be lost when the power fails. Does
  // nothing where nothing lies there.
  [[nodiscard]] Status Note(const std::string& name, int number);
  // What was noted, as of the last look and what was done here since; 0: nothing.
  [[nodiscard]] int NoteOf(const std::string& name) const;

  // In place of what lies there under that name. Once this returns it survives a power cut; when
  // the power fails meanwhile, the old bytes are there or the new ones. After an error it may be
  // there all the same.
  [[nodiscard]] Status Write(const std::string& name, ByteSpan bytes);
  // As it was put down, or as damage left it. Errors also: kNotFound; kCorrupt (its length cannot
  // be right). What the disk cannot read is kUnavailable.
  [[nodiscard]] Result<Bytes> Read(const std::string& name);
  // Erases it, where it is there; when the power fails meanwhile, nobody takes half of it for
  // whole.
  [[nodiscard]] Status Withdraw(const std::string& name);
  // Overwrites them, where they are there.
  [[nodiscard]] Status Erase(std::span<const std::string> names);
  // Erases what lies there under no name, as of the last look, and what a power cut left of slots
  // that were erased; removes files that nothing needs. Requires that nobody writes meanwhile.
  void Tidy();

 private:
  struct Place {
    std::string file;
    uint64_t at = 0;
    size_t size = 0;  // of the slot
  };
  struct Taken {
    Place place;
    uint32_t number = 0;  // of two slots of one name the higher one counts
    int note = 0;
  };
  // By the last look, and what was done here since.
  struct Seen {
    std::map<std::string, Taken> taken;
    std::multimap<size_t, Place> free;  // by size
    std::vector<Place> nameless;
    std::set<size_t> sizes;   // of the slots that were looked at
    bool is_damaged = false;  // not all of them could be
  };
  [[nodiscard]] Status LookIntoAll();
  [[nodiscard]] std::string PathOf(const std::string& file) const;
  [[nodiscard]] Status LookInto(const std::string& file);
  // What the head of a slot says. Without a name: none of ours.
  struct Head {
    std::string name;
    uint32_t number = 0;
    int note = 0;
    size_t size = 0;  // of what lies behind it
    bool is_free = false;
    bool is_said = true;  // what lies behind it begins with the name
  };
  [[nodiscard]] Result<Head> ReadHead(const Place& place);
  // Some bytes of the slot, from `at` on. Errors: FileSystem's, but for kCorrupt.
  [[nodiscard]] Result<Bytes> ReadFrom(const Place& place, size_t at, size_t size);
  // The name of what lies there, whatever damage has made of the one beside it.
  [[nodiscard]] Result<std::string> NameOf(const Place& place, const Head& head);
  void Take(const std::string& name, const Taken& taken);
  // Whether it still lies there.
  [[nodiscard]] bool IsThere(const std::string& name, const Taken& taken);
  // The place of this name. Looks again where it is not known. Errors also: kNotFound.
  [[nodiscard]] Result<Place> Find(const std::string& name);
  // A place for so many bytes that nobody has taken.
  [[nodiscard]] Result<Place> TakeFree(size_t size);
  [[nodiscard]] Status MakeFile(size_t size, int count);
  [[nodiscard]] bool IsClean(const Place& place);
  // Those of these places that lie in one file. Its first block last: a slot is free for others
  // only once all of it is erased.
  [[nodiscard]] Status Wipe(const std::string& file, std::span<const Place> places);
  // Files of free slots alone, but for one of each size.
  [[nodiscard]] std::vector<std::string> Spare() const;

  const std::string folder_;
  FileSystem& files_;
  const ProvenName proven_name_;
  Seen seen_;
};

}  // namespace idkiosk

#endif  // IDKIOSK_APP_QUEUE_STORAGE_SLOT_FILES_H_
