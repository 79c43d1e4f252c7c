#ifndef IDKIOSK_TESTS_FAKES_CERTIFICATES_H_
#define IDKIOSK_TESTS_FAKES_CERTIFICATES_H_

#include <string_view>

namespace idkiosk {

// The certificate of an authority that signs nothing; its key is lost.
inline constexpr std::string_view kAuthorityInPem =
    R"(-----BEGIN CERTIFICATE-----
MIIBiTCCAS+gAwIBAgIUQ3aCO2y5bCCW3tiUxqB1iB4oR8wwCgYIKoZIzj0EAwIw
GTEXMBUGA1UEAwwOVGVzdCBhdXRob3JpdHkwIBcNMjYxMTI1MTA1ODU2WhgPMjEy
NjExMDExMDU4NTZaMBkxFzAVBgNVBAMMDlRlc3QgYXV0aG9yaXR5MFkwEwYHKoZI
zj0CAQYIKoZIzj0DAQcDQgAEnr+TPXutYKn7bEvDzS4BqCNU/XSW+SnJFm/YbDBH
zUiszwaaXitoPN9gIDWeyBAbPaZ/Cv6Fp/FXOB/E4fiaxKNTMFEwHQYDVR0OBBYE
FLOKLufiqhRIDBmhsSPx3Bf1gFeIMB8GA1UdIwQYMBaAFLOKLufiqhRIDBmhsSPx
3Bf1gFeIMA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDSAAwRQIgMEt3t1MO
AzOUEtu2zm63skv49hZai3eLg+Npczi6yisCIQDV75kMqA56ilbYMQum1oxiG+6p
c6HQ7FZ1Sn8b+ezP9A==
-----END CERTIFICATE-----
)";

}  // namespace idkiosk

#endif  // IDKIOSK_TESTS_FAKES_CERTIFICATES_H_
