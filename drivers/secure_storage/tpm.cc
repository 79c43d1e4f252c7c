#include "drivers/secure_storage/tpm.h"

#include <tss2/tss2_esys.h>
#include <tss2/tss2_mu.h>
#include <tss2/tss2_sys.h>
#include <tss2/tss2_tcti_device.h>
#include <tss2/tss2_tcti_swtpm.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <utility>

namespace idkiosk {
namespace {

constexpr ESYS_TR kNone = ESYS_TR_NONE;
constexpr uint16_t kCounterSize = 8;

struct Freed {
  void operator()(void* memory) const { Esys_Free(memory); }
};
template <typename T>
using EsysPtr = std::unique_ptr<T, Freed>;

// The number of an error of the TPM without which of its handles, sessions or parameters it is
// about.
TSS2_RC Plain(TSS2_RC code) {
  if ((code & TSS2_RC_LAYER_MASK) != TSS2_TPM_RC_LAYER) return code;
  return (code & TPM2_RC_FMT1) != 0 ? code & (TPM2_RC_FMT1 | 0x3fU) : code;
}

TpmTrouble TroubleOf(TSS2_RC code) {
  switch (Plain(code)) {
    case TPM2_RC_LOCKOUT:
      return TpmTrouble::kLockedOut;
    case TPM2_RC_POLICY_FAIL:
    case TPM2_RC_PCR_CHANGED:
      return TpmTrouble::kChanged;
    case TPM2_RC_AUTH_FAIL:
      return TpmTrouble::kWrongAuth;
    case TPM2_RC_BAD_AUTH:
      return TpmTrouble::kOwned;
    case TPM2_RC_INTEGRITY:
      return TpmTrouble::kCleared;
    default:
      break;
  }
  return (code & TSS2_RC_LAYER_MASK) == TSS2_TCTI_RC_LAYER ? TpmTrouble::kAbsent
                                                           : TpmTrouble::kFailed;
}

TPM2B_PUBLIC StorageTemplate() {
  TPM2B_PUBLIC made{};
  TPMT_PUBLIC& area = made.publicArea;
  area.type = TPM2_ALG_ECC;
  area.nameAlg = TPM2_ALG_SHA256;
  area.objectAttributes = TPMA_OBJECT_FIXEDTPM | TPMA_OBJECT_FIXEDPARENT |
                          TPMA_OBJECT_SENSITIVEDATAORIGIN | TPMA_OBJECT_USERWITHAUTH |
                          TPMA_OBJECT_NODA | TPMA_OBJECT_RESTRICTED | TPMA_OBJECT_DECRYPT;
  TPMS_ECC_PARMS& curve = area.parameters.eccDetail;
  curve.symmetric.algorithm = TPM2_ALG_AES;
  curve.symmetric.keyBits.aes = 128;
  curve.symmetric.mode.aes = TPM2_ALG_CFB;
  curve.scheme.scheme = TPM2_ALG_NULL;
  curve.curveID = TPM2_ECC_NIST_P256;
  curve.kdf.scheme = TPM2_ALG_NULL;
  return made;
}

TPML_PCR_SELECTION Selection(uint32_t pcrs) {
  TPML_PCR_SELECTION selection{};
  selection.count = 1;
  TPMS_PCR_SELECTION& bank = selection.pcrSelections[0];
  bank.hash = TPM2_ALG_SHA256;
  bank.sizeofSelect = 3;
  for (unsigned i = 0; i < 3; ++i) bank.pcrSelect[i] = static_cast<uint8_t>(pcrs >> (8 * i));
  return selection;
}

template <typename Sized>
Bytes ToBytes(const Sized& sized, const uint8_t* bytes) {
  return {bytes, bytes + sized.size};
}

// A TPM2B with a copy of a secret, wiped when it goes.
template <typename Sized>
struct Wiped {
  explicit Wiped(const SecretBytes& secret) {
    sized.size = static_cast<uint16_t>(std::min(secret.size(), sizeof(sized.buffer)));
    std::copy_n(secret.view().begin(), sized.size, sized.buffer);
  }
  ~Wiped() { Wipe({reinterpret_cast<uint8_t*>(&sized), sizeof(sized)}); }
  Wiped(const Wiped&) = delete;
  Wiped& operator=(const Wiped&) = delete;
  Sized sized{};
};

// Opens the way to a TPM that `device` names into `context`, which Tss2_Tcti_Finalize must end,
// also after an error. Not by tpm2-tss's loader, which loses memory each time that no TPM is there.
TSS2_RC OpenWay(std::string_view device, Bytes& context) {
  constexpr std::string_view kSwtpm = "swtpm:";
  const bool is_swtpm = device.starts_with(kSwtpm);
  const auto open = is_swtpm ? &Tss2_Tcti_Swtpm_Init : &Tss2_Tcti_Device_Init;
  const std::string where(device.substr(is_swtpm ? kSwtpm.size() : 0));
  size_t size = 0;
  const TSS2_RC code = open(nullptr, &size, nullptr);
  if (code != TSS2_RC_SUCCESS) return code;
  context.assign(size, 0);
  return open(reinterpret_cast<TSS2_TCTI_CONTEXT*>(context.data()), &size, where.c_str());
}

// An open TPM, with its storage key loaded.
class Connection {
 public:
  static TpmResult<std::unique_ptr<Connection>> Open(const std::string& device) {
    std::unique_ptr<Connection> opened(new Connection(device));
    TSS2_RC code = OpenWay(device, opened->way_);
    if (code == TSS2_RC_SUCCESS) code = Esys_Initialize(&opened->esys_, opened->way(), nullptr);
    if (code != TSS2_RC_SUCCESS) return std::unexpected(opened->NotOpened(code));
    auto key = opened->MakePrimary(ESYS_TR_RH_OWNER);
    if (!key) return std::unexpected(key.error());
    opened->storage_key_ = *key;
    return opened;
  }

