#include "app/service/service_reference.h"

#include <gtest/gtest.h>

namespace idkiosk {
namespace {

TEST(ServiceReferenceTest, WhatMayBeSomebodysIsNotKept) {
  for (const char* each : {"70123456789",
                           "00000000001",
                           "701 2345 6789",
                           "701-2345-6789",
                           "(701) 2345.6789",
                           "NIN70123456789",
                           "20261327001",
                           "TXN20261132001",
                           "R-70123456789-7",
                           "nin:70123456789;x",
                           "08031234567",
                           "2348031234567",
                           "+2348031234567",
                           "+234 803 123 4567",
                           "002348031234567",
                           "8031234567",
                           "tel:+2348031234567",
                           "+44 20 7946 0958",
                           "+1",
                           "1984-03-12",
                           "12/03/1984",
                           "X 1.3.2007",
                           "Eve Okafor",
                           "eve okafor",
                           "eve@okafor.example"}) {
    EXPECT_TRUE(MayBePersonal(each)) << each;
  }
}

TEST(ServiceReferenceTest, WhatAServiceCountsByIsKept) {
  for (const char* each : {"",
                           "R-1",
                           "7",
                           "1000345",
                           "1000000345",
                           "1764205200",
                           "1764205200123",
                           "701234567891",
                           "20261127080000001234",
                           "2026-11-27-000345",
                           "20261127001",
                           "TXN20261127001",
                           "VN-20261127-001",
                           "SBX-KQWERTZAXCVB",
                           "VN-8031234567",
                           "VN 000345",
                           "KRXQRP",
                           "9f1c6d0e-2b74-4a1f-8d55-0c9e7b6a5f43",
                           "a/b+c==",
                           "19-84-2026",
                           "1984-0312-1"}) {
    EXPECT_FALSE(MayBePersonal(each)) << each;
  }
}

TEST(ServiceReferenceTest, FindsANameInAnyCaseAndAmongOtherThings) {
  for (const char* each : {"Amina", "amina.sample", "AminaSample", "Amina-Sample-1984", "R-7 ADE",
                           "Sample 2026-11-27", "SAM-PLE"}) {
    EXPECT_TRUE(HoldsName(each, "Amina Ade-Sample")) << each;
  }
  for (const char* each : {"", "R-1", "SBX-QADEWERTZAXC", "SAM-PEL", "A-DE"}) {
    EXPECT_FALSE(HoldsName(each, "Amina Ade-Sample Bo")) << each;
  }
  EXPECT_FALSE(HoldsName("R-1", ""));
  EXPECT_FALSE(HoldsName("BO-1", "Bo"));
}

TEST(ServiceReferenceTest, FindsASecretWithSignsInIt) {
  EXPECT_TRUE(HoldsSecret("R-KEYCANARY1", "KEYCANARY1"));
  EXPECT_TRUE(HoldsSecret("keycanary-1", "KEYCANARY1"));
  EXPECT_TRUE(HoldsSecret("R-#########", "#########"));
  EXPECT_FALSE(HoldsSecret("R-KEYCANARY2", "KEYCANARY1"));
  EXPECT_FALSE(HoldsSecret("R-1234567", "1234567")) << "may well be an account's number";
  EXPECT_FALSE(HoldsSecret("R-1", "1--------"));
}

TEST(ServiceReferenceTest, FindsANumberOfTheRequestInAnyGroups) {
  EXPECT_TRUE(HoldsNumber("R-701-2345-6789", "70123456789"));
  EXPECT_TRUE(HoldsNumber("R-8031234567", "08031234567"));
  EXPECT_TRUE(HoldsNumber("R-8031234567", "+2348031234567"));
  EXPECT_TRUE(HoldsNumber("passport a 1234-567", "A1234567"));
  EXPECT_TRUE(HoldsNumber("7", "7"));
  EXPECT_TRUE(HoldsNumber("R-###", "###"));
  EXPECT_TRUE(HoldsNumber("S7012X34567Y89", "70123456789"));
  EXPECT_FALSE(HoldsNumber("S7012X34567Y88", "70123456789"));
  EXPECT_FALSE(HoldsNumber("R-7001", "7"));
  EXPECT_FALSE(HoldsNumber("R-70123456788", "70123456789"));
  EXPECT_FALSE(HoldsNumber("R-1", ""));
  EXPECT_FALSE(HoldsNumber("", "70123456789"));
}

}  // namespace
}  // namespace idkiosk
