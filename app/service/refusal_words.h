#ifndef IDKIOSK_APP_SERVICE_REFUSAL_WORDS_H_
#define IDKIOSK_APP_SERVICE_REFUSAL_WORDS_H_

#include <string>
#include <string_view>

namespace idkiosk {

// Returns what a service says with those words alone that refusals of an account are made of, in
// whatever case: any other may be a person's name, a number or a secret. "..." stands for those
// that follow one another. "Account of ... is locked" of "Account of eve okafor is locked". Holds
// printable ASCII alone.
[[nodiscard]] std::string WordsOfRefusals(std::string_view message);

}  // namespace idkiosk

#endif  // IDKIOSK_APP_SERVICE_REFUSAL_WORDS_H_