  ~Connection() {
    for (const ESYS_TR each : loaded_) (void)Esys_FlushContext(esys_, each);
    // Its buffer of answers held what was unsealed.
    TSS2_SYS_CONTEXT* sys = nullptr;
    if (esys_ != nullptr && Esys_GetSysContext(esys_, &sys) == TSS2_RC_SUCCESS && sys != nullptr) {
      Wipe({reinterpret_cast<uint8_t*>(sys), Tss2_Sys_GetContextSize(0)});
    }
    if (esys_ != nullptr) Esys_Finalize(&esys_);
    if (!way_.empty()) Tss2_Tcti_Finalize(way());
  }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  [[nodiscard]] ESYS_CONTEXT* esys() const { return esys_; }
  [[nodiscard]] ESYS_TR storage_key() const { return storage_key_; }

  // Unloaded when this goes.
  ESYS_TR Keep(ESYS_TR loaded) {
    loaded_.push_back(loaded);
    return loaded;
  }

  // Requires that `code` is an error.
  [[nodiscard]] std::unexpected<TpmError> Failed(TSS2_RC code) const {
    return std::unexpected(
        TpmError{TroubleOf(code), fmt::format("{}, {:#x}", device_, Plain(code))});
  }

  TpmResult<ESYS_TR> MakePrimary(ESYS_TR hierarchy) {
    const TPM2B_SENSITIVE_CREATE none{};
    const TPM2B_DATA outside{};
    const TPML_PCR_SELECTION pcrs{};
    const TPM2B_PUBLIC wanted = StorageTemplate();
    ESYS_TR made = kNone;
    const TSS2_RC code =
        Esys_CreatePrimary(esys_, hierarchy, ESYS_TR_PASSWORD, kNone, kNone, &none, &wanted,
                           &outside, &pcrs, &made, nullptr, nullptr, nullptr, nullptr);
    if (code != TSS2_RC_SUCCESS) return Failed(code);
    return Keep(made);
  }

  TpmResult<Bytes> NameOf(ESYS_TR object) {
    TPM2B_NAME* name = nullptr;
    const TSS2_RC code = Esys_TR_GetName(esys_, object, &name);
    if (code != TSS2_RC_SUCCESS) return Failed(code);
    const EsysPtr<TPM2B_NAME> owned(name);
    return ToBytes(*name, name->name);
  }

