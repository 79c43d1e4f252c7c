#ifndef IDKIOSK_TESTS_FAULTS_KINDS_ANSWERS_H_
#define IDKIOSK_TESTS_FAULTS_KINDS_ANSWERS_H_

#include "tests/faults/tally.h"

// Rows in which the service answers what it should not.
namespace idkiosk::faults {

void Redirect(Tally& tally);
void RejectEverything(Tally& tally);
void RefuseAccess(Tally& tally);
void AskForARest(Tally& tally);
void FailAtTheServer(Tally& tally);
void AnswerNonsense(Tally& tally);
void AnswerWithoutEnd(Tally& tally);

}  // namespace idkiosk::faults

#endif  // IDKIOSK_TESTS_FAULTS_KINDS_ANSWERS_H_
