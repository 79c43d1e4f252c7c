#include "drivers/secure_storage/root_key_report.h"

#include <iterator>

namespace idkiosk {
namespace {

using Threat = SecureStorage::Threat;

constexpr Threat kInFile[] = {
    {"another user of this board reads the files", true, "they are readable for their owner alone"},
    {"the disk, or a copy of it, is taken away", false, "the key lies beside what it opens"},
    {"an older copy of the files is put back", false,
     "nothing outside the disk counts the changes"},
    {"another program of the same user reads the files", false,
     "it may read what idkiosk may read"},
    {"the board breaks, its disk does not", true, "the disk opens in another board"},
};

constexpr Threat kInTpm[] = {
    {"another user of this board reads the files", true, "they are readable for their owner alone"},
    {"the disk, or a copy of it, is taken away", true, "only this board's TPM opens the key"},
    {"another system is started on this board", true,
     "the TPM gives the key only if the board started as before; needs Secure Boot"},
    {"somebody listens on the TPM's wires", true, "the key crosses them encrypted"},
    {"an older copy of the files is put back", true,
     "the TPM counts the changes; not the last hour's, if the copy was made while idkiosk ran"},
    {"a copy from before the key was moved to the TPM is put back", false,
     "it has its own key beside it"},
    {"another program of the same user reads the files", false,
     "it may ask the TPM as idkiosk does"},
    {"the board breaks, its disk does not", false, "nobody can open the vault again"},
};

SecureStorage::RootKey Begin(RootKeyPlace place) {
  SecureStorage::RootKey report;
  switch (place) {
    case RootKeyPlace::kFile:
      report.place = "file";
      report.threats.assign(std::begin(kInFile), std::end(kInFile));
      break;
    case RootKeyPlace::kTpm:
      report.place = "tpm";
      report.threats.assign(std::begin(kInTpm), std::end(kInTpm));
      break;
  }
  return report;
}

std::string Registers(uint32_t pcrs) {
  std::vector<unsigned> numbers;
  for (unsigned i = 0; i < 32; ++i) {
    if ((pcrs >> i & 1) != 0) numbers.push_back(i);
  }
  return fmt::format("{}", fmt::join(numbers, ", "));
}

}  // namespace

SecureStorage::RootKey GoodRootKey(RootKeyPlace place, const std::optional<VaultCounter>& counter) {
  SecureStorage::RootKey report = Begin(place);
  report.state = "good";
  report.text = counter ? fmt::format(
                              "The vault's key is in this board's TPM, bound to PCR {}. The "
                              "TPM counts the vault's changes.",
                              Registers(counter->pcrs))
                        : "The vault's key is in a file beside the vault.";
  return report;
}

SecureStorage::RootKey BadRootKey(std::optional<RootKeyPlace> place,
                                  const std::optional<TpmError>& trouble, const Error& error) {
  SecureStorage::RootKey report = place ? Begin(*place) : SecureStorage::RootKey();
  if (!trouble) {
    report.state = "unusable";
    report.text = error.message;
    return report;
  }
  const TpmTroubleTraits& traits = TraitsOf(trouble->trouble);
  report.state = traits.name;
  report.text = fmt::format("{} ({})", traits.text, trouble->detail);
  report.mend = traits.mend;
  return report;
}

}  // namespace idkiosk