  // `attributes`: which direction's first parameter it encrypts.
  TpmResult<ESYS_TR> StartSession(TPM2_SE kind, TPMA_SESSION attributes) {
    TPMT_SYM_DEF cipher{};
    cipher.algorithm = TPM2_ALG_AES;
    cipher.keyBits.aes = 128;
    cipher.mode.aes = TPM2_ALG_CFB;
    ESYS_TR session = kNone;
    TSS2_RC code = Esys_StartAuthSession(esys_, storage_key_, kNone, kNone, kNone, kNone, nullptr,
                                         kind, &cipher, TPM2_ALG_SHA256, &session);
    if (code != TSS2_RC_SUCCESS) return Failed(code);
    Keep(session);
    code =
        Esys_TRSess_SetAttributes(esys_, session, attributes | TPMA_SESSION_CONTINUESESSION, 0xff);
    if (code != TSS2_RC_SUCCESS) return Failed(code);
    return session;
  }

  // A session that has proven the registers; the authorization comes with what it is used for.
  TpmResult<ESYS_TR> StartPolicy(TPM2_SE kind, uint32_t pcrs) {
    auto session = StartSession(kind, kind == TPM2_SE_TRIAL ? 0 : TPMA_SESSION_ENCRYPT);
    if (!session) return session;
    const TPM2B_DIGEST present{};
    const TPML_PCR_SELECTION selection = Selection(pcrs);
    TSS2_RC code = Esys_PolicyPCR(esys_, *session, kNone, kNone, kNone, &present, &selection);
    if (code == TSS2_RC_SUCCESS) {
      code = Esys_PolicyAuthValue(esys_, *session, kNone, kNone, kNone);
    }
    if (code != TSS2_RC_SUCCESS) return Failed(code);
    return session;
  }

  TpmResult<ESYS_TR> FindCounter(const Tpm::Counter& counter) {
    ESYS_TR found = kNone;
    TSS2_RC code = Esys_TR_FromTPMPublic(esys_, counter.index, kNone, kNone, kNone, &found);
    if (Plain(code) == TPM2_RC_HANDLE) {
      return std::unexpected(
          TpmError{TpmTrouble::kNoCounter, fmt::format("{}, index {:#x}", device_, counter.index)});
    }
    if (code != TSS2_RC_SUCCESS) return Failed(code);
    const Wiped<TPM2B_AUTH> auth(counter.auth);
    code = Esys_TR_SetAuth(esys_, found, &auth.sized);
    if (code != TSS2_RC_SUCCESS) return Failed(code);
    return found;
  }

  // What a use of the counter failed with: one of that index with another authorization is not
  // ours.
  [[nodiscard]] std::unexpected<TpmError> CounterFailed(TSS2_RC code) const {
    auto failed = Failed(code);
    const bool is_another = Plain(code) == TPM2_RC_BAD_AUTH || Plain(code) == TPM2_RC_AUTH_FAIL ||
                            Plain(code) == TPM2_RC_ATTRIBUTES;
    if (is_another) failed.error().trouble = TpmTrouble::kNoCounter;
    return failed;
  }

 private:
  explicit Connection(std::string device) : device_(std::move(device)) {}

  [[nodiscard]] TSS2_TCTI_CONTEXT* way() {
    return reinterpret_cast<TSS2_TCTI_CONTEXT*>(way_.data());
  }

  [[nodiscard]] TpmError NotOpened(TSS2_RC code) const {
    const bool is_forbidden = device_.starts_with('/') && access(device_.c_str(), F_OK) == 0 &&
                              access(device_.c_str(), R_OK | W_OK) != 0;
    return {is_forbidden ? TpmTrouble::kNoAccess : TpmTrouble::kAbsent,
            fmt::format("{}, {:#x}", device_, code)};
  }

