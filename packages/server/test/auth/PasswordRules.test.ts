import { guessable, passwordFlaw } from "@carillon/server/crypto/PasswordRules"
import { assert, it } from "@effect/vitest"

const common = /^The password is one of the most common ones, which are guessed first\. Choose another/

it.each([
  ["password12", common],
  ["Password123", common],
  ["QWERTYUIOP", common],
  ["1qaz2wsx3edc", common],
  // As another keyboard types it, and with a space that nobody sees.
  ["ｐａｓｓｗｏｒｄ１２", common],
  [" password12 ", common],
  ["aaaaaaaaaaaa", /^The password repeats the same few characters\. .* at least 5 different ones\.$/],
  ["123123123123", /repeats the same few characters/],
  ["AbabABabABab", /repeats the same few characters/],
  ["too short", /^The password has 9 characters\. Choose one of 10 to 200\.$/],
  ["", /has 0 characters/],
  ["ab cd ef".repeat(26), /has 208 characters/]
])("%s is refused as a password, with the rule", (password, sentence) => {
  assert.match(passwordFlaw(password) ?? "", sentence)
})

it.each([
  "correct horse battery",
  "password12 for bells",
  "four bells in the north tower",
  "пароль-колокольня",
  "zq7 Wm-4tr"
])("%s is accepted as a password", (password) => {
  assert.isNull(passwordFlaw(password))
})

it("a passphrase is called by its name", () => {
  assert.match(guessable("password12", "passphrase") ?? "", /^The passphrase is one of the most common ones/)
})