  const std::string device_;
  Bytes way_;  // the memory of its TCTI context
  ESYS_CONTEXT* esys_ = nullptr;
  ESYS_TR storage_key_ = kNone;
  std::vector<ESYS_TR> loaded_;
};

using Opened = TpmResult<std::unique_ptr<Connection>>;

// The same TPM, and the same owner, as when this was sealed.
TpmResult<void> CheckIdentity(Connection& tpm, const Tpm::Sealed& sealed,
                              const std::string& device) {
  const auto storage = tpm.NameOf(tpm.storage_key());
  if (!storage) return std::unexpected(storage.error());
  if (*storage == sealed.storage_name) return {};
  const auto key = tpm.MakePrimary(ESYS_TR_RH_ENDORSEMENT);
  if (!key) return std::unexpected(key.error());
  const auto endorsement = tpm.NameOf(*key);
  if (!endorsement) return std::unexpected(endorsement.error());
  const bool is_same = *endorsement == sealed.endorsement_name;
  return std::unexpected(TpmError{is_same ? TpmTrouble::kCleared : TpmTrouble::kExchanged, device});
}

// The template of a secret that this TPM gives back only while these registers are what they are.
TpmResult<TPM2B_PUBLIC> SealedFor(Connection& tpm, uint32_t pcrs) {
  const auto trial = tpm.StartPolicy(TPM2_SE_TRIAL, pcrs);
  if (!trial) return std::unexpected(trial.error());
  TPM2B_DIGEST* policy = nullptr;
  const TSS2_RC code = Esys_PolicyGetDigest(tpm.esys(), *trial, kNone, kNone, kNone, &policy);
  if (code != TSS2_RC_SUCCESS) return tpm.Failed(code);
  const EsysPtr<TPM2B_DIGEST> owned(policy);
  TPM2B_PUBLIC wanted{};
  wanted.publicArea.type = TPM2_ALG_KEYEDHASH;
  wanted.publicArea.nameAlg = TPM2_ALG_SHA256;
  // Without its protection against guessing: nobody guesses 256 random bits. With it, each power
  // cut would count as a wrong try, and a few of them would lock the TPM.
  wanted.publicArea.objectAttributes =
      TPMA_OBJECT_FIXEDTPM | TPMA_OBJECT_FIXEDPARENT | TPMA_OBJECT_NODA;
  wanted.publicArea.authPolicy = *policy;
  wanted.publicArea.parameters.keyedHashDetail.scheme.scheme = TPM2_ALG_NULL;
  return wanted;
}

// Has the TPM seal `secret`, and keeps both areas that it gives in `sealed`.
TpmResult<void> CreateSealed(Connection& tpm, const TPM2B_PUBLIC& wanted, const SecretBytes& secret,
                             const SecretBytes& auth, Tpm::Sealed& sealed) {
  TPM2B_SENSITIVE_CREATE sensitive{};
  {
    const Wiped<TPM2B_AUTH> held_auth(auth);
    const Wiped<TPM2B_SENSITIVE_DATA> held_secret(secret);
    sensitive.sensitive.userAuth = held_auth.sized;
    sensitive.sensitive.data = held_secret.sized;
  }
  const auto session = tpm.StartSession(TPM2_SE_HMAC, TPMA_SESSION_DECRYPT);
  TPM2B_PRIVATE* private_area = nullptr;
  TPM2B_PUBLIC* public_area = nullptr;
  const TPM2B_DATA outside{};
  const TPML_PCR_SELECTION none{};
  TSS2_RC code = TSS2_RC_SUCCESS;
  if (session) {
    code = Esys_Create(tpm.esys(), tpm.storage_key(), *session, kNone, kNone, &sensitive, &wanted,
                       &outside, &none, &private_area, &public_area, nullptr, nullptr, nullptr);
  }
  Wipe({reinterpret_cast<uint8_t*>(&sensitive), sizeof(sensitive)});
  if (!session) return std::unexpected(session.error());
  if (code != TSS2_RC_SUCCESS) return tpm.Failed(code);
  const EsysPtr<TPM2B_PRIVATE> owned_private(private_area);
  const EsysPtr<TPM2B_PUBLIC> owned_public(public_area);
  sealed.private_area = ToBytes(*private_area, private_area->buffer);
  sealed.public_area.resize(sizeof(TPM2B_PUBLIC));
  size_t size = 0;
  code = Tss2_MU_TPM2B_PUBLIC_Marshal(public_area, sealed.public_area.data(),
                                      sealed.public_area.size(), &size);
  if (code != TSS2_RC_SUCCESS) return tpm.Failed(code);
  sealed.public_area.resize(size);
  return {};
}

}  // namespace

TpmResult<Tpm::Sealed> Tpm::Seal(const SecretBytes& secret, const SecretBytes& auth,
                                 uint32_t pcrs) {
  const Opened tpm = Connection::Open(device_);
  if (!tpm) return std::unexpected(tpm.error());
  const auto wanted = SealedFor(**tpm, pcrs);
  if (!wanted) return std::unexpected(wanted.error());
  Sealed sealed;
  sealed.pcrs = pcrs;
  if (auto made = CreateSealed(**tpm, *wanted, secret, auth, sealed); !made) {
    return std::unexpected(made.error());
  }
  auto storage = (*tpm)->NameOf((*tpm)->storage_key());
  if (!storage) return std::unexpected(storage.error());
  const auto key = (*tpm)->MakePrimary(ESYS_TR_RH_ENDORSEMENT);
  if (!key) return std::unexpected(key.error());
  auto endorsement = (*tpm)->NameOf(*key);
  if (!endorsement) return std::unexpected(endorsement.error());
  sealed.storage_name = std::move(*storage);
  sealed.endorsement_name = std::move(*endorsement);
  return sealed;
}

TpmResult<SecretBytes> Tpm::Unseal(const Sealed& sealed, const SecretBytes& auth) {
  const Opened tpm = Connection::Open(device_);
  if (!tpm) return std::unexpected(tpm.error());
  if (auto same = CheckIdentity(**tpm, sealed, device_); !same) {
    return std::unexpected(same.error());
  }
  ESYS_CONTEXT* const esys = (*tpm)->esys();
  TPM2B_PUBLIC public_area{};
  size_t offset = 0;
  TSS2_RC code = Tss2_MU_TPM2B_PUBLIC_Unmarshal(sealed.public_area.data(),
                                                sealed.public_area.size(), &offset, &public_area);
  if (code != TSS2_RC_SUCCESS) return (*tpm)->Failed(code);
  TPM2B_PRIVATE private_area{};
  if (sealed.private_area.size() > sizeof(private_area.buffer)) {
    return (*tpm)->Failed(TPM2_RC_INTEGRITY);
  }
  private_area.size = static_cast<uint16_t>(sealed.private_area.size());
  std::ranges::copy(sealed.private_area, private_area.buffer);
  ESYS_TR object = kNone;
  code = Esys_Load(esys, (*tpm)->storage_key(), ESYS_TR_PASSWORD, kNone, kNone, &private_area,
                   &public_area, &object);
  if (code != TSS2_RC_SUCCESS) return (*tpm)->Failed(code);
  (*tpm)->Keep(object);
  const Wiped<TPM2B_AUTH> held_auth(auth);
  code = Esys_TR_SetAuth(esys, object, &held_auth.sized);
  if (code != TSS2_RC_SUCCESS) return (*tpm)->Failed(code);
  const auto policy = (*tpm)->StartPolicy(TPM2_SE_POLICY, sealed.pcrs);
  if (!policy) return std::unexpected(policy.error());
  TPM2B_SENSITIVE_DATA* data = nullptr;
  code = Esys_Unseal(esys, object, *policy, kNone, kNone, &data);
  if (Plain(code) == TPM2_RC_BAD_AUTH) code = TPM2_RC_AUTH_FAIL;  // of the object, not the owner
  if (code != TSS2_RC_SUCCESS) return (*tpm)->Failed(code);
  const EsysPtr<TPM2B_SENSITIVE_DATA> owned(data);
  SecretBytes secret = SecretBytes::CopyOf(ByteSpan(data->buffer, data->size));
  Wipe({data->buffer, sizeof(data->buffer)});
  return secret;
}

TpmResult<uint64_t> Tpm::MakeCounter(const Counter& counter) {
  if (auto removed = RemoveCounter(counter.index); !removed) {
    return std::unexpected(removed.error());
  }
  const Opened tpm = Connection::Open(device_);
  if (!tpm) return std::unexpected(tpm.error());
  const auto session = (*tpm)->StartSession(TPM2_SE_HMAC, TPMA_SESSION_DECRYPT);
  if (!session) return std::unexpected(session.error());
  TPM2B_NV_PUBLIC wanted{};
  wanted.nvPublic.nvIndex = counter.index;
  wanted.nvPublic.nameAlg = TPM2_ALG_SHA256;
  wanted.nvPublic.attributes = TPMA_NV_AUTHREAD | TPMA_NV_AUTHWRITE | TPMA_NV_NO_DA |
                               (TPM2_NT_COUNTER << TPMA_NV_TPM2_NT_SHIFT);
  wanted.nvPublic.dataSize = kCounterSize;
  const Wiped<TPM2B_AUTH> auth(counter.auth);
  ESYS_TR made = kNone;
  const TSS2_RC code = Esys_NV_DefineSpace((*tpm)->esys(), ESYS_TR_RH_OWNER, *session, kNone, kNone,
                                           &auth.sized, &wanted, &made);
  if (code != TSS2_RC_SUCCESS) return (*tpm)->Failed(code);
  // It has no value before.
  if (auto stepped = StepCounter(counter); !stepped) return std::unexpected(stepped.error());
  return ReadCounter(counter);
}

TpmResult<uint64_t> Tpm::ReadCounter(const Counter& counter) {
  const Opened tpm = Connection::Open(device_);
  if (!tpm) return std::unexpected(tpm.error());
  const auto found = (*tpm)->FindCounter(counter);
  if (!found) return std::unexpected(found.error());
  const auto session = (*tpm)->StartSession(TPM2_SE_HMAC, TPMA_SESSION_ENCRYPT);
  if (!session) return std::unexpected(session.error());
  TPM2B_MAX_NV_BUFFER* data = nullptr;
  const TSS2_RC code =
      Esys_NV_Read((*tpm)->esys(), *found, *found, *session, kNone, kNone, kCounterSize, 0, &data);
  if (code != TSS2_RC_SUCCESS) return (*tpm)->CounterFailed(code);
  const EsysPtr<TPM2B_MAX_NV_BUFFER> owned(data);
  return ReadUint64(std::span<const uint8_t, 8>(data->buffer, kCounterSize));
}

TpmResult<void> Tpm::StepCounter(const Counter& counter) {
  const Opened tpm = Connection::Open(device_);
  if (!tpm) return std::unexpected(tpm.error());
  const auto found = (*tpm)->FindCounter(counter);
  if (!found) return std::unexpected(found.error());
  const auto session = (*tpm)->StartSession(TPM2_SE_HMAC, 0);
  if (!session) return std::unexpected(session.error());
  const TSS2_RC code = Esys_NV_Increment((*tpm)->esys(), *found, *found, *session, kNone, kNone);
  if (code != TSS2_RC_SUCCESS) return (*tpm)->CounterFailed(code);
  return {};
}

TpmResult<void> Tpm::RemoveCounter(uint32_t index) {
  const Opened tpm = Connection::Open(device_);
  if (!tpm) return std::unexpected(tpm.error());
  const auto found = (*tpm)->FindCounter({index, {}});
  if (!found && found.error().trouble == TpmTrouble::kNoCounter) return {};
  if (!found) return std::unexpected(found.error());
  const TSS2_RC code = Esys_NV_UndefineSpace((*tpm)->esys(), ESYS_TR_RH_OWNER, *found,
                                             ESYS_TR_PASSWORD, kNone, kNone);
  if (code != TSS2_RC_SUCCESS) return (*tpm)->Failed(code);
  return {};
}

}  // namespace idkiosk
